//! Many structs that are almost equal become one, whose keys are those of all.
//!
//! A map of names to almost equal maps would otherwise make a struct for each of them, and the compiler takes its time
//! over each struct. Nothing is merged below [`MANY`] structs, so that types of usual size say exactly what there is.

use super::shape::{Fields, Part, Shape};

/// Structs of a constant above which those that are almost equal are merged.
const MANY: usize = 200;

/// Unions that a map is compared with.
const UNIONS: usize = 16;

/// Merges what is almost equal, if there are many structs.
pub(in crate::codegen) fn merge(part: &mut Part) {
    if count(part) > MANY {
        merge_inside(part);
    }
}

/// Structs in a type; equal ones count each time.
fn count(part: &Part) -> usize {
    match &part.shape {
        Shape::Struct(fields) => {
            fields.list.iter().map(|field| count(&field.part)).fold(1, |all, inside| all.saturating_add(inside))
        }
        Shape::Seq(item) | Shape::Map(item) => count(item),
        _ => 0,
    }
}

fn merge_inside(part: &mut Part) {
    match &mut part.shape {
        Shape::Struct(fields) => {
            merge_siblings(fields);
            fields.parts_mut().for_each(merge_inside);
        }
        Shape::Seq(item) | Shape::Map(item) => merge_inside(item),
        _ => {}
    }
}

/// Structs of one map whose keys are almost the same.
struct Union {
    part: Part,
    members: Vec<usize>,
    /// Keys of all members, each counted.
    keys: usize,
}

fn merge_siblings(fields: &mut Fields) {
    let mut unions: Vec<Union> = Vec::new();
    for (number, part) in fields.parts_mut().enumerate() {
        let Shape::Struct(own) = &part.shape else { continue };
        let is_room = unions.len() < UNIONS;
        match unions.iter_mut().find(|union| fits(union, own)) {
            Some(union) => {
                union.keys = union.keys.saturating_add(own.list.len());
                union.part.add(part.clone());
                union.members.push(number);
            }
            None if is_room => unions.push(Union { part: part.clone(), members: vec![number], keys: own.list.len() }),
            None => {}
        }
    }
    let mut parts: Vec<Option<&mut Part>> = fields.parts_mut().map(Some).collect();
    for union in unions.into_iter().filter(|union| union.members.len() > 1) {
        for member in union.members {
            if let Some(part) = parts.get_mut(member).and_then(Option::take) {
                let nullable = part.nullable;
                *part = Part { nullable, ..union.part.clone() };
            }
        }
    }
}

/// Do the keys agree with those of a union but for some, and does the union not become mostly empty?
#[allow(clippy::arithmetic_side_effects, reason = "counts of keys in memory, of which those in common are some")]
fn fits(union: &Union, own: &Fields) -> bool {
    let Shape::Struct(fields) = &union.part.shape else { return false };
    let common = own.list.iter().filter(|field| fields.contains(&field.key)).count();
    let all = fields.list.len() + own.list.len() - common;
    let is_near = 2 * common >= own.list.len().max(1) && common > 0;
    is_near && all * (union.members.len() + 1) <= 2 * (union.keys + own.list.len()) + 8
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Layout, Renames};
    use super::super::pattern::Patterns;
    use super::super::shape::Observer;
    use super::*;
    use crate::yaml::DocumentSet;

    fn structs(text: &str) -> usize {
        let set = DocumentSet::parse("a.yml", text.as_bytes()).unwrap();
        let mut part = Part::default();
        Observer::new(&Patterns::default(), 1 << 20).observe(&mut part, set.get(0).unwrap()).unwrap();
        merge(&mut part);
        let mut renames = Renames::default();
        let mut layout = Layout::new(&mut renames, false);
        layout.part(&part);
        layout.structs.len()
    }

    /// Services, each third one with a key more, and each with a key of its own if `own` says so.
    fn services(count: usize, own: bool) -> String {
        let more = |number: usize| if number.is_multiple_of(3) { "  tls: true\n" } else { "" };
        let key = |number: usize| if own { format!("  own{number}: 1\n") } else { String::new() };
        let one =
            |number| format!("s{number}:\n  port: 1\n  host: a\n  limits: {{cpu: 1}}\n{}{}", more(number), key(number));
        (0..count).map(one).collect()
    }

    #[test]
    fn many_that_are_almost_equal_are_one() {
        // Few are told apart: with and without `tls`, limits, and the root.
        assert_eq!(structs(&services(30, false)), 4);
        assert_eq!(structs(&services(300, false)), 3);
    }

    #[test]
    fn nothing_becomes_mostly_empty() {
        // One struct with 300 keys in 300 places would be 90,000 fields to write.
        let count = structs(&services(300, true));
        assert!(count > 100, "{count}");
    }

    #[test]
    fn what_lists_hold_is_merged_too() {
        let below = |first: &str, rest: &str, text: String| format!("{first}{}\n", text.trim_end().replace('\n', rest));
        for (count, expected) in [(30, 4), (300, 3)] {
            assert_eq!(structs(&below("- ", "\n  ", services(count, false))), expected, "a list of {count}");
            assert_eq!(structs(&below("a:\n- - ", "\n    ", services(count, false))), expected + 1, "below a key");
        }
    }
}
