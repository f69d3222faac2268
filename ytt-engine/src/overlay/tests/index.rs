//! Indexes: what they find and follow; and that they change nothing but the time, by random overlays with and without.

use std::cell::RefCell;

use super::script;
use crate::overlay::index::{EAGER, Indexes, LeafIndex};
use crate::overlay::{Options, apply, documents};
use crate::yaml::{Arena, Body, NodeId, PosId, Val};

/// Numbers that only look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.roll(texts.len())]
    }
}

fn map(dice: &mut Dice) -> String {
    let name = dice.pick(&["x", "u", "z", "null", "[]", "1"]);
    let kind = dice.pick(&["k", "l", "{m: 1}"]);
    match dice.roll(12) {
        0 => format!("{{kind: {kind}}}"),
        1 => "5".to_string(),
        2 => "$v".to_string(),
        _ => format!("{{name: {name}, kind: {kind}, meta: {{name: {name}}}}}"),
    }
}

fn matcher(dice: &mut Dice, depth: usize) -> String {
    let name = dice.pick(&["\"x\"", "\"u\"", "None", "1"]);
    match dice.roll(if depth > 0 { 8 } else { 5 }) {
        0 => format!("overlay.subset({{\"name\": {name}}})"),
        1 => format!("overlay.subset({{\"meta\": {{\"name\": {name}}}}})"),
        2 => format!("overlay.subset({{\"kind\": \"k\", \"meta\": {{\"name\": {name}}}}})"),
        3 => "overlay.all".to_string(),
        4 => "yes".to_string(),
        5 => format!("overlay.and_op({}, {})", matcher(dice, depth - 1), matcher(dice, depth - 1)),
        6 => format!("overlay.or_op({}, {})", matcher(dice, depth - 1), matcher(dice, depth - 1)),
        _ => format!("overlay.not_op({})", matcher(dice, depth - 1)),
    }
}

fn annotations(dice: &mut Dice, by_name: bool) -> String {
    let by = if by_name { "\"name\"".to_string() } else { matcher(dice, 2) };
    let operation = dice.pick(&[
        "",
        "",
        "#@overlay/remove\n",
        "#@overlay/replace\n",
        "#@overlay/replace via=left\n",
        "#@overlay/insert before=True\n",
        "#@overlay/insert before=True, after=True\n",
        "#@overlay/append\n",
        "#@overlay/match-child-defaults missing_ok=True\n",
        "#@overlay/match-child-defaults missing_ok=True\n",
    ]);
    format!("#@overlay/match by={by}, expects=\"0+\"\n{operation}")
}

fn both(run: impl Fn() -> String, text: &str) {
    EAGER.set(false);
    let plain = run();
    EAGER.set(true);
    let indexed = run();
    EAGER.set(false);
    assert_eq!(indexed, plain, "{text}");
}

#[test]
fn items_of_arrays() {
    let mut dice = Dice(1);
    for _ in 0..400 {
        let bad = dice.roll(3) == 0;
        let by_name = dice.roll(2) == 0;
        let item = |dice: &mut Dice| {
            let text = map(dice);
            if bad || text.contains("name") { text } else { "{name: x}".to_string() }
        };
        let left: Vec<String> = (0..6).map(|_| format!("- {}", item(&mut dice))).collect();
        let right: Vec<String> =
            (0..10).map(|_| format!("{}- {}", annotations(&mut dice, by_name), item(&mut dice))).collect();
        let (left, right) = (left.join("\n"), right.join("\n"));
        let run = || {
            let mut script = script();
            let shared = script.fragment("v.yml", "name: x\nmeta: {name: x}");
            script.names.insert("v", super::Value::Val(shared));
            let left = script.fragment("l.yml", &left);
            let right = script.fragment("r.yml", &right);
            let result = apply(&mut script, left, right);
            format!("{} {}", script.show(left), result.err().map(|error| error.full_message()).unwrap_or_default())
        };
        both(run, &format!("{left}\n{right}"));
    }
}

#[test]
fn keys_of_maps() {
    let mut dice = Dice(2);
    for _ in 0..300 {
        let line = |dice: &mut Dice| format!("{}: {}", dice.pick(&["a", "b", "c", "1", "true", "null"]), dice.roll(9));
        let left: Vec<String> = (0..5).map(|_| line(&mut dice)).collect();
        let right: Vec<String> = (0..10)
            .map(|_| {
                let by = dice.pick(&["", "", "", "by=overlay.subset(3), ", "by=overlay.all, "]);
                let operation =
                    dice.pick(&["", "", "#@overlay/remove\n", "#@overlay/replace\n", "#@overlay/replace via=right\n"]);
                format!("#@overlay/match {by}expects=\"0+\"\n{operation}{}", line(&mut dice))
            })
            .collect();
        let (left, right) = (left.join("\n"), right.join("\n"));
        let run = || {
            let mut script = script();
            let left = script.fragment("l.yml", &left);
            let right = script.fragment("r.yml", &right);
            let result = apply(&mut script, left, right);
            format!("{} {:?}", script.show(left), result.err())
        };
        both(run, &format!("{left}\n{right}"));
    }
}

#[test]
fn documents_of_files() {
    let mut dice = Dice(3);
    for _ in 0..300 {
        let document = |dice: &mut Dice| format!("---\n{}", map(dice));
        let files: Vec<String> =
            (0..3).map(|_| (0..3).map(|_| document(&mut dice)).collect::<Vec<_>>().join("\n")).collect();
        let overlays: Vec<String> =
            (0..8).map(|_| format!("{}{}", annotations(&mut dice, false), document(&mut dice))).collect();
        let overlays = overlays.join("\n");
        let run = || {
            let mut script = script();
            let shared = script.fragment("v.yml", "name: x\nmeta: {name: x}");
            script.names.insert("v", super::Value::Val(shared));
            let sets: Vec<_> = files.iter().map(|text| script.set("l.yml", text)).collect();
            let right = script.read("r.yml", &overlays);
            let options = Options { collecting: false, reports: 20 };
            let result = documents(&mut script, &sets, &right, options);
            let shown: Vec<String> = sets.iter().map(|set| script.show(Val::Node(*set))).collect();
            format!("{shown:?} {:?}", result.err().map(|errors| errors.0[0].full_message()))
        };
        both(run, &format!("{files:?}\n{overlays}"));
    }
}

/// Items of an array, each a map with a name, and for groups of ten a map that they share.
fn groups(arena: &mut Arena, count: u32) -> (NodeId, Vec<NodeId>, Vec<NodeId>) {
    let (name, labels) = (arena.make_str("name"), arena.make_str("labels"));
    let (mut items, mut shared) = (Vec::new(), Vec::new());
    for number in 0..count {
        if number % 10 == 0 {
            let key = arena.make_str("team");
            let team = arena.add(Body::MapItem(key, Val::Int(i64::from(number / 10))), PosId(0));
            shared.push(arena.add(Body::Map(vec![team].into()), PosId(0)));
        }
        let last = shared[shared.len() - 1];
        let entries = vec![
            arena.add(Body::MapItem(name, Val::Int(i64::from(number))), PosId(0)),
            arena.add(Body::MapItem(labels, Val::Node(last)), PosId(0)),
        ];
        let map = arena.add(Body::Map(entries.into()), PosId(0));
        items.push(arena.add(Body::ArrayItem(Val::Node(map)), PosId(0)));
    }
    (arena.add(Body::Array(items.clone().into()), PosId(0)), items, shared)
}

/// Indexes that are made at the first look-up, as all of this thread from here on.
fn eager() -> Indexes {
    EAGER.set(true);
    Indexes::default()
}

fn items_at(indexes: &mut Indexes, arena: &RefCell<Arena>, index: LeafIndex, value: Val) -> Vec<(NodeId, u32)> {
    indexes.follow(&arena.borrow(), None);
    let rows = indexes.rows_at(&arena.borrow(), index, value).unwrap_or_default();
    let list = indexes.list(index.list).expect("the list has an index");
    rows.iter().map(|row| (list.row(*row).item, list.row(*row).times)).collect()
}

#[test]
fn a_row_is_found_by_what_its_item_has_now() {
    let mut arena = Arena::new(10);
    let values = [Val::Int(1), Val::Null, Val::Bool(true), Val::Float(f64::NAN)];
    let items = values.map(|value| arena.add(Body::ArrayItem(value), PosId(0)));
    let array = arena.add(Body::Array(items.to_vec().into()), PosId(0));
    let (arena, mut indexes) = (RefCell::new(arena), eager());
    let index = indexes.table(&arena, array, &[array], &[], true).expect("it is asked for");
    assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(1)), [(items[0], 1)]);
    assert_eq!(items_at(&mut indexes, &arena, index, Val::Float(f64::NAN)), []);
    // There and back: it is found once.
    for value in [Val::Null, Val::Int(1), Val::Null, Val::Int(1)] {
        arena.borrow_mut().set_value(items[0], value);
        assert!(items_at(&mut indexes, &arena, index, value).contains(&(items[0], 1)));
    }
    assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(1)), [(items[0], 1)]);
    arena.borrow_mut().set_value(items[2], Val::Node(array));
    assert_eq!(items_at(&mut indexes, &arena, index, Val::Node(array)).len(), 2, "NaN is among the collections");
    assert_eq!(items_at(&mut indexes, &arena, index, Val::Null), [(items[1], 1)]);
}

#[test]
fn edits_are_followed_and_those_of_others_drop_the_index() {
    let mut arena = Arena::new(10);
    let items: Vec<NodeId> = (0..4).map(|at| arena.add(Body::ArrayItem(Val::Int(at)), PosId(0))).collect();
    let array = arena.add(Body::Array(vec![items[0], items[1], items[0]].into()), PosId(0));
    let (arena, mut indexes) = (RefCell::new(arena), eager());
    let index = indexes.table(&arena, array, &[array], &[], true).expect("it is asked for");
    assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(0)), [(items[0], 2)]);
    for (times, expected) in [(1, vec![(items[0], 1)]), (0, vec![])] {
        arena.borrow_mut().items_mut(array).remove(0);
        indexes.edited(&arena.borrow(), array, &items[..1], &[]);
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(0)), expected, "{times}");
    }
    arena.borrow_mut().items_mut(array).push(items[0]);
    indexes.edited(&arena.borrow(), array, &[], &items[..1]);
    assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(0)), [(items[0], 1)]);

    arena.borrow_mut().items_mut(array).push(items[3]);
    indexes.follow(&arena.borrow(), None);
    assert_eq!(indexes.table(&arena, array, &[array], &[], false), None);
}

#[test]
fn a_change_of_a_node_that_rows_share_drops_the_index() {
    let mut arena = Arena::new(10);
    let (array, items, shared) = groups(&mut arena, 100);
    let path = [arena.make_str("labels"), arena.make_str("team")];
    let (arena, mut indexes) = (RefCell::new(arena), eager());
    let index = indexes.table(&arena, array, &[array], &path, true).expect("it is asked for");
    let found = items_at(&mut indexes, &arena, index, Val::Int(3));
    assert!(found.iter().map(|(item, _)| *item).eq(items[30..40].iter().copied()));
    assert!(indexes.is_complete(index));
    let team = arena.borrow().items(shared[3])[0];
    arena.borrow_mut().set_value(team, Val::Int(99));
    indexes.follow(&arena.borrow(), None);
    assert_eq!(indexes.table(&arena, array, &[array], &path, false), None);
    let index = indexes.table(&arena, array, &[array], &path, true).expect("it is made again");
    assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(99)).len(), 10);
}
