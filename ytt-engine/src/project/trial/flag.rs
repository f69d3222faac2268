//! A flag that gives a text where the schema declares a number: what comes of it if the number is meant after all.

use super::{Edit, Record, Trials, is_same_file, render_with};
use crate::diag::{Diagnostic, Fact, Help, Label};
use crate::files::Known;
use crate::project::given::{GivenFlag, GivenStep};
use crate::source::{Origin, SourceId, Span, to_u32};
use crate::template::handled::{Handled, handled, names_version};

/// What comes of a flag that gives a number.
pub(super) struct ByFlag {
    /// How many problems are left.
    pub(super) left: usize,
    /// Where code wants a text.
    wanted: Option<Span>,
    /// The number as the flag gives it, where it has a fraction, and what declares such numbers.
    fraction: Option<(String, String)>,
    /// What code does with it.
    handled: Handled,
}

impl Trials<'_> {
    /// What comes of the flag that a problem is about if it gives YAML, as its help says, and not a text. `other` quotes what
    /// declares the value: for a fraction a float is declared there.
    pub(super) fn by_flag(&mut self, problem: &Diagnostic, other: &Help) -> Option<ByFlag> {
        let given = self.given_by_flag(problem)?;
        let (_, value) = given.split_once('=')?;
        let declared = other.edit.as_ref().and_then(|(place, _)| {
            let source = self.sources.get(place.source);
            let written = source.written(*place).filter(|_| is_fraction(value))?;
            written.bytes().all(|digit| digit.is_ascii_digit()).then(|| (*place, format!("{written}.0")))
        });
        let mut steps = self.steps.clone();
        let flag = steps.given.iter_mut().find_map(|(_, step)| match step {
            GivenStep::Flag(flag @ GivenFlag::Text, own) if *own == given => Some(flag),
            _ => None,
        });
        *flag? = GivenFlag::Yaml;
        let edits: Vec<Edit> = declared.into_iter().collect();
        self.left = self.left.checked_sub(1)?;
        let known = self.known_with(&edits).filter(|_| !edits.is_empty());
        let known = known.unwrap_or_else(|| Known::of(self.sources));
        let record = Record { sources: std::sync::Arc::default(), reads: steps.reads(known) };
        let found = match render_with(&steps, self.stop, &record) {
            Ok(_) => Vec::new(),
            Err(error) => error.diagnostics().to_vec(),
        };
        let wanted = found.first().and_then(|problem| self.wanted_in(problem, &edits));
        let fraction = edits.into_iter().next().map(|(_, declared)| (given, declared));
        let path = fraction.as_ref().and_then(|(given, _): &(String, String)| given.split_once('='));
        let handled = path.map(|(path, _)| handled(self.sources, path)).unwrap_or_default();
        Some(ByFlag { left: found.len(), wanted, fraction, handled })
    }

    /// The flag that gives the text of a problem, as it was typed.
    fn given_by_flag(&self, problem: &Diagnostic) -> Option<String> {
        let span = problem.parts().labels.first()?.span;
        let source = self.sources.get(span.source);
        let text = source.text.as_str().filter(|_| source.origin == Origin::Flag)?;
        Some(text.trim_end().to_owned())
    }

    /// Whether the flag of a problem gives a number with a fraction.
    pub(super) fn gives_fraction(&self, problem: &Diagnostic) -> bool {
        self.given_by_flag(problem)
            .is_some_and(|given| given.split_once('=').is_some_and(|(_, value)| is_fraction(value)))
    }

    /// Where code of the project works with a text and got the number, as a problem of another render says it.
    fn wanted_in(&self, problem: &Diagnostic, edits: &[Edit]) -> Option<Span> {
        let parts = problem.parts();
        matches!(parts.fact, Some(Fact::Operands { .. })).then_some(())?;
        let span = parts.labels.first()?.span;
        let there = parts.sources.as_ref()?.get(span.source);
        let all = self.sources.all();
        let here = all
            .iter()
            .position(|source| is_same_file(source, &there) && source.text.as_bytes() == there.text.as_bytes())?;
        let here = SourceId(to_u32(here));
        edits.iter().all(|(place, _)| place.source != here).then_some(Span { source: here, ..span })
    }
}

impl ByFlag {
    /// Shows beside the help that quotes a declaration where code wants the text.
    pub(super) fn show(&self, other: &mut Help) {
        let label = self.wanted.map(|span| Label { span, text: "code wants a text here".to_owned() });
        other.labels.extend(label);
    }

    /// Both sides of a fraction where an integer is declared, if the project renders with either: first the text if that is
    /// likely, and the whole number if the fraction is one. What code counts with is no text.
    pub(super) fn sides(&self, other: &Help) -> Vec<Help> {
        let (0, Some((pair, declared)), Some((place, new))) = (self.left, &self.fraction, &other.edit) else {
            return Vec::new();
        };
        let text = "if it is a text, as a version is, quote what declares it";
        let quoted = Help { is_guess: true, ..Help::with_edit(text, *place, new.clone()) };
        let text = format!("if it is a number, declare a float, `{declared}`, and use `--data-value-yaml {pair}`");
        let float = Help::new(text);
        let (path, value) = pair.split_once('=').unwrap_or((pair, ""));
        let is_version = names_version(path.rsplit('.').next().unwrap_or_default());
        let whole = value.split_once('.').filter(|(_, part)| part.bytes().all(|digit| digit == b'0'));
        if let Some((number, _)) = whole.filter(|_| !is_version) {
            let whole =
                Help::new(format!("an integer is written without a point: use `--data-value-yaml {path}={number}`"));
            return vec![whole, float];
        }
        match self.handled {
            Handled { is_counted: true, .. } => vec![float],
            Handled { is_joined, .. } if is_joined || is_version => vec![quoted, float],
            _ => vec![float, quoted],
        }
    }
}

/// A number with a fraction, as people write it: `15.4`.
fn is_fraction(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('.').is_some_and(|(whole, part)| digits(whole) && digits(part))
}
