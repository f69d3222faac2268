//! Names in a matcher that hold what it looks for: where their values are written, in this file or in one that it loads.

use super::nearest::subsets;
use super::parts::leaves;
use crate::diag::{Diagnostic, PathStep};
use crate::overlay::engine::Scene;
use crate::overlay::matcher::Test;
use crate::source::{SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::written::{self, MemberKey};
use crate::template::{outline, word};
use crate::yaml::{Arena, NodeId, Val};

/// A text that a name of a matcher holds.
pub(super) struct Constant {
    name: String,
    /// Its name where it is defined.
    pub(super) own: String,
    /// The text is all that the name is set to.
    pub(super) is_whole: bool,
    /// With its quotes.
    pub(super) literal: Span,
    /// Other code reads it as well: an edit changes more than this matcher.
    pub(super) is_shared: bool,
}

impl Scene<'_> {
    /// Says what the names of a matcher hold that nothing has: of all that it looks for, or of what is `missed`.
    pub(super) fn constants(&self, diagnostic: Diagnostic, test: Option<&Test>, missed: Option<Val>) -> Diagnostic {
        const SHOWN: usize = 3;
        let (Some(by), Some(mut test)) = (self.by_span(), test.cloned()) else { return diagnostic };
        let mut wanted = Vec::new();
        for target in subsets(&mut test).into_iter().flatten() {
            let Some(target) = self.target_nodes(target) else { continue };
            wanted.extend(leaves(&self.arena(), target).into_iter().map(|(_, value)| value));
        }
        let arena = self.arena();
        let is_wanted = |value: &Val| missed.is_none_or(|missed| arena.same(missed, *value));
        let texts = wanted.into_iter().filter(is_wanted).filter_map(|value| arena.str(value));
        let found = texts.filter_map(|text| Some((text, self.constant(by, text)?))).take(SHOWN);
        found.fold(diagnostic, |diagnostic, (text, Constant { name, literal, is_whole, .. })| {
            let is_known = diagnostic.parts().labels.iter().any(|label| label.span == literal);
            let does = if is_whole { "is" } else { "holds" };
            if is_known { diagnostic } else { diagnostic.label(literal, format!("`{name}` {does} `{text}`")) }
        })
    }

    /// The name in an argument that holds a text which is not written there.
    pub(super) fn constant(&self, argument: Span, text: &str) -> Option<Constant> {
        /// Names that stand for names.
        const STEPS: usize = 4;
        self.constant_within(argument, text, STEPS)
    }

    fn constant_within(&self, argument: Span, text: &str, steps: usize) -> Option<Constant> {
        if self.literal(argument, text).is_some() || steps == 0 {
            return None;
        }
        let here = self.calls.sources().get(argument.source);
        let members = written::members(self.calls.sources(), argument);
        let member = members.iter().find_map(|member| {
            let (file, own) = self.home(argument.source, here.written(member.name)?)?;
            let value = outline::value(&self.calls.sources().get(file), file, &own)?;
            let step = match &member.key {
                MemberKey::Named(key) => PathStep::Key(key),
                MemberKey::Index(index) => PathStep::Index(*index),
            };
            let whole = here.written(member.whole)?;
            let name = member.name.end.checked_sub(member.name.start)?;
            let own = format!("{own}{}", whole.get(name as usize..)?);
            let shared = match &member.key {
                MemberKey::Named(key) => self.uses(key) > 2,
                MemberKey::Index(_) => true,
            };
            let entry = written::within(self.calls.sources(), value, &[step]).map(|entry| entry.value);
            self.constant_of(whole, own, entry?, text, steps, shared)
        });
        let held = member.or_else(|| {
            written::names(self.calls.sources(), argument).into_iter().find_map(|span| {
                let name = here.written(span)?;
                let (file, own) = self.home(argument.source, name)?;
                let value = outline::value(&self.calls.sources().get(file), file, &own)?;
                // Where it is defined, loaded and used here.
                let expected = if file != argument.source && own == name { 3 } else { 2 };
                let is_shared = self.uses(&own) > expected;
                self.constant_of(name, own, value, text, steps, is_shared)
            })
        });
        held.or_else(|| {
            let mut called = written::called(self.calls.sources(), argument).into_iter();
            called.find_map(|span| self.returned_text(argument.source, here.written(span)?, text, steps))
        })
    }

    /// The text that a function returns, in one of its values.
    fn returned_text(&self, here: SourceId, name: &str, text: &str, steps: usize) -> Option<Constant> {
        let (file, own) = self.home(here, name)?;
        let function = FileCode::read(&self.calls.sources().get(file), file)?.function_of(&own, false)?;
        let is_shared = self.uses(&own) > if file != here && own == name { 3 } else { 2 };
        let (name, own) = (format!("{name}()"), format!("{own}()"));
        let returned = function.returned.into_iter();
        let mut found =
            returned.filter_map(|value| self.constant_of(&name, own.clone(), value, text, steps, is_shared));
        found.next_back().map(|found| Constant { is_whole: false, ..found })
    }

    /// The text that a name holds whose value is written at `value`: there, or behind another name.
    fn constant_of(
        &self,
        name: &str,
        own: String,
        value: Span,
        text: &str,
        steps: usize,
        is_shared: bool,
    ) -> Option<Constant> {
        let Some(literal) = self.literal(value, text) else {
            let inner = self.constant_within(value, text, steps.checked_sub(1)?)?;
            return Some(Constant { is_shared: inner.is_shared || is_shared, ..inner });
        };
        let is_whole = self.written(value)?.trim() == self.written(literal)?;
        Some(Constant { name: name.to_owned(), own, is_whole, literal, is_shared })
    }

    /// Where the name is set that is all the code of an item, with what to say of it.
    pub(super) fn name_behind(&self, arena: &Arena, holder: NodeId) -> Option<(Span, String)> {
        let code = arena.place_of(holder)?.code(self.calls.sources())?;
        let name = self.written(code)?;
        let (file, own) = self.home(code.source, name.trim())?;
        let value = outline::value(&self.calls.sources().get(file), file, &own)?;
        let written = self.written(value)?;
        let blanks = written.len().checked_sub(written.trim_start().len())?;
        Some((Span { start: value.start.checked_add(to_u32(blanks))?, ..value }, format!("`{own}` is this")))
    }

    /// The file that sets a name of a file, and what the name is there.
    pub(super) fn home(&self, file: SourceId, name: &str) -> Option<(SourceId, String)> {
        outline::home(self.calls.sources(), file, name)
    }

    /// How often a word stands in all sources.
    pub(super) fn uses(&self, name: &str) -> usize {
        let sources = self.calls.sources().all();
        let texts = sources.iter().filter_map(|source| source.text.as_str());
        texts.map(|text| word::whole(text, name).count()).sum()
    }
}
