//! A whole call: from its grammar to the tokens that take its place. The macro, the builder and the command share it.

use std::collections::HashSet;
use std::path::PathBuf;

use proc_macro2::{Literal, TokenStream, TokenTree};

use super::call::{Call, CallError, Form, Output, Source, SourceKind, Text};
use super::did_you_mean;
use super::items::{self, Place};
use super::plan::{Failure, Plan, Report};
use super::said::Said;
use super::types::emit::{Style, push_text};
use crate::{Error, Format, Inputs, Rendered};

/// What an expansion needs to know of where it is made.
pub struct Context<'a> {
    /// Finds the path that a text of the call means.
    pub resolve: &'a dyn Fn(&Text) -> Result<PathBuf, CallError>,
    /// Gives environment variables.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Renders, or gives what an earlier call rendered. The flag says that only data values are wanted.
    pub render: &'a dyn Fn(&Plan, bool) -> Result<Rendered, Error>,
    /// Problems that need not be told again.
    pub said: Option<&'a Said>,
    /// Where the code stands.
    pub place: Place,
    /// Levels of lints are set beside those of the call.
    pub has_lints: bool,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("place", &self.place).finish_non_exhaustive()
    }
}

/// What a call gave.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// A literal, or items.
    pub tokens: TokenStream,
    /// What was read.
    pub inputs: Inputs,
    /// What it was made of, each once.
    pub renders: Vec<Rendered>,
    /// What stops nothing.
    pub warnings: Vec<Report>,
    /// The code names `::ytt_engine`.
    pub needs_engine: bool,
}

/// Expands a call.
///
/// # Errors
///
/// All problems of the call, each at its token, with what was read.
pub fn expand(call: &Call, context: &Context<'_>) -> Result<Expansion, Failure> {
    match &call.form {
        Form::Text(source) => text(source, context),
        Form::Items(all) => {
            let warnings = std::cell::RefCell::new(Vec::new());
            let inputs = std::cell::RefCell::new(Inputs::default());
            let renders = std::cell::RefCell::new(Vec::new());
            let failed = std::cell::RefCell::new(HashSet::new());
            let of_documents = call.sources().into_iter().filter(|source| source.kind != SourceKind::DataValues);
            let rendered_by: HashSet<&str> =
                of_documents.flat_map(|source| &source.inputs).map(|input| input.value.as_str()).collect();
            let takes_values = call.sources().into_iter().any(|source| source.kind == SourceKind::DataValues);
            let rendered = |source: &Source| {
                let plan = Plan::new(source, context.resolve, context.variable).map_err(Failure::of_call)?;
                // Only a lint asks; calls of the macro without levels of lints share their renders.
                let is_macro = matches!(context.place, Place::Macro) && !context.has_lints;
                let may_ask = !source.arguments.lints.is_empty() || !is_macro;
                let plan = if takes_values && may_ask { plan.taking_values() } else { plan };
                let (result, found) = render(&plan, source, context).map_err(|failure| {
                    // Items on the same inputs fail for the same reason.
                    let known = !failed.borrow_mut().insert(plan.key().to_owned());
                    if known { Failure { reports: Vec::new(), ..failure } } else { failure }
                })?;
                inputs.borrow_mut().add(result.inputs());
                if !renders.borrow().iter().any(|known: &Rendered| known.is(&result)) {
                    renders.borrow_mut().push(result.clone());
                }
                for one in found.into_iter().chain(idle(source, &result, &rendered_by, context)) {
                    // Items on the same inputs have the same warnings.
                    if !warnings.borrow().iter().any(|known: &Report| known.text == one.text) {
                        warnings.borrow_mut().push(one);
                    }
                }
                Ok(result)
            };
            let expanded = items::expand(all, context.place, &rendered)?;
            let mut warnings = warnings.into_inner();
            warnings.extend(expanded.warnings);
            Ok(Expansion {
                tokens: expanded.tokens,
                inputs: inputs.into_inner(),
                renders: renders.into_inner(),
                warnings,
                needs_engine: expanded.needs_engine,
            })
        }
    }
}

/// Files that data values were to come from, and which are plain YAML: they are rendered, and set nothing. Those whose
/// documents other items of the call take are meant so.
fn idle(source: &Source, result: &Rendered, others: &HashSet<&str>, context: &Context<'_>) -> Vec<Report> {
    if source.kind != SourceKind::DataValues {
        return Vec::new();
    }
    let read = result.read_files();
    let is_plain = |input: &&Text| {
        let path = (context.resolve)(input).ok()?;
        let is_yaml = path.extension().is_some_and(|end| end == "yml" || end == "yaml");
        let (_, text) = read.iter().find(|(known, _)| is_yaml && *known == path)?;
        text.as_str().map(|text| !text.contains("#@"))
    };
    let plain = source.inputs.iter().filter(|input| !others.contains(&*input.value) && is_plain(input) == Some(true));
    let report = |input: &Text| {
        let text = format!(
            "`{0}` is plain YAML and sets no data value: write `values_file = \"{0}\"`, or `#@data/values` above its \
             first document [call::input-idle]",
            input.value
        );
        Report { span: input.span, text }
    };
    plain.map(report).collect()
}

fn render(plan: &Plan, source: &Source, context: &Context<'_>) -> Result<(Rendered, Vec<Report>), Failure> {
    let only_values = source.kind == SourceKind::DataValues;
    let result = (context.render)(plan, only_values).map_err(|error| plan.failure(&error, context.said))?;
    let warnings = plan.warnings(result.warnings(), context.said);
    Ok((result, warnings))
}

fn text(source: &Source, context: &Context<'_>) -> Result<Expansion, Failure> {
    let plan = Plan::new(source, context.resolve, context.variable).map_err(Failure::of_call)?;
    let (result, mut warnings) = render(&plan, source, context)?;
    let text = printed(source, &result).map_err(|error| plan.failure(&error, context.said))?;
    let text = text.map_err(|error| Failure { reports: vec![error.into()], inputs: result.inputs().clone() })?;
    if text.is_empty() {
        let text = format!("nothing is rendered from {} [call::nothing]", plan.title());
        warnings.push(Report { span: source.span, text });
    }
    let tokens = match context.place {
        Place::Macro => TokenStream::from(TokenTree::Literal(Literal::string(&text))),
        Place::Expansion | Place::File => raw_literal(&text),
    };
    let inputs = result.inputs().clone();
    Ok(Expansion { tokens, inputs, renders: vec![result], warnings, needs_engine: false })
}

/// A text as a literal that people can read in a file.
fn raw_literal(text: &str) -> TokenStream {
    let mut literal = String::new();
    push_text(&mut literal, text, Style { raw: true, ..Style::default() });
    // The text of a literal is one.
    literal.parse().unwrap_or_else(|_| TokenStream::from(TokenTree::Literal(Literal::string(text))))
}

/// The text that a call asks for, or what is wrong with what it asks for.
fn printed(source: &Source, result: &Rendered) -> crate::Result<Result<String, CallError>> {
    let arguments = &source.arguments;
    let format = match arguments.output {
        Output::Yaml => Format::Yaml,
        Output::Json => Format::Json,
        Output::Pos => Format::Pos,
    };
    let Some(file) = &arguments.file else { return result.to_text(format).map(Ok) };
    let Some(found) = result.file(&file.value)? else {
        let message = no_output_file(result, &file.value)?;
        return Ok(Err(CallError::new("file-unknown", file.span, message)));
    };
    if format != Format::Yaml {
        let span = arguments.output_span.unwrap_or(file.span);
        let text = result.file_in(&file.value, format)?;
        let message = format!("`{}` is a text: it has no other form", file.value);
        return Ok(text.ok_or_else(|| CallError::new("output-of-text", span, message)));
    }
    Ok(found.text().map(str::to_owned).ok_or_else(|| {
        let message = format!("`{}` is not UTF-8: use `files` with `[(&str, &[u8])]`", file.value);
        CallError::new("file-not-text", file.span, message)
    }))
}

/// What is said where a result has no file of that path.
///
/// # Errors
///
/// As [`Rendered::files`].
pub fn no_output_file(result: &Rendered, path: &str) -> crate::Result<String> {
    let names: Vec<&str> = result.files()?.iter().map(crate::RenderedFile::path).collect();
    let near = did_you_mean(path, names.iter().copied());
    let there: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
    Ok(format!("no output file `{path}`; there are {there}{near}"))
}
