//! From the tokens of a call to the tokens that replace it, by a render.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use ytt_engine::Inputs;
use ytt_engine::codegen::call::{self, Call, Form, Text};
use ytt_engine::codegen::expand::{Context, Expansion, expand};
use ytt_engine::codegen::items::Place;
use ytt_engine::codegen::manifest;
use ytt_engine::codegen::plan::{Failure, Report};
use ytt_engine::codegen::said::Said;
use ytt_engine::codegen::track::{self, with_engine};

use crate::cache;
use crate::paths::{Paths, UNKNOWN_SOURCE, is_editor};

/// What calls of this compilation have told.
static SAID: std::sync::LazyLock<Said> = std::sync::LazyLock::new(Said::new);

/// Renders what a call asks for.
pub(crate) fn call(tokens: TokenStream) -> TokenStream {
    track::trace("call", &tokens.to_string());
    // Every variable that is asked for is tracked, those of `env!` too.
    let asked = RefCell::new(BTreeSet::new());
    let variable = |name: &str| {
        asked.borrow_mut().insert(name.to_owned());
        std::env::var(name).ok()
    };
    let is_expression = !call::is_items(tokens.clone());
    let failed = |reports: Vec<Report>, inputs: &Inputs| {
        let asked: Vec<String> = asked.borrow().iter().cloned().collect();
        failed(&reports, inputs, &asked, is_expression)
    };
    let of_calls = |errors: Vec<call::CallError>| errors.into_iter().map(Report::from).collect::<Vec<_>>();
    let call = match call::parse(tokens, &variable) {
        Ok(call) => call,
        Err(errors) => return failed(of_calls(errors), &Inputs::default()),
    };
    // Spans are asked before the render, which runs on a thread of its own: there they cannot be used.
    let paths = Paths::new();
    let sources = call.sources();
    let is_alone = |text: &Text| {
        sources.iter().any(|source| {
            source.arguments.file_marks.is_empty() && source.inputs.len() == 1 && std::ptr::eq(&source.inputs[0], text)
        })
    };
    let unknown = RefCell::new(false);
    let resolve = |text: &Text| {
        let found = paths.resolve(text, is_alone(text));
        if found.as_ref().is_err_and(|error| error.name == UNKNOWN_SOURCE) {
            *unknown.borrow_mut() = true;
        }
        found
    };
    // An editor keeps the process across edits, and shows each call by itself.
    let said = if is_editor() { None } else { Some(&*SAID) };
    let context = Context {
        resolve: &resolve,
        variable: &variable,
        render: &cache::render,
        said,
        place: Place::Macro,
        has_lints: false,
    };
    let expansion = match expand(&call, &context) {
        Ok(expansion) => expansion,
        // An editor cannot show the text, but that is no mistake of the call.
        Err(_) if is_editor() && *unknown.borrow() => {
            return if is_expression { quote!("") } else { TokenStream::new() };
        }
        Err(Failure { reports, inputs }) => return failed(reports, &inputs),
    };
    let asked: Vec<String> = asked.borrow().iter().cloned().collect();
    match finished(&call, expansion, &paths, &asked) {
        Ok(tokens) => tokens,
        Err((report, inputs)) => failed(vec![report], &inputs),
    }
}

/// The tokens with what belongs to them.
fn finished(
    call: &Call,
    expansion: Expansion,
    paths: &Paths,
    asked: &[String],
) -> Result<TokenStream, (Report, Inputs)> {
    let Expansion { mut tokens, inputs, warnings, needs_engine, .. } = expansion;
    let tracking = tracking(&inputs, asked);
    let outside: Vec<Report> =
        call.sources().iter().flat_map(|source| &source.inputs).filter_map(|input| paths.warning(input)).collect();
    let warnings: TokenStream = outside.iter().chain(&warnings).map(warning).collect();
    if needs_engine {
        match call.engine.clone().or_else(|| manifest::engine_path(paths.package())) {
            Some(path) => tokens = with_engine(tokens, &path),
            None => {
                let span = call.sources().first().map_or_else(proc_macro2::Span::call_site, |source| source.span);
                let text = manifest::missing_engine(&tokens.to_string(), "`crate = path`");
                return Err((Report { span, text }, inputs));
            }
        }
    }
    Ok(match call.form {
        Form::Text(_) => quote!({ #tracking #warnings #tokens }),
        Form::Items(_) => quote!(#tokens #tracking #warnings),
    })
}

/// Errors alone; an expression gets an empty text, so that nothing else is said.
fn failed(reports: &[Report], inputs: &Inputs, asked: &[String], is_expression: bool) -> TokenStream {
    let errors: TokenStream = reports.iter().map(error).collect();
    let tracking = tracking(inputs, asked);
    match is_expression {
        true => quote!({ #tracking #errors "" }),
        // Nothing takes the place of the items: then the compiler does not speak of their names.
        false => quote!(#errors #tracking),
    }
}

pub(crate) fn error(report: &Report) -> TokenStream {
    let text = format!("ytt: {}", report.text);
    quote_spanned!(report.span=> ::core::compile_error!(#text);)
}

/// rustc prints the note of a deprecated item: the one way to warn from a macro.
fn warning(report: &Report) -> TokenStream {
    let text = format!("ytt: {}", report.text);
    let name = quote_spanned!(report.span=> ytt_warning);
    quote! {
        const _: () = {
            #[allow(dead_code, non_upper_case_globals)]
            #[deprecated(note = #text)]
            const ytt_warning: () = ();
            let _ = #name;
        };
    }
}

/// Files that could be read: a missing one would be a second error.
fn tracking(inputs: &Inputs, variables: &[String]) -> TokenStream {
    let here = std::env::current_dir().unwrap_or_default();
    let paths: Vec<PathBuf> = inputs.files.iter().map(|file| here.join(file)).filter(|file| file.is_file()).collect();
    crate::watch(&inputs.folders.iter().map(|folder| here.join(folder)).collect::<Vec<_>>());
    track::tokens(paths.iter().filter_map(|path| Path::to_str(path)), variables.iter().map(String::as_str))
}
