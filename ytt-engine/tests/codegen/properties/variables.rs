//! What a variable sets wrongly is shown at its literal; a part of a key that is not declared is shown at that part.

use std::fmt::Write;

use super::random::Random;
use crate::folder::Folder;

const RUNS: u64 = 300;

/// A key that the schema declares, with what a call says of it.
struct Key {
    parts: Vec<String>,
    is_number: bool,
}

fn schema(keys: &[Key]) -> String {
    let mut text = "#@data/values-schema\n---\n".to_owned();
    for key in keys {
        for (depth, part) in key.parts.iter().enumerate() {
            let value = match (depth + 1 == key.parts.len(), key.is_number) {
                (false, _) => "",
                (true, true) => " 1",
                (true, false) => " \"\"",
            };
            let _ = writeln!(text, "{}{part}:{value}", "  ".repeat(depth));
        }
    }
    text
}

#[test]
fn every_mistake_of_a_variable_is_shown_at_its_own_token() {
    let folder = Folder::new("variables");
    folder.write("input/a.yml", "a: 1\n");
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let count = 1 + random.below(5);
        // At most one of them is a number: a variable of `env` is a text.
        let number = random.below(2 * count);
        let keys: Vec<Key> = (0..count)
            .map(|key| {
                let depth = 1 + random.below(3);
                let parts = (0..depth).map(|part| format!("k{key}{part}")).collect();
                Key { parts, is_number: key == number }
            })
            .collect();
        folder.write("input/schema.yml", schema(&keys));
        // Or a part of one is misspelt.
        let misspelt = if number < count { None } else { Some((random.below(count), random.below(3))) };

        let (mut call, mut expected) = ("\"input\", env = { ".to_owned(), Vec::new());
        for (index, key) in keys.iter().enumerate() {
            for (depth, part) in key.parts.iter().enumerate() {
                call.push_str(if depth > 0 { "." } else { "" });
                let is_wrong =
                    misspelt.is_some_and(|(wrong, at)| wrong == index && at.min(key.parts.len() - 1) == depth);
                if is_wrong {
                    expected.push(call.chars().count());
                }
                let part = if is_wrong { format!("{part}x") } else { part.clone() };
                call.push_str(&if random.one_in(4) { format!("\"{part}\"") } else { part });
            }
            call.push_str(": ");
            if key.is_number {
                expected.push(call.chars().count());
            }
            let _ = write!(call, "\"VARIABLE_{index}\", ");
        }
        call.push('}');
        let variable = |name: &str| name.starts_with("VARIABLE_").then(|| "text".to_owned());
        let found: Vec<usize> = match folder.expand_with(&call, &variable) {
            Ok(_) => Vec::new(),
            Err(reports) => reports.into_iter().map(|report| report.span.start().column).collect(),
        };
        assert_eq!(found, expected, "{seed}: {call}\n{}", schema(&keys));
    }
}
