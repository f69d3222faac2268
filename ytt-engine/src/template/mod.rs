//! Contract only; replaced by the branch `template`.
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::yaml::{NodeId, PosId};
use std::collections::BTreeSet;
use std::sync::Arc;
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) text: String,
    pub(crate) names: Names,
    pub(crate) lines: LineMap,
    pub(crate) skeleton: Skeleton,
    pub(crate) warnings: Vec<Diagnostic>,
}
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) definite: Vec<String>,
    pub(crate) conditional: Vec<String>,
    pub(crate) loaded: BTreeSet<String>,
}
#[derive(Debug)]
pub(crate) struct LineMap;
impl LineMap {
    pub(crate) fn span(&self, _line: u32, _column: u32) -> Option<Span> {
        None
    }
}
#[derive(Debug)]
pub(crate) struct Skeleton {
    pub(crate) items: Vec<Item>,
    pub(crate) pieces: Vec<Arc<str>>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Set,
    Document,
    Map,
    MapItem,
    Array,
    ArrayItem,
}
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    pub(crate) node: NodeId,
    pub(crate) computed: bool,
    pub(crate) annotations: Vec<(Arc<str>, PosId)>,
}

pub(crate) struct CompileOptions {
    pub(crate) ignore_unknown_comments: bool,
    pub(crate) implicit_map_key_overrides: bool,
}
use crate::diag::Diagnostics;
use crate::source::{SourceId, SourceMap};
use crate::yaml::Arena;
pub(crate) fn compile_yaml(
    _arena: &mut Arena,
    _sources: &SourceMap,
    _source: SourceId,
    _root: NodeId,
    _options: &CompileOptions,
    _builtins: &dyn Fn(&str) -> bool,
) -> Result<Program, Diagnostics> {
    Err(Diagnostics::default())
}
pub(crate) fn compile_text(
    _sources: &SourceMap,
    _source: SourceId,
    _builtins: &dyn Fn(&str) -> bool,
) -> Result<Program, Diagnostics> {
    Err(Diagnostics::default())
}
pub(crate) fn compile_star(
    _sources: &SourceMap,
    _source: SourceId,
    _builtins: &dyn Fn(&str) -> bool,
) -> Result<Program, Diagnostics> {
    Err(Diagnostics::default())
}
