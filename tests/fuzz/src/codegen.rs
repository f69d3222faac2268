//! Calls of the macro as texts of tokens, and the files that hold committed expansions.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Ident, Span, TokenStream};
use ytt_engine::Rendered;
use ytt_engine::codegen::call::{self, Text, canonical, is_items, parse_items};
use ytt_engine::codegen::committed::{Header, Origin};
use ytt_engine::codegen::expand::{Context, expand};
use ytt_engine::codegen::items::Place;
use ytt_engine::codegen::pretty::pretty;
use ytt_engine::codegen::recipe::Recipe;
use ytt_engine::codegen::{manifest, plan};

use super::render::project;

/// What every call renders: the laws are about the call.
static RENDERED: LazyLock<Rendered> = LazyLock::new(|| {
    let schema = "#@data/values-schema\n---\n#@schema/desc \"How *many*\"\nreplicas: 1\nname: \"\"\n#@schema/nullable\nhost: x\n";
    let files = "kind: Pod\nmetadata: &m\n  name: web\n  labels: {a.b: x, 9p: \"\", type: y}\nports: [1, 2.5, -3]\n---\n\
                 kind: Service\nmetadata:\n  name: web\nlist:\n- {a: 1}\n- {b: x, \"\": null}\nbig: 18446744073709551615\n---\n- 1\n---\n";
    let project = project().file("schema.yml", schema).file("a.yml", files).file("a.txt", "text (@= \"x\" @)\n");
    project.render().expect("it is well formed")
});

/// A folder that is not there.
const NOWHERE: &str = "/nonexistent/package";

/// Any text that is one of tokens is read as a call or refused, and gives code that the compiler's grammar reads.
pub fn call(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(tokens) = text.parse::<TokenStream>() else { return };
    let _ = is_items(tokens.clone());
    if let Err(errors) = parse_items(tokens.clone()) {
        check_errors(&errors);
    }
    let variable = |name: &str| (name.len() > 2).then(|| name.to_owned());
    let call = match call::parse(tokens.clone(), &variable) {
        Ok(call) => call,
        Err(errors) => return check_errors(&errors),
    };
    // Laid out in another way, it is the same call.
    let again: TokenStream = tokens.to_string().parse().unwrap_or_else(|error| panic!("{error}: {tokens}"));
    assert_eq!(canonical(again.clone()), canonical(tokens));
    assert!(call::parse(again, &variable).is_ok(), "laid out in another way, it is no call: {text}");
    let resolve = |text: &Text| Ok(Path::new(NOWHERE).join(&text.value));
    let render = |_: &plan::Plan, _: bool| Ok(RENDERED.clone());
    for place in [Place::Macro, Place::File] {
        let context =
            Context { resolve: &resolve, variable: &variable, render: &render, said: None, place, has_lints: false };
        match expand(&call, &context) {
            Ok(expansion) => {
                let code = pretty(expansion.tokens);
                assert!(code.parse::<TokenStream>().is_ok(), "no Rust:\n{code}");
            }
            Err(failure) => assert!(!failure.reports.is_empty(), "a failure without a report"),
        }
    }
}

fn check_errors(errors: &[call::CallError]) {
    assert!(!errors.is_empty(), "a failure without a report");
    assert!(errors.iter().all(|error| !error.message.is_empty()));
}

/// Any text is a committed file or refused; its header and recipe are written as they were read.
pub fn committed(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(name) = manifest::engine_name(&text, &text) {
        let _ = Ident::new(&name, Span::call_site());
    }
    let _ = manifest::is_published(&text);
    if let Ok(recipe) = Recipe::from_json(&text) {
        check_recipe(&recipe);
    }
    let Ok((header, code)) = Header::read(&text) else { return };
    assert!(text.ends_with(code));
    let written = header.to_text("`cargo ytt generate`");
    let (again, rest) = Header::read(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!((&again, rest), (&header, ""));
    let _ = header.differences(Path::new(NOWHERE));
    if let Origin::Recipe(recipe) = &header.origin
        && let Ok(recipe) = Recipe::from_json(recipe)
    {
        check_recipe(&recipe);
    }
}

fn check_recipe(recipe: &Recipe) {
    let Ok(written) = recipe.to_json() else { return };
    let again = Recipe::from_json(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_json().as_deref(), Ok(written.as_str()));
    let _: (String, PathBuf) = (recipe.title(), NOWHERE.into());
    match recipe.items() {
        Ok(_) => drop(recipe.expand(&RENDERED)),
        Err(errors) => check_errors(&errors),
    }
}
