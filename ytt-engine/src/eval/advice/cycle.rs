//! Files that load each other: what each of two uses of the other and could stand in the other one, and what is loaded from
//! a file that only loads it itself.

use super::super::scope::SourceUnit;
use super::code_of;
use crate::diag::{Diagnostic, suggest};
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::{outline, word};

/// Uses that are shown of one file.
const SHOWN: usize = 3;

/// One side of a cycle of two files: what it loads of the other one, by the names there.
struct Side {
    file: SourceId,
    of: SourceId,
    names: Vec<(String, String)>,
}

/// Says of a cycle, by its loads and the files that they stand in, how to open it: a name is loaded from where it is defined,
/// or moved. That is words alone: the edit has to change both files.
pub(in crate::eval) fn told(
    sources: &SourceMap,
    diagnostic: Diagnostic,
    (loads, files): (&[Span], &[&SourceUnit]),
) -> Diagnostic {
    let diagnostic = with_uses(sources, diagnostic, loads);
    let mut handed_on = loads.iter().zip(files).filter_map(|(load, file)| handed_on(sources, *load, (file, files)));
    match handed_on.next() {
        Some(found) => found.told(diagnostic),
        None => moved(sources, diagnostic, loads),
    }
}

/// A `load` of names that the other file only loads itself: it hands none of them on.
struct HandedOn {
    /// The path in the `load`, and that of the file which defines them.
    path: Span,
    new: String,
    /// Each with where the other file loads it, and where it is defined.
    names: Vec<(String, Span, Span)>,
}

impl HandedOn {
    fn told(self, diagnostic: Diagnostic) -> Diagnostic {
        let HandedOn { path, new, names } = self;
        let mut told = diagnostic;
        for (name, loaded, defined) in names.iter().take(SHOWN) {
            told = told
                .label(*loaded, format!("`{name}` is only loaded here: other files load it from where it is defined"));
            told = told.label(*defined, format!("`{name}` is defined here"));
        }
        told.parts_mut().helps.clear();
        let all: Vec<String> = names.iter().map(|(name, ..)| format!("`{name}`")).collect();
        let text = format!("load {} from `{new}`", suggest::all_of(&all));
        told.help_edit(text, path, new)
    }
}

/// The same of one `load` of a file.
fn handed_on(sources: &SourceMap, place: Span, (unit, cycle): (&SourceUnit, &[&SourceUnit])) -> Option<HandedOn> {
    let load = load_at(sources, place)?;
    let other = unit.scope.resolve(&load.path.name).ok()?.source;
    let source = sources.get(other);
    let (mut names, mut homes) = (Vec::new(), Vec::new());
    for name in load.names {
        let own = name.own.name;
        let (_, loaded) = outline::brought(&source, other, &own)?;
        let (home, its) = home(sources, other, &own)?;
        names.push((own, loaded.alias.unwrap_or(loaded.own).span, outline::defined(&sources.get(home), home, &its)?));
        homes.push((home, its));
    }
    let (home, _) = homes.first()?;
    let is_same = |((file, its), (own, ..)): (&(SourceId, String), &(String, Span, Span))| file == home && its == own;
    homes.iter().zip(&names).all(is_same).then_some(())?;
    // The file that defines them must not lead back.
    let is_in_cycle = |file: SourceId| cycle.iter().any(|unit| unit.source == file);
    let of_home = outline::loads(&sources.get(*home), *home).into_iter().flat_map(|load| load.names);
    let leads_back =
        |name: outline::Loaded| outline::home(sources, *home, name.here()).is_some_and(|(file, _)| is_in_cycle(file));
    (!is_in_cycle(*home) && !of_home.into_iter().any(leads_back)).then_some(())?;
    let (new, _) = unit.scope.loadable().into_iter().find(|(_, file)| file == home)?;
    Some(HandedOn { path: load.path.span, new, names })
}

/// The file that defines a name of a file, through others that only load it, and what it is there.
fn home(sources: &SourceMap, file: SourceId, name: &str) -> Option<(SourceId, String)> {
    const STEPS: usize = 6;
    let mut at = (file, name.to_owned());
    for _ in 0..STEPS {
        let next = outline::home(sources, at.0, &at.1)?;
        if next == at {
            return Some(at);
        }
        at = next;
    }
    None
}

/// What a `load` of a cycle is.
fn load_at(sources: &SourceMap, place: Span) -> Option<outline::Load> {
    let found = outline::loads(&sources.get(place.source), place.source).into_iter();
    let mut found = found.filter(|one| place.start <= one.path.span.start && one.path.span.end <= place.end);
    found.next()
}

/// Shows what two files use of each other.
fn with_uses(sources: &SourceMap, diagnostic: Diagnostic, loads: &[Span]) -> Diagnostic {
    let Some(sides) = sides(sources, loads) else { return diagnostic };
    let mut told = diagnostic;
    for side in &sides {
        for (own, here) in side.names.iter().take(SHOWN) {
            if let Some((place, by)) = used(sources, side.file, here) {
                let by = by.map_or(String::new(), |by| format!(", by `{by}`"));
                told = told.label(place, format!("`{own}` is used here{by}"));
            }
        }
    }
    told
}

fn sides(sources: &SourceMap, loads: &[Span]) -> Option<[Side; 2]> {
    let [first, second] = loads else { return None };
    Some([side(sources, *first, second.source)?, side(sources, *second, first.source)?])
}

/// What one of two files needs of the other may stand there.
fn moved(sources: &SourceMap, diagnostic: Diagnostic, loads: &[Span]) -> Diagnostic {
    let Some([one, other]) = sides(sources, loads) else { return diagnostic };
    let mut told = diagnostic;
    for (side, back) in [(&one, &other), (&other, &one)] {
        if side.names.is_empty() || !side.names.iter().all(|(own, _)| is_apart(sources, side.of, own)) {
            continue;
        }
        let name = |file: SourceId| sources.get(file).shown_name();
        let (to, from) = (name(side.file), name(side.of));
        let all: Vec<String> = side.names.iter().map(|(own, _)| format!("`{own}`")).collect();
        let all = suggest::all_of(&all);
        let is_one = side.names.len() == 1;
        let (needs, them) = if is_one { ("needs", "it") } else { ("need", "them") };
        let still: Vec<String> = loaders(sources, side, back).into_iter().map(name).collect();
        let load = match still.is_empty() {
            true => String::new(),
            false => format!(", and load {them} from there in {}", suggest::all_of(&still)),
        };
        let parts = told.parts_mut();
        parts.helps.clear();
        return told.help(format!(
            "{all} {needs} nothing of {to}: move {them} there, delete the `load` of {from} there{load}"
        ));
    }
    told
}

/// What the file of a `load` has of another one by it.
fn side(sources: &SourceMap, load: Span, of: SourceId) -> Option<Side> {
    let names = load_at(sources, load)?.names.into_iter();
    let names = names.map(|name| (name.own.name.clone(), name.here().to_owned())).collect();
    Some(Side { file: load.source, of, names })
}

/// Where a file first uses a name that it loads, and the function there.
fn used(sources: &SourceMap, file: SourceId, name: &str) -> Option<(Span, Option<String>)> {
    let source = sources.get(file);
    let place = uses(&source, file, name).into_iter().next()?;
    let function = FileCode::read(&source, file).and_then(|code| code.function_around(place)?.name);
    Some((place, function.map(|function| code_of(sources, function))))
}

/// Where a file has a name, other than in a `load`.
fn uses(source: &Source, file: SourceId, name: &str) -> Vec<Span> {
    let text = source.text.as_str().unwrap_or_default();
    let loads = outline::loads(source, file);
    let is_loaded = |at: u32| loads.iter().any(|load| source.line(load.path.span.start) == source.line(at));
    let places = word::whole(text, name).map(to_u32).filter(|at| !is_loaded(*at));
    places.map(|at| Span::new(file, at, at.saturating_add(to_u32(name.len())))).collect()
}

/// Is a function of a file one that uses no other name of the file, nor one that the file loads of files?
fn is_apart(sources: &SourceMap, file: SourceId, name: &str) -> bool {
    let source = sources.get(file);
    let Some(code) = FileCode::read(&source, file) else { return false };
    let Some(function) = code.function_of(name, false) else { return false };
    let loads = outline::loads(&source, file).into_iter().filter(|load| !load.path.name.starts_with('@'));
    let loaded = loads.flat_map(|load| load.names).map(|name| name.here().to_owned());
    let defined = code.defined().into_iter().map(|(own, _)| own).filter(|own| own != name);
    let is_inside = |place: &Span| function.whole.start <= place.start && place.end <= function.whole.end;
    let is_used = |other: &String| uses(&source, file, other).iter().any(is_inside);
    !loaded.chain(defined).any(|other| is_used(&other))
}

/// The files that need what moves: the one that it leaves, if that uses it, and others that load it from there.
fn loaders(sources: &SourceMap, side: &Side, back: &Side) -> Vec<SourceId> {
    let (mut found, all) = (Vec::new(), sources.all());
    for (number, source) in all.iter().enumerate() {
        let id = SourceId(to_u32(number));
        let has_it = side.names.iter().any(|(own, _)| match id == back.file {
            true => uses(source, id, own).len() > 1,
            false => outline::loads(source, id).into_iter().flat_map(|load| load.names).any(|name| {
                name.own.name == *own
                    && outline::home(sources, id, name.here()).is_some_and(|(home, _)| home == side.of)
            }),
        });
        if id != side.file && has_it {
            found.push(id);
        }
    }
    found
}
