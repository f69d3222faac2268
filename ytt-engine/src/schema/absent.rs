//! Keys that a condition reads of the data values around its own, and that are not there: what it looks into, and where
//! the key is declared.

use super::{Schema, TypeKind};
use crate::diag::{Diagnostic, Help, Label, suggest};
use crate::quoted;
use crate::source::{SourceMap, Span};
use crate::template::written::{self, CodeStep};
use crate::yaml::words::key_text;
use crate::yaml::{Arena, NodeId, Val};

/// Items that are looked through.
const SEARCHED: usize = 10_000;
/// Maps in maps.
const DEEPEST: usize = 16;
/// Keys that may be joined to one.
const DEPTH: usize = 4;

/// Keys that lead to an item.
type Way = Vec<String>;

/// A key that is asked for.
struct Asked {
    /// `ctx.parent`, `ctx.root`, as they are written.
    base: String,
    context: String,
    /// The map that does not have it, and the way to that; `None` of one in a list.
    map: NodeId,
    way: Option<Way>,
    /// Whether the map is the base itself.
    is_base: bool,
    key: String,
    /// The code up to the key, and the key with its quotes.
    code: Span,
    written: Span,
}

/// Says what a condition looks into, which fails for a key at the first place, and which key was probably meant.
pub(super) fn told(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    (root, parent): (Val, Val),
    mut told: Diagnostic,
) -> Diagnostic {
    let Some(asked) = asked(arena, sources, (root, parent), &told) else { return told };
    let name = asked.way.as_ref().filter(|way| !way.is_empty()).map(|way| way.join("."));
    let text = match (&name, asked.is_base) {
        (Some(name), true) => format!("`{}` is `{name}` here, which has no `{}`", asked.base, asked.key),
        (Some(name), false) => format!("`{name}` has no `{}`", asked.key),
        (None, _) => format!("`{}` has no `{}`", asked.base, asked.key),
    };
    let parts = told.parts_mut();
    if let Some(label) = parts.labels.first_mut() {
        *label = Label { span: asked.written, text };
    }
    let Some((item, way, help)) = asked.meant(arena, sources, root) else { return told };
    if let Some(place) = declared(arena, schema, &way).or_else(|| arena.span_of(item))
        && parts.labels.iter().all(|label| label.span != place)
    {
        let key = way.last().map(String::as_str).unwrap_or_default();
        let group = way.get(..way.len().saturating_sub(1)).unwrap_or_default().join(".");
        let group = if group.is_empty() { "at the top".to_owned() } else { format!("in `{group}`") };
        parts.labels.push(Label { span: place, text: format!("`{key}` is declared here, {group}") });
    }
    parts.helps.insert(0, help);
    told
}

fn asked(arena: &Arena, sources: &SourceMap, (root, parent): (Val, Val), told: &Diagnostic) -> Option<Asked> {
    let code = told.parts().labels.first()?.span;
    let path = written::path(sources, code)?;
    let context = sources.get(code.source).written(path.root)?.to_owned();
    let [CodeStep::Key(base), steps @ ..] = &path.steps[..] else { return None };
    let (mut at, mut way) = match base.as_str() {
        "root" => (root, Some(Way::new())),
        "parent" => (parent, way_to(arena, root, parent)),
        _ => return None,
    };
    for (number, step) in steps.iter().enumerate() {
        let CodeStep::Key(key) = step else { return None };
        let map = arena.map_of(at)?;
        let Some(item) = arena.find_str(map, key) else {
            let written = written::string(sources, code, key)?;
            let base = format!("{context}.{base}");
            return Some(Asked { base, context, map, way, is_base: number == 0, key: key.clone(), code, written });
        };
        at = arena.value(item);
        way.iter_mut().for_each(|way| way.push(key.clone()));
    }
    None
}

/// Where the schema declares what a way leads to.
fn declared(arena: &Arena, schema: &Schema, way: &Way) -> Option<Span> {
    let mut at = schema.root;
    for key in way {
        let TypeKind::Map(map) = &schema.inner(schema.item(at).ty).kind else { return None };
        at = map.items.iter().copied().find(|id| key_text(arena, schema.item(*id).key) == *key)?;
    }
    Some(arena.place(schema.item(at).pos)?.key())
}

impl Asked {
    /// The item that was probably meant, the way to it, and the help.
    fn meant(&self, arena: &Arena, sources: &SourceMap, root: Val) -> Option<(NodeId, Way, Help)> {
        let below = |item: NodeId, keys: &[String]| {
            let way = self.way.iter().flatten().chain(keys).cloned().collect();
            let new = keys.iter().map(|key| quoted::go(key.as_bytes())).collect::<Vec<_>>().join("][");
            let text = format!("did you mean `{}`?", self.code_with(sources, &new));
            (item, way, Help::with_edit(text, self.written, new))
        };
        let items = arena.items(self.map);
        let keys: Vec<String> = items.iter().map(|item| key_text(arena, arena.key(*item))).collect();
        if let Some(near) = suggest::similar(&self.key, keys.iter().map(String::as_str)) {
            return Some(below(arena.find_str(self.map, near)?, &[near.to_owned()]));
        }
        let folded = |key: &str| key.replace(['_', '-'], "").to_lowercase();
        let joined = |way: &Way| way.len() > 1 && way.len() <= DEPTH && folded(&way.concat()) == folded(&self.key);
        let inside = ways(arena, Val::Node(self.map));
        if let Some((way, item)) = inside.into_iter().find(|(way, _)| joined(way)) {
            return Some(below(item, &way));
        }
        let mut elsewhere = ways(arena, root);
        elsewhere.retain(|(way, _)| way.last() == Some(&self.key));
        let is_only = elsewhere.len() == 1;
        let (way, item) = self.nearest(elsewhere)?;
        let source = sources.get(self.code.source);
        let whole = Span { end: self.written.end.checked_add(1)?, ..self.code };
        source.written(whole)?.strip_suffix(']')?;
        let new = way
            .iter()
            .fold(format!("{}.root", self.context), |code, key| format!("{code}[{}]", quoted::go(key.as_bytes())));
        let mut help = Help::with_edit(format!("did you mean `{new}`?"), whole, new);
        help.is_guess = !is_only;
        Some((item, way, help))
    }

    /// Of several items the one that lies in the innermost map around.
    fn nearest(&self, mut all: Vec<(Way, NodeId)>) -> Option<(Way, NodeId)> {
        if all.len() < 2 {
            return all.pop();
        }
        let own = self.way.as_ref()?;
        let is_around = |way: &Way| way.split_last().is_some_and(|(_, group)| own.starts_with(group));
        all.into_iter().filter(|(way, _)| is_around(way)).max_by_key(|(way, _)| way.len())
    }

    /// The code with another text in place of the key.
    fn code_with(&self, sources: &SourceMap, new: &str) -> String {
        let source = sources.get(self.code.source);
        let before = source.written(Span { end: self.written.start, ..self.code }).unwrap_or_default();
        format!("{before}{new}]")
    }
}

/// The items that maps in maps hold, each with the way to it.
fn ways(arena: &Arena, root: Val) -> Vec<(Way, NodeId)> {
    let (mut found, mut open) = (Vec::new(), vec![(Way::new(), root)]);
    while let Some((way, value)) = open.pop() {
        let Some(map) = arena.map_of(value) else { continue };
        for item in arena.items(map) {
            if found.len() >= SEARCHED || way.len() > DEEPEST {
                return found;
            }
            let mut way = way.clone();
            way.push(key_text(arena, arena.key(*item)));
            open.push((way.clone(), arena.value(*item)));
            found.push((way, *item));
        }
    }
    found
}

/// The way to a value.
fn way_to(arena: &Arena, root: Val, value: Val) -> Option<Way> {
    if root == value {
        return Some(Way::new());
    }
    ways(arena, root).into_iter().find(|(_, item)| arena.value(*item) == value).map(|(way, _)| way)
}
