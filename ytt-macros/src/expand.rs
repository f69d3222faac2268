//! From the tokens of a call to the tokens that replace it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use ytt_engine::Inputs;
use ytt_engine::codegen::call;
use ytt_engine::codegen::plan::{Plan, Report};
use ytt_engine::codegen::track;

use crate::paths::Paths;

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
    let paths = Paths::new();
    let plan = match Plan::new(&call, &|text| paths.resolve(text), &variable) {
        Ok(plan) => plan,
        Err(errors) => return failed(errors.into_iter().map(Report::from), tracking(&Inputs::default(), &asked())),
    };
    match plan.render() {
        Ok(expansion) => {
            let tracking = tracking(&expansion.inputs, &asked());
            let warnings = expansion.warnings.iter().map(warning);
            let text = Literal::string(&expansion.text);
            quote!({ #tracking #(#warnings)* #text })
        }
        Err(failure) => failed(failure.reports.into_iter(), tracking(&failure.inputs, &asked())),
    }
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
