//! What code says of a key that is given and not declared: where it reads the key by the same name, the declaration may be
//! what is wrong. A render tells, so the help is tried against the others.

use super::misfit::{Checked, Told};
use super::regroup::{Declared, Move, Place};
use super::{ItemId, MapType};
use crate::diag::{Diagnostic, suggest};
use crate::files::is_in_library;
use crate::source::{Origin, SourceId, SourceMap, Span, to_u32};
use crate::template::word;
use crate::validate::key_text;
use crate::yaml::resolve::needs_no_quotes;

/// Bytes of all sources that are looked through.
const MOST: usize = 1 << 20;

impl Told<'_> {
    /// Adds that code reads the key by its name, and not by the one that is declared, with the edit of the declaration.
    pub(super) fn as_code_has_it(&self, told: Diagnostic, key: &str, map: &MapType) -> Diagnostic {
        let keys: Vec<String> = map.items.iter().map(|id| key_text(self.arena, self.schema.item(*id).key)).collect();
        let names = || keys.iter().map(String::as_str);
        let near = suggest::similar(key, names()).or_else(|| suggest::meant(key, names()).only());
        let Some((near, declared)) = near.and_then(|near| Some((near, self.declared(map, near)?))) else { return told };
        let (read, near_read) = (self.read_at(key), self.read_at(near));
        let Some(read) = read else {
            // That code reads the one and not the other says which of them is meant.
            return if near_read.is_some() { more_likely(told, near) } else { told };
        };
        if near == key || near_read.is_some() {
            return told;
        }
        let told = told.label(read, format!("code reads `{key}`"));
        let place = self.declaration(declared).filter(|_| needs_no_quotes(key));
        match place.filter(|place| self.sources.get(place.source).written(*place) == Some(near)) {
            Some(place) => {
                let text = format!("code reads `{key}`, and nothing reads `{near}`: declare it by that name");
                // What reads it by the given name would find nothing then.
                told.unless_other_side(near).help_edit(text, place, key).other_side()
            }
            None => told,
        }
    }

    /// Adds the edit that moves a declaration to where the key is given, if code reads it by its name.
    pub(super) fn declared_as_given(&self, told: Diagnostic, key: &str, Declared { way, .. }: &Declared) -> Diagnostic {
        let place = way.as_ref().and_then(|way| self.declaration(*way.last()?)).filter(|_| self.read_at(key).is_some());
        let Some(place) = place else { return told };
        let groups = self.path.rsplit_once('.').map_or(Vec::new(), |(groups, _)| groups.split('.').collect());
        if groups.iter().any(|group| group.contains(['[', '"'])) {
            return told;
        }
        let groups: Vec<String> = groups.into_iter().map(str::to_owned).collect();
        match self.moved_declaration(place, &groups, key) {
            Some(Place::Free(Move { edit: (span, new), .. })) => {
                let group =
                    if groups.is_empty() { "at the top".to_owned() } else { format!("in `{}`", groups.join(".")) };
                told.help_edit(format!("code and values have `{key}` {group}: declare it there"), span, new)
                    .other_side()
            }
            _ => told,
        }
    }

    /// The place of a declared key, unless the schema is that of somebody else.
    fn declaration(&self, declared: ItemId) -> Option<Span> {
        let place = self.arena.place(self.schema.item(declared).pos)?.key();
        let is_own = matches!(self.from, Checked::Values) && !is_in_library(&self.sources.get(place.source).name);
        is_own.then_some(place)
    }

    fn read_at(&self, key: &str) -> Option<Span> {
        read_at(self.sources, key)
    }
}

/// Says of a name that was guessed what speaks for it.
fn more_likely(mut told: Diagnostic, near: &str) -> Diagnostic {
    if let [help] = &mut told.parts_mut().helps[..]
        && help.is_guess
        && help.edit.as_ref().is_some_and(|(_, new)| new == near)
    {
        help.text = format!("did you mean `{near}`, which code reads?");
    }
    told
}

/// The first place at which code reads a member of that name.
pub(super) fn read_at(sources: &SourceMap, name: &str) -> Option<Span> {
    let all = sources.all();
    let bytes: usize = all.iter().map(|source| source.text.as_bytes().len()).sum();
    if bytes > MOST {
        return None;
    }
    all.iter().enumerate().find_map(|(number, source)| {
        let is_code = !matches!(source.origin, Origin::Flag | Origin::Rust(_));
        let text = source.text.as_str().filter(|text| is_code && text.contains("data.values"))?;
        let at = word::whole(text, name).find(|at| {
            let before = text.get(..*at).unwrap_or_default();
            before.ends_with('.') || before.ends_with("[\"")
        })?;
        let start = to_u32(at);
        Some(Span::new(SourceId(to_u32(number)), start, start.saturating_add(to_u32(name.len()))))
    })
}
