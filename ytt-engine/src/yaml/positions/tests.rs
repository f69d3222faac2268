//! The output with positions, line by line.

use super::*;
use crate::source::{LineBreaks, Origin, Source, SourceId, Text};
use crate::yaml::{Body, NodeSpan, PosId, Raw};

/// A tree whose nodes stand on given lines of files.
struct Tree {
    arena: Arena,
    sources: SourceMap,
}

impl Tree {
    fn new(names: &[&str]) -> Tree {
        let sources = SourceMap::default();
        for name in names {
            let text = "---\n".repeat(2000);
            sources.add(Source::new(*name, Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml));
        }
        Tree { arena: Arena::new(1000), sources }
    }

    fn pos(&mut self, file: u32, line: u32) -> PosId {
        let start = (line - 1) * 4;
        self.arena.add_place(NodeSpan { source: SourceId(file), start, key_end: start, value: start, end: start })
    }

    fn item(&mut self, key: Val, value: Val, pos: PosId) -> NodeId {
        self.arena.add(Body::MapItem(key, value), pos)
    }

    fn print(&self, documents: &[NodeId], width: &mut Width) -> String {
        let mut out = Vec::new();
        super::documents(&self.arena, &self.sources, documents, width, &mut out, u64::MAX).unwrap();
        String::from_utf8(out).unwrap()
    }
}

#[test]
fn lines_of_every_kind() {
    let mut tree = Tree::new(&["c.yml", ""]);
    let (one, two, three) = (tree.pos(0, 1), tree.pos(0, 2), tree.pos(0, 3));
    let flag = tree.pos(1, 1);
    let percent = tree.arena.make_str("%d");
    let list = tree.arena.add_raw(Raw::List(vec![Val::Int(1)]));
    let items = vec![
        tree.arena.add(Body::ArrayItem(Val::Int(1)), three),
        tree.arena.add(Body::ArrayItem(percent), PosId(0)),
        tree.arena.add(Body::ArrayItem(list), flag),
    ];
    let array = tree.arena.add(Body::Array(items.into()), PosId(0));
    let empty = tree.arena.add(Body::Map(vec![].into()), PosId(0));
    let a = tree.arena.make_str("a");
    let lines = tree.arena.make_str("x\n100%\n");
    let items = vec![
        tree.item(a, Val::Node(array), two),
        tree.item(Val::Int(1), Val::Node(empty), two),
        tree.item(Val::Null, lines, two),
        tree.item(Val::Float(1e6), Val::Null, two),
    ];
    let map = tree.arena.add(Body::Map(items.into()), PosId(0));
    let document = tree.arena.add(Body::Doc(Val::Node(map)), one);
    let scalar = tree.arena.add(Body::Doc(percent), one);
    let null = tree.arena.add(Body::Doc(Val::Null), one);
    assert_eq!(
        tree.print(&[document, null, scalar], &mut Width::default()),
        "          c.yml:1 | [doc]\n          c.yml:2 |   a:\n          c.yml:3 |     [0] 1\n    [1] '%d'\n                1 |     [2] - 1\n\
         \x20         c.yml:2 |   %!s(int=1):\n          c.yml:2 |   %!s(<nil>):\n                  |     |\n  x\n  100%!\n(MISSING)          c.yml:2 |   %!s(float64=1e+06): null\n\
         \x20         c.yml:1 | [doc]\n                  |   '%!d(MISSING)'\n"
    );
}

#[test]
fn the_width_only_grows() {
    let mut tree = Tree::new(&["o.yml"]);
    let (near, far) = (tree.pos(0, 1), tree.pos(0, 1001));
    let documents = [near, far, near].map(|pos| tree.arena.add(Body::Doc(Val::Bool(true)), pos));
    let mut width = Width::default();
    assert_eq!(
        tree.print(&documents, &mut width),
        "          o.yml:1 | [doc]\n                  |   true\n       o.yml:1001 | [doc]\n                  |   true\n          o.yml:1 | [doc]\n                  |   true\n"
    );
    assert_eq!(width.0, 17);
}

#[test]
fn collections_as_keys() {
    let mut tree = Tree::new(&["c.yml"]);
    let two = tree.pos(0, 2);
    let x = tree.arena.make_str("x");
    let three = tree.pos(0, 3);
    let item = tree.arena.add(Body::ArrayItem(Val::Null), three);
    let sequence = Val::Node(tree.arena.add(Body::Array(vec![item].into()), PosId(0)));
    let items = vec![tree.item(x, sequence, two), tree.item(Val::Bool(true), x, two)];
    let map = Val::Node(tree.arena.add(Body::Map(items.into()), PosId(0)));
    let items = vec![tree.item(map, Val::Int(1), two)];
    let root = tree.arena.add(Body::Map(items.into()), PosId(0));
    let document = tree.arena.add(Body::Doc(Val::Node(root)), PosId(0));
    assert_eq!(
        tree.print(&[document], &mut Width::default()),
        "[doc]\n          c.yml:2 |   [{x [{<nil> %!s(int=2)}] %!s(int=1)} {%!s(bool=true) x %!s(int=1)}]: 1\n"
    );
}

#[test]
fn keys_that_are_no_text_stand_there_as_they_are() {
    let mut tree = Tree::new(&["a.yml"]);
    let one = tree.pos(0, 1);
    let key = tree.arena.make_bytes(&[0xFF]);
    let item = tree.item(key, Val::Int(1), one);
    let map = tree.arena.add(Body::Map(vec![item].into()), one);
    let document = tree.arena.add(Body::Doc(Val::Node(map)), one);
    let mut out = Vec::new();
    super::documents(&tree.arena, &tree.sources, &[document], &mut Width::default(), &mut out, u64::MAX).unwrap();
    assert!(out.windows(4).any(|part| part == b"\xFF: 1"), "{out:?}");
}

#[test]
fn depth_and_size_are_bounded() {
    let mut tree = Tree::new(&["c.yml"]);
    let array = tree.arena.add(Body::Array(vec![].into()), PosId(0));
    let item = tree.arena.add(Body::ArrayItem(Val::Node(array)), PosId(0));
    tree.arena.items_mut(array).push(item);
    let document = tree.arena.add(Body::Doc(Val::Node(array)), PosId(0));
    let run = |limit| {
        let mut out = Vec::new();
        super::documents(&tree.arena, &tree.sources, &[document], &mut Width::default(), &mut out, limit)
    };
    assert_eq!(run(u64::MAX).unwrap_err().message(), "nesting is deeper than 1000 levels");
    assert_eq!(run(100).unwrap_err().message(), "output is larger than 100 bytes");
}
