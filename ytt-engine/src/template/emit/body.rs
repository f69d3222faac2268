//! What the statements of a body do.

use super::{PRINT, Stmt, StmtKind, TASKS, TokenId};

/// Does a body make nodes itself, not in a function within it?
pub(super) fn makes_nodes(stmts: &[Stmt], is_call: &dyn Fn(TokenId) -> bool) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Made | StmtKind::Expr(_) => is_call(stmt.first),
        StmtKind::If { branches, otherwise } => {
            branches.iter().map(|branch| &branch.body).chain(otherwise).any(|body| makes_nodes(&body.stmts, is_call))
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => makes_nodes(&body.stmts, is_call),
        _ => false,
    })
}

/// Calls that start a node or set its value.
pub(super) fn is_node_call(text: &[u8]) -> bool {
    let name = text.split(|byte| *byte == b'(').next().unwrap_or_default();
    text.starts_with(TASKS.as_bytes()) || name == b"__ytt_s" || name == PRINT.as_bytes()
}

/// Does a body loop itself, not in a function within it?
pub(super) fn has_loop(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::For { .. } | StmtKind::While { .. } => true,
        StmtKind::If { branches, otherwise } => {
            branches.iter().map(|branch| &branch.body).chain(otherwise).any(|body| has_loop(&body.stmts))
        }
        _ => false,
    })
}
