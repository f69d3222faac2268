//! Documents as users of the library see them: text read with places and comments, looked at in place.
//!
//! A [`DocumentSet`] owns its nodes, a [`NodeRef`] is a view of one value in them. Plain data, without places, is made
//! on demand: [`NodeRef::to_value`].

use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::limits::Limits;
use crate::source::{LineBreaks, Origin, Position, Source, SourceId, SourceMap, Span, Text};
use crate::yaml::value::{self, Value};
use crate::yaml::view::{Entries, Entry, View};
use crate::yaml::{Arena, NodeId, ReadFile, ReadOptions, Val, comment_text, json, print, read, resolve_duplicate_keys};

/// Documents with their places, and the text that they were read from.
#[derive(Debug)]
pub struct DocumentSet {
    arena: Arena,
    sources: Arc<SourceMap>,
    documents: Vec<NodeId>,
}

impl DocumentSet {
    /// Reads the text of a YAML file. Comments are kept, code in them does not run; of equal keys the last counts. `name`
    /// is the file's name in messages.
    ///
    /// ```
    /// let set = ytt_engine::yaml::DocumentSet::parse("a.yml", b"a: 1 # one\n---\n- yes\n").unwrap();
    /// let one = set.get(0).and_then(|document| document.get("a")).unwrap();
    /// assert_eq!((one.as_i64(), one.comments()), (Some(1), vec![" one".to_owned()]));
    /// assert_eq!(one.position().map(|position| (position.line, position.column)), Some((1, 4)));
    /// assert_eq!(set.to_yaml().unwrap(), "a: 1\n---\n- true\n");
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not YAML that ytt reads, or exceeds one of [`Limits::build`].
    pub fn parse(name: &str, text: &[u8]) -> Result<DocumentSet, Diagnostic> {
        let (mut arena, sources, _, file) = read_memory(name, text, false)?;
        if file.has_duplicate_keys {
            resolve_duplicate_keys(&mut arena, file.root);
        }
        let documents = file.documents(&arena).to_vec();
        Ok(DocumentSet::new(arena, sources, documents))
    }

    pub(crate) fn new(arena: Arena, sources: Arc<SourceMap>, documents: Vec<NodeId>) -> DocumentSet {
        DocumentSet { arena, sources, documents }
    }

    /// How many documents there are, empty ones included.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Are there no documents?
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The value of the document with that index, from 0.
    pub fn get(&self, index: usize) -> Option<NodeRef<'_>> {
        self.documents.get(index).map(|document| NodeRef::document(&self.arena, &self.sources, *document))
    }

    /// The values of the documents, one after the other.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = NodeRef<'_>> {
        self.documents.iter().map(|document| NodeRef::document(&self.arena, &self.sources, *document))
    }

    /// The documents as YAML, joined by `---` lines; those that are null or an empty map or array are left out.
    ///
    /// # Errors
    ///
    /// If the text is larger than [`Limits::output_bytes`] of [`Limits::build`].
    pub fn to_yaml(&self) -> Result<String, Diagnostic> {
        print::documents_of_files(&self.arena, &self.sources, &self.documents, Limits::build().output_bytes)
            .map_err(|error| with_sources(error, &self.sources))
    }
}

/// Reads a text of a program's within [`Limits::build`].
pub(crate) fn read_memory(
    name: &str,
    text: &[u8],
    strict: bool,
) -> Result<(Arena, Arc<SourceMap>, SourceId, ReadFile), Diagnostic> {
    let (limits, sources) = (Limits::build(), Arc::new(SourceMap::default()));
    let text = Text::from_bytes(text.to_vec());
    let source = sources.add(Source::new(name, text, Origin::Memory, 0, LineBreaks::Yaml));
    let mut arena = Arena::new(limits.depth);
    match read(&mut arena, &sources, source, &ReadOptions::new(strict, &limits)) {
        Ok(file) => Ok((arena, sources, source, file)),
        Err(error) => Err(with_sources(error, &sources)),
    }
}

/// Gives a diagnostic that leaves the engine the sources of its places.
pub(crate) fn with_sources(mut error: Diagnostic, sources: &Arc<SourceMap>) -> Diagnostic {
    error.parts_mut().sources.get_or_insert_with(|| sources.clone());
    error
}

/// A view of one value in a document: a scalar, a map or an array, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'a> {
    arena: &'a Arena,
    sources: &'a Arc<SourceMap>,
    value: Val,
    /// The document or item that holds the value.
    holder: Option<NodeId>,
    /// It is the key of `holder`.
    is_key: bool,
}

impl<'a> NodeRef<'a> {
    /// The value of a document.
    pub(crate) fn document(arena: &'a Arena, sources: &'a Arc<SourceMap>, document: NodeId) -> NodeRef<'a> {
        NodeRef { arena, sources, value: arena.value(document), holder: Some(document), is_key: false }
    }

    pub(crate) fn view(self) -> View<'a> {
        View::of(self.arena, self.value)
    }

    /// A value that no node holds: its place is not known.
    #[cfg(any(feature = "codegen", all(test, feature = "serde")))]
    pub(crate) fn value(arena: &'a Arena, sources: &'a Arc<SourceMap>, value: Val) -> NodeRef<'a> {
        NodeRef { arena, sources, value, holder: None, is_key: false }
    }

    #[cfg(any(feature = "codegen", feature = "serde"))]
    pub(crate) fn arena(self) -> &'a Arena {
        self.arena
    }

    #[cfg(any(feature = "codegen", feature = "serde"))]
    pub(crate) fn sources(self) -> &'a Arc<SourceMap> {
        self.sources
    }

    /// The place of the value or key, if it is known.
    pub(crate) fn span(self) -> Option<Span> {
        let place = self.arena.place_of(self.holder?)?;
        // Where there is no value, the key or indicator stands for it.
        Some(if self.is_key || place.value >= place.end { place.key() } else { place.value() })
    }

    /// Key and value of an entry of this map or array.
    pub(crate) fn inner(self, entry: Entry) -> (NodeRef<'a>, NodeRef<'a>) {
        let holder = entry.node.or(self.holder);
        (
            NodeRef { value: entry.key, holder, is_key: true, ..self },
            NodeRef { value: entry.value, holder, is_key: false, ..self },
        )
    }

    fn entries_of(self) -> Option<Entries<'a>> {
        match self.view() {
            View::Map(entries) | View::Array(entries) => Some(entries),
            _ => None,
        }
    }

    /// Is it null?
    pub fn is_null(self) -> bool {
        matches!(self.view(), View::Null)
    }

    /// Is it a map?
    pub fn is_map(self) -> bool {
        matches!(self.view(), View::Map(_))
    }

    /// Is it an array?
    pub fn is_array(self) -> bool {
        matches!(self.view(), View::Array(_))
    }

    /// The boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        if let View::Bool(bool) = self.view() { Some(bool) } else { None }
    }

    /// The integer, if it is one and fits.
    pub fn as_i64(self) -> Option<i64> {
        if let View::Int(int) = self.view() { Some(int) } else { None }
    }

    /// The integer, if it is one and not negative.
    pub fn as_u64(self) -> Option<u64> {
        match self.view() {
            View::Int(int) => u64::try_from(int).ok(),
            View::UInt(int) => Some(int),
            _ => None,
        }
    }

    /// The number as a float: integers are rounded to the nearest one.
    #[allow(clippy::cast_precision_loss, reason = "people are told that integers are rounded")]
    pub fn as_f64(self) -> Option<f64> {
        match self.view() {
            View::Int(int) => Some(int as f64),
            View::UInt(int) => Some(int as f64),
            View::Float(float) => Some(float),
            _ => None,
        }
    }

    /// The text, if it is UTF-8.
    pub fn as_str(self) -> Option<&'a str> {
        self.arena.str(self.value)
    }

    /// The bytes of text, UTF-8 or not.
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        self.arena.text_bytes(self.value)
    }

    /// `null`, `boolean`, `int`, `float`, `string`, `map` or `array`: the words that messages use.
    pub fn kind(self) -> &'static str {
        self.view().kind()
    }

    /// How many entries a map or array has; 0 for scalars.
    pub fn len(self) -> usize {
        self.entries_of().map_or(0, |entries| entries.len())
    }

    /// Is it a scalar, or a map or array without entries?
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The value of a string key, if it is a map that has it. Looks at one key after the other.
    pub fn get(self, key: &str) -> Option<NodeRef<'a>> {
        let View::Map(entries) = self.view() else { return None };
        let entry = entries.iter().find(|entry| self.arena.str(entry.key) == Some(key))?;
        Some(self.inner(entry).1)
    }

    /// The item with that index from 0, if it is an array that has it.
    pub fn at(self, index: usize) -> Option<NodeRef<'a>> {
        let View::Array(entries) = self.view() else { return None };
        Some(self.inner(entries.get(index)?).1)
    }

    /// The items of an array; nothing for other values.
    pub fn items(self) -> impl Iterator<Item = NodeRef<'a>> {
        let entries = if self.is_array() { self.entries_of() } else { None };
        entries.into_iter().flat_map(Entries::iter).map(move |entry| self.inner(entry).1)
    }

    /// Keys and values of a map; nothing for other values.
    pub fn entries(self) -> impl Iterator<Item = (NodeRef<'a>, NodeRef<'a>)> {
        let entries = if self.is_map() { self.entries_of() } else { None };
        entries.into_iter().flat_map(Entries::iter).map(move |entry| self.inner(entry))
    }

    /// Line and column at which it stands, if they are known.
    pub fn position(self) -> Option<Position> {
        self.span().map(|span| self.sources.get(span.source).position(span.start))
    }

    /// Name of the file from which it comes, if that is known.
    pub fn file(self) -> Option<String> {
        self.span().map(|span| self.sources.get(span.source).name.to_string())
    }

    /// The comments that belong to the document or item which holds this value: what follows each `#`, as it stands.
    pub fn comments(self) -> Vec<String> {
        let comments = self.holder.map_or(&[][..], |holder| self.arena.comments(holder));
        comments.iter().map(|comment| comment_text(&self.sources.get(comment.source), *comment).to_owned()).collect()
    }

    /// The value as plain data.
    ///
    /// # Errors
    ///
    /// If it is nested deeper than the limit `depth`, which a value that contains itself always is.
    pub fn to_value(self) -> Result<Value, Diagnostic> {
        value::from_arena(self.arena, self.value).map_err(|error| with_sources(error, self.sources))
    }

    /// The value as YAML, with a final line end.
    ///
    /// # Errors
    ///
    /// As for [`NodeRef::to_value`], and if the text is larger than [`Limits::output_bytes`] of [`Limits::build`].
    pub fn to_yaml(self) -> Result<String, Diagnostic> {
        print::text(self.arena, self.value, false, Limits::build().output_bytes)
            .map_err(|error| with_sources(error.at(self.span()), self.sources))
    }

    /// The value as JSON on one line, without a line end.
    ///
    /// # Errors
    ///
    /// As for [`NodeRef::to_yaml`], and if a key is not a string or a float is not finite.
    pub fn to_json(self) -> Result<String, Diagnostic> {
        json::value(self.arena, self.value, None, true, Limits::build().output_bytes)
            .map_err(|error| with_sources(error.at(self.span()), self.sources))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Body, NodeSpan, PosId};

    /// `a: [1]  # x`, with its places.
    fn set() -> DocumentSet {
        let sources = SourceMap::default();
        let text = "---\na: [1] # x\n";
        sources.add(Source::new("a.yml", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml));
        let mut arena = Arena::new(1000);
        let place = |start, key_end, value, end| NodeSpan { source: SourceId(0), start, key_end, value, end };
        let item = arena.add_place(place(7, 8, 8, 9));
        let item = arena.add(Body::ArrayItem(Val::Int(1)), item);
        let pos = arena.add_place(place(4, 5, 7, 10));
        let array = arena.add(Body::Array(vec![item].into()), pos);
        let key = arena.make_str("a");
        let entry = arena.add(Body::MapItem(key, Val::Node(array)), pos);
        arena.add_comments(vec![(entry, Span::new(SourceId(0), 11, 14))]);
        let map = arena.add(Body::Map(vec![entry].into()), PosId(0));
        let pos = arena.add_place(place(0, 3, 4, 15));
        let document = arena.add(Body::Doc(Val::Node(map)), pos);
        DocumentSet::new(arena, Arc::new(sources), vec![document])
    }

    #[test]
    fn views_know_their_places() {
        let set = set();
        let root = set.get(0).unwrap();
        assert!(root.is_map() && set.len() == 1 && root.len() == 1);
        let (key, value) = root.entries().next().unwrap();
        assert_eq!((key.as_str(), key.position()), (Some("a"), Some(Position { line: 2, column: 1 })));
        assert_eq!(value.position(), Some(Position { line: 2, column: 4 }));
        assert_eq!(value.comments(), [" x"]);
        let one = root.get("a").and_then(|array| array.at(0)).unwrap();
        assert_eq!((one.as_i64(), one.position()), (Some(1), Some(Position { line: 2, column: 5 })));
        assert_eq!(one.file().as_deref(), Some("a.yml"));
        assert_eq!(value.items().count(), 1);
        assert!(root.get("b").is_none() && value.at(1).is_none() && one.get("a").is_none());
    }

    #[test]
    fn parsed_documents() {
        let set = DocumentSet::parse("a.yml", b"# c\n---\na: 1\nb: 2\na: 3 # d\n# e\n").unwrap();
        assert_eq!((set.len(), set.to_yaml().unwrap()), (1, "a: 3\nb: 2\n".into()));
        let root = set.get(0).unwrap();
        assert_eq!(
            (root.comments(), root.get("a").unwrap().comments()),
            (vec![" c".to_owned()], vec![" d".to_owned()])
        );
        let error = DocumentSet::parse("a.yml", b"a: [\n").unwrap_err();
        assert_eq!(error.file().as_deref(), Some("a.yml"));
        assert!(error.position().is_some());
        assert!(!set.is_empty() && DocumentSet::parse("a.yml", b"").is_ok());
        let set = DocumentSet::parse("a.yml", b"a: 18446744073709551615\nb: x\n").unwrap();
        let (large, text) = (set.get(0).unwrap().get("a").unwrap(), set.get(0).unwrap().get("b").unwrap());
        assert_eq!((large.as_u64(), large.as_f64()), (Some(u64::MAX), Some(u64::MAX as f64)));
        assert_eq!((text.as_u64(), text.as_f64(), text.items().count()), (None, None, 0));
    }

    #[test]
    fn views_print_themselves() {
        let set = set();
        assert_eq!(set.to_yaml().unwrap(), "a:\n- 1\n");
        let root = set.get(0).unwrap();
        assert_eq!(root.to_json().unwrap(), r#"{"a":[1]}"#);
        assert_eq!(root.get("a").unwrap().to_yaml().unwrap(), "- 1\n");
        assert_eq!(root.to_value().unwrap().get("a"), Some(&Value::from([1])));
    }
}
