//! A key that a document beside the schema has, which lacks the annotation that makes it a part of the schema; and keys of a
//! default that its declaration calls otherwise.

use super::misfit::{Checked, Told};
use super::{MapType, PosId};
use crate::diag::Diagnostic;
use crate::quoted;
use crate::source::{SourceId, SourceMap, Span, replaced, to_u32};
use crate::validate::key_text;
use crate::yaml::{self, Arena, NodeId, ReadOptions, Val, comment_text};

/// What makes a document a part of the schema that adds keys to it.
const HEADER: &str = "#@data/values-schema\n#@overlay/match-child-defaults missing_ok=True\n";
/// Bytes of files that are looked through, and nodes that aliases may make in one.
const MOST: usize = 1_000_000;
const ALIASED: u64 = 10_000;

impl Told<'_> {
    /// An ordinary document in the folder of the schema declares the key, with all that is given below it.
    pub(super) fn without_header(&self, told: &Diagnostic, item: NodeId, declared: PosId) -> Option<Diagnostic> {
        let key = self.arena.str(self.arena.key(item)).filter(|key| *key == self.path)?;
        let own = self.arena.place_of(item).map(|place| place.source);
        let schema = self.arena.place(declared)?.source;
        let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let home = folder(&self.sources.get(schema).name);
        let below: Vec<String> = match self.arena.map_of(self.arena.value(item)) {
            Some(map) => self.arena.items(map).iter().map(|item| key_text(self.arena, self.arena.key(*item))).collect(),
            None => Vec::new(),
        };
        let mut left = MOST;
        let mut found = None;
        for (number, source) in self.sources.all().iter().enumerate() {
            let id = SourceId(to_u32(number));
            let is_yaml = source.name.ends_with(".yml") || source.name.ends_with(".yaml");
            if !is_yaml || id == schema || Some(id) == own || folder(&source.name) != home {
                continue;
            }
            left = left.checked_sub(source.text.as_bytes().len())?;
            if let Some(place) = headless(self.sources, (id, self.arena.depth()), key, &below)
                && found.replace(place).is_some()
            {
                return None;
            }
        }
        let (at, line, has_start) = found?;
        let label = format!("`{key}` is declared here, but without `#@data/values-schema` this document is no schema");
        let start = if has_start { "" } else { "---\n" };
        let help = "make that document a part of the schema, which adds its keys";
        let first = self.sources.get(schema).shown_name();
        if self.sources.get(line.source).name < self.sources.get(schema).name {
            // It comes first then: what the other one has is new.
            let text = format!(
                "{help}: `#@data/values-schema` above its `---`, and `#@overlay/match-child-defaults missing_ok=True` above \
                 that of {first}, which comes after it"
            );
            return Some(told.clone().label(line, label).help(text));
        }
        Some(told.clone().label(line, label).help_edit(help, at, format!("{HEADER}{start}")))
    }

    /// A default whose one undeclared key stands for the one declared key that it lacks: the edit for all of its items.
    pub(super) fn renamed_in_default(
        &self,
        told: &Diagnostic,
        (container, item): (NodeId, NodeId),
        map: &MapType,
    ) -> Option<Diagnostic> {
        matches!(self.from, Checked::Default(_) | Checked::Example(..)).then_some(())?;
        let key = self.arena.str(self.arena.key(item))?;
        let is_declared =
            |other: &&NodeId| self.declared(map, &key_text(self.arena, self.arena.key(**other))).is_some();
        let set = self.arena.items(container);
        (set.iter().filter(|other| !is_declared(other)).count() == 1).then_some(())?;
        let is_set = |id: Val| set.iter().any(|other| self.arena.same(self.arena.key(*other), id));
        let mut lacking = map.items.iter().filter(|id| !is_set(self.schema.item(**id).key));
        let alike = |id: &&super::ItemId| {
            let name = key_text(self.arena, self.schema.item(**id).key);
            name.split('_').any(|word| word == key) || key.split('_').any(|word| word == name)
        };
        let all: Vec<_> = lacking.by_ref().collect();
        let mut is_by_type = false;
        let meant = match all[..] {
            [only] => only,
            _ => {
                let takes = |id: &&super::ItemId| {
                    let ty = self.schema.ty(self.schema.item(**id).ty);
                    ty.allows(self.schema, self.arena.value(item))
                };
                let alike = crate::nearest::only(all.iter().copied().filter(alike));
                is_by_type = alike.is_none();
                alike.or_else(|| crate::nearest::only(all.iter().copied().filter(takes)))?
            }
        };
        let declared = self.schema.item(*meant);
        let new = key_text(self.arena, declared.key);
        let written = self.from.written(self.arena, self.sources)?;
        let source = self.sources.get(written.source);
        let code = source.written(written)?;
        let literal = quoted::starlark(key);
        let places = code.match_indices(&literal).filter(|(at, _)| {
            let behind = code.get(at.saturating_add(literal.len())..).unwrap_or_default();
            behind.trim_start().starts_with(':')
        });
        let parts: Vec<Span> = places
            .map(|(at, _)| {
                let start = written.start.saturating_add(to_u32(at));
                Span { start, end: start.saturating_add(to_u32(literal.len())), ..written }
            })
            .collect();
        let now = quoted::starlark(&new);
        let edit = replaced(source.text.as_str()?, parts.iter().map(|part| (*part, now.as_str())));
        let place = self.arena.place(declared.pos)?;
        let is_shown = told.parts().labels.iter().any(|label| label.span.holds(place.key()));
        let place = (!is_shown).then(|| place.key());
        let told = told.clone().label_at(place, format!("`{new}` is declared here, and not given"));
        let text = match is_by_type {
            true => format!("of what is not given only `{new}` takes such a value: is it meant?"),
            false => format!("did you mean `{new}`?"),
        };
        Some(match edit {
            Some((span, new)) => told.help_edit(text, span, new).guessing(),
            None => told.help(text),
        })
    }
}

/// Where a document that has a key at its top, and keys below it, but no annotation, begins; where the key stands; and
/// whether the document has a line that begins it.
fn headless(
    sources: &SourceMap,
    (id, depth): (SourceId, u32),
    key: &str,
    below: &[String],
) -> Option<(Span, Span, bool)> {
    let source = sources.get(id);
    // Few files have the key.
    source.text.as_str().filter(|text| text.contains(key))?;
    let mut arena = Arena::new(depth);
    let options = ReadOptions { strict: false, alias_nodes: ALIASED, reports: 1 };
    let file = yaml::read(&mut arena, sources, id, &options).ok()?;
    let of_document = |document: &NodeId| {
        let map = arena.map_of(arena.value(*document))?;
        let item = arena.find_str(map, key)?;
        let inner = arena.map_of(arena.value(item))?;
        let has = |key: &String| arena.items(inner).iter().any(|item| key_text(&arena, arena.key(*item)) == *key);
        let nodes = || arena.items(map).iter().chain([document]);
        let has_role = |comment: &Span| {
            let text = comment_text(&source, *comment);
            text.starts_with("@data/values") || text.starts_with("@overlay/")
        };
        let is_open = !nodes().any(|node| arena.comments(*node).iter().any(has_role));
        let is_resource = arena.find_str(map, "kind").is_some();
        (is_open && !is_resource && below.iter().all(has)).then_some(())?;
        let (place, key) = (arena.place_of(*document)?, arena.place_of(item)?.key());
        let first = source.line_range(source.line(place.start)).start;
        let has_start = source.written(place.key()) == Some("---");
        Some((Span::new(id, first, first), key, has_start))
    };
    file.documents(&arena).iter().find_map(of_document)
}
