//! What is done to whole trees of nodes: deep copies, and nodes made of raw lists and dicts.
//!
//! Both go as deep as the limit `depth` allows, so that a tree that contains itself is refused.

use super::{Arena, Body, Items, Node, NodeId, Raw, TooDeep, Val};
use crate::source::to_u32;
use crate::yaml::meta::PosId;

impl Arena {
    /// A deep copy. Shared parts become separate; raw lists, annotations and texts stay shared.
    pub(crate) fn copy(&mut self, id: NodeId) -> Result<NodeId, TooDeep> {
        self.copy_at(id, self.depth)
    }

    pub(crate) fn copy_val(&mut self, value: Val) -> Result<Val, TooDeep> {
        self.copy_inner(value, self.depth)
    }

    /// `depth` counts collections that may still be opened.
    fn copy_at(&mut self, id: NodeId, depth: u32) -> Result<NodeId, TooDeep> {
        let Node { body, pos, ann } = self.get(id).clone();
        let body = match body {
            Body::Set(items) => Body::Set(self.copy_all(id, items, depth)?),
            Body::Map(items) => Body::Map(self.copy_all(id, items, depth)?),
            Body::Array(items) => Body::Array(self.copy_all(id, items, depth)?),
            Body::Doc(value) => Body::Doc(self.copy_inner(value, depth)?),
            Body::MapItem(key, value) => Body::MapItem(key, self.copy_inner(value, depth)?),
            Body::ArrayItem(value) => Body::ArrayItem(self.copy_inner(value, depth)?),
        };
        let new = NodeId(to_u32(self.nodes.push(Node { body, pos, ann })));
        self.events.note_copy(new, id);
        Ok(new)
    }

    fn copy_all(&mut self, id: NodeId, mut items: Items, depth: u32) -> Result<Items, TooDeep> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(TooDeep { limit: self.depth, node: id });
        };
        for item in &mut items[..] {
            *item = self.copy_at(*item, depth)?;
        }
        Ok(items)
    }

    fn copy_inner(&mut self, value: Val, depth: u32) -> Result<Val, TooDeep> {
        match value {
            Val::Node(id) => self.copy_at(id, depth).map(Val::Node),
            other => Ok(other),
        }
    }

    /// Makes nodes of raw lists and dicts everywhere below, in place; gives the value to use instead of `value`.
    /// The reference does so with both sides before it overlays.
    pub(crate) fn nodes(&mut self, value: Val) -> Result<Val, TooDeep> {
        self.nodes_with_pos(value, PosId(0))
    }

    /// As [`Arena::nodes`]; nodes that are made get the place `pos`.
    pub(crate) fn nodes_with_pos(&mut self, value: Val, pos: PosId) -> Result<Val, TooDeep> {
        self.nodes_at(value, pos, self.depth)
    }

    fn nodes_at(&mut self, value: Val, pos: PosId, depth: u32) -> Result<Val, TooDeep> {
        match value {
            Val::Raw(number) => {
                let plain = self.raw(number).clone();
                let Some(depth) = depth.checked_sub(1) else {
                    return Err(TooDeep { limit: self.depth, node: NodeId(0) });
                };
                let body = match plain {
                    Raw::List(values) => {
                        let mut items = Vec::with_capacity(values.len());
                        for value in values {
                            let value = self.nodes_at(value, pos, depth)?;
                            items.push(self.add(Body::ArrayItem(value), pos));
                        }
                        Body::Array(items.into())
                    }
                    Raw::Dict(entries) => {
                        let mut items = Vec::with_capacity(entries.len());
                        for (key, value) in entries {
                            let value = self.nodes_at(value, pos, depth)?;
                            items.push(self.add(Body::MapItem(key, value), pos));
                        }
                        Body::Map(items.into())
                    }
                };
                Ok(Val::Node(self.add(body, pos)))
            }
            Val::Node(id) if matches!(self.get(id).body, Body::Doc(_) | Body::MapItem(..) | Body::ArrayItem(_)) => {
                self.item_nodes(id, pos, depth)?;
                Ok(value)
            }
            Val::Node(id) => {
                let Some(depth) = depth.checked_sub(1) else {
                    return Err(TooDeep { limit: self.depth, node: id });
                };
                for index in 0..self.count(id) {
                    let Some(&item) = self.items(id).get(index) else { break };
                    self.item_nodes(item, pos, depth)?;
                }
                Ok(value)
            }
            scalar => Ok(scalar),
        }
    }

    fn item_nodes(&mut self, item: NodeId, pos: PosId, depth: u32) -> Result<(), TooDeep> {
        let old = self.value(item);
        if matches!(old, Val::Node(_) | Val::Raw(_)) {
            let first = NodeId(to_u32(self.len()));
            let new = self.nodes_at(old, pos, depth)?;
            if new != old {
                self.set_value(item, new);
                let end = NodeId(to_u32(self.len()));
                self.events.note_unpacked(first, end, item);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_separates_what_was_shared() {
        let mut arena = Arena::new(1000);
        let map = arena.add(Body::Map(Items::default()), PosId(0));
        let items = vec![
            arena.add(Body::ArrayItem(Val::Node(map)), PosId(0)),
            arena.add(Body::ArrayItem(Val::Node(map)), PosId(0)),
        ];
        let array = arena.add(Body::Array(items.into()), PosId(0));
        let copy = arena.copy(array).unwrap();
        let values: Vec<Val> = arena.entries(copy).map(|entry| entry.1).collect();
        assert_ne!(values[0], values[1]);
        assert_ne!(values[0], Val::Node(map));
    }

    #[test]
    fn a_tree_that_contains_itself_is_refused() {
        let mut arena = Arena::new(10);
        let array = arena.add(Body::Array(Items::default()), PosId(0));
        let item = arena.add(Body::ArrayItem(Val::Node(array)), PosId(0));
        arena.items_mut(array).push(item);
        assert!(arena.copy(array).is_err());
        assert!(arena.nodes(Val::Node(array)).is_err());
    }

    #[test]
    fn raw_lists_become_nodes_in_place() {
        let mut arena = Arena::new(1000);
        let list = arena.add_raw(Raw::List(vec![Val::Int(1)]));
        let item = arena.add(Body::ArrayItem(list), PosId(0));
        let array = arena.add(Body::Array(vec![item].into()), PosId(0));
        assert_eq!(arena.nodes(Val::Node(array)).unwrap(), Val::Node(array));
        assert!(matches!(arena.value(item), Val::Node(_)));
    }
}
