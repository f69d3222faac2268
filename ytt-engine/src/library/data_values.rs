//! Which data value code stands for, and as what that is declared.

use crate::schema::{ItemType, Schema};
use crate::source::{Source, SourceMap, Span};
use crate::template::code::{Binder, FileCode};
use crate::template::outline;
use crate::template::written::{self, CodeStep};
use crate::yaml::{Arena, NodeId};

/// Names that are followed to what they are set to.
const STEPS: usize = 4;

/// The keys of the data value that code reads: `data.values.app.name`, also by names that are set to the beginning of it.
pub(super) fn data_value(sources: &SourceMap, code: &FileCode, mut span: Span) -> Option<Vec<String>> {
    let mut keys: Vec<String> = Vec::new();
    for _ in 0..STEPS {
        let path = written::path(sources, span)?;
        let steps: Option<Vec<String>> = path
            .steps
            .into_iter()
            .map(|step| match step {
                CodeStep::Key(key) => Some(key),
                _ => None,
            })
            .collect();
        keys.splice(0..0, steps?);
        let source = sources.get(span.source);
        let name = source.written(path.root)?;
        match code.bound(path.root, name).map(|bound| bound.by) {
            None | Some(Binder::Load) if keys.first().is_some_and(|first| first == "values") => {
                keys.remove(0);
                return is_module(&source, span, name).then_some(keys);
            }
            Some(Binder::Value(value)) if code.is_bound_once(path.root, name) => span = value,
            _ => return None,
        }
    }
    None
}

/// Is the name that of `@ytt:data` in its file?
fn is_module(source: &Source, at: Span, name: &str) -> bool {
    let loads = outline::loads(source, at.source);
    loads.iter().any(|load| load.path.name == "@ytt:data" && load.names.iter().any(|known| known.here() == name))
}

/// The type that a schema declares for a data value.
pub(super) fn declared_at<'a>(
    arena: &Arena,
    schema: &'a Schema,
    values: NodeId,
    keys: &[String],
) -> Option<&'a ItemType> {
    let (mut ty, mut at) = (schema.root, values);
    for key in keys {
        at = arena.find_str(arena.map_of(arena.value(at))?, key)?;
        ty = schema.below(ty, arena, at)?;
    }
    Some(schema.item(ty))
}
