//! The answer for people: one value with its history, or lines with a gutter that says where each is from.

use std::fmt::Write;

use super::origin::{Origin, OriginKind, Reading, Taken};
use super::overlays::OverlayItem;
use super::select::What;
use super::{DataValue, Explanation, Found};
use crate::diag::TextRange;

impl Found<'_> {
    /// What is told of it to people, newest step first. `colors`: with ANSI colours.
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\n").explain(true).render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// let text = explanation.find("a.yml", "a").unwrap().to_text(false);
    /// assert!(text.starts_with("a.yml: a = 1"));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_text(&self, colors: bool) -> String {
        let paint = Paint { colors };
        let (mut out, origins) = (String::new(), self.origins());
        let name = self.kind_and_name().map_or_else(|| self.document(), |(kind, name)| format!("{kind} {name}"));
        let path = self.path();
        let subject = if path.is_empty() { name } else { format!("{name}: {path}") };
        match (self.value(), self.line()) {
            (Some(value), Some(line)) => {
                let head = format!("{subject} = {value}");
                let room = WIDTH.saturating_sub(head.chars().count().saturating_add(24)).max(2);
                let whose = if matches!(self.what, What::Text { .. }) { "file" } else { "output" };
                let _ = writeln!(out, "{}{:room$}(line {line} of the {whose})", paint.bold(&head), "");
            }
            _ => {
                let _ = writeln!(out, "{}", paint.bold(&format!("{subject} was removed")));
            }
        }
        out.push('\n');
        history(&mut out, self.explanation, &origins, 2, paint);
        out
    }

    /// All lines of the document or item, each with the place that it is from.
    pub fn to_lines(&self, colors: bool) -> String {
        let number = match self.what {
            What::Entry(number) => number,
            What::Text { number, line } => return self.explanation.lines_of_text(number, line, colors),
            What::Removed { .. } => return String::new(),
        };
        let entry = self.explanation.entry(number);
        let (_, last) = self.explanation.lines_of_document(entry.document);
        let mut later = self.explanation.entries.iter().skip(number as usize).skip(1);
        let after = later.find(|next| next.mark.depth <= entry.mark.depth && next.document == entry.document);
        let end = after.map_or(last, |next| next.line.saturating_sub(1));
        self.explanation.lines_between((entry.line as usize).saturating_sub(1), end as usize, colors)
    }
}

impl Explanation<'_> {
    /// All lines of the output, each with the place that it is from: the newest step of its history.
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\nb: #@ 1 + 1\n").explain(true).render()?;
    /// let text = rendered.explanation()?.unwrap().to_lines(false);
    /// assert_eq!(text, "a.yml:1  |  a: 1\na.yml:2  |  b: 2\n");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_lines(&self, colors: bool) -> String {
        self.lines_between(0, self.lines.len(), colors)
    }

    fn lines_between(&self, from: usize, to: usize, colors: bool) -> String {
        let lines: Vec<_> = (from..to).map(|number| (self.newest(number), self.line_text(number))).collect();
        with_gutter(&lines, Paint { colors })
    }

    /// Lines of a text, each with the place of what its template printed first for it.
    fn lines_of_text(&self, number: u32, line: Option<u32>, colors: bool) -> String {
        let text = self.whole_text(number);
        let lines = line.map_or(0..text.count(), |line| line as usize..(line as usize).saturating_add(1));
        let lines: Vec<_> = lines
            .map(|line| {
                let parts = text.parts_of(line);
                let first = parts.first().map(|(part, _)| TextRange::new(self.sources, part.place));
                (first.as_ref().map(line_of).unwrap_or_default(), text.line(line))
            })
            .collect();
        with_gutter(&lines, Paint { colors })
    }

    /// Where the newest step of a line was made.
    fn newest(&self, number: usize) -> String {
        if self.line_text(number) == "---" {
            return String::new();
        }
        let at = self.entry_on(number).and_then(|entry| self.steps_of(entry).first()?.at);
        let place = at.map(|at| TextRange::new(self.sources, at));
        place.as_ref().map(line_of).unwrap_or_default()
    }

    /// Items of overlays, each with what came of it.
    pub(super) fn overlay_lines(&self, items: &[OverlayItem], colors: bool) -> String {
        let paint = Paint { colors };
        let places: Vec<String> = items.iter().map(|item| item.place().map(full).unwrap_or_default()).collect();
        let width = places.iter().map(|place| place.chars().count()).max().unwrap_or_default();
        let of_operation = items.iter().map(|item| item.operation().len()).max().unwrap_or_default();
        let mut out = String::new();
        for (item, place) in items.iter().zip(&places) {
            let matcher = item.matcher().map(|matcher| format!("    {matcher}")).unwrap_or_default();
            let operation = format!("{:of_operation$}", item.operation());
            let place = paint.place(&format!("{place:width$}"));
            let line = format!("{place}  {operation}  {}{}", item.said(), paint.dim(&matcher));
            let _ = writeln!(out, "{}", line.trim_end());
            if !item.source().is_empty() {
                let _ = writeln!(out, "{:width$}  | {}", "", item.source());
            }
        }
        out
    }

    /// All data values, each with the places that set it.
    pub fn values_to_text(&self, colors: bool) -> String {
        let mut out = String::new();
        for value in self.data_values() {
            let _ = writeln!(out, "{}", Paint { colors }.bold(&format!("{} = {}", value.name(), value.value())));
            history(&mut out, self, &value.origins(), 2, Paint { colors });
        }
        out
    }
}

/// A file with a line.
fn line_of(place: &TextRange) -> String {
    format!("{}:{}", path(place), place.start().line)
}

/// Lines with the places that they are from in front.
fn with_gutter(lines: &[(String, &str)], paint: Paint) -> String {
    let width = lines.iter().map(|(place, _)| place.chars().count()).max().unwrap_or_default();
    let mut out = String::new();
    for (place, text) in lines {
        let gutter = format!("{place:width$}");
        let line = format!("{}  |  {text}", paint.dim(&gutter));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// Columns of a report.
const WIDTH: usize = 100;

#[derive(Clone, Copy)]
struct Paint {
    colors: bool,
}

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.colors { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    fn place(self, text: &str) -> String {
        self.with("36", text)
    }
}

/// The path that opens, else the name.
fn path(place: &TextRange) -> String {
    place.path().map_or_else(|| place.file().to_owned(), |path| path.display().to_string())
}

/// The flag or the place of a step.
fn where_from(origin: &Origin) -> String {
    origin.flag().map(str::to_owned).or_else(|| origin.place().map(full)).unwrap_or_default()
}

fn full(place: &TextRange) -> String {
    format!("{}:{}", path(place), place.start())
}

/// The steps, one below the other, with the data values that each read.
fn history(out: &mut String, of: &Explanation<'_>, origins: &[Origin], indent: usize, paint: Paint) {
    let places: Vec<String> = origins.iter().map(where_from).collect();
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or_default();
    let of_value = width(&mut origins.iter().map(|origin| origin.value().chars().count())).min(30);
    let of_place = width(&mut places.iter().map(|place| place.chars().count()));
    for (origin, place) in origins.iter().zip(&places).take(STEPS) {
        let value = match origin.kind() {
            OriginKind::Overlaid if origin.is_removal() => "-",
            _ => origin.value(),
        };
        let mut line = format!("{:indent$}{}", "", paint.bold(&format!("{value:of_value$}")));
        let _ = write!(line, "  {}  {}", paint.place(&format!("{place:of_place$}")), origin.said());
        if let Some(overlay) = origin.overlay() {
            let matcher = overlay.matcher().map(|matcher| format!(", {matcher}")).unwrap_or_default();
            let matches = if overlay.matches() == 1 { "match" } else { "matches" };
            if overlay.matches() > 0 && !origin.is_of_values() {
                let _ = write!(line, "    {}", paint.dim(&format!("{} {matches}{matcher}", overlay.matches())));
            }
        }
        let _ = writeln!(out, "{}", line.trim_end());
        // A flag says its value itself; a file of values has a line to show.
        let has_line = origin.kind() != OriginKind::Given || origin.place().is_some_and(|place| place.path().is_some());
        if has_line && !origin.source().is_empty() {
            let _ = writeln!(out, "{:indent$}{:of_value$}  | {}", "", "", origin.source());
        }
        for returned in origin.returns().iter().take(READS) {
            let call =
                returned.call().map(|call| format!(", called at {}", paint.place(&full(call)))).unwrap_or_default();
            let place = paint.place(&full(returned.place()));
            let _ = writeln!(out, "{:indent$}{:of_value$}  returned at {place}{call}", "", "");
        }
        if origin.returns().len() > READS {
            let more = origin.returns().len().saturating_sub(READS);
            let _ = writeln!(out, "{:indent$}{:of_value$}  and from {more} more", "", "");
        }
        for call in origin.calls() {
            let _ = writeln!(out, "{:indent$}{:of_value$}  called at {}", "", "", paint.place(&full(call)));
        }
        let indent_of_reads = indent.saturating_add(of_value).saturating_add(2);
        names(out, origin, indent_of_reads, paint);
        reads(out, of, origin, indent_of_reads, paint);
    }
    if origins.len() > STEPS {
        let _ = writeln!(out, "{:indent$}… and {} more", "", origins.len().saturating_sub(STEPS));
    }
}

/// So many steps of one value are told.
const STEPS: usize = 100;

/// So many values that were read around something are listed.
const READS: usize = 12;

/// The beginning of a text that is longer than so many characters.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// Where the names of an expression were set.
fn names(out: &mut String, origin: &Origin, indent: usize, paint: Paint) {
    for set in origin.names().iter().take(READS) {
        let place = paint.place(&full(set.place()));
        let _ = writeln!(out, "{:indent$}`- {}, set at {place}", "", paint.bold(&cut(set.code(), WIDTH / 2)));
    }
}

fn reads(out: &mut String, of: &Explanation<'_>, origin: &Origin, indent: usize, paint: Paint) {
    let (scope, expression): (Vec<&Reading>, Vec<&Reading>) = origin.reads().iter().partition(|read| read.in_scope());
    for taken in origin.taken().iter().filter(|taken| !taken.in_scope()) {
        let _ = writeln!(out, "{:indent$}`- {}", "", taken_text(taken, paint));
    }
    for (number, read) in expression.iter().enumerate() {
        let head = format!("data value {} = {}", read.name(), read.value());
        let _ = writeln!(out, "{:indent$}`- {}", "", paint.bold(&head));
        let value = DataValue { explanation: of, id: read.id };
        if of.values.get(read.id).is_leaf {
            history(out, of, &value.origins(), indent.saturating_add(3), paint);
            continue;
        }
        // Of a list of which items are told below, only how many there are was read.
        let end = of.values.get(read.id).end;
        if expression.iter().skip(number).any(|other| read.id < other.id && other.id < end) {
            continue;
        }
        let inside = of.values.leaves_of(read.id);
        for id in inside.iter().take(READS) {
            let inner = DataValue { explanation: of, id: *id };
            let place = inner.origins().first().map(where_from).unwrap_or_default();
            let _ = writeln!(out, "{:indent$}   {} = {}  {}", "", inner.name(), inner.value(), paint.place(&place));
        }
        if inside.len() > READS {
            let _ = writeln!(out, "{:indent$}   and {} more", "", inside.len().saturating_sub(READS));
        }
    }
    for taken in origin.taken().iter().filter(|taken| taken.in_scope()).take(READS) {
        let _ = writeln!(out, "{:indent$}`- in scope: {}", "", taken_text(taken, paint));
    }
    if scope.is_empty() {
        return;
    }
    let names: Vec<String> =
        scope.iter().take(READS).map(|read| format!("{} = {}", read.name(), read.value())).collect();
    let more = scope.len().saturating_sub(READS);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let _ = writeln!(out, "{:indent$}`- in scope: {}{rest}", "", names.join(", "));
}

/// What code took from elsewhere, and where.
fn taken_text(taken: &Taken, paint: Paint) -> String {
    let (what, how) = match taken.format() {
        Some(format) => (format!("{format} text"), "decoded"),
        None => (format!("file {}", taken.file().map(path).unwrap_or_default()), "read"),
    };
    let call = taken.call().map(|call| format!(", {how} at {}", paint.place(&full(call)))).unwrap_or_default();
    paint.bold(&what) + &call
}
