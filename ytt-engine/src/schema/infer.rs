//! A schema document becomes a [`Schema`]: types and defaults come from the values, annotations change them (`nullable`
//! makes the default null).
//!
//! Every problem of the document is reported; a node with a problem becomes `any`, so that its parents can go on
//! (`docs/data-values.md#types`, `docs/data-values.md#annotations-of-a-schema`,
//! `docs/data-values.md#all-problems-at-once`).

use crate::call::Call;
use crate::diag::path::{push_index, push_key};
use crate::diag::{Code, DataValue, Diagnostic, Diagnostics, Help, Note};
use crate::nearest::only;
use crate::source::{Span, to_u32};
use crate::validate::{self, Rules, key_text};
use crate::yaml::words::{kind_name, place_text};
use crate::yaml::{Body, Items, NodeId, PosId, TooDeep, Val};

use super::annotation::{Misuse, SUMMARY, SchemaAnnotation, given};
use super::conform::conform_annotation;
use super::misfit::Checked;
use super::{Docs, ItemId, ItemType, MapType, Schema, TypeId, TypeKind, too_deep};
use super::{inside_any, items, lowered, null};

impl Schema {
    /// Types, defaults and rules of a schema document, which code has already been run for.
    pub(crate) fn from_document(calls: &mut dyn Call, document: NodeId) -> Result<Schema, Diagnostics> {
        let mut maker =
            Maker { calls, schema: Schema::empty(), problems: Diagnostics::default(), depth: 0, path: String::new() };
        let root = maker.item(document);
        let Maker { mut schema, problems, .. } = maker;
        schema.root = root;
        schema.declared = true;
        problems.into_result().map(|()| schema)
    }
}

struct Maker<'a> {
    calls: &'a mut dyn Call,
    schema: Schema,
    problems: Diagnostics,
    depth: u32,
    path: String,
}

impl Maker<'_> {
    fn keep<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|problem| self.problems.push(problem)).ok()
    }

    /// A document, map item or array item.
    fn item(&mut self, node: NodeId) -> ItemId {
        let pos = self.calls.arena().borrow().get(node).pos;
        let before = self.problems.0.len();
        let mut ty = self.item_type(node, pos);
        let docs = self.docs(node, ty);
        if self.problems.0.len() > before && !matches!(self.schema.ty(ty).kind, TypeKind::Map(_) | TypeKind::Array(_)) {
            ty = self.any(node, pos);
        }
        self.schema.ty_mut(ty).docs = docs;
        let default = self.default(node, ty);
        let rules = self.rules(node);
        self.set_default(ty, default);
        let key = self.calls.arena().borrow().key(node);
        self.schema.add_item(ItemType { key, ty, default, rules, pos })
    }

    fn any(&mut self, node: NodeId, pos: PosId) -> TypeId {
        let value = self.calls.arena().borrow().value(node);
        self.schema.add_type(TypeKind::Any, value, pos)
    }

    fn item_type(&mut self, node: NodeId, pos: PosId) -> TypeId {
        let any = match given(self.calls, node, "schema/type") {
            Some(given) => {
                let any = given.any(self.calls);
                self.keep(any).unwrap_or(true)
            }
            None => false,
        };
        let nullable = given(self.calls, node, "schema/nullable");
        if let Some(given) = &nullable {
            let checked = given.nullable(self.calls);
            self.keep(checked);
        }
        if any {
            let annotation = self.calls.arena().borrow().ann(node, "schema/type").map(|annotation| annotation.pos);
            self.check_any(node, annotation);
            let ty = self.any(node, pos);
            if nullable.is_some() {
                self.schema.ty_mut(ty).default = Val::Null;
            }
            return ty;
        }
        match self.value_type(node, pos) {
            Some(ty) if nullable.is_some() => self.schema.add_type(TypeKind::Nullable(ty), Val::Null, pos),
            Some(ty) => ty,
            None => self.any(node, pos),
        }
    }

    /// The type that the value of an item implies; `None` if it implies none, which is reported.
    #[allow(clippy::unreachable, reason = "raw values are made nodes first")]
    fn value_type(&mut self, node: NodeId, pos: PosId) -> Option<TypeId> {
        let mut value = self.calls.arena().borrow().value(node);
        if let Val::Raw(_) = value {
            // Values that code computed count as if they were written here.
            let made = self.calls.arena().borrow_mut().nodes_with_pos(value, pos);
            value = match made {
                Ok(value) => value,
                Err(deep) => return self.stop(deep),
            };
            self.calls.arena().borrow_mut().set_value(node, value);
        }
        let kind = match value {
            Val::Str { .. } | Val::Bytes(_) => TypeKind::Str,
            Val::Int(_) | Val::UInt(_) => TypeKind::Int,
            Val::Float(_) => TypeKind::Float,
            Val::Bool(_) => TypeKind::Bool,
            Val::Null => {
                let hints = [
                    "in YAML, omitting a value implies null.",
                    "to set the default value to null, annotate with @schema/nullable.",
                    "to allow any value, annotate with @schema/type any=True.",
                ];
                let found = Misuse::new(Code::SCHEMA_NULL, "Invalid schema - null value not allowed here");
                return self.refuse(Misuse { hints: &hints, ..found.noted("null value", "non-null value") }, node);
            }
            Val::Node(container) => return self.container_type(node, container, pos),
            Val::Raw(_) => unreachable!("raw values were made nodes"),
        };
        Some(self.schema.add_type(kind, value, pos))
    }

    #[allow(clippy::unreachable, reason = "whoever sets the value of an item refuses documents and items")]
    fn container_type(&mut self, node: NodeId, container: NodeId, pos: PosId) -> Option<TypeId> {
        let (body, own, limit) = {
            let arena = self.calls.arena().borrow();
            let found = arena.get(container);
            (found.body.clone(), found.pos, arena.depth())
        };
        let pos = if own == PosId(0) { pos } else { own };
        if self.depth == limit {
            return self.stop(TooDeep { limit, node: container });
        }
        let before = self.depth;
        self.depth = before.saturating_add(1);
        let ty = match body {
            Body::Map(items) => {
                let mut map = MapType::default();
                for item in items {
                    let key = self.calls.arena().borrow().key(item);
                    let before = self.path.len();
                    push_key(&mut self.path, &key_text(&self.calls.arena().borrow(), key));
                    let id = self.item(item);
                    self.path.truncate(before);
                    let arena = self.calls.arena().borrow();
                    // Of equal keys the first declares; the types of the others are made for their problems alone.
                    if self.schema.declared_item(&map, &arena, key).is_none() {
                        map.by_key.put(&arena, key, to_u32(map.items.len()));
                        map.items.push(id);
                    }
                }
                Some(self.schema.add_type(TypeKind::Map(map), Val::Null, pos))
            }
            Body::Array(items) => match items[..] {
                [item] => {
                    let before = self.path.len();
                    push_index(&mut self.path, 0);
                    let item = self.item(item);
                    self.path.truncate(before);
                    let empty = self.calls.arena().borrow_mut().add(Body::Array(Items::default()), pos);
                    Some(self.schema.add_type(TypeKind::Array(item), Val::Node(empty), pos))
                }
                _ => {
                    let hints = [
                        "in schema, the one item of the array implies the type of its elements.",
                        "in schema, the default value for an array is always an empty list.",
                        "default values can be overridden via a data values overlay.",
                    ];
                    let message = "Invalid schema - wrong number of items in array definition";
                    let found = format!("{} array items", items.len());
                    let misuse = Misuse::new(Code::SCHEMA_ARRAY, message)
                        .noted(found, "exactly 1 array item, of the desired type");
                    self.refuse(Misuse { hints: &hints, ..misuse }, node)
                }
            },
            _ => unreachable!("an item holds a map, an array or a scalar"),
        };
        self.depth = before;
        ty
    }

    fn refuse(&mut self, misuse: Misuse<'_>, node: NodeId) -> Option<TypeId> {
        let mut problem = mended(self.calls, misuse.at(self.calls, &[], node), node);
        if problem.parts().labels.is_empty() && !self.path.is_empty() {
            let value = DataValue { path: self.path.clone(), found: String::new(), written: false, is_whole: false };
            problem = problem.note(format!("path: {}", self.path)).about(value);
        }
        self.problems.push(problem);
        None
    }

    fn stop(&mut self, deep: TooDeep) -> Option<TypeId> {
        let problem = too_deep(&self.calls.arena().borrow(), deep);
        self.problems.push(problem);
        None
    }

    /// Below `any`, annotations that say something of types mean nothing.
    fn check_any(&mut self, node: NodeId, annotation: Option<PosId>) {
        let (mut found, mut empty) = (Vec::new(), Vec::new());
        {
            let arena = self.calls.arena().borrow();
            let mut open = vec![(arena.value(node), arena.depth())];
            while let Some((value, depth)) = open.pop() {
                let Val::Node(id) = value else { continue };
                let names = ["schema/nullable", "schema/type", "schema/default"];
                let anns = names.iter().filter_map(|name| arena.ann(id, name).map(|ann| (*name, ann.pos)));
                let anns: Vec<_> = anns.collect();
                if !anns.is_empty() {
                    found.push((id, anns));
                } else if inside_any::takes_none(&arena, id) {
                    empty.push(id);
                }
                match &arena.get(id).body {
                    Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => open.push((*value, depth)),
                    Body::Set(items) | Body::Map(items) | Body::Array(items) => {
                        if let Some(depth) = depth.checked_sub(1) {
                            open.extend(items.iter().rev().map(|item| (Val::Node(*item), depth)));
                        }
                    }
                }
            }
        }
        for (id, anns) in found {
            let names: Vec<String> = anns.iter().map(|(name, _)| format!("@{name}")).collect();
            let places: Vec<PosId> = anns.iter().map(|(_, pos)| *pos).collect();
            let misuse = Misuse {
                summary: SUMMARY,
                found: Some(format!("{} annotation(s)", names.join(", "))),
                expected: Some("no '@schema/...' on nodes within a node annotated '@schema/type any=True'".to_owned()),
                hints: &[
                    "an \"any type\" fragment has no constraints; nested schema annotations conflict and are disallowed",
                ],
                ..Misuse::new(Code::SCHEMA_ANY, "Schema was specified within an \"any type\" fragment")
            };
            let problem = misuse.at(self.calls, &places, id);
            let problem = inside_any::told(self.calls, problem, (&anns, annotation), only(empty.iter().copied()));
            self.problems.push(problem);
        }
    }

    fn docs(&mut self, node: NodeId, ty: TypeId) -> Docs {
        let mut docs = Docs::default();
        if let Some(text) = self.text(node, "schema/desc") {
            docs.description = text;
        }
        if let Some(text) = self.text(node, "schema/title") {
            docs.title = text;
        }
        let examples = given(self.calls, node, "schema/examples");
        let read = examples.as_ref().map(|given| given.examples(self.calls, &self.expected(ty)));
        if let Some(given) = given(self.calls, node, "schema/deprecated") {
            let on_document = matches!(self.calls.arena().borrow().get(node).body, Body::Doc(_));
            let notice = if on_document { Err(given.misplaced(self.calls)) } else { given.text(self.calls) };
            docs.deprecated = self.keep(notice);
        }
        if let (Some(given), Some(read)) = (examples, read) {
            let pos = self.calls.arena().borrow().get(node).pos;
            for (number, (text, value)) in self.keep(read).unwrap_or_default().into_iter().enumerate() {
                let from = Checked::Example(given.pos, number);
                if let Some(value) = self.annotation_value(&given, value, pos) {
                    // The example is shown as written; a copy of it is filled.
                    self.fits(from, ty, value, pos);
                    docs.examples.push((text, value));
                }
            }
        }
        docs
    }

    fn text(&mut self, node: NodeId, name: &str) -> Option<String> {
        let text = given(self.calls, node, name)?.text(self.calls);
        self.keep(text)
    }

    /// A type with its place, as messages name it.
    fn expected(&self, ty: TypeId) -> String {
        let ty = self.schema.ty(ty);
        format!("{} (by {})", ty.name(), place_text(&self.calls.arena().borrow(), self.calls.sources(), ty.pos))
    }

    /// Makes nodes of a value that code wrote.
    fn annotation_value(&mut self, given: &SchemaAnnotation, value: Val, pos: PosId) -> Option<Val> {
        let made = self.calls.arena().borrow_mut().nodes_with_pos(value, pos);
        match made {
            Ok(value) => Some(value),
            Err(deep) => {
                let problem = too_deep(&self.calls.arena().borrow(), deep);
                let place = self.calls.arena().borrow().place(given.pos).map(|place| place.whole());
                self.problems.push(problem.at(place));
                None
            }
        }
    }

    /// Fills and checks a copy of a value of an annotation. Gives the copy, if it fits.
    fn fits(&mut self, from: Checked, ty: TypeId, value: Val, pos: PosId) -> Option<Val> {
        let copied = self.calls.arena().borrow_mut().copy_val(value);
        let value = match copied {
            Ok(value) => value,
            Err(deep) => {
                self.stop(deep);
                return None;
            }
        };
        let mut arena = self.calls.arena().borrow_mut();
        let at = match value {
            Val::Node(node) if arena.get(node).pos != PosId(0) => arena.get(node).pos,
            _ => pos,
        };
        let holder = arena.add(Body::ArrayItem(value), at);
        let problems = conform_annotation(&mut arena, self.calls.sources(), &self.schema, from, ty, holder);
        let value = arena.value(holder);
        drop(arena);
        let fits = problems.0.is_empty();
        let told = problems.0.into_iter().map(|problem| match from {
            Checked::Default(annotation) if problem.code() == Code::SCHEMA_DEFAULT && !self.calls.is_tried() => {
                let scene = (&*self.calls.arena().borrow(), self.calls.sources(), &self.schema);
                lowered::told(scene, (annotation, ty, value), problem)
            }
            _ => problem,
        });
        let told: Vec<Diagnostic> = told.collect();
        self.problems.0.extend(told);
        fits.then_some(value)
    }

    /// The node or scalar that is filled in where the item is missing.
    fn default(&mut self, node: NodeId, ty: TypeId) -> Val {
        if let Some(given) = given(self.calls, node, "schema/default") {
            let pos = self.calls.arena().borrow().get(node).pos;
            if matches!(self.calls.arena().borrow().get(node).body, Body::ArrayItem(_)) {
                let problem = given.misplaced(self.calls);
                let problem = if self.calls.is_tried() { problem } else { raised(self.calls, problem, given.pos) };
                self.problems.push(problem);
            } else {
                let expected = self.expected(ty);
                let read = given.default(self.calls, &expected);
                let value = self.keep(read).and_then(|value| self.annotation_value(&given, value, pos));
                let value = value.and_then(|value| self.fits(Checked::Default(given.pos), ty, value, pos));
                if let Some(value) = value {
                    return value;
                }
            }
        }
        self.type_default(ty)
    }

    fn type_default(&mut self, ty: TypeId) -> Val {
        let found = self.schema.ty(ty);
        match &found.kind {
            TypeKind::Nullable(_) => Val::Null,
            TypeKind::Any => {
                let copied = self.calls.arena().borrow_mut().copy_val(found.default);
                copied.unwrap_or_else(|deep| {
                    self.stop(deep);
                    Val::Null
                })
            }
            TypeKind::Map(map) => {
                let mut arena = self.calls.arena().borrow_mut();
                let mut items = Vec::with_capacity(map.items.len());
                for item in map.items.iter().map(|id| self.schema.item(*id)) {
                    items.push(arena.add(Body::MapItem(item.key, item.default), item.pos));
                }
                Val::Node(arena.add(Body::Map(items.into()), found.pos))
            }
            _ => found.default,
        }
    }

    /// What descriptions show as the default of a type; below `nullable` it is the inner type's too.
    fn set_default(&mut self, ty: TypeId, default: Val) {
        let found = self.schema.ty_mut(ty);
        match found.kind {
            TypeKind::Map(_) => {}
            TypeKind::Nullable(inner) => self.set_default(inner, default),
            _ => found.default = default,
        }
    }

    fn rules(&mut self, node: NodeId) -> Option<Rules> {
        let annotation = self.calls.arena().borrow().ann(node, "schema/validation").cloned()?;
        let rules = validate::read(self.calls, &annotation);
        self.keep(rules)
    }
}

/// The default of an array that stands above its item: the edit that writes it above the key of the array.
fn raised(calls: &dyn Call, problem: Diagnostic, annotation: PosId) -> Diagnostic {
    let (arena, sources) = (calls.arena().borrow(), calls.sources());
    let edit = (|| {
        let place = arena.place(annotation)?.whole();
        let source = sources.get(place.source);
        let (line, _) = (source.line(place.start), source.above(place)?);
        let is_comment = |line: &u32| source.line_text(*line).trim_start().starts_with('#');
        let key = (1..line).rev().find(|line| !is_comment(line))?;
        let text = source.line_text(key);
        let name = text.trim().strip_suffix(':')?.trim_start_matches("- ").to_owned();
        let indent: String = text.chars().take_while(|letter| *letter == ' ').collect();
        let (name_of_it, value) = source.written(place)?.split_once(' ')?;
        // A name may stand for a list.
        let is_one =
            !value.trim_start().starts_with(|first: char| first == '[' || first == '_' || first.is_alphabetic());
        let value = if is_one { format!("[{}]", value.trim()) } else { value.trim().to_owned() };
        let (start, behind) = (source.line_range(key).start, source.line_range(line.saturating_add(1)).start);
        let between = source.written(Span { start, end: source.line_range(line).start, ..place })?;
        let new = format!("{indent}{name_of_it} {value}\n{between}");
        let span = Span { start, end: behind, ..place };
        Some((
            format!("write it above `{name}`, {}", if is_one { "as a list" } else { "whose default it is" }),
            span,
            new,
        ))
    })();
    match edit {
        Some((text, span, new)) => behind_edit(problem.help_edit(text, span, new)),
        None => problem,
    }
}

/// Where there is an edit, the general hints are notes.
fn behind_edit(mut problem: Diagnostic) -> Diagnostic {
    let parts = problem.parts_mut();
    if let Some(edit) = parts.helps.pop_if(|help| help.edit.is_some()) {
        let hints = std::mem::replace(&mut parts.helps, vec![edit]);
        parts.notes.extend(hints.into_iter().map(|hint| Note::from(hint.text)));
    }
    problem
}

/// Adds the edits that the hints speak of, and labels. Programs see the reference's part only.
fn mended(calls: &dyn Call, mut problem: Diagnostic, node: NodeId) -> Diagnostic {
    let (arena, sources) = (calls.arena().borrow(), calls.sources());
    let Some(place) = arena.place_of(node) else { return problem };
    let above = sources.get(place.source).above(place.key());
    match problem.code() {
        Code::SCHEMA_NULL => {
            if calls.is_tried() {
                return problem;
            }
            let start = match arena.get(node).body {
                Body::MapItem(key, _) => format!("{}:", key_text(&arena, key)),
                Body::ArrayItem(_) => "-".to_owned(),
                _ => return problem,
            };
            let text = "a nullable value needs an example of its type too: #@schema/nullable above";
            let text = format!("{text} `{start} \"\"`, or `{start} 0`");
            let edit = null::with_example(&arena, sources, node, "\"\"");
            let parts = problem.parts_mut();
            // The last hint is another way, which allows more than is meant as a rule.
            let last = parts.helps.len().saturating_sub(1);
            let hints = parts.helps.drain(..last).map(|hint| Note::from(hint.text));
            parts.notes.extend(hints);
            // The help says it, and what else has to be written.
            if let (Some(note), Some(label)) = (parts.notes.last_mut(), parts.labels.first()) {
                note.shown_at = Some(label.span);
            }
            parts.helps.insert(0, Help { edit, is_guess: true, ..Help::new(text) });
            problem
        }
        // An array that has not one item.
        _ => {
            let value = arena.value(node);
            let items = match value {
                Val::Node(array) => arena.items(array),
                _ => &[],
            };
            if let Some(label) = problem.parts_mut().labels.first_mut() {
                let count = match items.len() {
                    0 => "no item".to_owned(),
                    count => format!("{count} items"),
                };
                label.text = format!("{count} here; the one item of an array in a schema is an example of all");
            }
            let source = sources.get(place.source);
            let (span, text) = (place.value_or_key(sources), source.text.as_str());
            let written = |span: Span| text.and_then(|text| text.get(span.start as usize..span.end as usize));
            let first = items.first().and_then(|item| arena.place_of(*item)).map(|place| place.value());
            let is_scalar = |item: &NodeId| !matches!(arena.value(*item), Val::Node(_) | Val::Raw(_) | Val::Null);
            let kind = |item: &NodeId| kind_name(&arena, arena.value(*item));
            let kinds = items.iter().all(|item| is_scalar(item) && Some(kind(item)) == items.first().map(kind));
            let whole = written(span).is_some_and(|text| text.starts_with('[') && !text.contains('\n'));
            let free = arena.ann(node, "schema/default").is_none() && !calls.is_tried();
            let told = match first.and_then(written) {
                Some(first) if kinds && whole && free && above.is_some() => {
                    let indent = above.map(|(_, indent)| indent).unwrap_or_default();
                    let key = written(Span { end: span.start, ..place.key() }).unwrap_or_default();
                    let default = validate::repr(&arena, value);
                    let new = format!("#@schema/default {default}\n{indent}{key}[{first}]");
                    problem.help_edit(items::ALL, Span { start: place.key().start, ..span }, new)
                }
                None if whole && free && items.is_empty() => {
                    let text = "give one item as the example of all: the default is an empty list all the same";
                    problem.help_edit(text, span, "[\"\"]").guessing()
                }
                _ if free => match items::as_default(&arena, sources, node) {
                    Some((span, new)) => problem.help_edit(items::ALL, span, new),
                    None => problem,
                },
                _ => problem,
            };
            behind_edit(told)
        }
    }
}
