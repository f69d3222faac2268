//! For tests: small programs, written as the template compiler would write them, run with the built-ins and a host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use starlark::environment::{Globals, GlobalsBuilder, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};

use super::builtins::{OPERATORS, register};
use super::host::{Host, PrintSink};
use super::words;
use crate::limits::Limits;
use crate::source::SourceMap;

/// Lines that the program printed, then its error, if it failed, behind `error: `.
pub(super) fn run(program: &str) -> Vec<String> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = lines.clone();
    let print = PrintSink(Arc::new(move |line: &str| {
        if let Ok(mut lines) = sink.lock() {
            lines.push(line.to_owned());
        }
    }));
    let outcome = Module::with_temp_heap(|module| {
        let host = Host::new(Arc::new(SourceMap::default()), Limits::build(), print);
        module.set_extra_value(module.heap().alloc_complex_no_freeze(host));
        evaluate(program, &module).map_err(|failure| words::message(&failure, &[]))
    });
    let mut lines = lines.lock().map(|lines| lines.clone()).unwrap_or_default();
    if let Err(words) = outcome {
        let hint = words.hint.map_or(String::new(), |hint| format!(" (hint: {hint})"));
        lines.push(format!("error: {}{hint}", words.text));
    }
    lines
}

fn evaluate(program: &str, module: &Module<'_>) -> starlark::Result<()> {
    let dialect = Dialect { enable_keyword_only_arguments: true, enable_top_level_stmt: true, ..Dialect::Standard };
    // As the template compiler does it: each byte of a literal is one character.
    let text: String = program.bytes().map(char::from).collect();
    let mut ast = AstModule::parse("0", text, &dialect)?;
    let operators = OPERATORS.map(|(operator, name)| (operator.to_owned(), name.to_owned()));
    ast.replace_binary_operators(&HashMap::from(operators));
    Evaluator::new(module).eval_module(ast, &globals())?;
    Ok(())
}

fn globals() -> Globals {
    let mut builder = GlobalsBuilder::new();
    register(&mut builder);
    builder.build()
}

/// Runs each expression by itself and compares its text, or its error, with what is expected.
pub(super) fn check(cases: &[(&str, &str)]) {
    let failed: Vec<String> = cases
        .iter()
        .map(|(expression, expected)| (expression, expected, run(&format!("print(repr({expression}))")).join("\n")))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(expression, expected, found)| format!("{expression}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
