//! Expansions that were committed: nothing is rendered, and no engine is built.

use std::path::Path;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use ytt_engine::codegen::call::{self, Call, CallError, Form, Text, canonical};
use ytt_engine::codegen::committed::{self, Header, Origin};
use ytt_engine::codegen::manifest;
use ytt_engine::codegen::track::{self, with_engine};

use crate::paths::{Paths, UNKNOWN_SOURCE, is_editor};

/// Finds the expansion of a call.
pub(crate) fn call(tokens: TokenStream) -> TokenStream {
    track::trace("call", &tokens.to_string());
    let is_expression = !call::is_items(tokens.clone());
    // A variable would make the result depend on who builds.
    let call = match call::parse(tokens.clone(), &|_| None) {
        Ok(call) => call,
        Err(errors) => {
            return failed(&errors.into_iter().map(explained).collect::<Vec<_>>(), TokenStream::new(), is_expression);
        }
    };
    if let Some(error) = needs_engine(&call) {
        return failed(&[error], TokenStream::new(), is_expression);
    }
    let text = canonical(tokens);
    let paths = Paths::new();
    let span = call.sources().first().map_or_else(Span::call_site, |source| source.span);
    let (tokens, tracking) = match found(&call, &text, &paths, span) {
        Ok(found) => found,
        // An editor cannot show the text, but that is no mistake of the call.
        Err((error, _)) if is_editor() && error.name == UNKNOWN_SOURCE => {
            return if is_expression { quote!("") } else { TokenStream::new() };
        }
        Err((error, tracking)) => return failed(&[error], tracking, is_expression),
    };
    match call.form {
        Form::Text(_) => quote!({ #tracking #tokens }),
        Form::Items(_) => quote!(#tokens #tracking),
    }
}

type Found = Result<(TokenStream, TokenStream), (CallError, TokenStream)>;

fn found(call: &Call, text: &str, paths: &Paths, span: Span) -> Found {
    let nothing = |error| (error, TokenStream::new());
    let inputs =
        || call.sources().into_iter().flat_map(|source| source.inputs.iter().chain(&source.arguments.values_file));
    let beside = inputs().find(|input| input.value.starts_with("./"));
    let source = match beside {
        None => String::new(),
        Some(input) => source(input, text, paths).ok_or_else(|| {
            nothing(error(UNKNOWN_SOURCE, input.span, "the source file of this call is not known here"))
        })?,
    };
    let file = paths.package().join(".ytt").join(committed::file_name(text, &source));
    let Ok(content) = std::fs::read_to_string(&file) else {
        let message = "no committed expansion for this call: run `cargo ytt generate` (calls in `macro_rules!`, in doctests, \
                       and of a renamed macro are not seen)";
        return Err(nothing(error("committed-missing", span, message)));
    };
    let stale = |what: &str| {
        error("committed-stale", span, format!("the committed expansion is stale: {what}: run `cargo ytt generate`"))
    };
    let (header, body) = Header::read(&content).map_err(|problem| {
        let text = format!("`{}`: {problem}", file.display());
        (error("committed-header", span, text), tracking(&[&file]))
    })?;
    let package = paths.package();
    let read: Vec<_> = header.files.iter().map(|one| package.join(&one.path)).collect();
    let mut watched: Vec<&Path> = vec![&file];
    watched.extend(read.iter().map(|path| path.as_path()));
    let tracking = tracking(&watched);
    if header.origin != Origin::Call(text.to_owned()) {
        return Err((stale("it was made of another call"), tracking));
    }
    if !committed::is_packaged(package) {
        let differences = header.differences(package);
        if !differences.is_empty() {
            return Err((stale(&differences.join(", ")), tracking));
        }
    }
    track::trace("committed", &header.title);
    let Ok(tokens) = body.parse::<TokenStream>() else { return Err((stale("it is not Rust"), tracking)) };
    let tokens = match body.contains("::ytt_engine") {
        false => tokens,
        true => match call.engine.clone().or_else(|| manifest::engine_path(package)) {
            Some(path) => with_engine(tokens, &path),
            None => {
                let message = manifest::missing_engine(&tokens.to_string(), "`crate = path`");
                return Err((error("crate-missing", span, message), tracking));
            }
        },
    };
    Ok((tokens, tracking))
}

/// The source file of a call, below the package. An editor does not tell it; it is the one that has an expansion then.
fn source(input: &Text, text: &str, paths: &Paths) -> Option<String> {
    let package = paths.package();
    if let Some(file) = paths.source(input.span) {
        return committed::relative(package, &file);
    }
    let all = paths.below_sources().into_iter().filter_map(|file| committed::relative(package, &file));
    let mut known = all.filter(|source| package.join(".ytt").join(committed::file_name(text, source)).is_file());
    let first = known.next()?;
    known.next().is_none().then_some(first)
}

fn error(name: &'static str, span: Span, message: impl Into<String>) -> CallError {
    CallError { name, message: message.into(), span }
}

/// `env!` is not set here for another reason than that it is not set.
fn explained(found: CallError) -> CallError {
    match found.name {
        "env-unset" => error("env-engine", found.span, "`env!` needs the feature `engine` of `ytt-macros`"),
        _ => found,
    }
}

/// What cannot be the same for everybody who builds the package.
fn needs_engine(call: &Call) -> Option<CallError> {
    for source in call.sources() {
        let variables = source.arguments.env.iter().chain(&source.arguments.env_yaml);
        if let Some(named) = variables.map(|named| &named.variable).next() {
            let message = "environment variables need the feature `engine` of `ytt-macros`: a committed expansion is the \
                           same for everybody";
            return Some(error("env-engine", named.span, message));
        }
        for input in source.inputs.iter().chain(&source.arguments.values_file) {
            if Path::new(&input.value).is_absolute() || input.value.starts_with("$OUT_DIR") {
                let message = format!("`{}` needs the feature `engine` of `ytt-macros`", input.value);
                return Some(error("path-engine", input.span, message));
            }
        }
    }
    None
}

fn tracking(files: &[&Path]) -> TokenStream {
    let there = files.iter().filter(|file| file.is_file()).filter_map(|file| file.to_str());
    track::tokens(there, [])
}

fn failed(errors: &[CallError], tracking: TokenStream, is_expression: bool) -> TokenStream {
    let errors = errors.iter().map(|error| {
        let text = format!("ytt: {} [call::{}]", error.message, error.name);
        quote_spanned!(error.span=> ::core::compile_error!(#text);)
    });
    if is_expression { quote!({ #tracking #(#errors)* "" }) } else { quote!(#(#errors)* #tracking) }
}
