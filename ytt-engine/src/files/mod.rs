//! Files of a render: what each is, by its name and its marks, and when its bytes are read.
//!
//! [`read`] lists what the caller named, [`mark`] changes it, and then every [`File`] is fixed. Its bytes are read when
//! they are first needed, so what nobody uses is never opened. Libraries are made from these files by `library`.

mod beyond;
mod disk;
mod mark;
mod path;
mod read;

use std::collections::HashMap;
#[cfg(feature = "pretty")]
use std::ffi::OsString;
#[cfg(feature = "pretty")]
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Text};
use crate::times::Phase;

pub(crate) use beyond::{Beyond, beyond};
pub(crate) use disk::Disk;
pub use mark::FileMark;
pub(crate) use mark::apply;
pub(crate) use path::{FilePath, PRIVATE, absolute, clean, is_in_library};
pub(crate) use read::{Access, Listing, Stdin, Symlinks, split_argument, system_text};

/// What a file is, by the end of its name or by a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// `.yml` and `.yaml`.
    Yaml,
    /// `.txt`.
    Text,
    /// `.star`.
    Starlark,
    /// Anything else: only `data.read` sees it.
    Data,
}

impl FileKind {
    /// By the end of the last part of a path; case counts.
    fn of(base_name: &str) -> FileKind {
        let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| base_name.ends_with(suffix));
        if ends(&[".yml", ".yaml"]) {
            FileKind::Yaml
        } else if ends(&[".star"]) {
            FileKind::Starlark
        } else if ends(&[".txt"]) {
            FileKind::Text
        } else {
            FileKind::Data
        }
    }
}

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Disk(PathBuf),
    Memory(Text),
    /// Listed, but there is nothing to read: the problem appears when somebody needs the bytes.
    Failed(Diagnostic),
}

/// A file that was listed and that marks may still change.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) original: FilePath,
    pub(crate) content: Content,
    /// Number of the `Project` step that brought it.
    pub(crate) input: u32,
    /// The path that `new=path` or a mark gives.
    pub(crate) path: Option<FilePath>,
    kind: Option<FileKind>,
    template: Option<bool>,
    for_output: Option<bool>,
    exclusive: bool,
    excluded: bool,
}

impl Listed {
    pub(crate) fn new(original: impl Into<Arc<str>>, content: Content, input: u32) -> Listed {
        Listed {
            original: FilePath::new(original),
            content,
            input,
            path: None,
            kind: None,
            template: None,
            for_output: None,
            exclusive: false,
            excluded: false,
        }
    }

    /// Decides what the file is. `reads` records when its bytes are read.
    pub(crate) fn finish(self, reads: &Arc<Reads>) -> File {
        let path = self.path.unwrap_or_else(|| self.original.clone());
        let kind = self.kind.unwrap_or_else(|| FileKind::of(path.base_name()));
        let parts: Vec<&str> = path.base_name().split('.').collect();
        let is_library = matches!(parts[..], [_, .., "lib", _]) || kind == FileKind::Starlark;
        let by_name = !is_library && matches!(kind, FileKind::Yaml | FileKind::Text);
        File {
            is_template: self.template.unwrap_or(by_name),
            for_output: self.for_output.unwrap_or(self.template == Some(true) || by_name),
            path,
            original: self.original,
            kind,
            is_library,
            input: self.input,
            content: self.content,
            reads: reads.clone(),
            source: OnceLock::new(),
        }
    }
}

/// A file of a render. It is made for one render and read at most once in it.
#[derive(Debug)]
pub(crate) struct File {
    /// The relative path, after marks.
    pub(crate) path: FilePath,
    /// The relative path before renames: what marks match.
    pub(crate) original: FilePath,
    pub(crate) kind: FileKind,
    /// Evaluated as a template: by its mark, else YAML and text that is no library.
    pub(crate) is_template: bool,
    pub(crate) for_output: bool,
    /// By its name (`x.lib.yml`), or since it is Starlark.
    pub(crate) is_library: bool,
    /// Number of the `Project` step that brought it.
    pub(crate) input: u32,
    content: Content,
    reads: Arc<Reads>,
    source: OnceLock<Result<SourceId, Diagnostic>>,
}

impl File {
    /// Code asked which files there are.
    pub(crate) fn note_listed(&self) {
        self.reads.listed();
    }

    /// A file in memory that no mark changed.
    #[cfg(test)]
    pub(crate) fn memory(path: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>) -> File {
        let content = Content::Memory(Text::from_bytes(bytes.into()));
        Listed::new(path, content, 0).finish(&Arc::default())
    }

    /// Does it stand below a folder inside of the one that was named?
    pub(crate) fn is_in_subfolder(&self) -> bool {
        self.original.folder().is_some()
    }

    /// Its source, if somebody read it.
    pub(crate) fn known_source(&self) -> Option<SourceId> {
        self.source.get().and_then(|known| known.as_ref().ok()).copied()
    }

    /// Its source, to speak of it: what nobody read is not read for this, and is shown without a line.
    pub(crate) fn mentioned(&self, sources: &SourceMap) -> SourceId {
        self.known_source().unwrap_or_else(|| {
            let origin = match &self.content {
                Content::Disk(path) => Origin::File(path.clone()),
                Content::Memory(_) | Content::Failed(_) => Origin::Memory,
            };
            sources.add(Source::only_named(self.path.to_arc(), origin))
        })
    }

    /// The path by which it is opened, if it is one of the disk that can be shown.
    pub(crate) fn given(&self) -> Option<&str> {
        match &self.content {
            Content::Disk(path) => path.to_str(),
            Content::Memory(_) | Content::Failed(_) => None,
        }
    }

    /// Reads the bytes, if nobody did yet, and makes them a source under the file's relative path.
    pub(crate) fn open(&self, sources: &SourceMap, limits: &Limits) -> Result<SourceId, Diagnostic> {
        let open = || -> Result<SourceId, Diagnostic> {
            let origin = match &self.content {
                Content::Memory(_) => Origin::Memory,
                Content::Failed(problem) => return Err(problem.clone()),
                Content::Disk(path) => Origin::File(path.clone()),
            };
            let _lap = sources.lap_of(Phase::Reading, || origin.shown_name(self.path.as_str()));
            let text = match (self.reads.known.get(self.input, &self.path, &origin), &self.content) {
                (Some(text), _) => text.clone(),
                (None, Content::Disk(path)) => {
                    let bytes = self.reads.access.read(path, limits)?;
                    self.reads.file(path.clone());
                    Text::from_bytes(bytes)
                }
                (None, Content::Memory(text)) => {
                    let size = text.as_bytes().len() as u64;
                    read::check_size(size, limits).map_err(|error| error.context(self.described()))?;
                    text.clone()
                }
                (None, Content::Failed(problem)) => return Err(problem.clone()),
            };
            self.reads.count(text.as_bytes().len() as u64, limits).map_err(|error| error.context(self.described()))?;
            let breaks = if self.kind == FileKind::Yaml { LineBreaks::Yaml } else { LineBreaks::Plain };
            Ok(sources.add(Source::new(self.path.to_arc(), text, origin, self.input, breaks)))
        };
        self.source.get_or_init(open).clone()
    }

    fn described(&self) -> String {
        format!("Reading file '{}'", self.path)
    }
}

/// What a render has read so far: files, folders, names of variables. Shared by all files of the render.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    bytes: AtomicU64,
    seen: Mutex<Inputs>,
    /// Of each folder the names of what is no folder, as often as it was listed.
    #[cfg(feature = "pretty")]
    names: Mutex<Vec<(PathBuf, Vec<OsString>)>>,
    known: Known,
    access: Access,
}

/// Texts of files that an earlier render of the same project read: they are not read again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(HashMap<(u32, Arc<str>, PathBuf), Text>);

impl Known {
    /// Those of the files among these sources.
    pub(crate) fn of(sources: &SourceMap) -> Known {
        let files = sources.all().into_iter().filter_map(|source| {
            let path = path_of(&source.origin)?.to_owned();
            Some(((source.input, source.name.clone(), path), source.text.clone()))
        });
        Known(files.collect())
    }

    /// Gives the file of a source another text, wherever it is an input. Says whether the source is a file.
    pub(crate) fn set(&mut self, source: &Source, text: &Text) -> bool {
        let Some(path) = path_of(&source.origin) else { return false };
        let on_disk = self.0.iter_mut().filter(|((.., known), _)| known == path && !path.as_os_str().is_empty());
        on_disk.for_each(|(_, known)| *known = text.clone());
        self.0.insert((source.input, source.name.clone(), path.to_owned()), text.clone());
        true
    }

    fn get(&self, input: u32, name: &FilePath, origin: &Origin) -> Option<&Text> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&(input, name.to_arc(), path_of(origin)?.to_owned()))
    }
}

/// Where a file lies, empty for one in memory.
fn path_of(origin: &Origin) -> Option<&Path> {
    match origin {
        Origin::File(path) => Some(path),
        Origin::Memory => Some(Path::new("")),
        Origin::Flag | Origin::Rust(_) => None,
    }
}

impl Reads {
    pub(crate) fn new(access: Access, known: Known) -> Reads {
        Reads { access, known, ..Reads::default() }
    }

    fn with(&self, add: impl FnOnce(&mut Inputs)) {
        add(&mut self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    }

    pub(crate) fn file(&self, path: PathBuf) {
        self.with(|seen| seen.files.push(path));
    }

    pub(crate) fn folder(&self, path: PathBuf) {
        self.with(|seen| seen.folders.push(path));
    }

    #[cfg(feature = "pretty")]
    fn names(&self, folder: &Path, entries: &[(OsString, FileType)]) {
        let names = entries.iter().filter(|(_, kind)| !kind.is_dir()).map(|(name, _)| name.clone());
        let listed = (folder.to_path_buf(), names.collect());
        self.names.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(listed);
    }

    /// What each folder held when it was listed: names of all that is no folder.
    #[cfg(feature = "pretty")]
    pub(crate) fn listings(&self) -> Vec<(PathBuf, Vec<OsString>)> {
        self.names.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    pub(crate) fn listed(&self) {
        self.with(|seen| seen.listed = true);
    }

    pub(crate) fn variable(&self, name: &str) {
        self.with(|seen| seen.env.push(name.into()));
    }

    /// Counts bytes against the limit of all inputs together.
    pub(crate) fn count(&self, bytes: u64, limits: &Limits) -> Result<(), Diagnostic> {
        let all = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if all > limits.input_bytes {
            let text = format!("input has {all} bytes, more than the limit of {}", limits.input_bytes);
            return Err(Diagnostic::limit(Code::LIMIT, "input_bytes", text));
        }
        Ok(())
    }

    /// What was read until now, each once, sorted: the order of reading is no promise.
    pub(crate) fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::default();
        self.with(|seen| inputs = seen.clone());
        for paths in [&mut inputs.files, &mut inputs.folders] {
            paths.sort();
            paths.dedup();
        }
        inputs.env.sort();
        inputs.env.dedup();
        inputs
    }
}

/// What a render read, for those who must know when to render again. Also known of a render that failed.
///
/// Paths are as they were opened: relative ones are relative to the current folder, also with
/// [`Project::base_dir`](crate::Project::base_dir). Each list is sorted.
///
/// ```
/// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\n").render()?;
/// assert!(rendered.inputs().files.is_empty());
/// # Ok::<(), ytt_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inputs {
    /// Files whose bytes were read: templates, values files, what `data.read` read.
    pub files: Vec<PathBuf>,
    /// Folders whose entries were listed, nested ones too.
    pub folders: Vec<PathBuf>,
    /// Names of the environment variables that values came from, set or not.
    pub env: Vec<String>,
    /// A template asked which files there are (`data.list`), so that a new file of any kind may change the result.
    pub listed: bool,
}

#[cfg(feature = "codegen")]
impl Inputs {
    /// Adds what something else read; nothing stands twice.
    pub(crate) fn add(&mut self, other: &Inputs) {
        use std::collections::HashSet;
        use std::hash::Hash;

        fn add<T: Clone + Eq + Hash>(own: &mut Vec<T>, other: &[T]) {
            let known: HashSet<&T> = own.iter().collect();
            let new: Vec<T> = other.iter().filter(|one| !known.contains(one)).cloned().collect();
            own.extend(new);
        }
        add(&mut self.files, &other.files);
        add(&mut self.folders, &other.folders);
        add(&mut self.env, &other.env);
        self.listed |= other.listed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_kind_and_library() {
        let cases = [
            ("a.yml", FileKind::Yaml, false),
            (".yml", FileKind::Yaml, false),
            ("x/.lib.yml", FileKind::Yaml, true),
            ("x.lib.yaml", FileKind::Yaml, true),
            ("lib.yml", FileKind::Yaml, false),
            ("x.lib.y.yml", FileKind::Yaml, false),
            ("z.yml.txt", FileKind::Text, false),
            ("x.lib.txt", FileKind::Text, true),
            ("x.star", FileKind::Starlark, true),
            ("x.lib.md", FileKind::Data, true),
            ("a.YML", FileKind::Data, false),
            ("yml", FileKind::Data, false),
            ("", FileKind::Data, false),
        ];
        for (path, kind, library) in cases {
            let file = File::memory(path, "");
            assert_eq!((file.kind, file.is_library), (kind, library), "{path}");
            assert_eq!(file.is_template, !library && matches!(kind, FileKind::Yaml | FileKind::Text), "{path}");
        }
    }

    #[test]
    fn a_file_is_read_once_and_counted() {
        let sources = SourceMap::default();
        let limits = Limits { input_bytes: 5, ..Limits::build() };
        let reads = Arc::default();
        let file = |text: &str| Listed::new("a.yml", Content::Memory(Text::Str(text.into())), 0).finish(&reads);
        let first = file("a: 1");
        assert_eq!(first.open(&sources, &limits).ok(), first.open(&sources, &limits).ok());
        let error = file("b: 2").open(&sources, &limits).unwrap_err();
        assert_eq!(error.to_string(), "Reading file 'a.yml': input has 8 bytes, more than the limit of 5");
    }
}
