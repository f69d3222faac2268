//! For what is left out together: keys without which what is around them is not valid, keys that are only settings, texts of
//! several lines, and the names by which code reads one value.

use super::whole::{Line, Node};
use crate::source::{Source, Span, to_u32};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::written;

/// Lines of a file in which other reads of a value are looked for.
pub(super) const MOST_LINES: usize = 2000;
/// Names for the same value that are looked for.
const MOST_NAMES: usize = 4;
/// Keys that set how something is used, and keep nothing that has lost what it is there for.
pub(super) const SETTINGS: [&str; 11] = [
    "defaultMode",
    "failureThreshold",
    "initialDelaySeconds",
    "mode",
    "optional",
    "periodSeconds",
    "readOnly",
    "subPath",
    "successThreshold",
    "terminationGracePeriodSeconds",
    "timeoutSeconds",
];
/// Keys that an object may have with nothing in them.
pub(super) const EMPTY: [&str; 3] = ["annotations", "data", "stringData"];
/// In `NEEDED`: an item of any list, if it has a name.
pub(super) const ITEM: &str = "";
/// Keys without which what they stand in is not valid.
pub(super) const NEEDED: [(&str, &[&str]); 30] = [
    ("backend", &[ITEM]),
    ("claimName", &["persistentVolumeClaim"]),
    ("configMap", &[ITEM]),
    ("configMapKeyRef", &["valueFrom"]),
    ("configMapRef", &[ITEM]),
    ("containerPort", &[ITEM]),
    ("csi", &[ITEM]),
    ("devicePath", &[ITEM]),
    ("grpc", &PROBES),
    ("hostPath", &[ITEM]),
    ("httpGet", &PROBES),
    ("image", &["containers", "initContainers"]),
    ("key", &["configMapKeyRef", "secretKeyRef"]),
    ("matchExpressions", &["nodeSelectorTerms"]),
    ("mountPath", &[ITEM]),
    ("name", &["configMapKeyRef", "secretKeyRef"]),
    ("nfs", &[ITEM]),
    ("number", &["port"]),
    ("path", &["hostPath"]),
    ("persistentVolumeClaim", &[ITEM]),
    ("port", &["grpc", "httpGet", "ports", "tcpSocket"]),
    ("secret", &[ITEM]),
    ("secretKeyRef", &["valueFrom"]),
    ("secretName", &["secret"]),
    ("secretRef", &[ITEM]),
    ("service", &["backend"]),
    ("tcpSocket", &PROBES),
    ("value", &[ITEM]),
    ("valueFrom", &[ITEM]),
    ("values", &["matchExpressions"]),
];
const PROBES: [&str; 5] = ["livenessProbe", "postStart", "preStop", "readinessProbe", "startupProbe"];

/// Code that gives a value, and what binds the name in front of it.
pub(super) type Codes = Vec<(String, Option<Bound>)>;

/// A text of several lines below its key or dash, which are no nodes.
#[derive(Default)]
pub(super) struct Texts {
    around: Option<usize>,
}

impl Texts {
    /// Is a line one of a text? They are asked for in their order.
    pub(super) fn holds(&mut self, line: &Line, text: &str) -> bool {
        let indent = text.len().saturating_sub(text.trim_start().len());
        if self.around.is_some_and(|around| text.trim().is_empty() || indent > around) {
            return true;
        }
        self.around = match line {
            Line::Node(Node { column, indent, key, rest, .. }) if is_text(rest) => {
                Some(if key.is_some() { *column } else { *indent })
            }
            _ => None,
        };
        false
    }
}

/// Does a text of several lines begin behind a key: `|-`, `>`, also with a tag or an anchor?
fn is_text(rest: &str) -> bool {
    let mut words = rest.split_whitespace().skip_while(|word| word.starts_with(['!', '&']));
    words.next().is_some_and(|word| word.starts_with(['|', '>']))
}

pub(super) fn root(code: &str) -> &str {
    code.split('.').next().unwrap_or_default()
}

/// The code by which a file reads the value that code at a place has: as it is, and by other names that are set to what
/// stands in front of it, such as `data.values`.
pub(super) fn codes(source: &Source, file: &FileCode, place: Span, code: &str) -> Codes {
    let own = file.bound(place, root(code));
    let set_to = |bound: &Option<Bound>| match bound {
        Some(Bound { by: Binder::Value(value), .. }) => {
            source.written(*value).filter(|value| written::is_dotted(value))
        }
        _ => None,
    };
    let mut codes = vec![(code.to_owned(), own.clone())];
    let mut full = code.to_owned();
    if let Some(value) = set_to(&own).filter(|_| file.is_bound_once(place, root(code))) {
        full = format!("{value}{}", code.get(root(code).len()..).unwrap_or_default());
        codes.push((full.clone(), file.bound(place, root(&full))));
    }
    let lines = (1..=source.line(u32::MAX)).take(MOST_LINES);
    let names = lines.filter_map(|number| {
        let text = source.line_text(number);
        let (name, value) = text.trim_start().strip_prefix("#@")?.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        let behind = full.strip_prefix(value).filter(|behind| behind.is_empty() || behind.starts_with('.'))?;
        let start = source.line_range(number).start.saturating_add(to_u32(text.find(name)?));
        let bound = file.bound(Span { start: start.saturating_add(1), end: start.saturating_add(1), ..place }, name)?;
        let is_it = bound.name.start == start && file.is_bound_once(bound.name, name);
        is_it.then(|| (format!("{name}{behind}"), Some(bound)))
    });
    codes.extend(names.filter(|(other, _)| other != code).take(MOST_NAMES));
    codes
}

#[cfg(test)]
mod tests {
    use super::super::blocks;
    use super::*;
    use crate::source::{LineBreaks, Origin, SourceId, Text};

    /// The lines where what is left out begins, and one that reads the value beside that.
    fn told(text: &str) -> Option<(Vec<u32>, Option<u32>)> {
        let source = Source::new("a.yml", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let at = text.find("v.x.").expect("v.x.") as u32;
        let blocks = blocks::around(&source, Span::new(SourceId(0), at, at + 3), "v.x")?;
        Some((blocks.lines, blocks.beyond))
    }

    #[test]
    fn what_is_left_out_is_valid_without_the_value() {
        for (text, expected) in [
            // Lines of texts are no nodes, and a text that reads the value is one whole.
            ("a: #@ v.x.a\nb: |\n  c\n\n  d: #@ v.x.d\ne: #@ v.x.e\nf: 1\n", Some((vec![2, 7], None))),
            ("a: #@ v.x.a\nb: !!str >-\n  c: (@= v.x.c @)\n  d: 1\ne: #@ v.x.e\nf: 1\n", None),
            ("a: #@ v.x.a\nb: |\n  c: (@= v.y.c @)\nd: #@ v.x.d\n", Some((vec![2, 5], None))),
            // Nothing that has to have something in it stays empty.
            ("a: #@ v.x.a\nb: #@ v.x.b\nselector:\n  c: #@ v.x.c\nd: 1\n", None),
            ("a: #@ v.x.a\ndata:\n  c: #@ v.x.c\n  d: #@ v.x.d\ne: 1\n", Some((vec![2, 4, 5], None))),
            ("a: #@ v.x.a\nrules:\n- path: /\n  backend: #@ v.x.b\n- path: /b\n", Some((vec![2, 4], None))),
            ("a: #@ v.x.a\nrules:\n- path: /\n  c: 1\n  backend: #@ v.x.b\n", None),
            ("a: #@ v.x.a\nb:\n- name: c\n  #@ if z:\n  value: #@ v.x.c\n  #@ end\n- d\n", None),
            // Settings go with what they are for; what is wanted stays.
            ("c: 1\nb:\n- name: a\n  readOnly: true\n  mountPath: #@ v.x.a\n", Some((vec![3], None))),
            ("c: #@ v.x.c\nb:\n  readOnly: true\n  a: #@ v.x.a\nd: 1\n", Some((vec![2, 5], None))),
            ("a: #@ v.x.a\nx:\n  b:\n    c: #@ v.x.c\n    d: 1\ne: 1\n", Some((vec![2, 5], None))),
            ("a: 1\ncontainers:\n- name: a\n- name: b\n  image: #@ v.x.b\n  c: 1\n", Some((vec![5], None))),
            ("a: 1\ncontainers:\n- name: b\n  image: #@ v.x.b\n  c: #@ v.x.c\n", None),
            // Of an overlay that changes more.
            ("a: #@ v.x.a\nb:\n#@overlay/match by=\"name\"\n- name: c\n  d: 1\n  value: #@ v.x.c\n- e\n", None),
            // A document without its name is none.
            ("metadata:\n  name: #@ v.x.a\nb: #@ v.x.b\nc: 1\n", None),
            // What cannot have a line above it, and what others read, also by another name.
            ("a: #@ v.x.a\nb: #@ v.x.b\nc:\n- d: #@ v.x.d\n  e: 1\n", Some((vec![2, 3], Some(5)))),
            ("a: #@ v.x.a\nb: #@ v.x.b\nc: 1\n---\nd: #@ w.x.d\n#@ if v.x:\ne: #@ v.x.e\n#@ end\n", {
                Some((vec![2, 3], None))
            }),
            ("a: #@ v.x.a\nb: #@ u.x.b\nc: 1\n---\nd: #@ u.x.d\n", Some((vec![2, 3], Some(6)))),
        ] {
            let text = format!("#@ v = u\n{text}");
            assert_eq!(told(&text), expected, "{text}");
        }
    }
}
