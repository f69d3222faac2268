//! Types from the schema of data values.

use std::rc::Rc;

use super::docs::Docs;
use super::pattern::Patterns;
use super::shape::{Fields, Ints, Part, Shape};
use crate::schema::{self, ItemId, Schema, TypeId, TypeKind};
use crate::yaml::NodeRef;

pub(in crate::codegen) struct Reader<'a> {
    pub(in crate::codegen) schema: &'a Schema,
    /// Any value of the render: schema and values are in one arena.
    pub(in crate::codegen) values: NodeRef<'a>,
    pub(in crate::codegen) patterns: &'a Patterns,
    path: Vec<String>,
    /// Types are remembered by their numbers, for defaults.
    numbered: bool,
}

impl<'a> Reader<'a> {
    pub(in crate::codegen) fn new(
        schema: &'a Schema,
        values: NodeRef<'a>,
        patterns: &'a Patterns,
        numbered: bool,
    ) -> Reader<'a> {
        Reader { schema, values, patterns, path: Vec::new(), numbered }
    }

    /// The type of the document of values.
    pub(in crate::codegen) fn root(&mut self) -> Part {
        self.item(self.schema.root)
    }

    fn item(&mut self, id: ItemId) -> Part {
        self.ty(self.schema.item(id).ty)
    }

    fn ty(&mut self, id: TypeId) -> Part {
        let shape = match &self.schema.ty(id).kind {
            TypeKind::Str => Shape::Str,
            TypeKind::Int => Shape::Int(Ints::default()),
            TypeKind::Float => Shape::Float,
            TypeKind::Bool => Shape::Bool,
            TypeKind::Any => return Part { shape: Shape::Value, nullable: true },
            TypeKind::Nullable(inner) => return Part { nullable: true, ..self.ty(*inner) },
            TypeKind::Array(item) => Shape::Seq(Box::new(self.item(*item))),
            TypeKind::Map(map) if map.items.is_empty() && !self.patterns.matches(&self.path) => Shape::Value,
            TypeKind::Map(map) => self.map(id, &map.items),
        };
        Part::of(shape)
    }

    fn map(&mut self, id: TypeId, items: &[ItemId]) -> Shape {
        let is_map = self.patterns.matches(&self.path);
        let (mut fields, mut values) = (Fields::default(), Part::default());
        fields.declared = self.numbered.then_some(id);
        for id in items {
            let item = self.schema.item(*id);
            let Some(key) = self.values.arena().str(item.key) else { return Shape::Value };
            self.path.push(key.to_owned());
            let part = self.item(*id);
            self.path.pop();
            if is_map {
                values.add(part);
            } else {
                let docs = self.docs(item.ty).map(Rc::new);
                let at = self.values.arena().place(item.pos).map(|place| place.key());
                fields.declare(key, part, docs, at);
            }
        }
        if is_map { Shape::Map(Box::new(values)) } else { Shape::Struct(fields) }
    }

    /// What the schema says of a place; of the document for its root.
    pub(in crate::codegen) fn root_docs(&self) -> Option<Docs> {
        self.docs(self.schema.item(self.schema.root).ty)
    }

    fn docs(&self, ty: TypeId) -> Option<Docs> {
        let schema::Docs { title, description, deprecated, examples } = &self.schema.ty(ty).docs;
        let example = |(text, value): &(String, _)| {
            let node = NodeRef::value(self.values.arena(), self.values.sources(), *value);
            Some((text.clone(), node.to_yaml().ok()?))
        };
        let docs = Docs {
            title: title.clone(),
            description: description.clone(),
            deprecated: deprecated.clone(),
            examples: examples.iter().filter_map(example).collect(),
        };
        (!docs.is_empty()).then_some(docs)
    }
}
