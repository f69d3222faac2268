//! The laws of explanations, over all whole renders of `cases`.
//!
//! 1. What the newest step of a value names is that value: a literal reads as it.
//! 2. A render with the record gives what it gives without it.
//! 3. Who changes one data value sees it named in the history of every line that changes.
//! 4. The path that is said of a line leads to it.

#[path = "support/case.rs"]
mod case;
#[path = "support/folder.rs"]
mod folder;
#[path = "support/whole.rs"]
mod whole;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use case::{Case, cases};
use folder::Folder;
use whole::project;
use ytt_engine::explain::{Explanation, OriginKind};
use ytt_engine::yaml::NodeRef;
use ytt_engine::{Format, Position, Project, Rendered, Value};

/// Runs over all cases that render.
fn each(mut check: impl FnMut(&str, &Case, &Project, &Rendered)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("cases");
    let mut count = 0;
    for (name, case) in cases(&root) {
        let folder = folder_of(&name, &case);
        let project = project(&case, folder.as_deref()).explain(true);
        if let Ok(rendered) = project.render() {
            count += 1;
            check(&name, &case, &project, &rendered);
        }
    }
    assert!(count > 30, "{count} cases");
}

fn folder_of(name: &str, case: &Case) -> Option<Folder> {
    let inputs = case.inputs().map(|(name, text)| (name, text));
    case.part("args").map(|_| Folder::with(&format!("explain-{}", name.replace('/', "-")), inputs))
}

#[test]
fn the_record_changes_nothing() {
    each(|name, _, project, rendered| {
        let bytes = |rendered: &Rendered| rendered.to_bytes(Format::Pos).unwrap();
        let plain = project.clone().explain(false).render().unwrap();
        assert_eq!(bytes(rendered), bytes(&plain), "{name}");
        let text = rendered.to_text(Format::Yaml).unwrap();
        let explanation = rendered.explanation().unwrap().unwrap();
        let lines: Vec<&str> = explanation.lines().map(|line| line.text()).collect();
        assert_eq!(lines, text.lines().collect::<Vec<_>>(), "{name}");
    });
}

/// The item at a place, with the lines below it that belong to it.
fn item_at(text: &str, place: Position) -> String {
    let (line, own) = (place.line as usize - 1, place.column as usize - 1);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().skip(line);
    let first = lines.next().and_then(|line| line.get(own..));
    let more = lines.take_while(|line| line.trim().is_empty() || indent(line) > own).filter_map(|line| line.get(own..));
    first.into_iter().chain(more).map(|line| format!("{line}\n")).collect()
}

/// The scalar that an item holds, as YAML; nothing if it holds more.
fn scalar_in(item: NodeRef<'_>) -> Option<String> {
    let value = match (item.is_map(), item.is_array()) {
        (true, _) => item.entries().next().map(|(_, value)| value)?,
        (_, true) => item.at(0)?,
        _ => item,
    };
    let is_large = value.is_map() || value.is_array();
    (!is_large).then(|| value.to_yaml().map(|text| text.trim_end().to_owned()).ok())?
}

#[test]
fn a_literal_is_the_value() {
    let mut checked = 0;
    each(|name, case, _, rendered| {
        let explanation = rendered.explanation().unwrap().unwrap();
        for line in explanation.lines() {
            let Some(newest) = line.origins().into_iter().next() else { continue };
            let source = newest.source();
            // Items that are one scalar by themselves, whatever is around them.
            let is_simple = source.matches(':').count() <= 1
                && !source.contains(['{', '[', '&', '*', '#', '(', '"', '\'', '|', '>', '?', '%']);
            let is_scalar = !["map of", "list of", "text of"].iter().any(|large| newest.value().starts_with(large));
            let (true, Some(place), true) =
                (is_simple && is_scalar, newest.place(), newest.kind() == OriginKind::Written)
            else {
                continue;
            };
            let Some(text) = case.part(place.file()) else { continue };
            let written = item_at(text, place.start());
            let read = Project::new().file("a.yml", written).render().unwrap();
            let Some(value) = read.documents().next().map(|document| scalar_in(document)) else { continue };
            checked += 1;
            assert_eq!(value.as_deref(), Some(newest.value()), "{name}: {line:?} {newest:?}");
        }
    });
    assert!(checked > 100, "{checked} literals");
}

/// What stands at each path, and what was read for it.
fn by_path(explanation: &Explanation<'_>) -> BTreeMap<(String, String), (String, Vec<String>)> {
    let mut found = BTreeMap::new();
    for line in explanation.lines() {
        let origins = line.origins();
        let reads = origins.iter().flat_map(|origin| origin.reads()).map(|read| read.name().to_owned()).collect();
        let value = origins.first().map(|origin| origin.value().to_owned()).unwrap_or_default();
        found.entry((line.document(), line.path())).or_insert((value, reads));
    }
    found
}

/// Is a value named, or something around it?
fn names(reads: &[String], value: &str) -> bool {
    reads.iter().any(|read| {
        read == "data.values"
            || value.strip_prefix(read.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

#[test]
fn a_value_that_is_changed_is_named_where_something_changes() {
    let (mut changes, mut values) = (0, 0);
    each(|name, _, project, rendered| {
        let before = rendered.explanation().unwrap().unwrap();
        let old = by_path(&before);
        for value in before.data_values() {
            let (key, shown) = (value.name(), value.value());
            if key.contains(['[', '"', '@', '#']) {
                continue;
            }
            let new: Value = match shown.parse::<i64>() {
                Ok(number) => Value::from(number + 1),
                Err(_) if shown == "true" => Value::from(false),
                Err(_) if shown == "false" => Value::from(true),
                Err(_) => Value::from("another"),
            };
            let Ok(changed) = project.clone().data_value(key, new).render() else { continue };
            values += 1;
            let after = changed.explanation().unwrap().unwrap();
            let new = by_path(&after);
            for path in old.keys().chain(new.keys()) {
                let (was, is) = (old.get(path), new.get(path));
                if was.map(|(value, _)| value) == is.map(|(value, _)| value) {
                    continue;
                }
                changes += 1;
                let reads: Vec<String> =
                    was.into_iter().chain(is).flat_map(|(_, reads)| reads.iter().cloned()).collect();
                assert!(names(&reads, key), "{name}: {key} is not named by {path:?}: {was:?} is now {is:?}");
            }
        }
    });
    assert!(values > 50 && changes > 50, "{values} values, {changes} changes");
}

/// Whatever stands on a line is found by the path that is said of it.
fn finds_each_line(name: &str, rendered: &Rendered) -> usize {
    let explanation = rendered.explanation().unwrap().unwrap();
    let json: serde_json::Value = serde_json::from_str(&explanation.to_json()).unwrap();
    let mut count = 0;
    for document in json["documents"].as_array().unwrap() {
        let number = |key: &str| document[key].as_u64().unwrap() as usize;
        let selector = format!("{}#{}", document["file"].as_str().unwrap(), number("number"));
        let all = explanation.lines().skip(number("first_line") - 1);
        let mut paths = BTreeMap::<String, BTreeSet<usize>>::new();
        for line in all.take(number("last_line") + 1 - number("first_line")) {
            let begins = explanation.find(&format!(":{}", line.number()), "").unwrap().line().unwrap();
            paths.entry(line.path()).or_default().insert(begins);
        }
        for (path, lines) in paths {
            // The text `false` and the truth value are different keys that look the same.
            let Ok([line]) = <[usize; 1]>::try_from(Vec::from_iter(lines)) else { continue };
            let found = explanation.find(&selector, &path);
            let found = found.unwrap_or_else(|problem| panic!("{name}: {path}: {}", problem.to_report(false)));
            assert_eq!((found.path(), found.line()), (path, Some(line)), "{name}");
            count += 1;
        }
    }
    count
}

#[test]
fn a_line_is_found_by_its_path() {
    let mut count = 0;
    each(|name, _, _, rendered| count += finds_each_line(name, rendered));
    assert!(count > 1000, "{count} lines");
}

/// Numbers that look like random ones.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn key(&mut self) -> String {
        const PARTS: [&str; 20] = [
            "a", "B", "0", ".", "[", "]", "\"", "'", "\\", " ", "=", "/", ":", "#", "\n", "\t", "\u{7}", "é",
            "\u{301}", "𝄞",
        ];
        (0..self.below(4)).map(|_| PARTS[self.below(PARTS.len())]).collect()
    }

    fn value(&mut self, depth: usize) -> serde_json::Value {
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 => serde_json::Value::from(self.below(100)),
            1 => serde_json::Value::from(self.key()),
            2 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => serde_json::Value::Object((0..self.below(5)).map(|_| (self.key(), self.value(depth - 1))).collect()),
        }
    }
}

#[test]
fn any_key_is_found_by_its_path() {
    let (mut dice, mut count) = (Dice(7), 0);
    for number in 0..300 {
        let text = dice.value(4).to_string();
        let rendered = Project::new().file("a.yml", text.as_str()).explain(true).render();
        let rendered = rendered.unwrap_or_else(|error| panic!("{text}: {error}"));
        count += finds_each_line(&format!("{number}: {text}"), &rendered);
    }
    assert!(count > 1000, "{count} lines");
}

/// What gives no error may be looked at inside of `catch_unwind`, without an assertion of the caller's.
#[test]
fn results_survive_a_panic_of_who_reads_them() {
    use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};

    fn survives<T: UnwindSafe + RefUnwindSafe>() {}
    survives::<ytt_engine::Rendered>();
    survives::<ytt_engine::Error>();
    survives::<ytt_engine::Diagnostic>();
    let rendered = Project::new().file("a.yml", "a: 1\n").render().unwrap();
    catch_unwind(|| assert!(rendered.documents().len() > 1, "of who reads")).unwrap_err();
    assert_eq!(rendered.documents().len(), 1);
}
