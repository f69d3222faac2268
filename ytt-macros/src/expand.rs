//! From the tokens of a call to the tokens that replace it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use ytt_engine::Inputs;
use ytt_engine::codegen::call::{self, Text};
use ytt_engine::codegen::plan::{Plan, Report};
use ytt_engine::codegen::track;

use crate::paths::{Paths, UNKNOWN_SOURCE};

/// The expression form: a block whose value is the text.
pub(crate) fn expression(tokens: TokenStream) -> TokenStream {
    track::trace("call", &tokens.to_string());
    // Every variable that is asked for is tracked, those of `env!` too.
    let asked = RefCell::new(BTreeSet::new());
    let variable = |name: &str| {
        asked.borrow_mut().insert(name.to_owned());
        std::env::var(name).ok()
    };
    let asked = || asked.borrow().iter().cloned().collect::<Vec<_>>();
    let call = match call::parse(tokens, &variable) {
        Ok(call) => call,
        Err(errors) => return failed(errors.into_iter().map(Report::from), tracking(&Inputs::default(), &asked())),
    };
    // Spans are asked before the render, which runs on a thread of its own: there they cannot be used.
    let paths = Paths::new(&call);
    let plan = match Plan::new(&call, &|text| paths.resolve(text), &variable) {
        Ok(plan) => plan,
        // An editor cannot show the text, but that is no mistake of the call.
        Err(errors) if is_editor() && errors.iter().all(|error| error.name == UNKNOWN_SOURCE) => return quote!(""),
        Err(errors) => return failed(errors.into_iter().map(Report::from), tracking(&Inputs::default(), &asked())),
    };
    match plan.render() {
        Ok(expansion) => {
            let tracking = tracking(&expansion.inputs, &asked());
            let absolute = call.inputs.iter().filter(|input| is_absolute(input)).map(|input| Report {
                span: input.span,
                text: format!("`{}` is a path of this machine: others cannot build the package", input.value),
            });
            let warnings: Vec<Report> = absolute.chain(expansion.warnings).collect();
            let warnings = warnings.iter().map(warning);
            let text = Literal::string(&expansion.text);
            quote!({ #tracking #(#warnings)* #text })
        }
        Err(failure) => failed(failure.reports.into_iter(), tracking(&failure.inputs, &asked())),
    }
}

/// A path that is written with its root, not made by `concat!` or `env!`.
fn is_absolute(input: &Text) -> bool {
    input.is_literal && Path::new(&input.value).is_absolute()
}

/// Is this the server of macros of rust-analyzer, not the compiler?
fn is_editor() -> bool {
    let program = std::env::current_exe().unwrap_or_default();
    program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rust-analyzer"))
}

/// An empty text, so that nothing but the errors is said.
fn failed(reports: impl Iterator<Item = Report>, tracking: TokenStream) -> TokenStream {
    let errors = reports.map(|report| {
        let text = format!("ytt: {}", report.text);
        quote_spanned!(report.span=> ::core::compile_error!(#text);)
    });
    quote!({ #tracking #(#errors)* "" })
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
    let files: Vec<String> = inputs
        .files
        .iter()
        .map(|file| here.join(file))
        .filter(|file| file.is_file())
        .filter_map(|file| Path::new(&file).to_str().map(str::to_owned))
        .collect();
    track::tokens(files.iter().map(String::as_str), variables.iter().map(String::as_str))
}
