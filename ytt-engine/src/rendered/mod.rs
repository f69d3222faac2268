//! Results of a render: documents and files, printed on demand, written to a folder on request.

mod bulk;
mod change;
mod compare;
mod disk;
mod write;

use std::fmt;
use std::path::Path;
#[cfg(feature = "codegen")]
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::caught::caught;
use crate::diag::{Code, Diagnostic};
use crate::error::{Outer, Result};
#[cfg(feature = "explain")]
use crate::explain::{Explanation, Text as ExplainedText};
use crate::files::{FileKind, Inputs};
use crate::library::{Outcome, Output, Stop};
use crate::limits::Limits;
use crate::schema::Schema;
use crate::source::SourceMap;
#[cfg(feature = "codegen")]
use crate::source::{Origin, Text};
use crate::yaml::{Arena, NodeId, NodeRef, TextPart, json, positions, print, view};

pub(crate) use bulk::read_bulk;
pub use compare::Difference;
pub use write::{WriteOptions, Written};

/// Form in which documents are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// YAML documents, joined by `---`.
    #[default]
    Yaml,
    /// JSON, one document after the other.
    Json,
    /// The tree with the place of every node: what overlays and error messages see.
    Pos,
}

/// What a render gives: data alone, which can be sent to other threads and printed often.
///
/// ```
/// use ytt_engine::{Format, Project};
///
/// let rendered = Project::new().file("a.yml", "a: 1\n").file("b.yml", "b: [2]\n").render()?;
/// assert_eq!(rendered.to_text(Format::Yaml)?, "a: 1\n---\nb:\n- 2\n");
/// # Ok::<(), ytt_engine::Error>(())
/// ```
#[derive(Clone)]
pub struct Rendered(Arc<Parts>);

struct Parts {
    arena: Arena,
    outer: Outer,
    limits: Limits,
    /// Text results in tree order, then YAML files in file order.
    files: Vec<(Arc<str>, Content)>,
    /// Documents of YAML files; or the one document of an inspection.
    documents: Vec<NodeId>,
    /// The schema of an inspection as JSON Schema.
    json_schema: Option<String>,
    /// The final data values and their types.
    values: Option<(NodeId, Schema)>,
    printed: OnceLock<Result<Vec<RenderedFile>>>,
}

enum Content {
    Documents(Vec<NodeId>),
    /// With where its parts are from, if that is noted.
    Text(
        Arc<[u8]>,
        #[cfg_attr(not(feature = "explain"), expect(dead_code, reason = "an explanation reads it"))] Vec<TextPart>,
    ),
}

/// One file of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedFile {
    path: Arc<str>,
    kind: FileKind,
    content: Arc<[u8]>,
}

impl RenderedFile {
    /// The relative path, as the input file had it after marks.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// [`FileKind::Yaml`] or [`FileKind::Text`].
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// The bytes; of a YAML file its documents as YAML, joined by `---`.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// The bytes as text, if they are UTF-8; YAML always is.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.content).ok()
    }
}

impl Rendered {
    /// The result of a render that went as far as `stop` says.
    pub(crate) fn new(outcome: Outcome, arena: Arena, stop: Stop, outer: Outer, limits: Limits) -> Rendered {
        let Outcome { files, values, schema, types } = outcome;
        let (schema, json_schema) = schema.unzip();
        let mut documents: Vec<NodeId> = match stop {
            Stop::Render => Vec::new(),
            Stop::Values | Stop::Schema => values.or(schema).into_iter().collect(),
        };
        let mut contents = Vec::with_capacity(files.len());
        for (file, output) in files {
            let content = match output {
                Output::Text(bytes, parts) => Content::Text(bytes.into(), parts),
                Output::Documents(set) => Content::Documents(arena.items(set).to_vec()),
            };
            if let Content::Documents(items) = &content {
                documents.extend_from_slice(items);
            }
            contents.push((file.path.to_arc(), content));
        }
        let values = values.map(|values| (values, types));
        let printed = OnceLock::new();
        Rendered(Arc::new(Parts { arena, outer, limits, files: contents, documents, json_schema, values, printed }))
    }

    /// What was found, to be changed before anybody else has the result.
    pub(crate) fn warnings_mut(&mut self) -> Option<&mut Vec<Diagnostic>> {
        Arc::get_mut(&mut self.0).map(|parts| &mut parts.outer.warnings)
    }

    /// The result, unless something was found that is denied.
    pub(crate) fn permitted(mut self) -> Result<Rendered> {
        let told = self.warnings_mut().map(std::mem::take).unwrap_or_default();
        let told = self.0.outer.permit(told)?;
        self.warnings_mut().into_iter().for_each(|warnings| warnings.clone_from(&told));
        Ok(self)
    }

    /// Is the other result the same for everybody who reads it?
    pub(crate) fn is_same(&self, other: &Rendered) -> bool {
        let values = |one: &Rendered| one.0.values.as_ref().and_then(|(values, _)| one.text_of(&[*values]));
        self.prints_same(other) && values(self) == values(other)
    }

    /// Is the output the same, whatever the data values are?
    pub(crate) fn prints_same(&self, other: &Rendered) -> bool {
        let printed = |one: &Rendered| one.text_of(&one.0.documents);
        let files = |one: &Rendered| one.files().ok().map(<[RenderedFile]>::to_vec);
        printed(self).is_some_and(|own| printed(other) == Some(own)) && files(self) == files(other)
    }

    fn text_of(&self, documents: &[NodeId]) -> Option<Vec<u8>> {
        self.print_with(Format::Yaml, documents).ok().map(|(text, _)| text)
    }

    /// A document that the caller made.
    pub(crate) fn document(arena: Arena, document: NodeId, outer: Outer, limits: Limits) -> Rendered {
        let (files, documents, printed) = (Vec::new(), vec![document], OnceLock::new());
        let parts = Parts { arena, outer, limits, files, documents, json_schema: None, values: None, printed };
        Rendered(Arc::new(parts))
    }

    /// The final data values with their types.
    #[cfg(feature = "codegen")]
    pub(crate) fn data_values(&self) -> Option<(NodeRef<'_>, &Schema)> {
        let Parts { arena, outer, values, .. } = &*self.0;
        values.as_ref().map(|(values, types)| (NodeRef::document(arena, &outer.sources, *values), types))
    }

    /// The documents that are printed: not those that are null or empty.
    #[cfg(feature = "codegen")]
    pub(crate) fn printed_documents(&self) -> impl Iterator<Item = NodeRef<'_>> {
        let Parts { arena, outer, documents, .. } = &*self.0;
        let printed = documents.iter().filter(|document| !arena.is_empty_document(**document));
        printed.map(|document| NodeRef::document(arena, &outer.sources, *document))
    }

    /// What its errors carry beside their problems, and the bounds that it keeps.
    #[cfg(feature = "codegen")]
    pub(crate) fn outer(&self) -> (&Outer, &Limits) {
        (&self.0.outer, &self.0.limits)
    }

    /// The files that were read, with what was in them.
    #[cfg(feature = "codegen")]
    pub(crate) fn read_files(&self) -> Vec<(PathBuf, Text)> {
        let sources = self.0.outer.sources.all();
        let of_file = sources.iter().filter_map(|source| match &source.origin {
            Origin::File(path) if !source.is_only_named() => Some((path.clone(), source.text.clone())),
            _ => None,
        });
        of_file.collect()
    }

    /// Is it the result of the same render?
    #[cfg(feature = "codegen")]
    pub(crate) fn is(&self, other: &Rendered) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// All documents as one text, as the command prints them: files in the order of input, empty documents left out.
    ///
    /// # Errors
    ///
    /// When a document cannot be printed (twice the same key, a key that JSON does not know) or the text passes the
    /// limit `output_bytes`.
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let rendered = Project::new().file("a.yml", "a: #@ 1 + 1\n").render()?;
    /// assert_eq!(rendered.to_text(Format::Json)?, "{\"a\":2}");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_text(&self, format: Format) -> Result<String> {
        self.to_text_and_warnings(format).map(|(text, _)| text)
    }

    /// As [`Rendered::to_text`], with what was lost on the way: JSON has no infinite numbers, so documents that hold
    /// one are left out.
    ///
    /// # Errors
    ///
    /// As [`Rendered::to_text`].
    ///
    /// ```
    /// use ytt_engine::{Format, Project};
    ///
    /// let rendered = Project::new().file("a.yml", "a: 1\n---\nb: .inf\n").render()?;
    /// let (text, warnings) = rendered.to_text_and_warnings(Format::Json)?;
    /// assert_eq!((text.as_str(), warnings.len()), ("{\"a\":1}", 1));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_text_and_warnings(&self, format: Format) -> Result<(String, Vec<Diagnostic>)> {
        let (bytes, warnings) = self.print(format)?;
        let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into());
        Ok((text, warnings))
    }

    /// The bytes of [`Rendered::to_text`]: they differ only for [`Format::Pos`], which prints bytes that are not UTF-8
    /// as they are.
    ///
    /// # Errors
    ///
    /// As [`Rendered::to_text`].
    pub fn to_bytes(&self, format: Format) -> Result<Vec<u8>> {
        self.print(format).map(|(bytes, _)| bytes)
    }

    /// Does the work of an entry; a panic is an error of it.
    fn caught<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        caught(work).unwrap_or_else(|text| Err(self.0.outer.error(Diagnostic::error(Code::INTERNAL, text))))
    }

    fn print(&self, format: Format) -> Result<(Vec<u8>, Vec<Diagnostic>)> {
        let (outer, (bytes, warnings)) = (&self.0.outer, self.print_with(format, &self.0.documents)?);
        let warnings = outer.permit(outer.judge(warnings))?;
        Ok((bytes, warnings))
    }

    fn print_with(&self, format: Format, documents: &[NodeId]) -> Result<(Vec<u8>, Vec<Diagnostic>)> {
        let Parts { arena, outer, limits, .. } = &*self.0;
        self.caught(|| {
            let printed = print(arena, &outer.sources, documents, format, limits.output_bytes);
            printed.map_err(|problem| outer.error(problem))
        })
    }

    /// The schema as JSON Schema, if this is what [`Project::schema`](crate::Project::schema) gave.
    ///
    /// ```
    /// let schema = ytt_engine::Project::new().file("s.yml", "#@data/values-schema\n---\nport: 80\n").schema()?;
    /// assert!(schema.json_schema().unwrap().contains("\"default\": 80"));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn json_schema(&self) -> Option<&str> {
        self.0.json_schema.as_deref()
    }

    /// The values of all documents in the order of input, empty ones included, with their places.
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "kind: Pod\nports: [80]\n").render()?;
    /// let pod = rendered.documents().find(|value| value.get("kind").and_then(|kind| kind.as_str()) == Some("Pod"));
    /// assert_eq!(pod.unwrap().get("ports").unwrap().at(0).unwrap().as_i64(), Some(80));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn documents(&self) -> impl ExactSizeIterator<Item = NodeRef<'_>> {
        let Parts { arena, outer, documents, .. } = &*self.0;
        documents.iter().map(|document| NodeRef::document(arena, &outer.sources, *document))
    }

    /// The files: text results first, then YAML, as they would be written. They are printed once.
    ///
    /// # Errors
    ///
    /// As [`Rendered::to_text`].
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\n").file("n.txt", "hi\n").render()?;
    /// let paths: Vec<&str> = rendered.files()?.iter().map(|file| file.path()).collect();
    /// assert_eq!(paths, ["n.txt", "a.yml"]);
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn files(&self) -> Result<&[RenderedFile]> {
        match self.0.printed.get_or_init(|| self.caught(|| self.print_files())) {
            Ok(files) => Ok(files),
            Err(error) => Err(error.clone()),
        }
    }

    fn print_files(&self) -> Result<Vec<RenderedFile>> {
        let Parts { arena, outer, limits, files, .. } = &*self.0;
        let mut size = 0_u64;
        let mut printed = Vec::with_capacity(files.len());
        for (path, content) in files {
            let (kind, content) = match content {
                Content::Text(bytes, _) => (FileKind::Text, bytes.clone()),
                Content::Documents(documents) => {
                    let text = print::documents_of_files(arena, &outer.sources, documents, limits.output_bytes);
                    let text = text.map_err(|problem| outer.error(problem))?;
                    (FileKind::Yaml, text.into_bytes().into())
                }
            };
            size = size.saturating_add(content.len() as u64);
            if size > limits.output_bytes {
                return Err(outer.error(view::too_large(limits.output_bytes, None)));
            }
            printed.push(RenderedFile { path: path.clone(), kind, content });
        }
        Ok(printed)
    }

    /// The file of that relative path; of two with one path the last, which is the one that stays when all are written.
    ///
    /// # Errors
    ///
    /// As [`Rendered::to_text`].
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("conf/n.txt", "port=(@= str(80) @)\n").render()?;
    /// assert_eq!(rendered.file("conf/n.txt")?.unwrap().content(), b"port=80\n");
    /// assert!(rendered.file("other")?.is_none());
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn file(&self, path: &str) -> Result<Option<&RenderedFile>> {
        Ok(self.files()?.iter().rfind(|file| file.path() == path))
    }

    /// The documents of the last file of that path in another form; `None` if the file is a text.
    #[cfg(feature = "codegen")]
    pub(crate) fn file_in(&self, path: &str, format: Format) -> Result<Option<String>> {
        let found = self.0.files.iter().rfind(|(known, _)| &**known == path);
        let Some((_, Content::Documents(documents))) = found else { return Ok(None) };
        let (bytes, _) = self.print_with(format, documents)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Are there results of text templates, which are in no document?
    pub fn has_text_files(&self) -> bool {
        self.0.files.iter().any(|(_, content)| matches!(content, Content::Text(..)))
    }

    /// Writes the files below a folder: all or, if a name is not possible or writing fails, none.
    ///
    /// Folders are made as needed. A file is only touched when its bytes differ, and replaced in one step. Other files
    /// in the folder stay; [`Rendered::write_to_with`] can remove them. Who writes below a folder waits for others that do,
    /// so that one whole result is left; not on Windows and some network file systems, which have no locks of folders.
    ///
    /// # Errors
    ///
    /// When a path leaves the folder, two paths are equal, one is file and folder, or the system refuses.
    ///
    /// ```no_run
    /// let rendered = ytt_engine::Project::new().read("config").render()?;
    /// for file in rendered.write_to("out")?.changed() {
    ///     println!("wrote {}", file.display());
    /// }
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn write_to(&self, folder: impl AsRef<Path>) -> Result<Written> {
        self.write_to_with(folder, &WriteOptions::default())
    }

    /// As [`Rendered::write_to`], with other rules for names and for files that are already there.
    ///
    /// # Errors
    ///
    /// As [`Rendered::write_to`], as far as the options do not allow it.
    pub fn write_to_with(&self, folder: impl AsRef<Path>, options: &WriteOptions) -> Result<Written> {
        self.caught(|| {
            write::write(self.files()?, folder.as_ref(), options).map_err(|problem| self.0.outer.error(problem))
        })
    }

    /// What [`Rendered::write_to_with`] would change in a folder; nothing is touched. Empty if all is as rendered.
    ///
    /// # Errors
    ///
    /// As [`Rendered::write_to_with`], as far as names are concerned, or if a folder cannot be read.
    pub fn compare_with(&self, folder: impl AsRef<Path>, options: &WriteOptions) -> Result<Vec<Difference>> {
        self.caught(|| {
            compare::compare(self.files()?, folder.as_ref(), options).map_err(|problem| self.0.outer.error(problem))
        })
    }

    /// The files as the JSON text of `--bulk-out`: one line without a line break.
    ///
    /// # Errors
    ///
    /// As [`Rendered::to_text`].
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: #@ 1 + 1\n").render()?;
    /// assert_eq!(rendered.to_bulk()?, r#"{"files":[{"name":"a.yml","data":"a: 2\n"}]}"#);
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_bulk(&self) -> Result<String> {
        self.caught(|| Ok(bulk::write_files(self.files()?)))
    }

    /// Where everything in the documents comes from, if [`Project::explain`](crate::Project::explain) was set.
    ///
    /// # Errors
    ///
    /// As [`Rendered::to_text`].
    #[cfg(feature = "explain")]
    pub fn explanation(&self) -> Result<Option<Explanation<'_>>> {
        let Parts { arena, outer, limits, files, .. } = &*self.0;
        if !arena.events.explains() {
            return Ok(None);
        }
        let documents = files.iter().filter_map(|(path, content)| match content {
            Content::Documents(documents) => Some(documents.iter().map(|document| (&**path, *document))),
            Content::Text(..) => None,
        });
        let documents: Vec<(&str, NodeId)> = documents.flatten().collect();
        let texts = files.iter().filter_map(|(path, content)| match content {
            Content::Documents(_) => None,
            Content::Text(bytes, parts) => Some(ExplainedText::new(path, bytes, parts)),
        });
        self.caught(|| {
            let explained = Explanation::new(arena, (&outer.sources, outer.voice), &documents, limits.output_bytes);
            explained
                .map(|explanation| Some(explanation.with_texts(texts.collect()).with_warnings(&outer.warnings)))
                .map_err(|problem| outer.error(problem))
        })
    }

    /// What was found but did not stop the render.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.0.outer.warnings
    }

    /// Files, folders and variables that were read.
    pub fn inputs(&self) -> &Inputs {
        &self.0.outer.inputs
    }
}

/// Documents in one of the forms, with what was lost on the way.
fn print(
    arena: &Arena,
    sources: &SourceMap,
    documents: &[NodeId],
    format: Format,
    limit: u64,
) -> std::result::Result<(Vec<u8>, Vec<Diagnostic>), Diagnostic> {
    let mut warnings = Vec::new();
    let bytes = match format {
        Format::Yaml => print::documents_of_files(arena, sources, documents, limit)?.into_bytes(),
        Format::Json => json::documents(arena, sources, documents, limit, &mut warnings)?.into_bytes(),
        Format::Pos => {
            let (mut width, mut out) = (positions::Width::default(), Vec::new());
            positions::documents(arena, sources, documents, &mut width, &mut out, limit)?;
            out
        }
    };
    Ok((bytes, warnings))
}

impl fmt::Debug for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<&str> = self.0.files.iter().map(|(path, _)| &**path).collect();
        f.debug_struct("Rendered").field("files", &paths).field("documents", &self.0.documents.len()).finish()
    }
}
