//! Warnings for annotations of schema and values documents that have no effect, and for numbers that data values give in place
//! of texts.
//!
//! In a merge the left node keeps its annotations and the right one's are dropped, unless the right node is new or
//! replaces the left one (`docs/data-values.md#merging-of-schemas`, `docs/validations.md#where-rules-come-from`). The
//! result is the reference's; only the silence is not.

use std::sync::Arc;

use super::number_for_text;
use crate::call::Args;
use crate::diag::path::push_key;
use crate::diag::{Code, Diagnostic};
use crate::schema::{ItemId, Schema, TypeKind};
use crate::source::SourceMap;
use crate::template;
use crate::validate::key_text;
use crate::yaml::keys::MapIndex;
use crate::yaml::words::kind_name;
use crate::yaml::{Annotation, Arena, ArgId, Body, NodeId, Val};

/// What a document is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentRole {
    Schema,
    Values,
}

impl DocumentRole {
    /// What it is called, and with what its annotations begin and those of the other kind.
    fn words(self) -> [&'static str; 3] {
        match self {
            DocumentRole::Schema => ["a schema", "schema/", "assert/"],
            DocumentRole::Values => ["data values", "assert/", "schema/"],
        }
    }
}

/// Warnings for a document that is about to be merged into `left`, or that is the first one; `args` gives the arguments of
/// annotations, and `schema` is what its values are declared by.
pub(crate) fn unused(
    arena: &Arena,
    args: &dyn Fn(ArgId) -> Arc<Args>,
    role: DocumentRole,
    left: Option<NodeId>,
    right: NodeId,
    schema: Option<(&Schema, &SourceMap)>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let declared = schema.map(|(schema, _)| schema.root);
    let mut open = vec![Pair { left, right, declared, above: None, depth: arena.depth() }];
    // Pairs that have others below them: few are told of, and only then is a path of use.
    let mut trail = Trail::default();
    while let Some(pair) = open.pop() {
        for annotation in arena.anns_of(pair.right).iter() {
            // A first document has what others would add: another run may merge it into some.
            let is_met = left.is_none() && is_met(&annotation.name, &args(annotation.args));
            let warning = (!is_met).then(|| warning(arena, role, &pair, annotation, left.is_none())).flatten();
            let warning = warning.map(|warning| with_path(warning, &trail.path(arena, &pair)));
            found.extend(warning.map(|warning| match schema {
                Some(schema) => with_declaration(arena, schema, warning, &pair, annotation),
                None => warning,
            }));
        }
        // What is removed, checked or given to a function does not come in the place of the text.
        let is_set = || {
            arena.anns_of(pair.right).iter().all(|one| match &*one.name {
                "overlay/remove" | "overlay/assert" => false,
                "overlay/replace" => args(one.args).named.iter().all(|(name, _)| &**name != "via"),
                _ => true,
            })
        };
        if let (DocumentRole::Values, Some(left), Some((schema, sources))) = (role, pair.left, schema)
            && !schema.is_declared()
            && is_set()
        {
            found.extend(number_for_text::told(arena, sources, left, pair.right));
        }
        let (Val::Node(right), Some(depth)) = (arena.value(pair.right), pair.depth.checked_sub(1)) else { continue };
        let replaces = arena.anns_of(pair.right).iter().any(|annotation| &*annotation.name == "overlay/replace");
        let left = pair.left.filter(|_| !replaces).and_then(|left| arena.map_of(arena.value(left)));
        let index = left.map(|left| (left, MapIndex::new(arena, left)));
        let above = Some(trail.0.len());
        trail.0.push((pair.above, pair.right));
        let below = arena.items(right).iter().rev().map(|&item| {
            let same = |(left, index): &(NodeId, MapIndex)| match arena.get(item).body {
                Body::MapItem(key, _) => arena.items(*left).get(index.find(arena, *left, key)?).copied(),
                _ => None,
            };
            let declared = pair.declared.and_then(|ty| schema?.0.below(ty, arena, item));
            Pair { left: index.as_ref().and_then(same), right: item, declared, above, depth }
        });
        open.extend(below);
    }
    found
}

struct Pair {
    left: Option<NodeId>,
    right: NodeId,
    declared: Option<ItemId>,
    /// The pair that this is an item of, in the trail.
    above: Option<usize>,
    depth: u32,
}

/// The pairs that have been gone through, each with the one above it.
#[derive(Default)]
struct Trail(Vec<(Option<usize>, NodeId)>);

impl Trail {
    fn path(&self, arena: &Arena, pair: &Pair) -> String {
        let above = std::iter::successors(pair.above, |at| self.0.get(*at)?.0);
        let mut items: Vec<NodeId> = above.filter_map(|at| Some(self.0.get(at)?.1)).collect();
        items.insert(0, pair.right);
        let mut path = String::new();
        for item in items.into_iter().rev() {
            match arena.get(item).body {
                Body::MapItem(key, _) => push_key(&mut path, &key_text(arena, key)),
                Body::ArrayItem(_) => path.push_str("[]"),
                _ => {}
            }
        }
        path
    }
}

/// Shows the declaration that an annotation of data values belongs to, with the line to write above it.
fn with_declaration(
    arena: &Arena,
    (schema, sources): (&Schema, &SourceMap),
    warning: Diagnostic,
    pair: &Pair,
    annotation: &Annotation,
) -> Diagnostic {
    if !annotation.name.starts_with("schema/") {
        return warning;
    }
    let item = pair.declared.map(|id| schema.item(id));
    let (Some(item), Some(place)) = (item, arena.place(annotation.pos)) else {
        return warning
            .help("write it in a schema document: #@data/values-schema above ---, and the value with its type");
    };
    let Some(declared) = arena.place(item.pos) else { return warning };
    let warning = warning.label(declared.key(), "declared here");
    if &*annotation.name == "schema/nullable" && matches!(schema.ty(item.ty).kind, TypeKind::Nullable(_)) {
        return warning.help("the declaration is nullable already: remove this line");
    }
    let source = sources.get(place.source);
    let text = "move it to the schema, above the declaration";
    match (source.written(place.whole()), sources.get(declared.source).above(declared.key())) {
        (Some(written), Some((at, indent))) => warning.help_edit(text, at, format!("{written}\n{indent}")),
        _ => warning.help(text),
    }
}

/// Is the result what an annotation of overlays asks for, where there is nothing to match yet?
fn is_met(name: &str, args: &Args) -> bool {
    let has = |wanted: &str| args.named.iter().any(|(name, _)| **name == *wanted);
    match name {
        "overlay/match-child-defaults" | "overlay/merge" | "overlay/append" | "overlay/insert" => true,
        "overlay/replace" => !has("via"),
        "overlay/match" => args.named.iter().all(|(name, _)| &**name == "missing_ok"),
        _ => false,
    }
}

fn warning(
    arena: &Arena,
    role: DocumentRole,
    pair: &Pair,
    annotation: &Annotation,
    is_first: bool,
) -> Option<Diagnostic> {
    let name = &*annotation.name;
    let [role, own, foreign] = role.words();
    let replaces = arena.anns_of(pair.right).iter().any(|other| &*other.name == "overlay/replace");
    let (why, left) = if name.starts_with(foreign) {
        (format!("@{name} has no effect in {role}"), None)
    } else if is_first && name.starts_with("overlay/") && template::is_known(name) {
        (format!("@{name} has no effect in the first document, which is taken as it is"), None)
    } else if name == "overlay/match" && matches!(arena.get(pair.right).body, Body::Doc(_)) {
        (format!("@{name} is not needed on a document of {role}, its `by=` is ignored"), None)
    } else if name.starts_with(own) && !replaces && pair.left.is_some() {
        (format!("@{name} has no effect here: the annotations of the first declaration count"), pair.left)
    } else {
        return None;
    };
    let place = arena.place(annotation.pos)?;
    let mut warning = Diagnostic::warning(Code::VALUES_UNUSED_ANNOTATION, why).label(place.whole(), "");
    if let Some(span) = left.and_then(|left| arena.span_of(left)) {
        let kinds = [left, Some(pair.right)].map(|item| item.map(|item| kind_name(arena, arena.value(item))));
        let (label, help) = match kinds {
            [Some(first), Some(second)] if first != second => (
                format!("declared first here, as {first}"),
                format!(
                    "this makes it {second}: delete this second declaration, or, if it is meant, annotate the item with \
                     @overlay/replace as well"
                ),
            ),
            _ => ("declared first here".to_owned(), "annotate the item with @overlay/replace as well".to_owned()),
        };
        warning = warning.label(span, label).help(help);
    }
    Some(warning)
}

fn with_path(warning: Diagnostic, path: &str) -> Diagnostic {
    if path.is_empty() { warning } else { warning.note(format!("path: {path}")) }
}

#[cfg(test)]
mod tests {
    use crate::call::Call;
    use crate::validate::script::script;

    use super::{DocumentRole, unused};

    #[test]
    fn annotations_without_effect_are_told() {
        for (role, left, right, expected) in [
            (
                DocumentRole::Values,
                None,
                "#@schema/nullable\na: 1",
                &["@schema/nullable has no effect in data values"][..],
            ),
            (
                DocumentRole::Schema,
                None,
                "#@assert/validate min=1\na: 1",
                &["@assert/validate has no effect in a schema"],
            ),
            (
                DocumentRole::Values,
                None,
                "a:\n  #@overlay/remove\n  b: 1",
                &["@overlay/remove has no effect in the first document, which is taken as it is"],
            ),
            (
                DocumentRole::Values,
                None,
                "#@overlay/match-child-defaults missing_ok=True\na:\n  #@overlay/match missing_ok=True\n  b: 1\n  #@overlay/replace\n  \
                 c: 1\n  d:\n  #@overlay/append\n  - 1",
                &[],
            ),
            (
                DocumentRole::Values,
                None,
                "a:\n#@overlay/match by=\"name\"\n- name: 1\n#@overlay/replace via=odd\nc: 1",
                &[
                    "@overlay/match has no effect in the first document, which is taken as it is",
                    "@overlay/replace has no effect in the first document, which is taken as it is",
                ],
            ),
            (
                DocumentRole::Schema,
                Some("a: 1\nm:\n  b: 1"),
                "#@schema/nullable\na: 1\nm:\n  #@schema/nullable\n  b: 2\n  #@schema/nullable\n  c: 1",
                &["@schema/nullable has no effect here: the annotations of the first declaration count"; 2],
            ),
            (
                DocumentRole::Values,
                Some("a: 1\nm:\n  b: 1"),
                "#@overlay/replace\n#@assert/validate min=1\na: 1\n#@overlay/replace\nm:\n  #@assert/validate min=1\n  b: 2",
                &[],
            ),
        ] {
            let script = script();
            let left = left.map(|text| script.read("l.yml", text)[0]);
            let right = script.read("r.yml", right)[0];
            let found = unused(&script.arena().borrow(), &|args| script.args(args), role, left, right, None);
            let found: Vec<&str> = found.iter().map(|warning| warning.message()).collect();
            assert_eq!(found, expected);
        }
    }
}
