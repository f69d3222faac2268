//! One run over a library: schema, data values, templates, overlays, in this order.
//!
//! The steps are those of `docs/libraries.md#stages-of-a-run`; which file has a part in which, see
//! `docs/libraries.md#kinds-of-files`. A stage reports all of its problems; after a stage with errors nothing later
//! runs. [`library`] puts what others and code give to an instance in the order in which it counts
//! (`docs/data-values.md#values-of-libraries`).

mod beside;
mod plain_input;
mod rules;

use std::collections::HashSet;
use std::sync::Arc;

use super::addressed::{Addressed, Given};
use super::kind::{SCHEMA, Use, VALUES, kind_of_values};
use super::module::Added;
use super::order::{self, in_order};
use super::route::{self, Route};
use super::schemas::GivenSchema;
use super::scope::{Common, FileScope};
use super::tree::{FoundFile, Tree};
use super::values::{self, GivenContent, GivenKind, GivenValue};
use super::{
    Job, Outcome, Output, Stop, braces, declarations, early, given_items, lint, loaded, of_library, schemas,
    text_conditions, unequal,
};
use crate::diag::{Code, Diagnostic, Diagnostics, Step};
use crate::eval::{Exports, Prepared, Root, Session, SourceUnit};
use crate::files::{File, FileKind};
use crate::overlay;
use crate::schema::{self, Schema};
use crate::source::{SourceId, Span, to_u32};
use crate::yaml::{Event, NodeId, PosId, Raw, TextPart, Val};

const MATCH: &str = "overlay/match";

/// The run of a render's root.
pub(super) fn root(session: &mut Session<'_, '_, '_, '_>, job: Job, stop: Stop) -> Result<Outcome, Diagnostics> {
    let common = Common {
        tree: Arc::new(Tree::new(&job.files)),
        sources: job.sources,
        limits: job.limits,
        options: job.options,
        lints: job.lints,
    };
    let mut given = job.given;
    values::sort(&mut given);
    let scope = FileScope { common: Arc::new(common), folder: Tree::ROOT, root: Tree::ROOT, addressed: Arc::default() };
    Run::new(session, scope, Given { values: given, schemas: Vec::new() }).root(stop)
}

/// What the run of a library gave.
pub(super) struct Ended<'v> {
    /// The final data values.
    pub(super) values: NodeId,
    /// Documents of each file, in file order.
    pub(super) documents: Vec<NodeId>,
    /// What each library file offers, in tree order, with its path below the library.
    pub(super) exports: Vec<(String, Exports<'v>)>,
}

/// The run of a library that code evaluates: `given` is what others addressed to it, `added` what code gave it. The alias
/// tells it from other runs, for people.
pub(super) fn library<'v>(
    session: &mut Session<'v, '_, '_, '_>,
    scope: FileScope,
    given: Given,
    added: &[Added],
    (stop, alias): (Stop, Option<&str>),
) -> Result<Ended<'v>, Diagnostics> {
    let (mut values, mut after, mut schemas) = (Vec::new(), Vec::new(), given.schemas);
    for value in given.values {
        let last = value.kind == GivenKind::DocumentAfter && value.route.is_here();
        if last { &mut after } else { &mut values }.push(value);
    }
    for document in added {
        match *document {
            Added::Values(document, call) => {
                let content = GivenContent::Overlay(document);
                let value = GivenValue::new(GivenKind::Document, content, Route::default(), PosId(0));
                values.push(GivenValue { call, ..value });
            }
            Added::Schema(document) => schemas.push(GivenSchema { document, route: Route::default() }),
        }
    }
    values.append(&mut after);
    Run { alias, ..Run::new(session, scope, Given { values, schemas }) }.library(stop)
}

/// A file with what reading it gave.
struct Input {
    found: FoundFile,
    unit: SourceUnit,
    prepared: Option<Prepared>,
    used: Use,
}

struct Run<'s, 'v, 'x, 'a, 'e> {
    session: &'s mut Session<'v, 'x, 'a, 'e>,
    scope: FileScope,
    /// What is not in the files of the run, for itself and for the libraries that it evaluates.
    given: Given,
    /// For the libraries that it evaluates.
    addressed: Given,
    exports: Vec<(String, Exports<'v>)>,
    alias: Option<&'s str>,
    /// Final values that break rules, and whether all these rules fail themselves, so that nothing says that the values
    /// are wrong.
    refused: Option<(NodeId, bool)>,
}

impl<'s, 'v, 'x, 'a, 'e> Run<'s, 'v, 'x, 'a, 'e> {
    fn new(session: &'s mut Session<'v, 'x, 'a, 'e>, scope: FileScope, given: Given) -> Self {
        Run { session, scope, given, addressed: Given::default(), exports: Vec::new(), alias: None, refused: None }
    }

    /// `stop` is behind the schema.
    fn library(mut self, stop: Stop) -> Result<Ended<'v>, Diagnostics> {
        let mut inputs = self.inputs(stop)?;
        let schema = self.schema(&mut inputs)?;
        let (values, results) = self.results(inputs, &schema, stop)?;
        let documents = results.iter().filter_map(Evaluated::documents).collect();
        Ok(Ended { values, documents, exports: self.exports })
    }

    fn root(mut self, stop: Stop) -> Result<Outcome, Diagnostics> {
        let mut inputs = self.inputs(stop)?;
        let schema = self.schema(&mut inputs)?;
        if stop == Stop::Schema {
            let mut arena = self.session.state().arena.borrow_mut();
            let described = (schema::openapi(&mut arena, &schema)?, schema::json_schema(&arena, &schema));
            drop(arena);
            return Ok(Outcome { files: Vec::new(), values: None, schema: Some(described), types: schema });
        }
        let suspects = text_conditions::suspects(&self.session.state().arena.borrow(), &self.given.values);
        let (values, results) = self.results(inputs, &schema, stop)?;
        let mut roots: Vec<NodeId> = results.iter().filter_map(Evaluated::documents).collect();
        let wrong: Vec<Diagnostic> = {
            let arena = self.session.state().arena.borrow();
            roots.iter().filter_map(|root| overlay::refuse_equal_keys(&arena, Val::Node(*root)).err()).collect()
        };
        Diagnostics(wrong).into_result()?;
        self.warn_of_values(&results, values);
        roots.push(values);
        overlay::warn_of_shared(self.session, &roots);
        lint::lint(self.session, &self.scope, stop == Stop::Render);
        if !suspects.is_empty() {
            self.warn_of_texts(suspects, &schema, values);
        }
        if schema.is_declared() {
            let state = self.session.state();
            let found = unequal::lint(&state.arena.borrow(), &state.sources, &schema, values);
            found.into_iter().for_each(|one| state.warn(one));
        }
        let files = results.into_iter().map(|result| (result.file, result.output)).collect();
        Ok(Outcome { files, values: Some(values), schema: None, types: schema })
    }

    /// Problems that show where a data value is set, with where the schema declares it.
    fn with_declarations(&self, schema: &Schema, values: NodeId, mut problems: Diagnostics) -> Diagnostics {
        let state = self.session.state();
        if schema.is_declared() && state.trying.get() == 0 {
            declarations::add(&state.arena.borrow(), &state.sources, schema, values, &mut problems);
        }
        problems
    }

    fn warn_of_texts(&self, suspects: Vec<text_conditions::Suspect>, schema: &Schema, values: NodeId) {
        let state = self.session.state();
        let is_told = |source| state.has_warned(Code::VALUES_TEXT_FOR_BOOLEAN, source);
        let found = text_conditions::lint(&state.arena.borrow(), &state.sources, suspects, (schema, values), &is_told);
        found.into_iter().for_each(|one| state.warn(one));
    }

    /// The final data values and, unless the run stops there, what is left for output.
    fn results(
        &mut self,
        mut inputs: Vec<Input>,
        schema: &Schema,
        stop: Stop,
    ) -> Result<(NodeId, Vec<Evaluated>), Diagnostics> {
        let found = self.values(&mut inputs, schema);
        let values = found.map_err(|problems| self.with_wrong_beside(&mut inputs, problems, stop))?;
        self.session.state().arena.borrow_mut().events.add(|| {
            let name = self.scope.common.tree.name_of(self.scope.root);
            let library = self.alias.map_or_else(|| name.clone(), |alias| format!("{name}~{alias}"));
            Event::Values { document: values, library: library.into() }
        });
        let mut results = Vec::new();
        if stop == Stop::Render {
            let evaluated = self.evaluate(&mut inputs, values);
            results = evaluated.map_err(|problems| self.with_declarations(schema, values, problems))?;
            let data = self.session.state().arena.borrow().value(values);
            let outer = self.session.state().overlaid_with.replace(Some(data));
            let changed = self.overlays(&mut results).map_err(|problems| self.session.advised(data, problems));
            self.session.state().overlaid_with.set(outer);
            changed.map_err(|problems| {
                let problems = self.with_plain_input(&results, values, problems);
                self.with_declarations(schema, values, problems)
            })?;
        }
        Ok((values, results))
    }

    /// All files that this run evaluates, in tree order; YAML templates are read, so that it is known what each is.
    fn inputs(&mut self, stop: Stop) -> Result<Vec<Input>, Diagnostics> {
        let (mut inputs, mut problems) = (Vec::new(), Diagnostics::default());
        for found in self.scope.common.tree.in_tree_order(self.scope.root) {
            match self.input(found) {
                Ok(input) => inputs.extend(input),
                Err(found) if self.is_beyond(stop, &found) => {}
                Err(found) => problems.0.extend(found.0),
            }
        }
        if problems.0.is_empty() {
            return Ok(inputs);
        }
        let (mut all, beside) = self.wrong_values(inputs, &mut problems);
        all.0.append(&mut problems.0);
        // Programs see the first problem only.
        if self.session.state().trying.get() == 0 {
            all.0.extend(loaded::wrong(self.session, &self.scope));
        }
        // A file fails with what is wrong in one that it loads.
        let place = |problem: &Diagnostic| problem.parts().labels.first().map(|label| label.span);
        let known: HashSet<_> = all.0.iter().map(place).collect();
        let is_new = |problem: &Diagnostic| place(problem).is_some_and(|span| !known.contains(&Some(span)));
        all.0.extend(beside.0.into_iter().filter(is_new));
        Err(all)
    }

    fn evaluate_file(
        &mut self,
        input: &mut Input,
        data: Val,
        addressed: &Arc<Addressed>,
    ) -> Result<(Root, Exports<'v>), Diagnostics> {
        let folder = input.found.folder;
        input.unit.scope = Arc::new(FileScope { folder, addressed: Arc::clone(addressed), ..self.scope.clone() });
        // of a library that code evaluates it may ask for any name
        evaluate(self.session, input, data, self.scope.root != Tree::ROOT)
    }

    fn input(&mut self, found: FoundFile) -> Result<Option<Input>, Diagnostics> {
        let file = &found.file;
        let is_template = file.kind == FileKind::Yaml && file.is_template;
        let evaluated = if file.for_output {
            if !matches!(file.kind, FileKind::Yaml | FileKind::Text) {
                return Err(Diagnostic::error(Code::FILE_KIND, "Unknown file type")
                    .context(file.path.to_string())
                    .into());
            }
            Some(Use::Output)
        } else if file.is_library && file.kind != FileKind::Data {
            Some(Use::Library)
        } else {
            None
        };
        if evaluated.is_none() && !is_template {
            return Ok(None);
        }
        let unit = self.scope.unit(file, found.folder)?;
        if !is_template {
            return Ok(evaluated.map(|used| Input { found, unit, prepared: None, used }));
        }
        let prepared = self.session.prepare(&unit)?;
        let used = match kind_of_values(self.session.state(), &prepared)? {
            Some(used) => Some(used),
            None => evaluated,
        };
        Ok(used.map(|used| Input { found, unit, prepared: Some(prepared), used }))
    }

    /// Evaluates the files of one use in file order and gives their documents, which must all have the annotation.
    fn documents(&mut self, inputs: &mut [Input], used: Use) -> Result<(Vec<String>, Vec<NodeId>), Diagnostics> {
        let mut files: Vec<&mut Input> = inputs.iter_mut().filter(|input| input.used == used).collect();
        files.sort_by_key(|input| input.found.number);
        let names = files.iter().map(|input| input.found.file.path.to_string()).collect();
        let (annotation, what) = match used {
            Use::Schema => (SCHEMA, "schema"),
            _ => (VALUES, "data values"),
        };
        let empty = self.session.state().arena.borrow_mut().add_raw(Raw::Dict(Vec::new()));
        let (mut documents, mut problems) = (Vec::new(), Diagnostics::default());
        for input in files {
            let root = match evaluate(self.session, input, empty, self.scope.root != Tree::ROOT) {
                Ok((Root::Documents(root), _)) => root,
                Ok(_) => continue,
                Err(found) => {
                    problems.0.extend(found.0);
                    continue;
                }
            };
            let arena = self.session.state().arena.borrow();
            for &document in arena.items(root) {
                if arena.ann(document, annotation).is_some() {
                    documents.push(document);
                } else if !arena.is_empty_document(document) {
                    let path = input.found.file.path.as_str();
                    let text = format!("Expected {what} file '{path}' to only have {what} documents");
                    problems.push(
                        Diagnostic::error(Code::VALUES_DOCUMENT, text)
                            .context(Step::shown(format!("Templating file '{path}'")))
                            .at(arena.span_of(document)),
                    );
                }
            }
        }
        match problems.into_result() {
            Ok(()) => Ok((names, documents)),
            Err(problems) => Err(in_order(problems, &self.session.state().sources, used, &names, false)),
        }
    }

    fn schema(&mut self, inputs: &mut [Input]) -> Result<Schema, Diagnostics> {
        let (names, documents) = self.documents(inputs, Use::Schema)?;
        let (given, passed): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.given.schemas).into_iter().partition(|given| given.route.is_here());
        let sources = Arc::clone(&self.session.state().sources);
        let wrong = |problems| in_order(problems, &sources, Use::Schema, &names, !given.is_empty());
        let (mut own, mut problems) = (Vec::new(), Diagnostics::default());
        for document in documents {
            match Route::of_document(self.session, document) {
                Ok(route) if route.is_here() => own.push(document),
                Ok(route) => self.addressed.schemas.push(GivenSchema { document, route }),
                Err(problem) => problems.push(problem),
            }
        }
        problems.into_result().map_err(wrong)?;
        for given in &given {
            // Another run may take it too.
            let mut arena = self.session.state().arena.borrow_mut();
            let copied = arena.copy(given.document).map_err(|deep| schema::too_deep(&arena, deep));
            own.push(copied.map_err(|problem| wrong(problem.into()))?);
        }
        self.addressed.schemas.extend(passed);
        let options = self.overlay_options();
        schemas::merge(self.session, &own, options).map_err(|mut problems| {
            self.explain_items(inputs, &own, &mut problems);
            let mut all = wrong(problems);
            all.0.extend(self.undeclared_early(&own));
            all
        })
    }

    /// Looks into data values for what a schema has too much of.
    fn explain_items(&mut self, inputs: &mut [Input], schemas: &[NodeId], problems: &mut Diagnostics) {
        let is_meant = problems.0.iter().any(given_items::is_open);
        // Programs see the texts of the reference.
        if !is_meant || self.session.state().trying.get() > 0 {
            return;
        }
        let Ok((_, overlays)) = self.documents(inputs, Use::Values) else { return };
        let mut values = given_items::GivenValues { overlays, ..Default::default() };
        for given in self.given.values.iter().filter(|given| given.route.is_here()) {
            match &given.content {
                GivenContent::Overlay(document) => values.overlays.push(*document),
                GivenContent::Plain(document) => values.plain.push(*document),
                GivenContent::Path(keys, value) => {
                    values.flags.push((keys.iter().map(|(key, _)| *key).collect(), *value, given.pos));
                }
            }
        }
        let state = self.session.state();
        given_items::explain(&state.arena.borrow(), &state.sources, schemas, &values, &mut problems.0);
    }

    fn values(&mut self, inputs: &mut [Input], schema: &Schema) -> Result<NodeId, Diagnostics> {
        let (names, documents) = self.documents(inputs, Use::Values)?;
        let all = std::mem::take(&mut self.given.values);
        let is_root = self.scope.root == Tree::ROOT;
        let additional = all.iter().any(|given| is_root || given.route.is_here());
        let (given, passed): (Vec<_>, Vec<_>) = all.into_iter().partition(|given| given.route.is_here());
        let sources = Arc::clone(&self.session.state().sources);
        let wrong = |problems| in_order(problems, &sources, Use::Values, &names, additional);
        let (mut own, mut problems) = (Vec::new(), Diagnostics::default());
        for document in documents {
            let route = Route::of_document(self.session, document).and_then(|route| {
                let after = route::after_library_module(self.session, document, &route)?;
                Ok((route, after))
            });
            match route {
                Ok((route, _)) if route.is_here() => own.push(document),
                Ok((route, after)) => {
                    let pos = self.session.state().arena.borrow().get(document).pos;
                    let kind = if after { GivenKind::DocumentAfter } else { GivenKind::Document };
                    self.addressed.values.push(GivenValue::new(kind, GivenContent::Overlay(document), route, pos));
                }
                Err(problem) => problems.push(problem),
            }
        }
        problems.into_result().map_err(wrong)?;
        self.addressed.values.extend(passed);
        let options = self.overlay_options();
        let validated = !self.scope.common.options.disable_validation;
        let wanted = {
            let arena = self.session.state().arena.borrow();
            // Rules that do not run might have read anything.
            (validated && arena.declared.kept()).then(|| match own.first().filter(|_| !schema.is_declared()) {
                Some(&first) => arena.wanted(first),
                None => schema.wanted(),
            })
        };
        let bases = self.overridden_by_bases(&own);
        let merged = match values::merge(self.session, schema, &own, &given, options) {
            Ok(merged) => merged,
            Err((problems, left)) => {
                // Programs see the first problem only.
                let is_report = self.session.state().trying.get() == 0;
                let problems = if is_report { of_library::told(&self.scope, problems) } else { problems };
                let left = left.filter(|_| validated && is_report);
                let broken = left.map(|left| self.broken_rules(schema, left, (&own, &given)));
                let beside = broken.map(|broken| rules::beside(&sources, broken, &problems)).unwrap_or_default();
                let mut all = wrong(problems);
                all.0.extend(beside);
                return Err(all);
            }
        };
        bases.into_iter().for_each(|warning| self.session.state().warn(warning));
        if let Some(wanted) = wanted {
            self.session.state().arena.borrow_mut().note_declared(&wanted, merged);
        }
        let repeated = overlay::refuse_equal_keys(&self.session.state().arena.borrow(), Val::Node(merged));
        repeated.map_err(|problem| wrong(problem.into()))?;
        if validated {
            let broken = self.broken_rules(schema, merged, (&own, &given));
            self.refused = Some((merged, rules::all_fail(&broken)));
            broken.into_result()?;
        }
        Ok(merged)
    }

    /// Evaluates the other files in tree order; of those for output, gives the texts in this order, then the documents in
    /// file order.
    fn evaluate(&mut self, inputs: &mut [Input], values: NodeId) -> Result<Vec<Evaluated>, Diagnostics> {
        let data = self.session.state().arena.borrow().value(values);
        let addressed = Arc::new(Addressed::new(std::mem::take(&mut self.addressed)));
        let (mut results, mut collected) = (Vec::new(), Collected::default());
        for input in inputs.iter_mut().filter(|input| matches!(input.used, Use::Output | Use::Library)) {
            braces::warn(self.session, &self.scope, input.prepared.as_ref(), data);
            match self.evaluate_file(input, data, &addressed) {
                Ok((root, _)) if input.used == Use::Output => {
                    let output = match root {
                        Root::Documents(set) => Output::Documents(set),
                        Root::Text(text) => {
                            let parts = self.parts_of(&text, input.unit.source);
                            Output::Text(text, parts)
                        }
                        Root::Nothing => continue,
                    };
                    let (file, number) = (input.found.file.clone(), input.found.number);
                    results.push(Evaluated { file, number, output });
                }
                Ok((_, exports)) => {
                    let path = self.scope.common.tree.path_in(self.scope.root, &input.found.file);
                    self.exports.push((path.to_owned(), exports));
                }
                Err(found) => collected.add(found),
            }
        }
        collected.problems.into_result()?;
        let state = self.session.state();
        let is_there = |name: &str| self.scope.common.tree.library(self.scope.root, name).is_ok();
        addressed.check_used(&state.arena.borrow(), &state.sources, is_there)?;
        // A text has no number here, and comes before all that have one; the sort keeps the order of texts.
        results.sort_by_key(|result| result.documents().map(|_| result.number));
        Ok(results)
    }

    /// Where the parts of a text are from that was just made; what no template printed is the file as it is.
    fn parts_of(&self, text: &[u8], source: SourceId) -> Vec<TextPart> {
        let mut arena = self.session.state().arena.borrow_mut();
        let parts = std::mem::take(&mut arena.events.text);
        if !parts.is_empty() || !arena.events.explains() {
            return parts;
        }
        vec![TextPart { at: 0, place: Span::new(source, 0, to_u32(text.len())), computed: false, by: None }]
    }

    fn overlay_options(&self) -> overlay::Options {
        let state = self.session.state();
        overlay::Options { collecting: state.trying.get() == 0, reports: state.limits.reports }
    }

    /// Takes overlay documents out of their files and applies them to what is left.
    fn overlays(&mut self, results: &mut Vec<Evaluated>) -> Result<(), Diagnostics> {
        let (mut overlays, mut names) = (Vec::new(), Vec::new());
        {
            let mut arena = self.session.state().arena.borrow_mut();
            for result in results.iter() {
                let Some(set) = result.documents() else { continue };
                let before = overlays.len();
                let documents = arena.items(set).to_vec();
                let (over, rest): (Vec<_>, Vec<_>) =
                    documents.into_iter().partition(|&document| arena.ann(document, MATCH).is_some());
                overlays.extend(over);
                let rest = rest.into_iter().filter(|&document| !arena.is_empty_document(document)).collect();
                *arena.items_mut(set) = rest;
                if overlays.len() > before {
                    names.push(result.file.path.to_string());
                }
            }
            results.retain(|result| match result.output {
                Output::Documents(set) => !arena.items(set).is_empty(),
                Output::Text(..) => true,
            });
        }
        let sets: Vec<NodeId> = results.iter().filter_map(Evaluated::documents).collect();
        let is_root = self.scope.common.tree.name_of(self.scope.root).is_empty();
        overlay::warn_of_targets(self.session, &sets, &overlays, is_root);
        if overlays.is_empty() {
            return Ok(());
        }
        let options = self.overlay_options();
        overlay::documents(self.session, &sets, &overlays, options)
            .map_err(|problems| problems.context(order::order(&self.session.state().sources, "Overlaying", &names)))
    }
}

/// A file for output that was evaluated.
struct Evaluated {
    file: Arc<File>,
    number: usize,
    output: Output,
}

impl Evaluated {
    fn documents(&self) -> Option<NodeId> {
        match self.output {
            Output::Documents(set) => Some(set),
            Output::Text(..) => None,
        }
    }
}

fn evaluate<'v>(
    session: &mut Session<'v, '_, '_, '_>,
    input: &mut Input,
    data: Val,
    whole: bool,
) -> Result<(Root, Exports<'v>), Diagnostics> {
    let prepared = match input.prepared.take() {
        Some(prepared) => prepared,
        None => session.prepare_with(&input.unit, data)?,
    };
    let ran = session.run(&input.unit, prepared, data, whole)?;
    Ok((ran.root, ran.exports))
}

/// Problems of all files, each once: a file that is loaded by others fails once for each of them.
#[derive(Default)]
struct Collected {
    problems: Diagnostics,
    seen: HashSet<(String, Vec<Span>)>,
}

impl Collected {
    fn add(&mut self, found: Diagnostics) {
        for problem in found.0 {
            let mut places: Vec<Span> = problem.parts().labels.iter().map(|label| label.span).collect();
            let first = (problem.message().to_owned(), places.first().copied().into_iter().collect());
            let mut new = self.seen.insert(first);
            if problem.code() == Code::TEMPLATE_LOAD_CYCLE {
                // A cycle of loads is one problem, wherever it is entered.
                places.sort_unstable_by_key(|span| (span.source, span.start, span.end));
                new &= self.seen.insert((String::new(), places));
            } else if problem.code() == Code::LIMIT_BUDGET {
                // So is a limit of the whole render.
                new &= self.seen.insert((String::new(), Vec::new()));
            }
            if new {
                self.problems.push(problem);
            }
        }
    }
}
