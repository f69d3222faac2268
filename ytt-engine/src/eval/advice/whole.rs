//! Items of lists that nobody wants without the value of one of their keys, such as a variable without its value: what
//! the lines of a YAML template tell of an item and of the list around it.

use crate::source::{Source, Span};
use crate::template::word;

/// Lines that are looked at in each direction.
const MOST: usize = 200;
/// How far keys below those of a document are indented.
const TWO: usize = 2;
/// Keys that an item has beside the one that it is nothing without.
const BESIDE: usize = 3;
/// Keys that tell what an item is, which its name need not.
const TELLING: [&str; 11] =
    ["port", "containerPort", "targetPort", "run", "uses", "image", "path", "host", "key", "url", "command"];

/// A line of a template.
pub(super) enum Line {
    Blank,
    /// A comment or an annotation, where it is indented.
    Beside {
        indent: usize,
        is_annotation: bool,
    },
    Code(Block),
    Document,
    Node(Node),
}

/// What a line of code does to blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Begins,
    GoesOn,
    Ends,
    Stays,
}

/// A line with a key or an item.
pub(super) struct Node {
    pub(super) indent: usize,
    pub(super) is_dashed: bool,
    /// Where the key stands: behind the dash.
    pub(super) column: usize,
    pub(super) key: Option<String>,
    /// Behind the key, or all of it.
    pub(super) rest: String,
}

pub(super) fn line(source: &Source, number: u32) -> Line {
    let text = source.line_text(number);
    let own = text.trim_start();
    let indent = text.len().saturating_sub(own.len());
    if own.is_empty() {
        return Line::Blank;
    }
    if let Some(rest) = own.strip_prefix('#') {
        let code = rest.strip_prefix('@');
        return match code.filter(|code| code.is_empty() || code.starts_with(' ')) {
            Some(code) => Line::Code(block(code.trim())),
            None => Line::Beside { indent, is_annotation: code.is_some() },
        };
    }
    if indent == 0 && (own.starts_with("---") || own.starts_with("...")) {
        return Line::Document;
    }
    let is_dashed = own == "-" || own.starts_with("- ");
    let content = if is_dashed { own.trim_start_matches('-').trim_start() } else { own };
    let column = indent.saturating_add(own.len()).saturating_sub(content.len());
    let is_key = |key: &str| !key.is_empty() && !key.contains([' ', '{', '[', '"', '\'', '#', '&', '*', '!']);
    let entry = content.split_once(':').filter(|(key, rest)| is_key(key) && (rest.is_empty() || rest.starts_with(' ')));
    let (key, rest) = entry.map_or((None, content), |(key, rest)| (Some(key.to_owned()), rest));
    Line::Node(Node { indent, is_dashed, column, key, rest: rest.trim().to_owned() })
}

fn block(code: &str) -> Block {
    let first = code.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
    match first {
        "end" => Block::Ends,
        "else" | "elif" => Block::GoesOn,
        "if" | "for" | "while" | "def" if code.ends_with(':') && !code.contains("/end") => Block::Begins,
        _ => Block::Stays,
    }
}

/// An item of a list, and the key of it whose value is code.
pub(super) struct Item {
    /// The lines of the item and of the key of its list, each with where it is indented.
    first: (u32, usize),
    list: Option<(u32, usize, String)>,
    key: String,
    /// What stands beside it.
    beside: Vec<Node>,
    /// Of each other item of the list, whether it has the key.
    others: Vec<bool>,
    /// No code decides which items the list has.
    is_literal: bool,
    /// It is of a rule that would allow more without its list: `ports` beside `from`.
    is_of_rule: bool,
    /// The annotations above it.
    annotations: Vec<String>,
}

impl Item {
    /// The item that a line belongs to, which has a key with a value of code.
    pub(super) fn read(source: &Source, place: Span) -> Option<Item> {
        let own = source.line(place.start);
        let Line::Node(node) = line(source, own) else { return None };
        let (key, column) = (node.key?, node.column);
        let mut first = node.is_dashed.then_some((own, node.indent));
        let mut beside = Vec::new();
        for number in (1..own).rev().take(MOST) {
            if first.is_some() {
                break;
            }
            match line(source, number) {
                Line::Blank | Line::Beside { .. } => {}
                // Code decides which keys there are, or what follows knows.
                Line::Code(_) | Line::Document => return None,
                Line::Node(above) if above.column == column => {
                    first = above.is_dashed.then_some((number, above.indent));
                    beside.push(above);
                }
                Line::Node(above) if above.indent < column => return None,
                Line::Node(_) => {}
            }
        }
        let first = first?;
        let (above, annotations) = top(source, first);
        let mut item = Item {
            first: (above, first.1),
            list: None,
            key,
            beside,
            others: Vec::new(),
            is_literal: true,
            is_of_rule: false,
            annotations,
        };
        item.look_above(source, first, column);
        let may = item.look_below(source, own, column);
        item.is_of_rule =
            item.is_port() && item.list.as_ref().is_some_and(|(line, indent, _)| is_rule(source, *line, *indent));
        may.then_some(item)
    }

    fn look_above(&mut self, source: &Source, (first, dash): (u32, usize), column: usize) {
        let mut has_key = false;
        for number in (1..first).rev().take(MOST) {
            match line(source, number) {
                Line::Blank | Line::Beside { .. } => {}
                Line::Code(_) => self.is_literal = false,
                Line::Document => break,
                Line::Node(node) if node.indent > dash || node.indent == dash && node.is_dashed => {
                    has_key |= node.column == column && node.key.as_ref() == Some(&self.key);
                    if node.indent == dash {
                        self.others.push(std::mem::take(&mut has_key));
                    }
                }
                Line::Node(node) => {
                    let key = node.key.filter(|_| node.rest.is_empty() && !node.is_dashed);
                    self.list = key.map(|key| (number, node.indent, key));
                    break;
                }
            }
        }
    }

    /// Is there nothing in the item that code decides?
    fn look_below(&mut self, source: &Source, own: u32, column: usize) -> bool {
        let (dash, mut open, mut is_within) = (self.first.1, 0_usize, true);
        // Code was passed, and no node behind it.
        let mut is_behind_code = false;
        for number in (own.saturating_add(1)..).take(MOST) {
            match line(source, number) {
                Line::Blank | Line::Beside { .. } => {}
                Line::Document => break,
                // It ends what is around the list.
                Line::Code(Block::Ends | Block::GoesOn) if open == 0 && self.is_literal => break,
                Line::Code(block) => {
                    is_behind_code = true;
                    open = match block {
                        Block::Begins => open.saturating_add(1),
                        Block::Ends => open.saturating_sub(1),
                        Block::GoesOn | Block::Stays => open,
                    };
                }
                Line::Node(node) if node.indent < dash || node.indent == dash && !node.is_dashed => break,
                Line::Node(node) => {
                    let is_key = node.column == column && node.key.as_ref() == Some(&self.key);
                    let is_behind_code = std::mem::take(&mut is_behind_code);
                    if node.indent == dash {
                        is_within = false;
                        self.is_literal &= !is_behind_code;
                        self.others.push(is_key);
                    } else if !is_within {
                        self.others.last_mut().into_iter().for_each(|has_key| *has_key |= is_key);
                    } else if node.column == column && !node.is_dashed {
                        if is_behind_code {
                            return false;
                        }
                        self.beside.push(node);
                    }
                }
            }
        }
        true
    }

    fn has(&self, key: &str) -> bool {
        self.beside.iter().any(|node| node.key.as_deref() == Some(key))
    }

    fn is_annotated(&self, annotation: &str) -> bool {
        self.annotations.iter().any(|line| word::whole(line, annotation).next().is_some())
    }

    /// Would something be lost with it that does not depend on the value: what else an overlay changes in an item?
    fn changes_more(&self) -> bool {
        self.is_annotated("match") && !self.is_annotated("missing_ok") && self.beside.len() > 1
    }

    fn is_of(&self, name: &str) -> bool {
        self.list.as_ref().is_some_and(|(.., key)| key == name)
    }

    fn is_port(&self) -> bool {
        self.key == "port" && self.is_of("ports")
    }

    /// Is it wanted, whatever its values are? What runs has containers, a service a port, and without `ports` a rule is
    /// one for all.
    fn is_kept(&self) -> bool {
        let is_container = self.is_of("containers") || self.is_of("initContainers");
        self.changes_more() || is_container || self.is_port() && (self.others.is_empty() || self.is_of_rule)
    }

    /// Is no item of its kind anything without the key?
    pub(super) fn is_needed(&self) -> bool {
        let is_of_kind = match &*self.key {
            "value" => ["name", "key", "op"].iter().any(|key| self.has(key)),
            "mountPath" | "containerPort" | "devicePath" => true,
            "port" => self.is_port() && !self.is_kept(),
            _ => false,
        };
        is_of_kind && (1..=BESIDE).contains(&self.beside.len()) && !self.changes_more()
    }

    /// Is it its name that would be missing, of an item of single values?
    pub(super) fn is_named_by_it(&self) -> bool {
        let is_flat = self.beside.iter().all(|node| !node.rest.is_empty());
        let is_told = TELLING.iter().any(|key| self.has(key));
        self.key == "name" && is_flat && !is_told && (1..=BESIDE).contains(&self.beside.len()) && !self.is_kept()
    }

    /// Does something speak for the item being there for the value of this code alone? Others may ask for it elsewhere.
    pub(super) fn is_likely(&self, code: &str, is_asked: bool) -> bool {
        let [beside] = &self.beside[..] else { return false };
        let is_table = !self.others.is_empty() && self.others.iter().all(|has_key| *has_key);
        let is_chosen = !self.is_literal && !self.others.is_empty();
        let is_name = || code.rsplit_once('.').is_some_and(|(_, last)| last == beside.rest.trim_matches('"'));
        let is_told = self.key == "name" && TELLING.iter().any(|key| self.has(key));
        !self.is_kept() && !is_told && (is_asked || is_table || is_chosen || self.is_annotated("append") || is_name())
    }

    /// Is all of it read of the same value, but for what names it?
    pub(super) fn reads_more(&self, code: &str) -> bool {
        let belong = |letter: char| letter.is_alphanumeric() || matches!(letter, '_');
        let reads = |node: &&Node| word::apart(&node.rest, code, belong).next().is_some();
        let (of_it, others): (Vec<&Node>, Vec<&Node>) = self.beside.iter().partition(reads);
        let is_named = match &others[..] {
            [] => true,
            [other] => matches!(other.key.as_deref(), Some("name" | "id")),
            _ => false,
        };
        !of_it.is_empty() && is_named && !self.is_kept()
    }

    /// What is left out with it, where a line stands above that, and how far it is indented: the key of the list, where
    /// that has no other item.
    pub(super) fn out(&self, source: &Source, place: Span) -> Out {
        let list = self.list.as_ref().filter(|_| self.others.is_empty() && self.is_literal);
        // What calls a function may take an item of what that gives.
        let list = list.filter(|(line, indent, _)| !is_top_of_function(source, *line, *indent));
        let list = list.and_then(|(line, indent, key)| {
            let (line, annotations) = top(source, (*line, *indent));
            let is_replaced = annotations.iter().any(|line| word::whole(line, "replace").next().is_some());
            (!is_replaced).then(|| (line, *indent, format!("`{key}`")))
        });
        let is_list = list.is_some();
        let (line, indent, name) = list.unwrap_or((self.first.0, self.first.1, "the whole item".to_owned()));
        let at = source.line_range(line).start;
        Out { name, is_list, above: Span { start: at, end: at, ..place }, indent: " ".repeat(indent) }
    }
}

/// Does `from` or `to` stand beside the key of a list?
fn is_rule(source: &Source, own: u32, column: usize) -> bool {
    let is_peers = |node: &Node| node.column == column && matches!(node.key.as_deref(), Some("from" | "to"));
    for number in (1..own).rev().take(MOST) {
        match line(source, number) {
            Line::Document => break,
            Line::Node(node) if is_peers(&node) => return true,
            Line::Node(node) if node.indent < column => break,
            _ => {}
        }
    }
    for number in (own.saturating_add(1)..).take(MOST) {
        match line(source, number) {
            Line::Document => break,
            Line::Node(node) if node.indent < column => break,
            Line::Node(node) if !node.is_dashed && is_peers(&node) => return true,
            _ => {}
        }
    }
    false
}

/// Is a node one of those that a function gives, and not inside of another?
fn is_top_of_function(source: &Source, own: u32, indent: usize) -> bool {
    let mut open = 0_usize;
    for number in (1..own).rev().take(MOST) {
        match line(source, number) {
            Line::Document => break,
            Line::Node(node) if node.indent < indent => break,
            Line::Code(Block::Ends) => open = open.saturating_add(1),
            Line::Code(Block::Begins) if open > 0 => open = open.saturating_sub(1),
            Line::Code(Block::Begins) => {
                let text = source.line_text(number);
                if text.trim_start().trim_start_matches("#@").trim_start().starts_with("def ") {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// What is left out as a whole.
pub(super) struct Out {
    pub(super) name: String,
    /// It is the key of a list with one item.
    pub(super) is_list: bool,
    pub(super) above: Span,
    pub(super) indent: String,
}

/// Kinds of objects that are there whatever a value is: what they read of it is an option of theirs.
const KEPT: [&str; 14] = [
    "ClusterRole",
    "ConfigMap",
    "CronJob",
    "DaemonSet",
    "Deployment",
    "Ingress",
    "Job",
    "Namespace",
    "Pod",
    "Role",
    "Secret",
    "Service",
    "ServiceAccount",
    "StatefulSet",
];

/// A document that reads of one value in several of its parts, so that it is nothing without it: where a line stands above
/// it, and the first other line that reads.
pub(super) fn document(source: &Source, place: Span, code: &str) -> Option<(Span, u32)> {
    let own = source.line(place.start);
    let starts = |number: &u32| matches!(line(source, *number), Line::Document);
    let start = (1..own).rev().take(MOST).find(starts)?;
    let read = format!("{code}.");
    let belong = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let (mut kind, mut branch, mut branches, mut other) = (None, 0, Vec::new(), None);
    let (mut is_in_metadata, mut is_named_by_it) = (false, false);
    for number in (start.saturating_add(1)..=source.line(u32::MAX)).take(MOST) {
        match line(source, number) {
            Line::Document => break,
            Line::Code(Block::Stays) | Line::Blank | Line::Beside { .. } => {}
            // What code decides is not read for sure.
            Line::Code(_) => return None,
            Line::Node(node) => {
                if node.indent == 0 && node.key.as_deref() == Some("kind") {
                    kind = Some(node.rest.clone());
                }
                // The key below one of the document's own, or that one where it has a value.
                if node.indent <= TWO {
                    branch = number;
                }
                if node.indent == 0 {
                    is_in_metadata = node.key.as_deref() == Some("metadata");
                }
                let is_read = node.rest.match_indices(&read).any(|(at, _)| {
                    let before = node.rest.get(..at).and_then(|before| before.chars().next_back());
                    !before.is_some_and(belong)
                });
                if is_read {
                    // Its name: none is there without that.
                    is_named_by_it |= is_in_metadata && branch == number && node.key.as_deref() == Some("name");
                    branches.push(branch);
                    other = other.or((number != own).then_some(number));
                }
            }
        }
    }
    branches.dedup();
    let is_kept = kind.is_none_or(|kind| KEPT.contains(&kind.as_str()) && !is_named_by_it);
    let (above, _) = top(source, (start, 0));
    let at = source.line_range(above).start;
    other.filter(|_| !is_kept && branches.len() > 1).map(|other| (Span { start: at, end: at, ..place }, other))
}

/// Where a line is put above the one of a place, and above the comments and annotations that belong to that.
pub(super) fn above(source: &Source, place: Span, indent: usize) -> Span {
    let (line, _) = top(source, (source.line(place.start), indent));
    let at = source.line_range(line).start;
    Span { start: at, end: at, ..place }
}

/// The first of the comments and annotations that belong to what a line begins, and the annotations.
pub(super) fn top(source: &Source, (first, own): (u32, usize)) -> (u32, Vec<String>) {
    let (mut top, mut annotations) = (first, Vec::new());
    for number in (1..first).rev().take(MOST) {
        let Line::Beside { indent, is_annotation } = line(source, number) else { break };
        if is_annotation {
            annotations.push(source.line_text(number));
        } else if indent != own {
            break;
        }
        top = number;
    }
    (top, annotations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, SourceId, Text};

    /// What is left out with the item that reads `x.y`, and the first line of that; whether the item needs its key, and
    /// whether something speaks for it being there for the value alone.
    fn told(text: &str) -> Option<(String, u32, bool, bool)> {
        let source = Source::new("a.yml", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let at = text.find("x.y").expect("x.y") as u32;
        let place = Span::new(SourceId(0), at, at + 3);
        let item = Item::read(&source, place)?;
        let out = item.out(&source, place);
        Some((out.name, source.line(out.above.start), item.is_needed(), item.is_likely("x.y", false)))
    }

    #[test]
    fn items_are_left_out_with_what_belongs_to_them() {
        const ITEM: &str = "the whole item";
        for (text, expected) in [
            // The only item.
            ("env:\n- name: a\n  value: #@ x.y\nb: 1\n", Some(("`env`", 1, true, false))),
            ("a:\n  #! of it\n  env:\n    - name: a\n      value: #@ x.y\n", Some(("`env`", 2, true, false))),
            ("#@overlay/replace\nenv:\n- name: a\n  value: #@ x.y\n", Some((ITEM, 3, true, false))),
            ("- env:\n  - name: a\n    value: #@ x.y\n", Some((ITEM, 2, true, false))),
            ("#@ if a:\nenv:\n- name: a\n  value: #@ x.y\n#@ end\n- b\n", Some(("`env`", 2, true, false))),
            // One of several.
            (
                "env:\n#! other\n\n#! of it\n#@overlay/append\n- name: a\n  value: #@ x.y\n- b: c\n",
                Some((ITEM, 4, true, true)),
            ),
            ("env:\n#@ for/end z in w:\n- name: a\n  value: #@ x.y\n", Some((ITEM, 3, true, false))),
            ("env:\n#@ if z:\n- b: 1\n#@ end\n- name: a\n  value: #@ x.y\n", Some((ITEM, 5, true, true))),
            ("env:\n- name: a\n  value: #@ x.y\n#@ if z:\n- b: 1\n#@ end\n", Some((ITEM, 2, true, true))),
            // What needs its key.
            ("ports:\n- port: #@ x.y\n  name: a\n- a: b\n", Some((ITEM, 2, true, false))),
            ("ports:\n- port: #@ x.y\n  name: a\n", Some(("`ports`", 1, false, false))),
            ("- from:\n  - a: b\n  ports:\n  - port: #@ x.y\n    name: a\n  - a: b\n", Some((ITEM, 4, false, false))),
            ("ports:\n- port: #@ x.y\n  name: a\n- a: b\nto:\n- a: b\n", Some((ITEM, 2, false, false))),
            // Of a function.
            ("#@ def a():\nenv:\n- name: a\n  value: #@ x.y\n#@ end\n", Some((ITEM, 3, true, false))),
            ("#@ def a():\nb:\n  env:\n  - name: a\n    value: #@ x.y\n#@ end\n", Some(("`env`", 3, true, false))),
            ("#@ def a():\n#@ end\nenv:\n- name: a\n  value: #@ x.y\n", Some(("`env`", 3, true, false))),
            ("nodes:\n- port: #@ x.y\n  name: a\n", Some(("`nodes`", 1, false, false))),
            ("c:\n- name: a\n  mountPath: #@ x.y\n  b: 1\n  c: 1\n  d: 1\n", Some(("`c`", 1, false, false))),
            ("c:\n- value: #@ x.y\n", Some(("`c`", 1, false, false))),
            ("c:\n- op: add\n  path: /a\n  value: #@ x.y\n", Some(("`c`", 1, true, false))),
            // What speaks for it.
            ("c:\n- id: a\n  tag: #@ x.y\n- id: b\n  tag: v1\n", Some((ITEM, 2, false, true))),
            (
                "c:\n- id: b\n  tag: v1\n  e:\n  - tag: 1\n- id: a\n  tag: #@ x.y\n- id: b\n",
                Some((ITEM, 6, false, false)),
            ),
            ("c:\n- id: \"y\"\n  tag: #@ x.y\n", Some(("`c`", 1, false, true))),
            ("containers:\n- id: y\n  tag: #@ x.y\n", Some(("`containers`", 1, false, false))),
            ("c:\n- id: y\n  tag: #@ x.y\n  a:\n    b: 1\n", Some(("`c`", 1, false, false))),
            // An overlay changes more of the item than that.
            ("c:\n#@overlay/match by=\"name\"\n- name: a\n  b: 1\n  value: #@ x.y\n", Some(("`c`", 1, false, false))),
            (
                "c:\n#@overlay/match by=\"name\", missing_ok=True\n- name: a\n  b: 1\n  value: #@ x.y\n",
                Some(("`c`", 1, true, false)),
            ),
        ] {
            let expected = expected.map(|(name, line, needed, likely)| (name.to_owned(), line, needed, likely));
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn documents_that_read_of_one_value_in_two_parts_are_left_out() {
        let told = |text: &str| {
            let source = Source::new("a.yml", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
            let at = text.find("x.y.").expect("x.y.") as u32;
            let (above, other) = document(&source, Span::new(SourceId(0), at, at + 3), "x.y")?;
            Some((source.line(above.start), other))
        };
        let parts = "spec:\n  a: #@ x.y.a\n  b:\n    c: #@ x.y.c\n";
        let of = |kind: &str| format!("#@ x = 1\n#! of it\n---\nkind: {kind}\n{parts}");
        assert_eq!(told(&of("Certificate")), Some((2, 8)));
        assert_eq!(told(&of("Deployment")), None);
        // Its name is one of the parts.
        let named = "---\nkind: Service\nmetadata:\n  name: #@ x.y.a\nspec:\n  b: #@ x.y.b\n";
        assert_eq!(told(named), Some((1, 6)));
        assert_eq!(told(&named.replace("  name:", "  labels:\n    name:")), None);
        for text in [
            // One part of it, another value, what code decides, no object.
            "---\nkind: Issuer\nspec:\n  a:\n    b: #@ x.y.b\n    c: #@ x.y.c\n",
            "---\nkind: Issuer\nspec:\n  a: #@ x.y.a\n  b: #@ ax.y.b\n",
            "---\nkind: Issuer\nspec:\n  a: #@ x.y.a\n  #@ if z:\n  b: #@ x.y.b\n  #@ end\n",
            "---\nspec:\n  a: #@ x.y.a\n  b: #@ x.y.b\n",
            "kind: Issuer\nspec:\n  a: #@ x.y.a\n  b: #@ x.y.b\n",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_item_of_a_list_is_not_left_out() {
        for text in [
            "a: #@ x.y\n",
            "- a:\n    b: #@ x.y\n",
            "a:\n- name: c\nd:\n  b: #@ x.y\n",
            // Code decides which keys there are.
            "- name: a\n  #@ if z:\n  value: #@ x.y\n  #@ end\n",
            "- name: a\n  value: #@ x.y\n  #@ if z:\n  b: 1\n  #@ end\n",
            "- name: a\n  #@ z = w\n  value: #@ x.y\n",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
        // Inside of another key it does not.
        let nested = "c:\n- name: a\n  value: #@ x.y\n  d:\n  #@ if z:\n  - 1\n  #@ end\n";
        assert_eq!(told(nested), Some(("`c`".to_owned(), 1, true, false)));
    }
}
