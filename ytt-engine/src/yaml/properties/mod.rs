//! Laws of reader and printers that hold for every text and every tree; tests and the fuzz target share them.
//!
//! [`check_text`] takes any bytes: reading ends in a tree or in an error with a place, places lie inside the text and
//! nest, and what is printed reads back as the same tree but for the losses that [`normalise::normalise`] lists.
//! [`check_tree`] asks the last of these of a tree that no text gave. A property that does not hold panics.

mod normalise;
mod places;
mod tree;

use std::sync::Arc;

use self::normalise::{Loss, normalise};
use self::tree::Tree;
use crate::diag::{Code, Diagnostic};
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Text};
use crate::yaml::{Arena, NodeId, ReadFile, ReadOptions, fmt, json, positions, print, read, resolve_duplicate_keys};

/// Small bounds, so that no input takes long.
const DEPTH: u32 = 200;
const ALIAS_NODES: u64 = 10_000;
const OUTPUT_BYTES: u64 = 1 << 20;

/// A text that was read.
struct Case {
    arena: Arena,
    sources: Arc<SourceMap>,
    source: Arc<Source>,
    file: ReadFile,
}

impl Case {
    fn read(bytes: &[u8], strict: bool) -> Result<Case, (Diagnostic, Arc<SourceMap>)> {
        let sources = Arc::new(SourceMap::default());
        let text = Text::from_bytes(bytes.to_vec());
        let id = sources.add(Source::new("a.yml", text, Origin::Memory, 0, LineBreaks::Yaml));
        let mut arena = Arena::new(DEPTH);
        let options = ReadOptions { strict, alias_nodes: ALIAS_NODES, reports: 3 };
        match read(&mut arena, &sources, id, &options) {
            Ok(file) => Ok(Case { arena, source: sources.get(id), sources, file }),
            Err(error) => Err((error, sources)),
        }
    }

    fn trees(&self) -> Vec<Tree> {
        self.arena.items(self.file.root).iter().map(|&id| Tree::of(&self.arena, self.arena.value(id))).collect()
    }
}

/// Every property about a text, which need not be YAML and not even UTF-8.
pub fn check_text(bytes: &[u8]) {
    let strictly = Case::read(bytes, true);
    match Case::read(bytes, false) {
        Ok(case) => check_case(case),
        Err((error, sources)) => {
            check_error(&error, &sources);
            assert!(strictly.is_err(), "strict reading accepts more");
        }
    }
    if let Err((error, sources)) = strictly {
        check_error(&error, &sources);
    }
}

fn check_case(mut case: Case) {
    places::check(&case.arena, &case.source, case.file.root);
    for warning in &case.file.warnings {
        check_labels(warning, &case.sources);
    }
    let whole = case.trees();
    let documents = case.arena.items(case.file.root).to_vec();
    if let Some(text) = within_limits(fmt::documents(&case.arena, &case.source, &documents, OUTPUT_BYTES)) {
        check_formatted(&whole, &case, &text);
    }
    if case.file.has_duplicate_keys {
        resolve_duplicate_keys(&mut case.arena, case.file.root);
    }
    let trees = case.trees();
    let text = print::documents_of_files(&case.arena, &case.sources, &documents, OUTPUT_BYTES);
    if let Some(text) = within_limits(text) {
        check_printed(trees, &text);
    }
    let (mut width, mut out) = (positions::Width::default(), Vec::new());
    within_limits(positions::documents(&case.arena, &case.sources, &documents, &mut width, &mut out, OUTPUT_BYTES));
    for document in documents {
        check_json(&mut case.arena, document);
    }
}

/// JSON of a document is refused for a reason, or JSON.
fn check_json(arena: &mut Arena, document: NodeId) {
    match json::documents(arena, &SourceMap::default(), &[document], OUTPUT_BYTES, &mut Vec::new()) {
        Ok(text) if text.is_empty() => {}
        Ok(text) => drop(json::read(arena, text.as_bytes()).expect("printed JSON reads")),
        Err(error) => assert!(matches!(error.code(), Code::JSON_KEY | Code::LIMIT), "{error}"),
    }
}

/// The printed text of a tree reads back as the tree.
#[cfg(test)]
pub(super) fn check_tree(arena: &Arena, documents: &[NodeId]) {
    let trees = documents.iter().map(|&id| Tree::of(arena, arena.value(id))).collect();
    if let Some(text) = within_limits(print::documents(arena, documents, OUTPUT_BYTES)) {
        check_printed(trees, &text);
    }
}

fn check_printed(trees: Vec<Tree>, text: &str) {
    let again = match Case::read(text.as_bytes(), false) {
        Ok(mut case) => {
            if case.file.has_duplicate_keys {
                resolve_duplicate_keys(&mut case.arena, case.file.root);
            }
            case
        }
        // A key `<<` with what is no map; lists in keys are nested deeper from print to print.
        Err((error, _)) => {
            let expected = match normalise(trees) {
                Err(Loss::Merge) => error.code() == Code::YAML_MERGE,
                Err(Loss::ArrayKey) => matches!(error.code(), Code::LIMIT | Code::YAML_MERGE),
                Ok(_) => false,
            };
            assert!(expected, "printed text does not read: {error}\n{text}");
            return;
        }
    };
    match normalise(trees) {
        Ok(wanted) => {
            let found = normalise(again.trees()).unwrap_or_else(|loss| panic!("{loss:?} came by printing\n{text}"));
            assert!(found == wanted, "printed text is another tree:\n{text}\n{wanted:?}\n{found:?}");
        }
        Err(Loss::Merge) => panic!("a merge of what is no map was read\n{text}"),
        Err(Loss::ArrayKey) => {}
    }
}

/// The formatter's text reads back as the same documents, duplicate keys and all comments included.
fn check_formatted(trees: &[Tree], case: &Case, text: &str) {
    let again = match Case::read(text.as_bytes(), false) {
        Ok(again) => again,
        Err((error, _)) => panic!("formatted text does not read: {error}\n{text}"),
    };
    let documents = |trees: &[Tree]| -> Vec<Tree> {
        trees.iter().filter(|tree| **tree != Tree::Null).map(normalise::numbers).collect()
    };
    let (wanted, found) = (documents(trees), documents(&again.trees()));
    assert!(found == wanted, "formatted text is another tree:\n{text}\n{wanted:?}\n{found:?}");
    let (wanted, found) = (places::comments(case), places::comments(&again));
    assert!(found == wanted, "formatted text has other comments:\n{text}\n{wanted:?}\n{found:?}");
}

/// The result, but for a limit that was reached.
fn within_limits<T>(result: Result<T, Diagnostic>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            assert_eq!(error.code(), Code::LIMIT, "only a limit stops a printer: {error}");
            None
        }
    }
}

/// An error has a place, and its report can be drawn.
fn check_error(error: &Diagnostic, sources: &Arc<SourceMap>) {
    assert!(!error.parts().labels.is_empty(), "no place: {error}");
    check_labels(error, sources);
}

fn check_labels(diagnostic: &Diagnostic, sources: &Arc<SourceMap>) {
    let source = sources.get(SourceId(0));
    let bytes = source.text.as_bytes();
    for label in &diagnostic.parts().labels {
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        assert!(start <= end && end <= bytes.len(), "label outside of the text: {diagnostic}");
        if let Some(text) = source.text.as_str() {
            let whole = text.is_char_boundary(start) && text.is_char_boundary(end);
            assert!(whole, "label inside a character: {diagnostic}");
        }
    }
    let mut drawn = diagnostic.clone();
    drawn.parts_mut().sources = Some(sources.clone());
    assert!(!drawn.to_report(false).is_empty() && !drawn.to_json_line().is_empty());
}

#[cfg(test)]
mod generate;
#[cfg(test)]
mod tests;
