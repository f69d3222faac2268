//! A rule that can judge no value of the declared type: its annotation stands above the wrong key, most often one line too
//! high.

use super::{ItemId, MapType, Schema, Type, TypeKind};
use crate::diag::{Diagnostic, Label, suggest};
use crate::nearest::only;
use crate::source::{SourceMap, Span};
use crate::template::written;
use crate::validate::{Rules, Test};
use crate::yaml::words::{article, key_text};
use crate::yaml::{Arena, Val};

/// The declaration below an annotation of rules.
pub(super) struct Misplaced<'a> {
    arena: &'a Arena,
    sources: &'a SourceMap,
    schema: &'a Schema,
    item: ItemId,
    rules: &'a Rules,
    /// What the first rule that cannot judge it is for.
    wanted: String,
    /// The keys of a map that a function of the only rule reads.
    keys: Vec<String>,
}

impl<'a> Misplaced<'a> {
    /// `None` if the rules can hold, or do not stand above the declaration.
    pub(super) fn of(
        (arena, sources, schema): (&'a Arena, &'a SourceMap, &'a Schema),
        item: ItemId,
        rules: &'a Rules,
    ) -> Option<Misplaced<'a>> {
        let own = schema.item(item);
        own.rules.as_ref().filter(|own| own.pos == rules.pos)?;
        let ty = schema.inner(own.ty);
        let wanted = rules.list.iter().find_map(|rule| wanted(arena, &rule.test).filter(|(fits, _)| !fits(ty)));
        let keys = match (&wanted, &ty.kind, arena.place(rules.pos)) {
            (None, TypeKind::Map(map), Some(place)) => {
                let source = sources.get(place.source);
                // Of the context of a rule other keys are read.
                let code =
                    source.written(place.whole()).filter(|code| !code.contains("when") && !code.contains("ctx"))?;
                let keys = keys_read(code);
                Some(keys).filter(|keys| !has_all(arena, schema, map, keys))?
            }
            _ => Vec::new(),
        };
        let wanted = match (wanted, &keys[..]) {
            (Some((_, wanted)), _) => wanted.to_owned(),
            (None, []) => return None,
            (None, keys) => {
                let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                format!("a map with {}", suggest::all_of(&keys))
            }
        };
        let found = Misplaced { arena, sources, schema, item, rules, wanted, keys };
        // A key that no map near by has is misspelt.
        (found.keys.is_empty() || !found.fitting().is_empty()).then_some(found)
    }

    /// The rules of a declaration whose own default they refuse: they may stand above the wrong key, too.
    pub(super) fn beyond(
        (arena, sources, schema): (&'a Arena, &'a SourceMap, &'a Schema),
        item: ItemId,
        rules: &'a Rules,
    ) -> Misplaced<'a> {
        Misplaced { arena, sources, schema, item, rules, wanted: String::new(), keys: Vec::new() }
    }

    /// The declarations right before and right after it that have no rules.
    pub(super) fn beside(&self) -> Vec<ItemId> {
        let around = self.around().map_or(&[][..], |map| &map.items);
        let Some(at) = around.iter().position(|item| *item == self.item) else { return Vec::new() };
        let both = [at.checked_sub(1), at.checked_add(1)].into_iter();
        let beside = both.filter_map(|at| around.get(at?).copied());
        beside.filter(|item| self.schema.item(*item).rules.is_none()).collect()
    }

    /// The help that moves the annotation above another declaration, whose default it allows.
    pub(super) fn with_move(&self, problem: Diagnostic, other: ItemId) -> Diagnostic {
        let place = |item: ItemId| self.arena.place(self.schema.item(item).pos);
        let (Some(annotation), Some(declared)) = (self.arena.place(self.rules.pos), place(other)) else {
            return problem;
        };
        let annotation = annotation.whole();
        let Some((edit, way)) = self.moved(annotation, other) else { return problem };
        let name = self.name(other);
        let line = self.sources.get(annotation.source).line(annotation.start);
        let default = key_text(self.arena, self.schema.item(other).default);
        problem
            .label(declared.key(), format!("the rule allows `{default}`, the default of `{name}`, which has no rule"))
            .help_edit(format!("move line {line} {way}, above `{name}`"), edit.0, edit.1)
            .guessing()
    }

    /// The problem with the annotation first, and the edit that moves it to where it fits.
    pub(super) fn told(&self, mut problem: Diagnostic) -> Diagnostic {
        let own = self.schema.item(self.item);
        let (name, ty) = (self.name(self.item), self.schema.inner(own.ty).name());
        let places = self.arena.place(self.rules.pos).zip(self.arena.place(own.pos));
        let Some((annotation, declared)) = places.map(|(rule, own)| (rule.whole(), own.key())) else { return problem };
        problem.parts_mut().labels = vec![
            Label { span: annotation, text: format!("this rule is for {}", self.wanted) },
            Label { span: declared, text: format!("and stands above `{name}`, {}", self.lack(ty)) },
        ];
        let fitting = self.fitting();
        for other in fitting.iter().take(2) {
            if let Some(place) = self.arena.place(self.schema.item(*other).pos) {
                let ty = self.schema.inner(self.schema.item(*other).ty).name();
                problem = problem.label(place.key(), format!("`{}` is {} {ty}", self.name(*other), article(ty)));
            }
        }
        for other in &fitting {
            let Some((edit, way)) = self.moved(annotation, *other) else { continue };
            let line = self.sources.get(annotation.source).line(annotation.start);
            let help = format!("move line {line} {way}, above `{}`", self.name(*other));
            problem = problem.help_edit(help, edit.0, edit.1);
            if fitting.len() > 1 {
                problem = problem.guessing();
            }
        }
        match (self.of_length(), fitting.is_empty()) {
            (Some((span, new)), true) => problem
                .help_edit(format!("did you mean `{new}`, for the length of `{name}`?"), span, new)
                .help("otherwise move the rule above the key that it is for"),
            (Some((span, new)), false) => {
                problem.help_edit(format!("if the length of `{name}` is meant: `{new}`"), span, new).if_it_mends()
            }
            (None, true) => problem.help("move the rule above the key that it is for, or leave it out"),
            (None, false) => problem,
        }
    }

    /// Why the rule does not fit the declaration of this type.
    fn lack(&self, ty: &str) -> String {
        match &self.keys[..] {
            [] => format!("{} {ty}", article(ty)),
            [key] => format!("which has no `{key}`"),
            _ => "which does not have them all".to_owned(),
        }
    }

    /// The name of the only bound of numbers, where it stands above what has a length.
    fn of_length(&self) -> Option<(Span, &'static str)> {
        let bounds = self.rules.list.iter().filter_map(|rule| match rule.test {
            Test::Min(_) => Some(("min", "min_len")),
            Test::Max(_) => Some(("max", "max_len")),
            _ => None,
        });
        let (name, new) = only(bounds)?;
        let place = self.arena.place(self.rules.pos)?.value();
        let span = written::named(self.sources, place, name)?.name?;
        has_length(self.schema.inner(self.schema.item(self.item).ty)).then_some((span, new))
    }

    /// The declarations near by that all of the rules can judge, and that have none: inside of it, or beside it.
    fn fitting(&self) -> Vec<ItemId> {
        let fits = |item: &ItemId| {
            let own = self.schema.item(*item);
            let ty = self.schema.inner(own.ty);
            let has_keys = match &ty.kind {
                TypeKind::Map(map) => has_all(self.arena, self.schema, map, &self.keys),
                _ => self.keys.is_empty(),
            };
            own.rules.is_none()
                && has_keys
                && self.rules.list.iter().all(|rule| wanted(self.arena, &rule.test).is_none_or(|(fits, _)| fits(ty)))
        };
        let inside = match &self.schema.inner(self.schema.item(self.item).ty).kind {
            TypeKind::Map(map) => map.items.iter().copied().filter(fits).collect(),
            _ => Vec::new(),
        };
        if !inside.is_empty() {
            return inside;
        }
        let around = self.around().map_or(&[][..], |map| &map.items);
        let Some(at) = around.iter().position(|item| *item == self.item) else { return Vec::new() };
        let beside = |at: Option<usize>| at.and_then(|at| around.get(at)).copied().filter(fits);
        if !self.keys.is_empty() {
            let all = around.iter().copied().filter(fits);
            return only(all).into_iter().collect();
        }
        // One line too high is the slip of most.
        beside(at.checked_add(1)).or_else(|| beside(at.checked_sub(1))).into_iter().collect()
    }

    /// The map that declares it.
    fn around(&self) -> Option<&'a MapType> {
        self.schema.types.iter().find_map(|ty| match &ty.kind {
            TypeKind::Map(map) if map.items.contains(&self.item) => Some(map),
            _ => None,
        })
    }

    /// The edit that moves the annotation above another declaration, and which way that is.
    fn moved(&self, annotation: Span, other: ItemId) -> Option<((Span, String), &'static str)> {
        let source = self.sources.get(annotation.source);
        let key = self.arena.place(self.schema.item(other).pos)?.key();
        let (_, indent) = source.above(key).filter(|(at, _)| at.source == annotation.source)?;
        let text = source.written(annotation).filter(|text| !text.contains('\n'))?;
        let lines = source.whole_lines(annotation)?;
        let above = source.line_range(source.line(key.start)).start;
        let way = if above < lines.start { "up" } else { "down" };
        Some((source.moved(lines, [above], &format!("{indent}{text}\n"))?, way))
    }

    fn name(&self, item: ItemId) -> String {
        key_text(self.arena, self.schema.item(item).key)
    }
}

/// Whether a map declares all of these keys.
fn has_all(arena: &Arena, schema: &Schema, map: &MapType, keys: &[String]) -> bool {
    let has = |key: &String| map.items.iter().any(|id| key_text(arena, schema.item(*id).key) == *key);
    keys.iter().all(has)
}

/// The keys that the code of an annotation reads of a name: `a` of `v["a"]["b"]`.
fn keys_read(code: &str) -> Vec<String> {
    let found = code.match_indices("[\"").filter_map(|(at, _)| {
        let (before, rest) = (code.get(..at)?, code.get(at.checked_add(2)?..)?);
        let key = rest.split_once("\"]")?.0;
        before.ends_with(|last: char| last.is_alphanumeric() || last == '_').then(|| key.to_owned())
    });
    let mut keys: Vec<String> = found.collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Whether values of a type can be judged, and what those are called that can.
type Judged = (fn(&Type) -> bool, &'static str);

/// Whether a rule can judge values of a type, and what it is for; `None` of one that can judge all.
fn wanted(arena: &Arena, test: &Test) -> Option<Judged> {
    let is_number = |value: &Val| matches!(value, Val::Int(_) | Val::UInt(_) | Val::Float(_));
    match test {
        Test::MinLen(_) | Test::MaxLen(_) => {
            Some((|ty| has_length(ty) || is_any(ty), "something with a length: a string, an array or a map"))
        }
        Test::Min(bound) | Test::Max(bound) if is_number(bound) => Some((is_numeric, "a number")),
        Test::OneOf(allowed) if allowed.is_empty() => None,
        Test::OneOf(allowed) if allowed.iter().all(is_number) => Some((is_numeric, "a number")),
        Test::OneOf(allowed) if allowed.iter().all(|one| arena.str(*one).is_some()) => {
            Some((|ty| matches!(ty.kind, TypeKind::Str) || is_any(ty), "a string"))
        }
        Test::OneNotNull(_) => Some((|ty| matches!(ty.kind, TypeKind::Map(_)) || is_any(ty), "a map")),
        _ => None,
    }
}

fn is_any(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Any)
}

fn is_numeric(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Int | TypeKind::Float) || is_any(ty)
}

fn has_length(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Str | TypeKind::Array(_) | TypeKind::Map(_))
}
