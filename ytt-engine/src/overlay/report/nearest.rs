//! What was probably meant: the nearest candidates for an item that matched nothing. `advice` makes helps of them.
//!
//! `docs/overlays.md#nearest-candidates` says how candidates are ranked. The work for one diagnostic is bounded, and only
//! those that are shown are put into words; beyond, no candidates are shown.

use super::SHOWN;
use super::data_values::{as_there, described};
use super::kinds::{as_a_kind, in_yaml_as_there, is_other_kind};
use super::parts::{Path, at_path, leaves, path_text};
use super::renamed::Renamed;
use super::words::{key_text, scalar_text};
use crate::diag::{Advice, Diagnostic, suggest};
use crate::nearest::{folded, only};
use crate::overlay::compare::key_value;
use crate::overlay::engine::Scene;
use crate::overlay::matcher::{Target, Test};
use crate::overlay::target::target_value;
use crate::quoted;
use crate::source::Span;
use crate::template::written;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::{article, kind_name};
use crate::yaml::{Arena, NodeId, Val};

/// Comparisons for one diagnostic.
pub(super) const COMPARISONS: usize = 10_000;
/// Left items that are looked at for one diagnostic.
pub(super) const MOST: usize = 200_000;
/// Candidates shown.
const CANDIDATES: usize = 3;

/// A candidate: how far it is (smaller is nearer), and what to say at it.
pub(super) struct Near {
    pub(super) rank: (u32, usize, usize),
    /// The left item.
    pub(super) item: NodeId,
    pub(super) span: Option<Span>,
    pub(super) text: String,
    pub(super) fix: Option<Fix>,
    /// What to write on the left, so that this one is matched too.
    pub(super) left_fix: Option<Fix>,
    /// The part of a `subset` that is not there.
    pub(super) missed: Option<Path>,
    /// The path at which the same key is.
    pub(super) elsewhere: Option<String>,
    /// The nearest key, if it stands beside already.
    pub(super) given: Option<String>,
    /// What is looked for is the beginning or the end of what is there.
    pub(super) is_longer: bool,
    /// The names that are as near, with its own: none of them is meant more than another.
    pub(super) alike: Vec<String>,
    /// It was what is looked for, until an overlay changed it.
    pub(super) renamed: Option<Renamed>,
    /// What to do where other documents of the same match are as the overlay has it.
    pub(super) apart: Option<String>,
    /// Where the value comes from that code gives the overlay.
    pub(super) from: Option<(Span, String)>,
    /// What to write in place of that code.
    pub(super) made: Option<Fix>,
    /// How a flag gives what is there.
    pub(super) flag: Option<Advice>,
    /// What can be asked for instead, where nothing is like what is wanted.
    pub(super) ask_for: Option<String>,
}

impl Near {
    pub(super) fn new(rank: (u32, usize, usize), item: NodeId, span: Option<Span>, text: impl Into<String>) -> Near {
        Near {
            rank,
            item,
            span,
            text: text.into(),
            fix: None,
            left_fix: None,
            missed: None,
            elsewhere: None,
            given: None,
            is_longer: false,
            alike: Vec::new(),
            renamed: None,
            apart: None,
            from: None,
            made: None,
            flag: None,
            ask_for: None,
        }
    }
}

impl Near {
    /// How much of a `subset` is missing.
    pub(super) fn level(&self) -> usize {
        self.rank.1 / 10_000
    }
}

/// What to write instead.
pub(super) struct Fix {
    pub(super) span: Span,
    pub(super) new: String,
    /// What the help says.
    pub(super) text: String,
    pub(super) meaning: Meaning,
    /// It changes more than the item at hand.
    pub(super) is_guess: bool,
    /// Nothing but a render tells whether it is meant.
    pub(super) must_mend: bool,
}

/// What a fix takes the overlay to mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// What is spelt alike.
    Like,
    /// A key that is written alike, and is a text only between quotes.
    Quoted,
    /// The same at another path.
    Elsewhere,
    /// A value that all nearest ones have, and that is not alike.
    There,
}

impl Fix {
    pub(super) fn meant(span: Span, shown: &str, new: String) -> Fix {
        let text = format!("did you mean `{shown}`?");
        Fix { span, text, new, meaning: Meaning::Like, is_guess: false, must_mend: false }
    }
}

impl Scene<'_> {
    /// The nearest candidates; where there are none for a `subset`, the values that are there instead.
    pub(super) fn near(&mut self, lefts: &[NodeId], right: NodeId, test: Option<Test>) -> (Vec<Near>, Option<String>) {
        let mut values = None;
        let mut near = match test {
            None => match lefts.first() {
                Some(&map) => self.near_keys(map, right),
                None => Vec::new(),
            },
            Some(Test::Key(key)) => self.near_values(lefts, right, key),
            Some(mut test) => {
                let mut near = Vec::new();
                let alternatives = subsets(&mut test);
                let what = if alternatives.len() > 1 { "nearest of the alternatives: " } else { "" };
                for mut targets in alternatives {
                    let wanted = targets.iter_mut().filter_map(|target| self.target_nodes(target));
                    let wanted: Vec<Val> = wanted.collect();
                    values = values.or_else(|| {
                        let leaves = leaves(&self.arena(), *wanted.first()?);
                        self.values_there(lefts, &leaves.first().filter(|(path, _)| !path.is_empty())?.0, false)
                    });
                    near.extend(self.near_parts(lefts, &wanted, what));
                }
                near
            }
        };
        near.sort_by_key(|one| one.rank);
        // Of different values that are there none is meant more than another.
        let mut there = near.iter().filter_map(|one| one.fix.as_ref()).filter(|fix| fix.meaning == Meaning::There);
        if there.next().is_some_and(|first| there.any(|other| other.new != first.new)) {
            near.iter_mut().for_each(|one| one.fix = one.fix.take().filter(|fix| fix.meaning != Meaning::There));
        }
        name_equally_near(&mut near);
        let with_other_value = only(near.iter_mut().filter_map(|one| one.ask_for.take()));
        let ask_for = with_other_value.or_else(|| self.other_to_ask_for(&near));
        if near.first().is_some_and(|best| best.fix.is_some()) {
            near.retain(|one| one.given.is_none());
        }
        // Beside one with an edit, those that hold less of what is looked for only distract.
        let is_sure = |best: &&Near| best.fix.as_ref().is_some_and(|fix| !fix.must_mend) && best.missed.is_some();
        if let Some(best) = near.first().filter(is_sure).map(Near::level) {
            near.retain(|one| one.level() == best && one.fix.is_some());
        }
        let (mut known, mut spans) = (Vec::new(), Vec::new());
        // Of items that one line made, such as those of a loop, the nearest is shown.
        near.retain(|one| {
            let new = !known.contains(&one.item) && (one.span.is_none() || !spans.contains(&one.span));
            let shown = new && known.len() < CANDIDATES;
            if shown {
                known.push(one.item);
                spans.push(one.span);
            }
            shown
        });
        if let Some(first) = near.first() {
            let missed = first.missed.as_ref().filter(|_| first.fix.is_none());
            values = missed.and_then(|missed| self.values_there(lefts, missed, true));
        }
        if let (Some(first), Some(_)) = (near.first_mut(), &ask_for) {
            // It says which of them can be meant.
            (first.ask_for, values) = (ask_for, None);
        }
        (near, values)
    }

    /// Few items of a list, of which none has what a `subset` looks for: what each has in that place.
    pub(super) fn those_there(&mut self, told: Diagnostic, lefts: &[NodeId], test: &Test) -> Diagnostic {
        let mut test = test.clone();
        let Some(mut targets) = subsets(&mut test).into_iter().next() else { return told };
        let Some(wanted) = targets.first_mut().and_then(|target| self.target_nodes(target)) else { return told };
        let arena = self.arena();
        let leaves = leaves(&arena, wanted);
        let Some((path, _)) = leaves.first().filter(|(path, _)| !path.is_empty()) else { return told };
        let all: Vec<NodeId> = lefts.iter().flat_map(|left| arena.items(*left)).copied().collect();
        if all.len() > CANDIDATES {
            return told;
        }
        let name = path_text(&arena, path);
        let only = only(all.iter()).and_then(|item| at_path(&arena, arena.value(*item), path)).map(|(value, _)| value);
        let told = match only.and_then(|value| self.for_the_only_one(&arena, (leaves.first()?.1, value))) {
            Some((text, span, new)) => told.help_edit(text, span, new).if_it_mends().guessing(),
            None => told,
        };
        all.into_iter().fold(told, |told, item| {
            let (value, at) = at_path(&arena, arena.value(item), path).unwrap_or((Val::Null, None));
            let text = match at {
                Some(_) => format!("its `{name}` is {}", scalar_text(&arena, value)),
                None => format!("it has no `{name}`"),
            };
            told.label_at(self.mark(&arena, item), text)
        })
    }

    /// The edit that writes, in place of a text that a matcher looks for, the one that the only item has.
    fn for_the_only_one(&self, arena: &Arena, (wanted, there): (Val, Val)) -> Option<(String, Span, String)> {
        let (wanted, there) = (arena.str(wanted)?, arena.str(there)?);
        let span = written::string(self.calls.sources(), self.by_span()?, wanted)?;
        Some((format!("did you mean `{there}`, the only one there?"), span, quoted::starlark(there)))
    }

    /// The value that `subset` looks for as nodes, new ones each time: for paths that name items.
    pub(super) fn target_nodes(&self, target: &mut Target) -> Option<Val> {
        let value = target_value(&*self.calls, target).ok()?;
        self.calls.arena().borrow_mut().nodes(value).ok()
    }

    /// The values at a path of a target, if they are few, or the first of them.
    fn values_there(&self, lefts: &[NodeId], path: &[(NodeId, usize)], first: bool) -> Option<String> {
        let arena = self.arena();
        if lefts.iter().all(|left| arena.items(*left).is_empty()) {
            return None;
        }
        let mut values: Vec<String> = Vec::new();
        for &item in lefts.iter().flat_map(|left| arena.items(*left)) {
            let text = match at_path(&arena, arena.value(item), path) {
                Some((value, _)) => scalar_text(&arena, value),
                None => continue,
            };
            if !values.contains(&text) {
                values.push(text);
            }
            if values.len() > SHOWN && !first {
                return None;
            }
            if let Some(last) = values.get_mut(SHOWN) {
                *last = "…".to_string();
                break;
            }
        }
        let path = path_text(&arena, path);
        if first && values.len() < 2 {
            return None;
        }
        Some(match values.is_empty() {
            true => format!("none of them has `{path}`"),
            false => format!("`{path}` there: {}", values.join(", ")),
        })
    }

    /// Keys of a map like the wanted one; else the same key elsewhere in the document.
    pub(super) fn near_keys(&self, map: NodeId, right: NodeId) -> Vec<Near> {
        let mut near = self.keys_like(map, right);
        if near.iter().all(|one| one.fix.is_none()) {
            near.extend(self.key_elsewhere(&self.arena(), right));
        }
        near
    }

    /// Keys of a map like the wanted one.
    pub(super) fn keys_like(&self, map: NodeId, right: NodeId) -> Vec<Near> {
        let arena = self.arena();
        let wanted = arena.key(right);
        let text = key_text(&arena, wanted);
        let (plain, written) = (folded(&text), self.written_key(&arena, right));
        // Of names of one or two letters nothing is like another.
        let most = (text.chars().count() / 3).max(usize::from(text.chars().count() > 2));
        let target = arena.span_of(right);
        let fix = |new: String| target.map(|span| Fix::meant(span, &new.clone(), new));
        let around = self.trail.iter().rev().nth(1).map(|step| arena.value(step.node));
        let around = match around {
            Some(Val::Node(around)) if arena.items(around).contains(&right) => Some(around),
            _ => None,
        };
        let mut near = Vec::new();
        for (position, &item) in arena.items(map).iter().enumerate() {
            let (key, span) = (key_text(&arena, arena.key(item)), arena.span_of(item));
            let here = self.written_key(&arena, item);
            if key == text || here.is_some() && here == written {
                let (text, new, meaning) = other_type(&arena, arena.key(item), wanted, here.unwrap_or(key));
                let fix = fix(new).map(|fix| Fix { meaning, ..fix });
                near.push(Near { fix, ..Near::new((0, 0, position), item, span, text) });
                continue;
            }
            let rank = if folded(&key) == plain {
                (0, 1, position)
            } else if let Some(distance) = suggest::distance(&text, &key, most).filter(|_| is_like(&text, &key)) {
                (1, distance, position)
            } else {
                continue;
            };
            // A second one of that name is not meant.
            if let Some(given) = around.and_then(|around| arena.find(around, arena.key(item))) {
                let rank = (3, rank.1, position);
                let text = format!("`{key}` is given here already");
                near.push(Near { given: Some(key), ..Near::new(rank, item, arena.span_of(given), text) });
                continue;
            }
            let text = match target {
                Some(_) => "nearest key".to_string(),
                None => format!("did you mean `{key}`?"),
            };
            near.push(Near { fix: fix(key), ..Near::new(rank, item, span, text) });
        }
        near
    }

    /// A key as it is written in its file, without quotes.
    fn written_key(&self, arena: &Arena, item: NodeId) -> Option<String> {
        let text = self.written(arena.span_of(item)?)?;
        Some(text.trim_matches(['"', '\'']).to_string())
    }

    /// Whether a scalar is written at a place, with or without quotes.
    pub(super) fn is_scalar_at(&self, span: Span, text: &str) -> bool {
        self.written(span).is_some_and(|written| written == text || written.trim_matches(['"', '\'']) == text)
    }

    /// Values of the key that `map_key` compares.
    fn near_values(&self, lefts: &[NodeId], right: NodeId, key: Val) -> Vec<Near> {
        let arena = self.arena();
        let Ok(target) = key_value(&arena, arena.value(right), key) else {
            return Vec::new();
        };
        let own = match arena.value(right) {
            Val::Node(map) => arena.find(map, key),
            _ => None,
        };
        let (name, wanted) = (key_text(&arena, key), key_text(&arena, target));
        let written = own.and_then(|item| arena.place(arena.get(item).pos)).map(|place| place.value());
        let written = written.filter(|span| self.is_scalar_at(*span, &wanted));
        let code = own.and_then(|item| arena.place_of(item)?.code(self.calls.sources()));
        let given = code.and_then(|code| self.given_by_data(&arena, code, target));
        let from =
            given.as_ref().map(|given| (given.span, format!("`{}` is {}", given.code, described(&arena, target))));
        let is_few = lefts.iter().map(|left| arena.items(*left).len()).sum::<usize>() <= CANDIDATES.saturating_add(1);
        let mut near: Vec<Near> = Vec::new();
        let mut unlike = Vec::new();
        for (position, &item) in lefts.iter().flat_map(|left| arena.items(*left)).enumerate() {
            let Ok(value) = key_value(&arena, arena.value(item), key) else {
                continue;
            };
            let holder = arena.map_of(arena.value(item)).and_then(|map| arena.find(map, key));
            if let Some((holder, by)) =
                holder.and_then(|holder| Some((holder, self.renamed_by(&arena, holder, target)?)))
            {
                let new = key_text(&arena, value);
                let text = format!("its `{name}` is changed here, from `{wanted}` to `{new}`");
                let fix = written.filter(|_| needs_no_quotes(&new)).map(|span| Fix::meant(span, &new, new.clone()));
                let fix = fix.map(|fix| self.as_renamed(&arena, fix, (&wanted, &new), by));
                let renamed = Some(self.change_of(&arena, by, &name, (&wanted, &new)));
                near.push(Near { fix, renamed, ..Near::new((0, 0, position), item, self.mark(&arena, holder), text) });
                continue;
            }
            let most = wanted.len().max(4);
            let new = key_text(&arena, value);
            // Of few items all are shown, however far they are.
            let far = || is_few.then(|| most.saturating_add(1));
            if let Some(distance) = suggest::distance(&wanted, &new, most).or_else(far) {
                // Only what they are makes the difference.
                if is_other_kind(&arena, value, target) {
                    let kind = kind_name(&arena, target);
                    let own = format!("{} {kind}", article(kind));
                    let text = format!("its `{name}` is {}, the overlay's is {own}", as_a_kind(&arena, value));
                    let fix = written.and_then(|span| in_yaml_as_there(&arena, span, (target, value)));
                    let fix = fix.map(|fix| Fix {
                        meaning: Meaning::Quoted,
                        text: as_there(&arena, &format!("`{name}`"), value),
                        ..fix
                    });
                    let fix = fix.or_else(|| self.as_other_kind(&arena, given.as_ref()?, value));
                    let literal = code.and_then(|code| self.literal_of_other_kind(&arena, code, (target, value)));
                    let made = code.filter(|_| literal.is_none()).and_then(|code| self.converted(code, value));
                    let fix = fix.or(literal);
                    let (fix, made) = if fix.is_some() { (fix, made) } else { (made, None) };
                    let flag = given.as_ref().and_then(|given| self.as_other_flag(given, value));
                    let (from, rank) = (from.clone(), (0, 0, position));
                    near.push(Near { fix, from, made, flag, ..Near::new(rank, item, self.mark(&arena, item), text) });
                    continue;
                }
                let text = format!("its `{name}` is {}", scalar_text(&arena, value));
                let length = wanted.chars().count();
                // Of names of one or two letters nothing is like another.
                let least = usize::from(length.max(new.chars().count()) > 2);
                let like = distance <= (length / 3).max(least) && needs_no_quotes(&new);
                if !like {
                    unlike.push((near.len(), new.clone()));
                }
                let fix = written.map(|span| Fix::meant(span, &new.clone(), new.clone()));
                let fix = fix.or_else(|| self.in_data(&arena, given.as_ref()?, value)).filter(|_| like);
                let from = from.clone();
                near.push(Near {
                    fix,
                    from,
                    ..Near::new((0, distance, position), item, self.mark(&arena, item), text)
                });
            }
        }
        // Of names that are spelt in another way, the one that ends alike.
        let is_alone = near.iter().all(|one| one.fix.is_none());
        let names = || unlike.iter().map(|(_, name)| name.as_str()).filter(|_| is_alone);
        // Also the one that goes on where the wanted one ends: who adds an item gives it the longer name.
        let goes_on =
            |name: &&str| wanted.len() > 2 && name.strip_prefix(&*wanted).is_some_and(|rest| rest.starts_with('-'));
        let meant = suggest::ends(&wanted, names()).or_else(|| only(names().filter(goes_on)));
        if let Some((at, name)) = meant.and_then(|meant| unlike.iter().find(|(_, name)| name == meant))
            && let Some(one) = near.get_mut(*at).filter(|_| needs_no_quotes(name))
        {
            one.rank.1 = 0;
            one.fix = written.map(|span| Fix { is_guess: true, ..Fix::meant(span, name, name.clone()) });
        }
        near
    }
}

/// Notes at the nearest candidate the names that are as near as its own.
fn name_equally_near(near: &mut [Near]) {
    let Some((first, others)) = near.split_first_mut() else { return };
    let is_as_near = |one: &&Near| {
        one.rank.0 == first.rank.0
            && (one.rank.1 == first.rank.1 || one.is_longer && first.is_longer && one.level() == first.level())
    };
    let others = others.iter().filter(is_as_near).filter_map(|one| one.fix.as_ref());
    let fixes = first.fix.iter().chain(others).filter(|fix| fix.meaning == Meaning::Like);
    let mut alike: Vec<String> = fixes.map(|fix| fix.new.trim_matches('"').to_string()).collect();
    alike.sort_unstable();
    alike.dedup();
    if first.fix.as_ref().is_some_and(|fix| fix.meaning == Meaning::Like) && alike.len() > 1 {
        first.alike = alike;
    }
}

/// What to say of a key that is written alike and has another type, and how to write it: YAML reads `on` as a boolean
/// and `1` as a number.
fn other_type(arena: &Arena, key: Val, wanted: Val, written: String) -> (String, String, Meaning) {
    match (key, wanted) {
        (Val::Str { .. }, _) => {
            let (kind, wanted) = (kind_name(arena, wanted), key_text(arena, wanted));
            let text =
                format!("this key is the string `{written}`; without quotes the overlay's is the {kind} {wanted}");
            (text, format!("\"{written}\""), Meaning::Quoted)
        }
        _ => {
            let (kind, key) = (kind_name(arena, key), key_text(arena, key));
            (format!("this key is the {kind} {key}, the overlay's is not"), written, Meaning::Like)
        }
    }
}

/// The targets of `subset` in a matcher: alternatives, all elements of one of which must hold.
pub(super) fn subsets(test: &mut Test) -> Vec<Vec<&mut Target>> {
    match test {
        Test::Subset(target) => vec![vec![target]],
        Test::Or(tests) => tests.iter_mut().flat_map(subsets).collect(),
        Test::And(tests) => {
            let all: Vec<_> = tests.iter_mut().filter_map(|test| subsets(test).into_iter().next()).flatten().collect();
            if all.is_empty() { Vec::new() } else { vec![all] }
        }
        _ => Vec::new(),
    }
}

/// Of names with a group in front, as of annotations, what stands behind that has to be alike: the group makes them long.
fn is_like(wanted: &str, key: &str) -> bool {
    match (wanted.rsplit_once('/'), key.rsplit_once('/')) {
        (Some((group, own)), Some((other, name))) if group == other => {
            suggest::distance(own, name, own.chars().count() / 3).is_some()
        }
        _ => true,
    }
}
