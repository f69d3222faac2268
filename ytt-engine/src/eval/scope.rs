//! What evaluation knows of a file, and how the file finds others: `library` says how.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use starlark::values::{Heap, Value, ValueTyped};

use super::host::FileInstance;
use crate::diag::Diagnostic;
use crate::source::{SourceId, Text};

/// Settings that a library may override for itself; they are part of what a compiled file depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Options {
    pub(crate) strict: bool,
    pub(crate) ignore_unknown_comments: bool,
    pub(crate) implicit_map_key_overrides: bool,
    pub(crate) disable_validation: bool,
}

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// YAML; a plain one is never a template, whatever its comments say.
    Yaml {
        plain: bool,
    },
    Text {
        plain: bool,
    },
    Starlark,
}

/// A file as evaluation sees it.
#[derive(Clone, Debug)]
pub(crate) struct SourceUnit {
    pub(crate) source: SourceId,
    /// Relative path, for messages.
    pub(crate) path: Arc<str>,
    pub(crate) form: Form,
    pub(crate) options: Options,
    pub(crate) scope: Arc<dyn Scope>,
}

/// Makes a module for the evaluation that loads it.
pub(crate) type ModuleFn = for<'v> fn(ValueTyped<'v, FileInstance<'v>>, Heap<'v>) -> Value<'v>;

/// Makes the member of that name of a module, if it has one.
pub(crate) type MemberFn = for<'v> fn(&str, ValueTyped<'v, FileInstance<'v>>, Heap<'v>) -> Option<Value<'v>>;

/// How a file finds others: from its folder, in its library. `library` implements it, so that evaluation knows no
/// libraries; errors are the reference's texts without `cannot load PATH: `.
pub(crate) trait Scope: Any + Send + Sync + fmt::Debug {
    /// The file that `load(path)` means, when it may be loaded.
    fn resolve(&self, path: &str) -> Result<SourceUnit, Diagnostic>;
    /// The module `@ytt:name`.
    fn module(&self, name: &str) -> Option<ModuleFn>;
    /// Makes a member of the module `@ytt:overlay` without the others.
    fn overlay_member(&self) -> MemberFn;
    /// The names of all modules, for advice.
    fn modules(&self) -> Vec<&'static str>;
    /// Content of a file, for `data.read`, and the source that it is, if it is one.
    fn read(&self, path: &str) -> Result<(Text, Option<SourceId>), Diagnostic>;
    /// Relative paths of files, for `data.list`.
    fn list(&self, path: Option<&str>) -> Result<Vec<String>, Diagnostic>;
    /// The files that can be loaded, as a `load` names each, for advice; not more than are looked through at once.
    fn loadable(&self) -> Vec<(String, SourceId)>;
    fn as_any(&self) -> &dyn Any;
}
