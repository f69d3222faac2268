//! Indexes change nothing but the time: random overlays with and without them.

use super::script;
use crate::overlay::index::EAGER;
use crate::overlay::{Options, apply, documents};
use crate::yaml::Val;

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
