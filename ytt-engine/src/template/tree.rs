//! The syntax tree of a program: enough to resolve names and to write the program anew.
//!
//! Nothing is copied: all of it names tokens by number. Positions of expressions are their first and last tokens.

use super::token::Kind;

/// Number of a token.
pub(super) type TokenId = u32;

/// An expression and the tokens that it covers, the last one included.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) first: TokenId,
    pub(super) last: TokenId,
    /// Height of the tree, which parser and compiler recurse over.
    pub(super) height: u16,
}

impl Expr {
    /// Without the parentheses around it.
    pub(super) fn bare(&self) -> &Expr {
        let mut inner = self;
        while let ExprKind::Paren(next) = &inner.kind {
            inner = next;
        }
        inner
    }
}

impl ExprKind {
    /// Calls `visit` with each expression right below; of a lambda that is its body.
    pub(super) fn each_part<'e>(&'e self, mut visit: impl FnMut(&'e Expr)) {
        match self {
            ExprKind::Name | ExprKind::Literal => {}
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Dict(items) => items.iter().for_each(visit),
            ExprKind::Condition(parts) => parts.iter().for_each(visit),
            ExprKind::Index(parts) => parts.iter().for_each(visit),
            ExprKind::Slice(value, parts) => {
                visit(value);
                parts.iter().flatten().for_each(visit);
            }
            ExprKind::Paren(inner) | ExprKind::Unary(inner) | ExprKind::Dot(inner, _) => visit(inner),
            ExprKind::Binary(binary) => {
                visit(&binary.left);
                visit(&binary.right);
            }
            ExprKind::Lambda(lambda) => visit(&lambda.body),
            ExprKind::Call(function, arguments) => {
                visit(function);
                arguments.iter().for_each(|argument| visit(&argument.value));
            }
            ExprKind::Comprehension(comprehension) => {
                comprehension.body.iter().for_each(&mut visit);
                for clause in &comprehension.clauses {
                    match clause {
                        Clause::If(condition) => visit(condition),
                        Clause::For(vars, over) => {
                            visit(vars);
                            visit(over);
                        }
                    }
                }
            }
        }
    }
}

#[derive(Debug)]
pub(super) enum ExprKind {
    Name,
    Literal,
    List(Vec<Expr>),
    /// With or without parentheses; `()` too.
    Tuple(Vec<Expr>),
    Paren(Box<Expr>),
    /// Keys and values in turn.
    Dict(Vec<Expr>),
    Comprehension(Box<Comprehension>),
    Condition(Box<[Expr; 3]>),
    /// `not`, `-`, `+`, `~`.
    Unary(Box<Expr>),
    Binary(Box<Binary>),
    Lambda(Box<Lambda>),
    Dot(Box<Expr>, TokenId),
    Call(Box<Expr>, Vec<Argument>),
    /// A value and its index.
    Index(Box<[Expr; 2]>),
    /// A value, and the parts of `[start:end:step]` that are there.
    Slice(Box<Expr>, Box<[Option<Expr>; 3]>),
}

#[derive(Debug)]
pub(super) struct Binary {
    pub(super) left: Expr,
    pub(super) right: Expr,
}

#[derive(Debug)]
pub(super) struct Comprehension {
    /// One expression, or key and value.
    pub(super) body: Vec<Expr>,
    pub(super) clauses: Vec<Clause>,
}

#[derive(Debug)]
pub(super) enum Clause {
    For(Expr, Expr),
    If(Expr),
}

#[derive(Debug)]
pub(super) struct Lambda {
    pub(super) params: Vec<Param>,
    pub(super) body: Expr,
}

/// What an argument or a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentRole {
    Plain,
    /// `name=value`: a parameter with a default.
    Named,
    /// `*`.
    Star,
    /// `**`.
    DoubleStar,
}

#[derive(Debug)]
pub(super) struct Argument {
    pub(super) role: ArgumentRole,
    /// The name, or the star.
    pub(super) first: TokenId,
    pub(super) value: Expr,
}

#[derive(Debug)]
pub(super) struct Param {
    pub(super) role: ArgumentRole,
    /// The name; the star where it has no name.
    pub(super) name: TokenId,
    pub(super) bare: bool,
    /// The `=`, or the star.
    pub(super) operator: TokenId,
    pub(super) default: Option<Expr>,
}

/// A statement, and the first of its tokens.
#[derive(Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) first: TokenId,
}

#[derive(Debug)]
pub(super) enum StmtKind {
    /// A call that the compiler made, with nothing of people's in it; one token.
    Made,
    Expr(Expr),
    Assign {
        left: Expr,
        /// `+=` or one of its like.
        operator: Option<Kind>,
        right: Expr,
    },
    /// `break` or `continue`.
    Branch(Kind),
    Return(Option<Expr>),
    Load(Box<Load>),
    If {
        branches: Vec<Branch>,
        otherwise: Option<Suite>,
    },
    For {
        vars: Expr,
        over: Expr,
        body: Suite,
    },
    While {
        condition: Expr,
        body: Suite,
    },
    Def(Box<Def>),
}

/// A part of a statement, for those who look through all of a program.
pub(super) enum StmtPart<'e> {
    Value(&'e Expr),
    /// What an `if` or `while` asks.
    Condition(&'e Expr),
    /// What is assigned to, and the variables of a loop.
    Target(&'e Expr),
    Body(&'e Suite),
}

impl StmtKind {
    /// Visits the parts in the order in which they run: what a loop goes over comes before its variables, and the value of an
    /// assignment before what it is assigned to. Of a function these are the defaults and the body.
    pub(super) fn each_part<'e>(&'e self, mut visit: impl FnMut(StmtPart<'e>)) {
        use StmtPart::{Body, Condition, Target, Value};
        match self {
            StmtKind::Made | StmtKind::Branch(_) | StmtKind::Return(None) | StmtKind::Load(_) => {}
            StmtKind::Expr(value) | StmtKind::Return(Some(value)) => visit(Value(value)),
            StmtKind::Assign { left, right, .. } => {
                visit(Value(right));
                visit(Target(left));
            }
            StmtKind::If { branches, otherwise } => {
                for branch in branches {
                    visit(Condition(&branch.condition));
                    visit(Body(&branch.body));
                }
                otherwise.iter().for_each(|body| visit(Body(body)));
            }
            StmtKind::For { vars, over, body } => {
                visit(Value(over));
                visit(Target(vars));
                visit(Body(body));
            }
            StmtKind::While { condition, body } => {
                visit(Condition(condition));
                visit(Body(body));
            }
            StmtKind::Def(def) => {
                def.params.iter().filter_map(|param| param.default.as_ref()).for_each(|one| visit(Value(one)));
                visit(Body(&def.body));
            }
        }
    }
}

/// `if` or `elif` with its condition.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) keyword: TokenId,
    pub(super) condition: Expr,
    pub(super) body: Suite,
}

/// The body of a block.
#[derive(Debug)]
pub(super) struct Suite {
    pub(super) stmts: Vec<Stmt>,
    /// The colon in front.
    pub(super) colon: TokenId,
    /// The token that closes it: `end`, `else`, `elif`, or the line break of a one-line body.
    pub(super) close: TokenId,
}

#[derive(Debug)]
pub(super) struct Def {
    pub(super) name: TokenId,
    pub(super) params: Vec<Param>,
    pub(super) body: Suite,
}

#[derive(Debug)]
pub(super) struct Load {
    pub(super) path: TokenId,
    /// The bound name (a name or a literal) and the literal of the wanted one.
    pub(super) names: Vec<(TokenId, TokenId)>,
    pub(super) last: TokenId,
}
