//! The report for people: messages with the source lines they speak of, the same for command, build script and macro.
//!
//! `annotate-snippets` draws. It counts LF only and wants every text as a whole, so this file cuts out the lines that
//! labels stand on, writes all line breaks as LF and moves spans accordingly. Labels of several lines mark the first.

use std::ops::RangeInclusive;
use std::panic::Location;
use std::ptr;

use annotate_snippets::normalize_untrusted_str as clean;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin as Place, Renderer, Snippet};

use super::edit::Edits;
use super::view::clamp;
use super::{Diagnostic, Frame, Headline, Label, NoteKind, Severity};
use crate::source::{Origin, Source, SourceId, SourceMap, Span};

/// Labels of one file farther apart than this are drawn as two snippets.
const FAR: u32 = 200;
/// Frames of a call stack that are shown, half from each end.
const FRAMES: usize = 2 * HALF;
const HALF: usize = 5;
/// Columns of a report, where what it shows allows it, and of a note, in front of which `   = help: ` stands.
const WIDTH: usize = 100;
const ROOM: usize = WIDTH - 11;
/// Characters of the source line that a call is shown with: whatever its path takes, so that a report does not depend on
/// where a project lies.
const FRAME_CODE: usize = 50;
/// Bytes shown of a line behind its last label.
const TAIL: u32 = 400;

/// How reports look.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// With ANSI colours.
    pub(crate) colors: bool,
    /// Say at the end which steps led to the problems, as far as no place shows them.
    pub(crate) steps: bool,
    /// Gives the line of Rust code in which a call stands, so that it can be shown.
    pub(crate) code: Option<CodeLine>,
}

/// Gives the text of the line at a place in Rust code, if it can be had.
pub type CodeLine = fn(&Location<'_>) -> Option<String>;

impl Style {
    pub(super) fn renderer(self) -> Renderer {
        let renderer = if self.colors { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(WIDTH)
    }
}

/// The primary place as `file:line:column`, if there is one.
#[cfg(feature = "codegen")]
pub(crate) fn place(diagnostic: &Diagnostic) -> Option<String> {
    let parts = diagnostic.parts();
    place_of(parts.sources.as_deref()?, parts.labels.first()?.span)
}

/// A place as `file:line:column`; values of code have none.
#[cfg(feature = "codegen")]
pub(crate) fn place_of(sources: &SourceMap, span: Span) -> Option<String> {
    let source = sources.get(span.source);
    if matches!(source.origin, Origin::Rust(_)) {
        return None;
    }
    let position = source.position(span.start);
    Some(format!("{}:{}:{}", source.shown_name(), position.line, position.column))
}

/// Draws one, without a line break at the end.
pub(crate) fn draw(diagnostic: &Diagnostic, style: Style) -> String {
    let parts = diagnostic.parts();
    // Without a place, the steps are all that says where.
    let message = match &parts.headline {
        _ if parts.labels.is_empty() => diagnostic.full_message(),
        Some(Headline::Text(text)) => text.clone(),
        Some(Headline::Start(end)) if !parts.helps.is_empty() => {
            parts.message.get(..*end).unwrap_or(&parts.message).to_owned()
        }
        _ => parts.message.clone(),
    };
    let message = message.trim_matches(['\n', '\r']);
    let (first, rest) = message.split_once('\n').unwrap_or((message, ""));
    let level = match parts.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::NOTE.with_name("hint"),
    };
    let mut group = Group::with_title(level.primary_title(first.to_string()).id(parts.code.as_str()));
    let mut helps = Vec::new();
    let sources = parts.sources.as_deref();
    if let Some(sources) = sources {
        group = group.elements(snippets(sources, (&parts.labels, parts.in_full), style));
    }
    let mut note = |name: Option<&'static str>, text: String| {
        let level = if let Some(name) = name { Level::NOTE.with_name(name) } else { Level::NOTE };
        let element = Element::from(level.message(text));
        group = std::mem::replace(&mut group, Group::with_level(Level::NOTE)).element(element);
    };
    frames(sources, parts.trace.as_slice(), &parts.labels, |text| note(None, clean(&text)));
    for line in &parts.notes {
        match line.kind {
            _ if line.shown_at.is_some_and(|at| parts.labels.iter().any(|label| label.span == at)) => {}
            // It stands among the steps at the end.
            NoteKind::From if style.steps => {}
            // The reference has its hints under this name: it is the prefix, in place of ours.
            NoteKind::Hint => note(Some("hint"), wrapped(line.content())),
            _ => note(None, wrapped(line.text())),
        }
    }
    let mut edits = Edits::default();
    for help in &parts.helps {
        match sources.and_then(|sources| edits.group(sources, help)) {
            Some(drawn) => helps.push(drawn),
            // Behind an edit, so that the order of the helps is kept.
            None if !helps.is_empty() => {
                helps.push(Group::with_title(Level::HELP.secondary_title(wrapped(&help.text))));
            }
            None => note(Some("help"), wrapped(&help.text)),
        }
    }
    helps.insert(0, group);
    let drawn = edits.put_in(style.renderer().render(&helps), style.colors);
    let mut out = String::new();
    let (title, below) = drawn.split_once('\n').unwrap_or((&drawn, ""));
    out.push_str(title);
    // Further lines of a message are drawn as they are: the renderer would move them to the right of the title.
    for line in rest.lines() {
        out.push_str(if line.is_empty() { "\n" } else { "\n  " });
        out.push_str(&clean(line));
    }
    if !below.is_empty() {
        out.push('\n');
        out.push_str(below);
    }
    out
}

/// Labels by file, in the order in which files are first named; a file whose labels are far apart appears again. The lines of
/// `in_full` are shown where they are between labels.
fn snippets(sources: &SourceMap, (labels, in_full): (&[Label], Option<Span>), style: Style) -> Vec<Element<'static>> {
    let Some(primary) = labels.first() else { return Vec::new() };
    let mut files: Vec<(SourceId, Vec<&Label>)> = Vec::new();
    for label in labels {
        match files.iter_mut().find(|file| file.0 == label.span.source) {
            Some((_, file)) => file.push(label),
            None => files.push((label.span.source, vec![label])),
        }
    }
    let mut elements = Vec::new();
    for (id, file) in files {
        let source = sources.get(id);
        if let Origin::Rust(at) = source.origin {
            elements.push(call(at, style));
            continue;
        }
        if source.is_only_named() {
            elements.push(Element::from(Place::path(source.shown_name())));
            continue;
        }
        let lines = file.into_iter().map(|label| (source.line(clamp(&source, label.span).0), label)).collect();
        let in_full = in_full.filter(|span| span.source == id);
        let in_full = in_full.map(|span| clamp(&source, span)).map(|(from, to)| source.line(from)..=source.line(to));
        let in_full = in_full.unwrap_or(RangeInclusive::new(1, 0));
        elements.extend(clusters(lines, primary).iter().map(|cluster| snippet(&source, cluster, (primary, &in_full))));
    }
    elements
}

/// A call in Rust code: its place, and its line with the called name marked, if the line can be had.
fn call(at: &Location<'_>, style: Style) -> Element<'static> {
    let (file, line, column) = (at.file().to_owned(), at.line() as usize, at.column() as usize);
    let text = style.code.and_then(|code| code(at)).unwrap_or_default();
    let start = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let behind = |(at, c): (usize, char)| (at >= start && !c.is_alphanumeric() && c != '_').then_some(at);
    let end = text.char_indices().find_map(behind).unwrap_or(text.len());
    if end == start {
        return Element::from(Place::path(file).line(line).char_column(column));
    }
    let called = AnnotationKind::Primary.span(start..end);
    Element::from(Snippet::source(text).path(file).line_start(line).annotation(called))
}

/// Groups of labels without a wide gap, the group of the primary label first, each sorted by line.
fn clusters<'a>(mut lines: Vec<(u32, &'a Label)>, primary: &Label) -> Vec<Vec<(u32, &'a Label)>> {
    lines.sort_by_key(|item| item.0);
    let mut clusters: Vec<Vec<(u32, &Label)>> = Vec::new();
    for item in lines {
        match clusters.last_mut() {
            Some(last) if last.last().is_some_and(|before| item.0.abs_diff(before.0) <= FAR) => last.push(item),
            _ => clusters.push(vec![item]),
        }
    }
    if let Some(first) = clusters.iter().position(|cluster| cluster.iter().any(|item| ptr::eq(item.1, primary)))
        && let Some(front) = clusters.get_mut(..=first)
    {
        front.rotate_right(1);
    }
    clusters
}

fn snippet(
    source: &Source,
    cluster: &[(u32, &Label)],
    (primary, in_full): (&Label, &RangeInclusive<u32>),
) -> Element<'static> {
    let spans: Vec<(u32, Span)> = cluster.iter().map(|(line, label)| (*line, label.span)).collect();
    let window = Window::new(source, &spans, in_full);
    let mut snippet =
        Snippet::source(window.text.clone()).path(source.shown_name()).line_start(window.first as usize).fold(true);
    for (line, label) in cluster {
        let kind = if ptr::eq(*label, primary) { AnnotationKind::Primary } else { AnnotationKind::Context };
        let mut annotation = kind.span(window.range(source, *line, label.span));
        if !label.text.is_empty() {
            // A label is one line: a text of the user's may have several.
            annotation = annotation.label(clean(&label.text).replace('\n', " "));
        }
        snippet = snippet.annotation(annotation);
    }
    if let Some(lines) = window.lines_of(in_full) {
        snippet = snippet.annotation(AnnotationKind::Visible.span(lines));
    }
    Element::from(snippet)
}

/// The lines from the first to the last that is of interest, each ended by LF. Lines far from any label are left empty:
/// they are folded anyway.
pub(super) struct Window {
    first: u32,
    pub(super) text: String,
    /// Offset in `text` of each line, and in the source.
    lines: Vec<(usize, u32)>,
}

impl Window {
    /// `spans` are sorted by line; lines of `in_full` have their text wherever they are.
    pub(super) fn new(source: &Source, spans: &[(u32, Span)], in_full: &RangeInclusive<u32>) -> Window {
        let first = spans.first().map_or(1, |span| span.0);
        let last = spans.last().map_or(1, |span| span.0);
        let (mut text, mut lines, mut before, mut rest) = (String::new(), Vec::new(), None, spans);
        for line in first..=last {
            let range = source.line_range(line);
            lines.push((text.len(), range.start));
            while let [span, behind @ ..] = rest
                && span.0 < line
            {
                (before, rest) = (Some(span), behind);
            }
            let near = |span: &&(u32, Span)| span.0.abs_diff(line) <= 2 || in_full.contains(&line);
            if let Some((_, label)) = rest.first().filter(near).or(before.filter(near)) {
                let marked = rest.iter().take_while(|span| span.0 == line).map(|span| span.1.end).max();
                let end = marked.unwrap_or(range.start).clamp(range.start, range.end).saturating_add(TAIL);
                let (from, to) = clamp(source, Span { start: range.start, end: range.end.min(end), ..*label });
                let shown = source.text.as_bytes().get(from as usize..to as usize).unwrap_or_default();
                text.push_str(&String::from_utf8_lossy(shown));
            }
            text.push('\n');
        }
        Window { first, text, lines }
    }

    /// Where lines are in `text`, as far as it has them.
    fn lines_of(&self, lines: &RangeInclusive<u32>) -> Option<std::ops::Range<usize>> {
        let own = |line: u32| self.lines.get(line.checked_sub(self.first)? as usize).map(|(at, _)| *at);
        let mut starts = lines.clone().filter_map(own);
        let first = starts.next()?;
        Some(first..starts.next_back().unwrap_or(first))
    }

    /// Where a span is in `text`, cut to its first line.
    pub(super) fn range(&self, source: &Source, line: u32, span: Span) -> std::ops::Range<usize> {
        let number = line.saturating_sub(self.first) as usize;
        let (in_text, in_source) = self.lines.get(number).copied().unwrap_or_default();
        let text = self.text.get(in_text..).unwrap_or_default();
        let length = text.find('\n').unwrap_or(text.len());
        let (start, end) = clamp(source, span);
        let end = end.min(source.line_range(line).end).max(start);
        // In bytes that are not UTF-8 one byte may have become three.
        let moved = |to: u32| {
            let bytes = source.text.as_bytes().get(in_source as usize..to as usize).unwrap_or_default();
            in_text.saturating_add(String::from_utf8_lossy(bytes).len().min(length))
        };
        moved(start)..moved(end)
    }
}

/// The call stack, innermost first, unless the labels show all of it. A call that repeats is said once, with how often.
fn frames(sources: Option<&SourceMap>, trace: &[Frame], labels: &[Label], mut note: impl FnMut(String)) {
    let line_of = |span: Span| sources.map(|sources| (span.source, sources.get(span.source).line(span.start)));
    if !labels.is_empty() && trace.iter().all(|frame| frame.span.is_none()) {
        return;
    }
    let labelled: Vec<_> = labels.iter().map(|label| line_of(label.span)).collect();
    // No label names the function.
    let is_nameless = |frame: &Frame| trace.len() == 1 || frame.name == "<toplevel>";
    let is_shown =
        |frame: &Frame| is_nameless(frame) && frame.span.is_some_and(|span| labelled.contains(&line_of(span)));
    let runs = trace.chunk_by(|one, next| one == next).filter_map(|run| Some((run.first()?, run.len())));
    let runs: Vec<(&Frame, usize)> = runs.filter(|(frame, _)| !is_shown(frame)).collect();
    let hidden = runs.len().saturating_sub(FRAMES);
    for (number, (frame, count)) in runs.into_iter().enumerate() {
        if (HALF..HALF.saturating_add(hidden)).contains(&number) {
            if number == HALF {
                note(format!("({hidden} more calls)"));
            }
            continue;
        }
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        match (sources, frame.span) {
            (Some(sources), Some(span)) => {
                let source = sources.get(span.source);
                let line = source.line(span.start);
                let code = shortened(source.line_text(line).trim(), FRAME_CODE);
                note(format!("in {} at {}:{line}{times} | {code}", frame.name, source.shown_name()));
            }
            _ => note(format!("in {}{times}", frame.name)),
        }
    }
}

/// A text of at most so many characters; what is left out is shown by `…`.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// Breaks the lines of a note, but not inside of code between backticks, which is there to be copied.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in clean(text.trim_end()).split('\n') {
        let (mut current, mut unit) = (String::new(), String::new());
        for word in line.split_inclusive(' ') {
            unit.push_str(word);
            if unit.matches('`').count() % 2 == 1 && unit.len() < ROOM {
                continue;
            }
            if current.chars().chain(unit.trim_end().chars()).count() > ROOM && !current.trim().is_empty() {
                lines.push(current.trim_end().to_owned());
                current.clear();
            }
            current.push_str(&unit);
            unit.clear();
        }
        lines.push(current + &unit);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diag::Code;
    use crate::source::{LineBreaks, Text};

    const OVERLAY: &str =
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nspec:\n  replica: 3\n";
    const CONFIG: &str = "kind: Deployment\r\nmetadata:\r\n  name: wéb\r\nspec:\r\n  replicas: 1\r\n";

    fn sources(texts: &[(&str, Text)]) -> Arc<SourceMap> {
        let sources = SourceMap::default();
        for (name, text) in texts {
            sources.add(Source::new(*name, text.clone(), Origin::Memory, 0, LineBreaks::Yaml));
        }
        Arc::new(sources)
    }

    fn two_files() -> Arc<SourceMap> {
        sources(&[("o.yml", Text::Str(OVERLAY.into())), ("config/web.yml", Text::Str(CONFIG.into()))])
    }

    fn span(text: &str, source: u32, part: &str) -> Span {
        let start = text.find(part).expect("the part is in the text") as u32;
        Span::new(SourceId(source), start, start + part.len() as u32)
    }

    fn drawn(mut diagnostic: Diagnostic, sources: Arc<SourceMap>, style: Style) -> String {
        diagnostic.parts_mut().sources = Some(sources);
        let text = draw(&diagnostic, style);
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn several_files() {
        let diagnostic = Diagnostic::error(Code::YAML_SYNTAX, "Expected number of matched nodes to be 1, but was 0")
            .label(span(OVERLAY, 0, "replica"), "no such key in Deployment web: spec")
            .label(span(CONFIG, 1, "replicas"), "nearest key")
            .label(span(OVERLAY, 0, "#@overlay/match"), "this overlay matched Deployment web")
            .note("the map has 1 key")
            .help("or write it")
            .help_edit("did you mean `replicas`?", span(OVERLAY, 0, "replica"), "replicas")
            .context("Document on line o.yml:3")
            .context("Overlaying (in following order: o.yml)");
        let expected = "\
error[yaml::syntax]: Expected number of matched nodes to be 1, but was 0
 --> o.yml:5:3
  |
2 | #@overlay/match by=overlay.all
  | --------------- this overlay matched Deployment web
...
5 |   replica: 3
  |   ^^^^^^^ no such key in Deployment web: spec
  |
 ::: config/web.yml:5:3
  |
5 |   replicas: 1
  |   -------- nearest key
  |
  = note: the map has 1 key
  = help: or write it
help: did you mean `replicas`?
  |
5 |   replicas: 3
  |          +";
        assert_eq!(drawn(diagnostic, two_files(), Style { steps: true, ..Style::default() }), expected);
    }

    #[test]
    fn a_line_to_insert() {
        let at = span(OVERLAY, 0, "  replica").start;
        let diagnostic = Diagnostic::warning(Code::YAML_SYNTAX, "no match")
            .label(span(OVERLAY, 0, "replica: 3"), "")
            .help_edit("to add it", Span::new(SourceId(0), at, at), "  #@overlay/match missing_ok=True\n")
            // As an edit is made behind the indentation.
            .help_edit("the same", Span::new(SourceId(0), at + 2, at + 2), "#@overlay/match missing_ok=True\n  ")
            .help("something else");
        let expected = "\
warning[yaml::syntax]: no match
 --> o.yml:5:3
  |
5 |   replica: 3
  |   ^^^^^^^^^^
  |
help: to add it
  |
5 +   #@overlay/match missing_ok=True
6 |   replica: 3
  |
help: the same
  |
5 +   #@overlay/match missing_ok=True
6 |   replica: 3
  |
help: something else";
        assert_eq!(drawn(diagnostic, two_files(), Style::default()), expected);
    }

    #[test]
    fn messages_of_several_lines_and_calls() {
        let diagnostic = Diagnostic::error(Code::YAML_SYNTAX, "\nvalues were invalid\n====\n\n  = found: x\n")
            .label(span(CONFIG, 1, "wéb"), "")
            .frame("f", Some(span(OVERLAY, 0, "replica")))
            .frame("<toplevel>", Some(span(OVERLAY, 0, "spec")));
        let expected = "\
error[yaml::syntax]: values were invalid
  ====

    = found: x
 --> config/web.yml:3:9
  |
3 |   name: wéb
  |         ^^^
  |
  = note: in f at o.yml:5 | replica: 3
  = note: in <toplevel> at o.yml:4 | spec:";
        assert_eq!(drawn(diagnostic, two_files(), Style::default()), expected);
    }

    #[test]
    fn lines_that_are_shown_in_full_are_not_left_out() {
        let report = |in_full: Option<Span>| {
            let mut diagnostic = Diagnostic::error(Code::YAML_SYNTAX, "x").label(span(CONFIG, 1, "kind"), "one");
            diagnostic = diagnostic.label(span(CONFIG, 1, "replicas"), "other");
            diagnostic.parts_mut().in_full = in_full;
            drawn(diagnostic, two_files(), Style::default())
        };
        let shown = |lines: &str| {
            format!(
                "\
error[yaml::syntax]: x
 --> config/web.yml:1:1
  |
1 | kind: Deployment
  | ^^^^ one
{lines}
5 |   replicas: 1
  |   -------- other"
            )
        };
        assert_eq!(report(None), shown("..."));
        let all = "2 | metadata:\n3 |   name: wéb\n4 | spec:";
        assert_eq!(report(Some(span(CONFIG, 1, CONFIG))), shown(all));
        assert_eq!(report(Some(span(CONFIG, 1, "metadata:"))), shown("2 | metadata:\n..."));
        assert_eq!(report(Some(span(OVERLAY, 0, OVERLAY))), shown("..."));
    }

    #[test]
    fn calls_are_drawn_alike_wherever_a_project_lies() {
        let code = format!("total = {}\n", "sum(1, 2) + ".repeat(9));
        let report = |name: &str| {
            let place = span(&code, 0, "total");
            let diagnostic = Diagnostic::error(Code::STARLARK_ERROR, "x").frame("f", Some(place)).frame("g", None);
            drawn(diagnostic, sources(&[(name, Text::Str(code.as_str().into()))]), Style::default())
        };
        let far = format!("/{}a.star", "folder/".repeat(20));
        assert_eq!(report(&far).replace(&far, "a.star"), report("a.star"));
        assert!(report("a.star").contains("in f at a.star:1 | total = sum(1, 2) + sum(1, 2) + sum(1, 2) + sum(1…"));
    }

    #[test]
    fn notes_are_broken_between_words_but_not_inside_of_code() {
        let words = "word ".repeat(30);
        let lines: Vec<usize> = wrapped(words.trim_end()).lines().map(str::len).collect();
        assert_eq!(lines, [89, 59]);
        let code = format!("{}`{}`", "word ".repeat(17), "a b ".repeat(9));
        assert_eq!(wrapped(&code).lines().nth(1), Some(format!("`{}`", "a b ".repeat(9)).as_str()));
        assert_eq!(wrapped("  a\n b"), "  a\n b");
        assert_eq!(shortened("éclair", 4), "écl…");
        assert_eq!(shortened("four", 4), "four");
    }

    #[test]
    fn without_a_place() {
        let diagnostic = Diagnostic::error(Code::FILES_READ, "lstat x: no such file").context("Checking file 'x'");
        let diagnostic = diagnostic.context("Listing files 'd'");
        let expected = "error[files::read]: Listing files 'd': Checking file 'x': lstat x: no such file";
        assert_eq!(draw(&diagnostic, Style::default()), expected);
    }

    #[test]
    fn any_span_of_any_text_can_be_drawn() {
        let texts = [
            Text::Str("".into()),
            Text::Str("é\u{85}b\u{2028}c\r\n\td\n\n".into()),
            Text::from_bytes(b"a\xff\xfeb\nc\xc3".to_vec()),
            Text::Str(format!("x\n{}\n{}y", "\n".repeat(300), "long ".repeat(2000)).into()),
        ];
        for text in texts {
            let length = text.as_bytes().len() as u32;
            let map = sources(&[("t", text)]);
            let step = (length / 40).max(1) as usize;
            for start in (0..length + 3).step_by(step) {
                for end in [0, start, start + 1, start + 5, length, length + 9] {
                    let here = Span::new(SourceId(0), start, end);
                    let diagnostic = Diagnostic::error(Code::FILES_READ, "x")
                        .label(here, "first")
                        .label(Span::new(SourceId(0), end, end), "second")
                        .help_edit("edit", here, "new\ntext")
                        .help_edit("edit", here, "");
                    drawn(diagnostic, map.clone(), Style { colors: true, ..Style::default() });
                }
            }
        }
    }
}
