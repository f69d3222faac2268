//! What a running file can reach: files, those of libraries (`load("@lib:file", …)`) and modules, seen from its folder.
//! `tree` finds them.

use std::any::Any;
use std::sync::Arc;

use super::addressed::Addressed;
use super::module;
use super::tree::{FolderId, FoundFile, Tree};
use crate::diag::{Code, Diagnostic, Fact, Headline};
use crate::eval::{Form, MemberFn, ModuleFn, Options, Scope, SourceUnit};
use crate::files::{File, FileKind};
use crate::limits::Limits;
use crate::lints::Lints;
use crate::source::{SourceId, SourceMap, Span, Text, to_u32};
use crate::stdlib;

/// What all files of one run have in common.
#[derive(Clone, Debug)]
pub(crate) struct Common {
    pub(crate) tree: Arc<Tree>,
    pub(crate) sources: Arc<SourceMap>,
    pub(crate) limits: Limits,
    pub(crate) options: Options,
    pub(crate) lints: Lints,
}

/// Where a file stands among others: the folder that paths start from, and the root of its library.
#[derive(Clone, Debug)]
pub(crate) struct FileScope {
    pub(crate) common: Arc<Common>,
    pub(crate) folder: FolderId,
    pub(crate) root: FolderId,
    /// For the libraries that the file evaluates; nothing while schema and values are made.
    pub(crate) addressed: Arc<Addressed>,
}

impl FileScope {
    /// A file as evaluation sees it; its bytes are read now.
    pub(crate) fn unit(&self, file: &File, folder: FolderId) -> Result<SourceUnit, Diagnostic> {
        Ok(SourceUnit {
            source: file.open(&self.common.sources, &self.common.limits)?,
            path: file.path.to_arc(),
            form: form(file),
            options: self.common.options,
            scope: Arc::new(FileScope { folder, ..self.clone() }),
        })
    }

    fn library_file(&self, found: &FoundFile, path: &str) -> Result<SourceUnit, Diagnostic> {
        self.common.tree.note_used(found);
        if !found.file.is_library {
            let problem = Diagnostic::error(
                Code::TEMPLATE_LOAD,
                format!(
                    "Expected file '{}' to be a library file, but was not (hint: library filename must end with '.lib.yml' or '.star'; use data.read(...) for loading non-templated file contents)",
                    found.file.path
                ),
            );
            return Err(self.no_library(problem, found, path));
        }
        self.unit(&found.file, found.folder)
    }

    /// Of a file that is no library by its name: the function in it, which says that it was meant as one.
    fn no_library(&self, problem: Diagnostic, found: &FoundFile, path: &str) -> Diagnostic {
        let Ok(unit) = self.unit(&found.file, found.folder) else { return problem };
        let source = self.common.sources.get(unit.source);
        let text = source.text.as_str().unwrap_or_default();
        let is_yaml = matches!(found.file.kind, FileKind::Yaml);
        let (mark, ending) = if is_yaml { ("#@", "lib.yml") } else { ("(@", "lib.txt") };
        let defines = |line: &str| {
            let code = line.trim_start().strip_prefix(mark)?;
            let code = code.strip_prefix('-').unwrap_or(code).trim_start();
            let name = code.strip_prefix("def ")?.split('(').next()?.trim();
            (!name.is_empty()).then(|| name.to_owned())
        };
        let mut start = 0_usize;
        let function = text.split_inclusive('\n').find_map(|line| {
            let at = start;
            start = start.saturating_add(line.len());
            let end = at.saturating_add(line.trim_end().len());
            Some((defines(line)?, Span::new(unit.source, to_u32(at), to_u32(end))))
        });
        let Some((name, place)) = function else { return problem };
        let (stem, _) = path.rsplit_once('.').unwrap_or((path, ""));
        let new = format!("{stem}.{ending}");
        let file = new.rsplit('/').next().unwrap_or_default();
        // The hint of the reference, to read the file, would give its code as a text.
        let length = problem.message().find(" (hint:").unwrap_or(problem.message().len());
        let is_plain = !is_yaml && !found.file.is_template;
        let mut problem = problem.fact(Fact::InNoLibrary { name, place, is_plain });
        problem.parts_mut().headline = Some(Headline::Start(length));
        problem.help(format!("rename that file to `{file}`, and load `{new}`"))
    }
}

/// How a file is read. A name of a library makes it a template, whatever a mark says.
fn form(file: &File) -> Form {
    let plain = !file.is_template && !file.is_library;
    match file.kind {
        FileKind::Yaml => Form::Yaml { plain },
        FileKind::Starlark => Form::Starlark,
        FileKind::Text | FileKind::Data => Form::Text { plain },
    }
}

impl Scope for FileScope {
    fn resolve(&self, path: &str) -> Result<SourceUnit, Diagnostic> {
        let Some(address) = path.strip_prefix('@') else {
            let found = self.common.tree.file(self.folder, self.root, path)?;
            return self.library_file(&found, path);
        };
        let Some((library, path)) = address.split_once(':') else {
            let problem = Diagnostic::error(
                Code::TEMPLATE_LOAD,
                "Expected library path to be in format '@name:path' e.g. '@github.com/vmware-tanzu/test:test.star' or '@ytt:base64'",
            );
            let meant = address.rsplit_once('/').map(|(library, path)| format!("@{library}:{path}"));
            return Err(problem.misspelt(path, meant.as_deref()));
        };
        let root = self.common.tree.library(self.folder, library)?;
        self.common.tree.note_used_library(root);
        let scope = FileScope { folder: root, root, ..self.clone() };
        let found = scope.common.tree.file(root, root, path)?;
        scope.library_file(&found, path)
    }

    fn module(&self, name: &str) -> Option<ModuleFn> {
        if name == "library" { Some(module::module) } else { stdlib::module(name) }
    }

    fn overlay_member(&self) -> MemberFn {
        stdlib::overlay_member
    }

    fn modules(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = stdlib::names().chain(["library"]).collect();
        names.sort_unstable();
        names
    }

    fn read(&self, path: &str) -> Result<(Text, Option<SourceId>), Diagnostic> {
        let found = self.common.tree.file(self.folder, self.root, path)?;
        self.common.tree.note_used(&found);
        let source = found.file.open(&self.common.sources, &self.common.limits)?;
        Ok((self.common.sources.get(source).text.clone(), Some(source)))
    }

    fn list(&self, path: Option<&str>) -> Result<Vec<String>, Diagnostic> {
        self.common.tree.list(self.folder, self.root, path)
    }

    fn loadable(&self) -> Vec<(String, SourceId)> {
        /// Files, and bytes of them.
        const MOST: (usize, usize) = (500, 2 << 20);
        let Common { tree, sources, limits, .. } = &*self.common;
        let mut left = MOST.1;
        let libraries = tree.in_tree_order(self.root).into_iter().filter(|found| found.file.is_library);
        let opened = libraries.take(MOST.0).filter_map(|found| {
            let source = found.file.open(sources, limits).ok()?;
            left = left.checked_sub(sources.get(source).text.as_bytes().len())?;
            Some((tree.path_from(self.folder, self.root, &found.file), source))
        });
        opened.collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
