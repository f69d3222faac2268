//! YAML as ytt reads and prints it: a reader that keeps every place and comment, the arena of nodes, the printers.

pub(crate) mod arena;
pub(crate) mod meta;

pub(crate) use arena::{Arena, Body, Node, NodeId, Plain, TooDeep, Val};
pub(crate) use meta::{AnnId, AnnSet, Annotation, ArgId, Comment, Place, PosId};

#[derive(Clone, Debug)]
pub(crate) struct ReadOptions {
    pub(crate) strict: bool,
    pub(crate) alias_nodes: u64,
}
#[derive(Clone, Debug)]
pub(crate) struct ReadFile {
    pub(crate) root: NodeId,
    pub(crate) has_code: bool,
    pub(crate) has_duplicate_keys: bool,
}
pub(crate) fn read(
    _arena: &mut Arena,
    _sources: &crate::source::SourceMap,
    _source: crate::source::SourceId,
    _options: &ReadOptions,
) -> Result<ReadFile, crate::diag::Diagnostic> {
    Err(crate::diag::Diagnostic::error(crate::diag::Code::INTERNAL, "stub"))
}
pub(crate) fn resolve_duplicate_keys(_arena: &mut Arena, _root: NodeId) {}
