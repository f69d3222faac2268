//! Left items that hold some of what a `subset` looks for: how much, and what of it they have in another way.

use std::cell::OnceCell;
use std::sync::Arc;

use super::composed::Ingredient;
use super::constants::Constant;
use super::data_values::{DataPlace, GivenLeaf, as_there};
use super::differs::{Differs, Lone, settle};
use super::fragments::in_yaml;
use super::kinds::{OtherKind, as_a_kind, in_yaml_as_there, is_other_kind};
use super::moved::{Other, deepest};
use super::named::{OtherName, is_name, name_at};
use super::nearest::{Fix, Meaning, Near};
use super::words::{key_text, scalar_text, step_text};
use crate::diag::suggest;
use crate::nearest::only;
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::{Source, Span};
use crate::template::loading::with_load;
use crate::template::written;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Left items of which each is looked at closely.
const MANY: usize = 1_000;
/// Bytes of a text that a help writes.
const LONGEST: usize = 100;
/// Of more items that have what is wanted elsewhere, the edit is the same.
const FEW: usize = 50;

impl Scene<'_> {
    /// Items that hold some leaves of the targets of `subset`, all of which they should hold. `what` stands in front of
    /// what is said of them.
    pub(super) fn near_parts(&self, lefts: &[NodeId], wanted: &[Val], what: &str) -> Vec<Near> {
        let arena = self.arena();
        let leaves: Vec<(Path, Val)> = wanted.iter().flat_map(|wanted| leaves(&arena, *wanted)).collect();
        let all = leaves.len();
        let by = self.by_span();
        let constant = |path: &Path, value: Val| {
            let text = arena.str(value)?;
            self.constant(by?, text).or_else(|| self.constant(self.leaf_code(&arena, path)?, text))
        };
        let given = OnceCell::new();
        let ingredients: OnceCell<Vec<Ingredient>> = OnceCell::new();
        let all_wanted = leaves.iter().map(|(path, value)| Wanted {
            path,
            value: *value,
            text: key_text(&arena, *value),
            path_text: path_text(&arena, path),
            constant: constant(path, *value),
            given: &given,
            written: OnceCell::new(),
        });
        let all_wanted: Vec<Wanted<'_>> = all_wanted.collect();
        let (mut near, mut lones, mut searched) = (Vec::new(), Vec::new(), 0_usize);
        let (mut lacking, mut named) = (Vec::new(), Vec::new());
        let least = least_kept(&arena, lefts, &leaves);
        for (position, &item) in lefts.iter().flat_map(|left| arena.items(*left)).enumerate() {
            if least > 0 && kept_leaves(&arena, item, &leaves) < least {
                continue;
            }
            let (mut kept, mut far, mut kind_differs) = (0_usize, 0_usize, false);
            let (mut close, mut fix, mut left_fix) = (false, None, None);
            let (mut is_longer, mut made, mut from, mut alike) = (false, None, None, Vec::new());
            let (mut differs, mut lone, mut changed, mut ask_for) = (None, None, None, None);
            let mut other_kinds = Vec::new();
            let mut first: Option<(String, Option<NodeId>, &Path)> = None;
            for leaf_wanted in &all_wanted {
                let Wanted { path, value, text: wanted, path_text, constant, .. } = leaf_wanted;
                let here = at_path(&arena, arena.value(item), path);
                if here.is_some_and(|(here, _)| leaf(&arena, here, *value)) {
                    kept = kept.saturating_add(1);
                    continue;
                }
                kind_differs |= path_text == "kind" || path_text == "apiVersion";
                differs = Differs::of(&arena, path, &leaves);
                let mut holder = here.and_then(|(_, item)| item);
                let renamed = here.and_then(|(here, holder)| Some((here, self.renamed_by(&arena, holder?, *value)?)));
                let said = match (here, renamed) {
                    (_, Some((here, by))) => {
                        close = true;
                        let new = key_text(&arena, here);
                        fix = self.set_leaf(&arena, leaf_wanted, here);
                        fix = fix.map(|fix| self.as_renamed(&arena, fix, (wanted, &new), by));
                        changed = Some(self.change_of(&arena, by, path_text, (wanted, &new)));
                        format!("`{path_text}` is changed here, from `{wanted}` to `{new}`")
                    }
                    (Some((here, holder)), None) => {
                        let (written, most) = (key_text(&arena, here), wanted.len().max(8));
                        let distance = suggest::distance(wanted, &written, most);
                        far = far.saturating_add(distance.unwrap_or(most));
                        let longer = wanted.len() > 2
                            && (written.strip_prefix(&**wanted).is_some_and(|rest| rest.starts_with(['-', ':', '@']))
                                || written.ends_with(&format!("-{wanted}")))
                            // What a tag of an image says makes no other thing of it.
                            && !suggest::is_beside(wanted, written.split([':', '@']).next().unwrap_or_default());
                        let is_same = is_other_kind(&arena, here, *value);
                        if is_same {
                            other_kinds.push(OtherKind { path, wanted: *value, here });
                        }
                        if longer || is_same || distance.is_some_and(|distance| distance <= wanted.chars().count() / 3)
                        {
                            close = true;
                            is_longer |= longer;
                            // What a loop made is not written there: each of its values is as near as the next.
                            let there = holder.and_then(|holder| arena.place_of(holder)).map(|place| place.value());
                            let there = there.filter(|span| self.is_scalar_at(*span, &written));
                            fix = match there {
                                Some(_) => self.set_leaf(&arena, leaf_wanted, here),
                                None => holder.and_then(|holder| {
                                    from = self.name_behind(&arena, holder);
                                    self.as_made(&arena, holder, wanted).or_else(|| {
                                        alike =
                                            if longer { made_alike(&arena, lefts, path, holder) } else { Vec::new() };
                                        self.set_leaf(&arena, leaf_wanted, here).filter(|_| alike.len() == 1)
                                    })
                                }),
                            };
                            let given = is_same.then(|| self.given_wanted(&arena, leaf_wanted)).flatten();
                            made = given.and_then(|given| self.converted(given.read_at, here));
                            left_fix = there.filter(|_| needs_no_quotes(wanted)).map(|span| Fix {
                                span,
                                text: format!("to match this one too, write `{wanted}` here"),
                                new: wanted.clone(),
                                meaning: Meaning::Like,
                                is_guess: false,
                                must_mend: false,
                            });
                        }
                        if !close {
                            fix = constant.as_ref().and_then(|constant| constant.set_to(arena.str(here)?));
                            lone = self.set_leaf(&arena, leaf_wanted, here);
                        }
                        let of_data = || {
                            let all = ingredients.get_or_init(|| self.ingredients(&arena));
                            let here = arena.str(here).filter(|_| !is_same)?;
                            self.composed(all, (wanted, here), |text| all_wanted.iter().any(|one| one.text == text))
                        };
                        if let Some(composed) = if fix.is_none() { of_data() } else { None } {
                            (from, fix, ask_for) = (Some(composed.from), composed.fix, composed.by_flag);
                        }
                        // Where only what they are makes the difference.
                        let [here, value] = [here, *value].map(|value| match is_same {
                            true => as_a_kind(&arena, value),
                            false => scalar_text(&arena, value),
                        });
                        let lists =
                            match path.iter().any(|(item, _)| matches!(arena.get(*item).body, Body::ArrayItem(_))) {
                                true => "; item 0 of a list is compared with item 0, and so on",
                                false => "",
                            };
                        format!("`{path_text}` is {here}, expected {value}{lists}")
                    }
                    (None, None) => {
                        // Each of them is looked through as a whole.
                        searched = searched.saturating_add(1);
                        let left = arena.value(item);
                        let other = (searched <= MANY)
                            .then(|| self.under_another_key(&arena, left, (path, *value), near.len() < FEW));
                        match other.flatten() {
                            Some(Other { to, holder: other, fix: edit }) => {
                                (close, fix, holder) = (true, edit, other);
                                far = far.saturating_add(usize::from(fix.is_none()));
                                format!(
                                    "`{path_text}` is missing; `{}` is {}",
                                    to.join("."),
                                    scalar_text(&arena, *value)
                                )
                            }
                            None => {
                                far = far.saturating_add(wanted.len());
                                holder = deepest(&arena, arena.value(item), path);
                                format!("`{path_text}` is missing")
                            }
                        }
                    }
                };
                first = first.or(Some((said, holder, path)));
            }
            let Some((said, at, missed)) = first.filter(|_| kept > 0 || close) else {
                continue;
            };
            if !close && near.len() > MANY {
                continue;
            }
            let text = match all {
                1 => format!("{what}near: {said}"),
                _ => format!("{what}{kept} of {all} keys of the subset match: {said}"),
            };
            let missing: usize = all.saturating_sub(kept);
            let is_lone = missing == 1;
            let is_version = is_lone && differs == Some(Differs::Version);
            if is_version {
                (kind_differs, far) = (false, 0);
            }
            let rank =
                (u32::from(kind_differs), missing.saturating_mul(10_000).saturating_add(far.min(9_999)), position);
            let (fix, left_fix) = if is_lone { (fix, left_fix) } else { (None, None) };
            let fix = fix.or_else(|| {
                let is_it = !other_kinds.is_empty() && other_kinds.len() == missing && near.len() < FEW;
                is_it.then(|| self.literals_of_other_kinds(&arena, &other_kinds)).flatten()
            });
            let is_unlike = !close && fix.as_ref().is_none_or(|fix| fix.meaning == Meaning::There);
            if let (true, Some(name)) = (is_lone && is_unlike, name_at(&arena, item, missed))
                && let Some(fix) = lone.take()
            {
                named.push(OtherName { at: near.len(), name: name.to_owned(), fix });
            }
            // Of another kind only what has all that is changed may be meant.
            let own = self.trail.last().map_or(Val::Null, |step| arena.value(step.node));
            let has_all = || self.has_all(&arena, arena.value(item), own, 0);
            if is_lone && is_longer && near.len() < FEW && !has_all() {
                lacking.push(near.len());
            }
            let may_be = || is_version || has_all();
            if let (true, None, Some(differs), Some(lone)) = (is_lone && may_be(), &fix, differs, lone) {
                let new = lone.new.trim_matches('"');
                let name = self.document_name(&arena, item);
                let text = match arena.get(item).body {
                    Body::Doc(_) if is_version => format!("did you mean `{new}`, as {name} has it?"),
                    Body::Doc(_) => format!("if {name} is meant: its `{}` is `{new}`", path_text(&arena, missed)),
                    _ => format!("if this one is meant: its `{}` is `{new}`", path_text(&arena, missed)),
                };
                lones.push(Lone { at: near.len(), differs, fix: Fix { text, ..lone } });
            }
            let span = self.mark_left(&arena, at.unwrap_or(item));
            let (renamed, made) = (changed.filter(|_| is_lone), made.filter(|_| is_lone));
            let ask_for = ask_for.filter(|_| is_lone);
            if !is_lone || alike.len() < 2 {
                alike.clear();
            }
            let missed = Some(missed.clone());
            let near_one = Near::new(rank, item, span, text);
            near.push(Near { fix, left_fix, missed, is_longer, renamed, made, from, alike, ask_for, ..near_one });
        }
        settle(&mut near, lones, &lacking);
        if let Some(Wanted { text, .. }) = all_wanted.iter().find(|wanted| is_name(&arena, wanted.path)) {
            self.settle_names(&arena, &mut near, text, named);
        }
        near
    }

    /// The edit to the code that makes the value of an item, where that code names what the matcher looks for.
    fn as_made(&self, arena: &Arena, holder: NodeId, wanted: &str) -> Option<Fix> {
        let place = arena.span_of(holder)?;
        let source = self.calls.sources().get(place.source);
        let line = source.line_text(source.line(place.start));
        let code = line.split_once(": #@ ")?.1.trim();
        let quoted = [format!("\"{wanted}\""), format!("'{wanted}'")];
        let span = self.literal(self.by_span()?, wanted).filter(|_| quoted.iter().any(|text| code.contains(text)))?;
        let text = format!("if this one is meant, look for what makes it: `{code}`");
        let fix = |text, span, new| Fix { span, new, text, meaning: Meaning::There, is_guess: true, must_mend: false };
        Some(match self.with_its_function(arena, holder, (span, code)) {
            Some((span, new)) => fix(text, span, new),
            None => fix(format!("{text}, with the same names loaded"), span, code.to_owned()),
        })
    }

    /// Code of an item in another file, with the load of the one function that it calls.
    fn with_its_function(&self, arena: &Arena, holder: NodeId, (span, code): (Span, &str)) -> Option<(Span, String)> {
        let sources = self.calls.sources();
        let called = written::called(sources, arena.place_of(holder)?.code(sources)?);
        let name = only(&called).and_then(|name| self.written(*name))?;
        let definition = format!("def {name}(");
        let all = sources.all();
        let is_it = |source: &&Arc<Source>| source.text.as_str().is_some_and(|text| text.contains(&definition));
        let file = only(all.iter().filter(is_it))?;
        let source = sources.get(span.source);
        with_load(&source, (&format!("/{}", file.name), &name), span, code.to_owned())
    }

    /// Where what a matcher looks for can be edited: in the YAML of a function, or as a text that stands once in its
    /// argument or in the code of that YAML, or that a name there holds.
    fn leaf_written(&self, arena: &Arena, wanted: &Wanted<'_>) -> Option<LeafWritten> {
        let Wanted { path, value, constant, .. } = wanted;
        if let Some(span) = self.leaf_in_yaml(arena, path, *value) {
            return Some(LeafWritten { span, is_guess: self.is_used_elsewhere(span), is_yaml: true, is_data: false });
        }
        let data = || {
            let place = self.given_wanted(arena, wanted).filter(|place| place.is_file)?;
            self.is_scalar_at(place.span, &wanted.text).then_some(LeafWritten {
                span: place.span,
                is_guess: !place.is_alone,
                is_yaml: true,
                is_data: true,
            })
        };
        let Some(text) = arena.str(*value) else { return data() };
        let in_code = || {
            let code = self.leaf_code(arena, path)?;
            Some((self.literal(code, text)?, self.is_used_elsewhere(code)))
        };
        let literal = self.literal(self.by_span()?, text).map(|span| (span, false)).or_else(in_code);
        let constant = || constant.as_ref().map(|found| (found.literal, found.is_shared));
        let written = literal.or_else(constant).map(|(span, is_guess)| LeafWritten {
            span,
            is_guess,
            is_yaml: false,
            is_data: false,
        });
        written.or_else(data)
    }

    /// The data value that a matcher looks for.
    fn given_wanted(&self, arena: &Arena, wanted: &Wanted<'_>) -> Option<DataPlace> {
        let given = wanted.given.get_or_init(|| self.given_leaves(arena));
        self.data_value(arena, given, wanted.value)
    }

    /// The edit of what a matcher looks for, to what is there.
    fn set_leaf(&self, arena: &Arena, wanted: &Wanted<'_>, here: Val) -> Option<Fix> {
        let LeafWritten { span, is_guess, is_yaml, is_data } =
            (*wanted.written.get_or_init(|| self.leaf_written(arena, wanted)))?;
        let is_other_kind = is_other_kind(arena, here, wanted.value);
        let fix = match is_yaml {
            true if is_other_kind => {
                Fix { text: as_there(arena, "it", here), ..in_yaml_as_there(arena, span, (wanted.value, here))? }
            }
            true => in_yaml(arena, span, here)?,
            false => {
                let new = arena.str(here).filter(|new| new.len() <= LONGEST && !new.contains(['`', '\n']))?;
                Fix::meant(span, new, quoted::starlark(new))
            }
        };
        // A schema may declare a data value as what it is.
        let must_mend = is_data && is_other_kind;
        Some(Fix { is_guess, must_mend, ..fix })
    }
}

/// A leaf of a target, with what is known of it whatever it is compared with.
struct Wanted<'a> {
    path: &'a Path,
    value: Val,
    text: String,
    path_text: String,
    constant: Option<Constant>,
    /// The data values that the matcher may read, for all leaves.
    given: &'a OnceCell<Vec<GivenLeaf>>,
    /// Worked out when an item is near.
    written: OnceCell<Option<LeafWritten>>,
}

/// Where a leaf of a target is written, and whether more reads it there.
#[derive(Clone, Copy)]
struct LeafWritten {
    span: Span,
    is_guess: bool,
    is_yaml: bool,
    is_data: bool,
}

impl Constant {
    /// The edit to a value that is there instead.
    fn set_to(&self, new: &str) -> Option<Fix> {
        let text = format!("if `{new}` is meant, set `{}` to it", self.own);
        let (span, new_text) = (self.literal, format!("\"{new}\""));
        let fix = Fix { span, new: new_text, text, meaning: Meaning::There, is_guess: true, must_mend: false };
        (self.is_whole && needs_no_quotes(new)).then_some(fix)
    }
}

/// The values at a path that come from one place: what a loop made has several.
fn made_alike(arena: &Arena, lefts: &[NodeId], path: &Path, holder: NodeId) -> Vec<String> {
    let Some(place) = arena.span_of(holder) else { return Vec::new() };
    let all = lefts.iter().flat_map(|left| arena.items(*left)).take(MANY);
    let here = all.filter_map(|item| at_path(arena, arena.value(*item), path));
    let made = here.filter(|(_, holder)| holder.is_some_and(|holder| arena.span_of(holder) == Some(place)));
    made.map(|(value, _)| key_text(arena, value)).collect()
}

/// How many leaves of a target an item has.
fn kept_leaves(arena: &Arena, item: NodeId, leaves: &[(Path, Val)]) -> usize {
    let is_there = |(path, wanted): &&(Path, Val)| {
        at_path(arena, arena.value(item), path).is_some_and(|(here, _)| leaf(arena, here, *wanted))
    };
    leaves.iter().filter(is_there).count()
}

/// How many leaves an item has to have to be looked at more closely: of many only those that have most.
fn least_kept(arena: &Arena, lefts: &[NodeId], leaves: &[(Path, Val)]) -> usize {
    let all = || lefts.iter().flat_map(|left| arena.items(*left));
    if all().take(MANY.saturating_add(1)).count() <= MANY {
        return 0;
    }
    all().map(|item| kept_leaves(arena, *item, leaves)).max().unwrap_or_default()
}

/// A path from a target to a leaf: the right items, and their positions in their lists.
pub(super) type Path = Vec<(NodeId, usize)>;

/// Leaves of a target with their paths.
pub(super) fn leaves(arena: &Arena, target: Val) -> Vec<(Path, Val)> {
    const MOST: usize = 32;
    let mut found = Vec::new();
    let mut open: Vec<(Path, Val)> = vec![(Vec::new(), target)];
    while let Some((path, value)) = open.pop() {
        match value {
            Val::Node(container) if !arena.items(container).is_empty() && path.len() < MOST => {
                for (position, &item) in arena.items(container).iter().enumerate().take(MOST).rev() {
                    let mut path = path.clone();
                    path.push((item, position));
                    open.push((path, arena.value(item)));
                }
            }
            leaf if found.len() < MOST => found.push((path, leaf)),
            _ => break,
        }
    }
    found
}

/// The value at the path of a leaf of the target, and the item that holds it.
pub(super) fn at_path(arena: &Arena, left: Val, path: &[(NodeId, usize)]) -> Option<(Val, Option<NodeId>)> {
    let (mut value, mut at) = (left, None);
    for &(step, position) in path {
        let Val::Node(container) = value else {
            return None;
        };
        let item = match (&arena.get(container).body, &arena.get(step).body) {
            (Body::Map(_), Body::MapItem(key, _)) => arena.find(container, *key)?,
            // Lists match item by item from the start.
            (Body::Array(items), Body::ArrayItem(_)) => *items.get(position)?,
            _ => return None,
        };
        (value, at) = (arena.value(item), Some(item));
    }
    Some((value, at))
}

pub(super) fn path_text(arena: &Arena, path: &[(NodeId, usize)]) -> String {
    let mut text = String::new();
    for &(item, position) in path {
        match arena.get(item).body {
            Body::ArrayItem(_) => text.push_str(&format!("[{position}]")),
            _ => text.push_str(&step_text(arena, item)),
        }
    }
    text.trim_start_matches('.').to_string()
}
