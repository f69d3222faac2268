//! The schema of data values: what is declared, of which types, with which defaults.
//!
//! A [`Schema`] is numbers only: nodes and texts of the arena, and [`crate::call::ValueHandle`] functions in its rules. It
//! outlives the heap of the render; its functions do not. `infer` makes it from a schema document and its
//! annotations (`annotation`), `conform` fills in and checks a document of values, `misfit` knows what a type allows and
//! says what does not fit; `meant`, `levels`, `regroup` and `several` (keys outside of their group), `around` (levels too many),
//! `divided` (a text in the place of a map) and `reads` (what code calls a key) say what was meant. `deprecated` warns, `run_rules` runs the rules, of which
//! `conditions` and `misplaced` tell slips, `openapi` and `json_schema` describe it to others.

mod absent;
mod addition;
mod also_allowed;
mod annotation;
mod any;
pub(crate) mod appended;
mod around;
mod braces;
mod conditions;
mod conform;
mod deprecated;
mod divided;
mod fields;
mod headless;
mod infer;
mod inside_any;
mod items;
mod json_schema;
mod judge;
mod levels;
mod lowered;
mod meant;
mod misfit;
mod misplaced;
mod nested;
mod never_null;
mod null;
mod numbers;
mod openapi;
mod own_default;
mod parts;
mod proposed;
mod reads;
mod redeclared;
mod regroup;
mod run_rules;
mod several;
mod switch;
#[cfg(test)]
mod tests;
mod undeclared;
mod variables;

use crate::diag::Diagnostic;
use crate::source::{Span, to_u32};
use crate::validate::{Rules, key_text};
use crate::yaml::keys::KeyTable;
use crate::yaml::{Arena, Body, NodeId, PosId, TooDeep, Val, Wanted, view};

pub(crate) use conform::{conform, conform_item};
pub(crate) use deprecated::{deprecated, deprecated_path};
pub(crate) use items::one_left;
pub(crate) use json_schema::json_schema;
pub(crate) use misfit::HINTED;
pub(crate) use null::with_example;
pub(crate) use openapi::openapi;
pub(crate) use redeclared::{Redeclared, redeclared};
pub(crate) use run_rules::validate;
pub(crate) use undeclared::{Undeclared, undeclared};
pub(crate) use variables::{AS_KEYS, as_keys};

/// Number of an [`ItemType`] in its [`Schema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ItemId(u32);

/// Number of a [`Type`] in its [`Schema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypeId(u32);

/// Type of a document, map item or array item.
#[derive(Clone, Debug)]
pub(crate) struct ItemType {
    /// Null for documents and array items.
    pub(crate) key: Val,
    pub(crate) ty: TypeId,
    /// What is filled in. Its node is this type's own and is shared by all items that it fills
    /// (`docs/data-values.md#shared-defaults`).
    pub(crate) default: Val,
    /// Of `@schema/validation`.
    pub(crate) rules: Option<Rules>,
    pub(crate) pos: PosId,
}

/// Type of a value.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    /// What descriptions of the schema call its default; null for maps, which have none there.
    pub(crate) default: Val,
    pub(crate) docs: Docs,
    pub(crate) pos: PosId,
}

/// What values a type allows.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Str,
    Int,
    /// Integers are allowed too.
    Float,
    Bool,
    Map(MapType),
    Array(ItemId),
    Any,
    Nullable(TypeId),
}

/// Declared items of a map, in the order of the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct MapType {
    pub(crate) items: Vec<ItemId>,
    /// Indexes of `items`.
    by_key: KeyTable<u32>,
}

/// What `@schema/title`, `desc`, `deprecated` and `examples` say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Docs {
    pub(crate) title: String,
    pub(crate) description: String,
    /// The notice.
    pub(crate) deprecated: Option<String>,
    /// Description and value as written.
    pub(crate) examples: Vec<(String, Val)>,
}

/// What data values may be.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    items: Vec<ItemType>,
    types: Vec<Type>,
    /// Type of the document of values.
    pub(crate) root: ItemId,
    declared: bool,
    redeclared: Vec<Redeclared>,
}

impl Schema {
    /// No schema: every value is allowed and nothing is filled in.
    pub(crate) fn none() -> Schema {
        let mut schema = Schema::empty();
        let ty = schema.add_type(TypeKind::Any, Val::Null, PosId(0));
        schema.root = schema.add_item(ItemType { key: Val::Null, ty, default: Val::Null, rules: None, pos: PosId(0) });
        schema
    }

    fn empty() -> Schema {
        Schema { items: Vec::new(), types: Vec::new(), root: ItemId(0), declared: false, redeclared: Vec::new() }
    }

    /// Was it declared? Otherwise every value is allowed.
    pub(crate) fn is_declared(&self) -> bool {
        self.declared
    }

    /// The items of maps that it declares, each with the number of the one around it; what is in lists is one with them.
    pub(crate) fn wanted(&self) -> Wanted {
        let (mut wanted, mut open) = (Wanted::new(), vec![(None, self.root)]);
        while let Some((around, item)) = open.pop() {
            let TypeKind::Map(map) = &self.inner(self.item(item).ty).kind else { continue };
            for &item in &map.items {
                open.push((Some(wanted.len()), item));
                wanted.push((around, self.item(item).key, self.item(item).pos));
            }
        }
        wanted
    }

    #[allow(clippy::indexing_slicing, reason = "`add_item` makes numbers of items, and none goes away")]
    pub(crate) fn item(&self, id: ItemId) -> &ItemType {
        &self.items[id.0 as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "`add_type` makes numbers of types, and none goes away")]
    pub(crate) fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "as for `ty`: numbers of types that there are")]
    fn ty_mut(&mut self, id: TypeId) -> &mut Type {
        &mut self.types[id.0 as usize]
    }

    /// Does the schema declare, at this place, a value that is a map or an array?
    pub(crate) fn declares_collection(&self, arena: &Arena, span: Span) -> bool {
        self.items.iter().any(|item| {
            matches!(self.inner(item.ty).kind, TypeKind::Map(_) | TypeKind::Array(_))
                && arena.place(item.pos).is_some_and(|place| place.key() == span)
        })
    }

    /// The keys of the map that is declared at a place, if they are few.
    pub(crate) fn declared_keys(&self, arena: &Arena, span: Span) -> Option<Vec<String>> {
        const MOST: usize = 9;
        let is_it = |item: &&ItemType| arena.place(item.pos).is_some_and(|place| place.key() == span);
        let TypeKind::Map(map) = &self.inner(self.items.iter().find(is_it)?.ty).kind else { return None };
        let keys = || map.items.iter().map(|id| key_text(arena, self.item(*id).key)).collect();
        (1..=MOST).contains(&map.items.len()).then(keys)
    }

    /// Type of the value of an item, below `@schema/nullable`.
    pub(crate) fn inner(&self, id: TypeId) -> &Type {
        match self.ty(id).kind {
            TypeKind::Nullable(inner) => self.ty(inner),
            _ => self.ty(id),
        }
    }

    /// Type of the item of a map with that key, if the map declares it.
    pub(crate) fn declared_item(&self, map: &MapType, arena: &Arena, key: Val) -> Option<ItemId> {
        self.declared_index(map, arena, key).and_then(|at| map.items.get(at)).copied()
    }

    /// Type of an item of the map or array that an item of type `ty` holds, if it is declared.
    pub(crate) fn below(&self, ty: ItemId, arena: &Arena, item: NodeId) -> Option<ItemId> {
        match &self.inner(self.item(ty).ty).kind {
            TypeKind::Map(map) => self.declared_item(map, arena, arena.key(item)),
            TypeKind::Array(ty) if matches!(arena.get(item).body, Body::ArrayItem(_)) => Some(*ty),
            _ => None,
        }
    }

    /// As [`Schema::declared_item`], by its index in the map.
    #[allow(clippy::indexing_slicing, reason = "`by_key` has places of these items")]
    fn declared_index(&self, map: &MapType, arena: &Arena, key: Val) -> Option<usize> {
        map.by_key.under(arena, key, |at| self.item(map.items[at as usize]).key).map(|at| at as usize).next()
    }

    /// A new document of the default values: where merging begins. `None` if there is no schema.
    pub(crate) fn defaults(&self, arena: &mut Arena) -> Result<Option<NodeId>, Diagnostic> {
        if !self.declared {
            return Ok(None);
        }
        let root = self.item(self.root);
        let value = arena.copy_val(root.default).map_err(|deep| too_deep(arena, deep))?;
        Ok(Some(arena.add(Body::Doc(value), root.pos)))
    }

    fn add_type(&mut self, kind: TypeKind, default: Val, pos: PosId) -> TypeId {
        let id = TypeId(to_u32(self.types.len()));
        self.types.push(Type { kind, default, docs: Docs::default(), pos });
        id
    }

    fn add_item(&mut self, item: ItemType) -> ItemId {
        let id = ItemId(to_u32(self.items.len()));
        self.items.push(item);
        id
    }
}

/// The error of a tree that is nested too deep or contains itself.
pub(crate) fn too_deep(arena: &Arena, deep: TooDeep) -> Diagnostic {
    view::too_deep(deep.limit, arena.span_of(deep.node))
}
