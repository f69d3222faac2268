//! Schema documents of one library: each must be a schema by itself, then they are merged, then types are made.

use crate::call::Call;
use crate::diag::{Diagnostic, Diagnostics};
use crate::overlay;
use crate::schema::{Schema, redeclared};
use crate::yaml::NodeId;

use super::route::Route;
use super::without_effect::{DocumentRole, unused};

/// A schema document that does not stand in the library's own files.
#[derive(Clone, Debug)]
pub(crate) struct GivenSchema {
    pub(crate) document: NodeId,
    pub(crate) route: Route,
}

/// The schema that documents make together, in order; none without documents.
///
/// All problems of a document are reported. The merge begins only if every document is a schema.
pub(crate) fn merge(
    calls: &mut dyn Call,
    documents: &[NodeId],
    options: overlay::Options,
) -> Result<Schema, Diagnostics> {
    let Some((&first, more)) = documents.split_first() else { return Ok(Schema::none()) };
    warn(calls, None, first);
    if more.is_empty() {
        return Schema::from_document(calls, first);
    }
    let mut problems: Vec<Diagnostic> = Vec::new();
    for &document in documents {
        if let Err(found) = Schema::from_document(calls, document) {
            problems.extend(found.0);
        }
    }
    Diagnostics(std::mem::take(&mut problems)).into_result()?;
    let (mut merged, mut again) = (first, Vec::new());
    for &document in more {
        warn(calls, Some(merged), document);
        again.extend(redeclared(&calls.arena().borrow(), calls.sources(), merged, document));
        match overlay::exact(calls, merged, document, None, false, options) {
            Ok(document) => merged = document,
            Err(found) => problems.extend(found.0),
        }
    }
    Diagnostics(problems).into_result()?;
    Ok(Schema::from_document(calls, merged)?.with_redeclared(again))
}

fn warn(calls: &mut dyn Call, left: Option<NodeId>, right: NodeId) {
    let args = |args| calls.args(args);
    let warnings = unused(&calls.arena().borrow(), &args, DocumentRole::Schema, left, right, None);
    warnings.into_iter().for_each(|warning| calls.warn(warning));
}
