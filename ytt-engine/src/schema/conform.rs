//! Gives types to values: missing keys are filled in, what does not fit is reported and put right.
//!
//! The reference first assigns types to the whole (and reports only mismatches of structure if there are any), then
//! checks scalars and keys. Here it is one walk in the order of the values (`docs/data-values.md#filling-in`,
//! `docs/data-values.md#checks`). A wrong value is replaced by the default of its type and an undeclared key is
//! dropped, so nothing later follows from it (`docs/data-values.md#all-problems-at-once`).

use crate::diag::path::{push_index, push_key};
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::SourceMap;
use crate::template::written::GivenInCall;
use crate::validate::key_text;
use crate::yaml::{Arena, Body, Event, NodeId, PosId, TooDeep, Val};

use super::misfit::{Checked, HINTED, Told};
use super::{ItemId, MapType, Schema, TypeId, TypeKind, too_deep};

/// Fills in, reports, and puts right what is wrong, so that the document then fits the schema. `given` is the value of
/// the call that gave what is new, if code did.
pub(crate) fn conform(
    arena: &mut Arena,
    sources: &SourceMap,
    schema: &Schema,
    document: NodeId,
    given: Option<&GivenInCall>,
) -> Diagnostics {
    let mut walk = Walk::new(arena, sources, schema, Checked::Values);
    walk.given = given;
    walk.item(schema.root, document);
    walk.problems
}

/// As [`conform`], for one document or item of that type; `path` is where it is.
pub(crate) fn conform_item(
    arena: &mut Arena,
    sources: &SourceMap,
    schema: &Schema,
    item: ItemId,
    node: NodeId,
    path: String,
) -> Diagnostics {
    let mut walk = Walk::new(arena, sources, schema, Checked::Values);
    walk.start = path;
    walk.item(item, node);
    walk.problems
}

/// Fills and checks the value of an annotation, which `item` holds.
pub(super) fn conform_annotation(
    arena: &mut Arena,
    sources: &SourceMap,
    schema: &Schema,
    from: Checked,
    ty: TypeId,
    item: NodeId,
) -> Diagnostics {
    let mut walk = Walk::new(arena, sources, schema, from);
    walk.repair = false;
    walk.value(ty, item);
    walk.problems
}

/// A step down to an item.
enum Down {
    /// The item of a map, by its key.
    Key(NodeId),
    Index(usize),
}

struct Walk<'a> {
    arena: &'a mut Arena,
    sources: &'a SourceMap,
    schema: &'a Schema,
    from: Checked,
    given: Option<&'a GivenInCall>,
    repair: bool,
    problems: Diagnostics,
    /// The path where the walk began.
    start: String,
    /// The way from there. It is put into words for problems only.
    way: Vec<Down>,
    /// The nearest place above, and how many steps lead there.
    near: (PosId, usize),
    depth: u32,
}

impl<'a> Walk<'a> {
    fn new(arena: &'a mut Arena, sources: &'a SourceMap, schema: &'a Schema, from: Checked) -> Walk<'a> {
        Walk {
            arena,
            sources,
            schema,
            from,
            given: None,
            repair: true,
            problems: Diagnostics::default(),
            start: String::new(),
            way: Vec::new(),
            near: (PosId(0), 0),
            depth: 0,
        }
    }

    fn tell(&mut self, make: impl FnOnce(&Told<'_>) -> Diagnostic) {
        let mut path = self.start.clone();
        for step in &self.way {
            match *step {
                Down::Key(item) => push_key(&mut path, &key_text(self.arena, self.arena.key(item))),
                Down::Index(index) => push_index(&mut path, index),
            }
        }
        let told = Told {
            arena: self.arena,
            sources: self.sources,
            schema: self.schema,
            from: self.from,
            given: self.given,
            path: &path,
            near: (self.near.0, self.way.len().saturating_sub(self.near.1)),
            hints: self.problems.0.len() < HINTED,
            merged: false,
        };
        let problem = make(&told);
        self.problems.push(problem);
    }

    /// A document, map item or array item.
    fn item(&mut self, id: ItemId, node: NodeId) {
        let item = self.schema.item(id);
        let (outer, own) = (self.near, self.arena.get(node).pos);
        if own != PosId(0) {
            self.near = (own, self.way.len());
        }
        if !self.value(item.ty, node) && self.repair {
            let default = self.arena.copy_val(item.default).unwrap_or(Val::Null);
            self.arena.set_value(node, default);
        }
        self.near = outer;
    }

    /// The value of `node`; says whether it is of the right kind.
    fn value(&mut self, ty: TypeId, node: NodeId) -> bool {
        let schema = self.schema;
        let mut value = self.arena.value(node);
        if matches!(schema.inner(ty).kind, TypeKind::Any) {
            return true;
        }
        if let Val::Raw(_) = value {
            let pos = self.arena.get(node).pos;
            match self.arena.nodes_with_pos(value, pos) {
                Ok(new) => {
                    self.arena.set_value(node, new);
                    value = new;
                }
                Err(deep) => return self.stop(deep),
            }
        }
        let Val::Node(container) = value else {
            let fits = schema.ty(ty).allows(schema, value);
            if !fits {
                self.tell(|told| told.mismatch(node, value, schema.ty(ty)));
            }
            return fits;
        };
        if self.depth == self.arena.depth() {
            return self.stop(TooDeep { limit: self.depth, node: container });
        }
        let before = self.depth;
        self.depth = before.saturating_add(1);
        let fits = match (&schema.inner(ty).kind, &self.arena.get(container).body) {
            (TypeKind::Map(map), Body::Map(_)) => {
                self.map(map, ty, container);
                true
            }
            (TypeKind::Array(item), Body::Array(_)) => {
                self.array(*item, container);
                true
            }
            _ => {
                self.tell(|told| told.mismatch(node, value, schema.ty(ty)));
                false
            }
        };
        self.depth = before;
        fits
    }

    /// A tree that is too deep cannot be used at all.
    fn stop(&mut self, deep: TooDeep) -> bool {
        self.problems.push(too_deep(self.arena, deep));
        self.repair = true;
        false
    }

    fn map(&mut self, map: &MapType, ty: TypeId, container: NodeId) {
        let schema = self.schema;
        let items = self.arena.items(container).to_vec();
        let mut found = vec![false; map.items.len()];
        let mut declared = Vec::with_capacity(items.len());
        let mut undeclared = false;
        for &item in &items {
            let at = schema.declared_index(map, self.arena, self.arena.key(item));
            match at.and_then(|at| Some((found.get_mut(at)?, map.items.get(at)?))) {
                Some((found, ty)) => {
                    *found = true;
                    declared.push((*ty, item));
                }
                None => {
                    undeclared = true;
                    self.way.push(Down::Key(item));
                    self.tell(|told| told.undeclared(container, item, map, schema.inner(ty).pos));
                    self.way.pop();
                }
            }
        }
        if undeclared && self.repair {
            *self.arena.items_mut(container) = declared.iter().map(|(_, item)| *item).collect();
        }
        for (id, item) in declared {
            self.way.push(Down::Key(item));
            self.item(id, item);
            self.way.pop();
        }
        for (&id, _) in map.items.iter().zip(found).filter(|(_, found)| !found) {
            let item = schema.item(id);
            // The item is new, its value is the one node of the type: what an overlay does to it is seen wherever it was
            // filled in, as in the reference.
            let new = self.arena.add(Body::MapItem(item.key, item.default), item.pos);
            self.arena.items_mut(container).push(new);
            self.arena.events.add(|| Event::Filled { item: new, map: container });
        }
    }

    fn array(&mut self, id: ItemId, container: NodeId) {
        for (index, item) in self.arena.items(container).to_vec().into_iter().enumerate() {
            self.way.push(Down::Index(index));
            self.item(id, item);
            self.way.pop();
        }
    }
}
