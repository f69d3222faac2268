//! What people meant by a text that is no YAML: the lines around a mistake say it. All looks are bounded.
#![allow(clippy::string_slice, reason = "texts are cut at line breaks, blanks and other ASCII that was found there")]
#![allow(clippy::arithmetic_side_effects, reason = "places and columns of a text in memory, which lines are parts of")]

/// Lines that are looked at around a mistake.
pub(super) const LINES: usize = 60;

/// A part of a text, and what to write in its place.
pub(crate) struct Change {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) new: String,
}

/// The start of the line of `at`.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1)
}

/// The line that begins at `start`, without its break.
pub(crate) fn line(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())]
}

/// A line without its comment.
pub(super) fn content(line: &str) -> &str {
    line.split(" #").next().unwrap_or(line).trim_end()
}

/// Blanks at the front.
pub(crate) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The lines above a line that say something, the nearest first, with their starts.
pub(super) fn above(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut end = start;
    let lines = std::iter::from_fn(move || {
        let behind = end.checked_sub(1)?;
        end = line_start(text, behind);
        Some((end, line(text, end)))
    });
    lines.take(LINES).filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// `name:web` where it stands for a key and its value: the text without the `- ` in front, and the offset behind the colon.
pub(super) fn glued(line: &str) -> Option<(usize, usize)> {
    let start = item_start(line);
    let content = content(line.get(start..)?);
    let colon = content.find(':')?;
    let (key, value) = (&content[..colon], &content[colon + 1..]);
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    let is_value = !value.is_empty() && !value.starts_with([' ', ':']) && !value.starts_with("//");
    (is_key && is_value && !content.contains(": ") && !content.ends_with(':')).then_some((start, start + colon + 1))
}

/// Where the content of a line begins, behind the dashes of its items.
pub(super) fn item_start(line: &str) -> usize {
    let mut at = indent(line);
    while let Some(rest) = line[at..].strip_prefix("- ") {
        at = line.len() - rest.trim_start_matches(' ').len();
    }
    at
}

/// The key of a line whose value stands behind it, and the column of the key.
pub(super) fn key_with_value(line: &str) -> Option<(usize, &str)> {
    let at = item_start(line);
    let (key, value) = line[at..].split_once(": ")?;
    let is_value = !value.trim_start().is_empty() && !value.trim_start().starts_with(['#', '|', '>', '&', '!']);
    (!key.is_empty() && is_value).then_some((at, key))
}

/// A line and what belongs to it, moved to another column.
pub(crate) fn moved(text: &str, start: usize, column: usize) -> Option<Change> {
    let own = indent(line(text, start));
    let (mut end, mut at, mut new, mut count) = (start, start, String::new(), 0);
    while at < text.len() {
        let line = line(text, at);
        if !line.trim().is_empty() {
            if indent(line) < own {
                break;
            }
            new.push_str(&text[end..at]);
            new.push_str(&" ".repeat(indent(line) - own + column));
            new.push_str(line.trim_start_matches(' '));
            end = at + line.len();
        }
        count += 1;
        if count > LINES {
            return None;
        }
        at += line.len();
        at += if text[at..].starts_with("\r\n") { 2 } else { 1 };
    }
    (end > start).then_some(Change { start, end, new })
}

/// A text below `|` or `>` that a line left which is not indented as far.
pub(super) struct LeftBlock<'t> {
    /// Where the line is that begins the text, its key or dash with the sign.
    pub(super) opened: (usize, &'t str),
    /// The columns of the first line of the text, and of the last one.
    pub(super) first: usize,
    pub(super) last: usize,
    /// Where the line stands with which the text goes on, and its column.
    pub(super) next: Option<usize>,
    /// The lines that left it, as they are meant.
    pub(super) change: Change,
}

/// The text that a line left which is not indented as far: it goes on below, or what stands there is no key.
pub(super) fn left_block(text: &str, start: usize) -> Option<LeftBlock<'_>> {
    let own = indent(line(text, start));
    let mut first = usize::MAX;
    let mut last = None;
    let opened = above(text, start).find(|(_, line)| {
        let is_opening = opens_text(line) && indent(line) < first && last.is_some();
        if !is_opening {
            first = indent(line);
            last.get_or_insert(first);
        }
        is_opening
    })?;
    let last = last?;
    if own >= first || first <= indent(opened.1) {
        return None;
    }
    // What is no node belongs to the text, as far as the next one.
    let is_text = !begins_node(line(text, start));
    // What is not indented, up to where the text goes on.
    let (mut at, mut end, mut new, mut next) = (start, start, String::new(), None);
    for _ in 0..LINES {
        let Some(here) = text.get(at..).filter(|rest| !rest.is_empty()).map(|_| line(text, at)) else { break };
        if !here.trim().is_empty() {
            if indent(here) >= first {
                next = Some(indent(here));
                break;
            }
            if is_text && begins_node(here) {
                break;
            }
            new.push_str(&text[end..at]);
            new.push_str(&" ".repeat(last + indent(here).saturating_sub(own)));
            new.push_str(here.trim_start_matches(' '));
            end = at + here.len();
        }
        at += here.len();
        at += if text[at..].starts_with("\r\n") { 2 } else { 1 };
    }
    let is_key = own <= item_start(opened.1);
    match next {
        Some(_) => {}
        // A single line may be a key without its colon.
        None if is_text && new.trim_end().contains('\n') => {}
        // Only this line: what follows belongs to the document.
        None if !is_key => {
            let here = line(text, start);
            new = format!("{}{}", " ".repeat(last), here.trim_start_matches(' '));
            end = start + here.len();
        }
        None => return None,
    }
    Some(LeftBlock { opened, first, last, next, change: Change { start, end, new } })
}

/// Does a line begin a document, an item of a list, or one of a map?
pub(crate) fn begins_node(line: &str) -> bool {
    let content = line.trim();
    content == "-" || content == "---" || content.starts_with("- ") || content.contains(": ") || content.ends_with(':')
}

/// Does a line end with the sign of a text that stands below it?
pub(crate) fn opens_text(line: &str) -> bool {
    // Asked for every line of a file, of which few have one.
    if !line.bytes().any(|byte| matches!(byte, b'|' | b'>')) {
        return false;
    }
    let content = content(line);
    let sign = content.rsplit([' ', '\t']).next().unwrap_or_default();
    let is_sign = sign.starts_with(['|', '>']) && sign[1..].bytes().all(|byte| b"+-0123456789".contains(&byte));
    let before = content[..content.len() - sign.len()].trim_end();
    is_sign
        && (before.ends_with([':', '-'])
            || before.ends_with(|last: char| last.is_alphanumeric()) && before.contains(": !"))
}

/// The lines of a text, each with where it begins, that stand in no text below `|` or `>`.
pub(super) fn outside_texts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut at, mut block) = (0, None);
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let own = indent(line);
        let is_inside = line.trim().is_empty() || block.is_some_and(|opened| opened < own);
        if !is_inside {
            block = opens_text(line.trim_end()).then_some(own);
        }
        (!is_inside).then_some((start, line))
    })
}

/// How far a line is meant to be indented that begins with a tab: as far as the line above, or as what is below it.
pub(super) fn meant_indent(text: &str, start: usize) -> Option<(Change, usize)> {
    let own = line(text, start);
    let end = own.len() - own.trim_start_matches([' ', '\t']).len();
    if !own[..end].contains('\t') || own.len() == end {
        return None;
    }
    let (_, above) =
        above(text, start).find(|(_, line)| !line.starts_with('\t') && !line.trim_start().starts_with('\t'))?;
    let is_item = own[end..].starts_with("- ");
    let mut meant = if is_item { indent(above) } else { item_start(above) };
    if content(above).ends_with(':') && !is_item {
        meant = item_start(above) + 2;
    }
    Some((Change { start, end: start + end, new: " ".repeat(meant) }, meant))
}

/// The code of ytt for a value with expressions of Helm: `{{ .Values.a }}:{{ .Values.b }}`. Only names of values are known,
/// and what its file has a data value for.
pub(crate) fn helm(value: &str, file: &str) -> Option<String> {
    filled(value, ("{{", "}}"), |inner| {
        let inner = inner.trim_matches('-').trim();
        let inner = inner.split('|').next()?.trim();
        helm_data_value(inner.strip_prefix("toYaml ").unwrap_or(inner)).or_else(|| helm_object(inner, file))
    })
}

/// The same of `${data.values.a}-suffix`, as shells and Terraform write it.
pub(crate) fn interpolated(value: &str) -> Option<String> {
    filled(value, ("${", "}"), helm_data_value)
}

/// Texts and the values between them, each between an opening and a closing sign, as code of ytt.
fn filled(value: &str, (open, close): (&str, &str), code: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut rest = value.trim().trim_matches('"');
    let mut parts = Vec::new();
    let text = |text: &str| (!text.is_empty()).then(|| format!("\"{text}\""));
    while let Some((before, behind)) = rest.split_once(open) {
        let (inner, after) = behind.split_once(close)?;
        let value = code(inner)?;
        if before.contains(['"', '\\']) {
            return None;
        }
        parts.extend(text(before));
        parts.push(value);
        rest = after;
    }
    if parts.is_empty() || rest.contains(['"', '\\']) {
        return None;
    }
    parts.extend(text(rest));
    Some(format!("#@ {}", parts.join(" + ")))
}

/// The data value that a name of Helm is: `.Values.a.b`.
fn helm_data_value(name: &str) -> Option<String> {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = name.trim();
    let path = name.strip_prefix(".Values.").or_else(|| name.strip_prefix("data.values."))?;
    path.split('.').all(is_name).then(|| format!("data.values.{path}"))
}

/// The data value that a file reads elsewhere for what is asked of the release: `.Release.Namespace`. What others are
/// called, such as `version`, says nothing of the release or its chart.
fn helm_object(name: &str, file: &str) -> Option<String> {
    let name = name.strip_prefix(".Release.").filter(|name| *name == "Namespace")?.to_ascii_lowercase();
    let value = format!("data.values.{name}");
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let is_read = file.match_indices(&value).any(|(at, _)| !file[at + value.len()..].starts_with(is_part));
    is_read.then_some(value)
}

/// Lines of a file with expressions of Helm, if statements are among them: the file is a template of a chart.
pub(crate) fn helm_lines(file: &str) -> Vec<usize> {
    let is_statement =
        |line: &str| helm_value(line).is_some_and(|(start, end)| helm_statement(&line[start..end]).is_some());
    let (mut at, mut found, mut is_template) = (0, Vec::new(), false);
    for line in file.split_inclusive('\n') {
        if helm_value(line.trim_end()).is_some() {
            found.push(at);
            is_template |= is_statement(line.trim_end());
        }
        at += line.len();
    }
    if is_template { found } else { Vec::new() }
}

/// What a line that is a statement of Helm is in ytt: words for people and, where it is known, the line.
pub(crate) fn helm_statement(value: &str) -> Option<(&'static str, Option<String>)> {
    let inner = value.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    if inner.contains("{{") {
        return None;
    }
    let inner = inner.trim_matches('-').trim();
    let (word, rest) = inner.split_once(' ').unwrap_or((inner, ""));
    match (word, rest.trim()) {
        ("end", "") => Some(("in ytt: `#@ end`", Some("#@ end".to_owned()))),
        ("else", "") => Some(("in ytt: `#@ else:`", Some("#@ else:".to_owned()))),
        ("if", of) => {
            Some(("in ytt: `#@ if …:`, and `#@ end` below", helm_data_value(of).map(|value| format!("#@ if {value}:"))))
        }
        ("else", _) => Some(("in ytt: `#@ elif …:`", None)),
        ("with", _) => Some(("in ytt: `#@ if …:`, and `#@ end` below", None)),
        ("range", _) => Some(("in ytt: `#@ for … in …:`, and `#@ end` below", None)),
        ("include" | "template" | "tpl", _) => {
            Some(("in ytt: the call of a function, behind a key: `#@ labels()`", None))
        }
        ("define" | "block", _) => Some(("in ytt: `#@ def …():`, and `#@ end` below", None)),
        _ => None,
    }
}

/// What a line that is a statement of Jinja is in ytt.
pub(crate) fn jinja_statement(line: &str) -> Option<String> {
    let inner = line.trim().strip_prefix("{%")?.strip_suffix("%}")?.trim_matches('-').trim();
    let (word, rest) = inner.split_once(' ').unwrap_or((inner, ""));
    let rest = rest.trim();
    if rest.contains(['|', '%']) || rest.contains(" is ") {
        return None;
    }
    match (word, rest) {
        ("endif" | "endfor", "") => Some("#@ end".to_owned()),
        ("else", "") => Some("#@ else:".to_owned()),
        ("if" | "elif" | "for", rest) if !rest.is_empty() => Some(format!("#@ {word} {rest}:")),
        ("set", rest) if rest.contains('=') => Some(format!("#@ {rest}")),
        _ => None,
    }
}

/// What else a file needs for data values, where it does not load them yet.
pub(crate) fn helm_load(text: &str) -> &'static str {
    // Single quotes do as well.
    let is_loaded = text.lines().any(|line| line.contains("load(") && line.contains("@ytt:data"));
    if is_loaded { "" } else { ", with `#@ load(\"@ytt:data\", \"data\")` at the top of the file" }
}

/// What is said of an expression of Helm where it stands.
pub(crate) const HELM: &str = "an expression of Helm: ytt reads `{{` as the beginning of a map";

/// Has a file what only templates of Helm have?
pub(crate) fn is_of_helm(file: &str) -> bool {
    [".Values", "include ", ":="].iter().any(|word| file.contains(word))
}

/// What is said of an expression of another tool.
pub(crate) const FOREIGN: &str = "YAML reads `{{` as the beginning of a map";

/// A text with expressions of a tool that reads the output, such as `{{ $labels.pod }}` of Prometheus: as it is written
/// between quotes. What Helm would fill in is none.
pub(crate) fn foreign(value: &str) -> Option<String> {
    const OF_HELM: [&str; 7] = [".Values", ".Release", ".Chart", ".Files", ".Capabilities", ".Template", "include "];
    let parts = value.split("{{").skip(1);
    let inner: Vec<&str> = parts.filter_map(|rest| rest.split_once("}}")).map(|(inner, _)| inner).collect();
    let is_foreign = |inner: &&str| {
        let inner = inner.trim_matches('-').trim();
        let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$' | '-');
        inner.starts_with(['$', '.']) || !inner.is_empty() && inner.chars().all(is_of_name)
    };
    let is_of_helm = inner.iter().any(|inner| OF_HELM.iter().any(|word| inner.contains(word)));
    if is_of_helm || inner.is_empty() || !inner.iter().all(is_foreign) || helm_statement(value).is_some() {
        return None;
    }
    Some(match value.contains(['"', '\\']) {
        true => format!("'{}'", value.replace('\'', "''")),
        false => format!("\"{value}\""),
    })
}

/// Where the value of a line with an expression of Helm stands.
pub(crate) fn helm_value(line: &str) -> Option<(usize, usize)> {
    let open = line.find("{{")?;
    line[open..].contains("}}").then_some(())?;
    let key = line[..open].rfind(": ").map(|at| at + 2);
    let start = key.unwrap_or_else(|| item_start(line)).min(open);
    let start = start + line[start..].len() - line[start..].trim_start().len();
    let end = content(line).len();
    (start < end && line[..end].contains("}}")).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_without_a_blank_are_found() {
        for (line, expected) in [
            ("- name:web", Some("name:web")),
            ("  image:nginx:1.2", Some("image:nginx:1.2")),
            ("http://a", None),
            ("a: b:c", None),
            ("a::b", None),
            ("name:", None),
            ("", None),
        ] {
            assert_eq!(glued(line).map(|(start, _)| &line[start..]), expected, "{line}");
        }
    }

    #[test]
    fn expressions_of_other_tools_want_quotes() {
        for (value, expected) in [
            ("{{ $labels.pod }} is down", Some("\"{{ $labels.pod }} is down\"")),
            ("{{ .CommonLabels.team }}", Some("\"{{ .CommonLabels.team }}\"")),
            ("{{ route }} \"x\" y's", Some("'{{ route }} \"x\" y''s'")),
            ("{{ .Values.a }}", None),
            ("{{ include \"x\" . }}", None),
            ("{{ if .x }}", None),
            ("{{ end }}", None),
            ("{{ a + 1 }}", None),
            ("{{}}", None),
            ("a", None),
        ] {
            assert_eq!(foreign(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn values_of_helm_become_code() {
        for (value, expected) in [
            ("{{ .Values.a }}", Some("#@ data.values.a")),
            ("{{.Values.a.b}}:{{- .Values.c | quote -}}", Some("#@ data.values.a.b + \":\" + data.values.c")),
            ("\"x-{{ .Values.a }}\"", Some("#@ \"x-\" + data.values.a")),
            ("{{ include \"x\" . }}", None),
            ("{{ .Values.a-b }}", None),
            ("a", None),
            ("{{", None),
        ] {
            assert_eq!(helm(value, "").as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn lines_that_leave_a_text_are_found() {
        let meant = |text: &str| {
            let start = text.find("x y").map(|at| line_start(text, at)).expect("it is there");
            left_block(text, start).map(|block| (block.change.new, block.next))
        };
        for (text, expected) in [
            ("a: |\n  b\nx y\n  c\nd: 1\n", Some(("  x y", Some(2)))),
            ("a: |\n  b\n    c\nx y\n z\n  c\n", Some(("    x y\n     z", Some(2)))),
            ("- a: >-\n    b\n   x y\n", Some(("    x y", None))),
            ("a: |\n  b | c |\nx y\n  d\n", Some(("  x y", Some(2)))),
            // A key without its colon.
            ("a: |\n  b\nx y\nd: 1\n", None),
            ("a:\n  b: |\n    c\nx y\n-d-\n  e: 1\n", Some(("    x y\n    -d-", None))),
            ("a:\n  b\nx y\n  c\n", None),
            ("a: |\nx y\n  c\n", None),
        ] {
            assert_eq!(meant(text), expected.map(|(new, next)| (new.to_owned(), next)), "{text}");
        }
    }

    #[test]
    fn lines_that_belong_together_move_together() {
        let text = "a:\n   - b\n     c: 1\n\n   - d\ne: 1\n";
        let change = moved(text, 3, 2).unwrap();
        assert_eq!(
            (&text[change.start..change.end], &change.new[..]),
            ("   - b\n     c: 1\n\n   - d", "  - b\n    c: 1\n\n  - d")
        );
    }
}
