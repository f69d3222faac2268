//! Programs as the interpreter gets them: every output is parsed by it.

use starlark::syntax::{AstModule, Dialect};

use super::*;
use crate::source::{LineBreaks, Origin, Source, Text};

const BUILTINS: &[&str] = &["True", "False", "None", "len", "range", "str", "dict", "list", "print", "struct"];

fn is_builtin(name: &str) -> bool {
    BUILTINS.contains(&name)
}

fn add(sources: &SourceMap, name: &str, text: &[u8], breaks: LineBreaks) -> SourceId {
    sources.add(Source::new(name, Text::from_bytes(text.to_vec()), Origin::Memory, 0, breaks))
}

fn compile(name: &str, text: &[u8]) -> (SourceMap, Result<Program, Diagnostics>) {
    let sources = SourceMap::default();
    let source = add(&sources, name, text, LineBreaks::Plain);
    let program = match name.ends_with(".star") {
        true => compile_star(&sources, source, &is_builtin),
        false => compile_text(&sources, source, &is_builtin),
    };
    (sources, program)
}

/// The program without the head and the last line, after the interpreter read it.
fn body(program: &Program) -> String {
    let dialect = Dialect { enable_keyword_only_arguments: true, ..Dialect::Standard };
    if let Err(error) = AstModule::parse("test", program.text.clone(), &dialect) {
        panic!("{error}\n{}", program.text);
    }
    let lines: Vec<&str> = program.text.lines().collect();
    lines[1..lines.len() - 1].join("\n")
}

fn star(text: &str) -> String {
    match compile("a.star", text.as_bytes()).1 {
        Ok(program) => body(&program),
        Err(problems) => panic!("{problems:?}"),
    }
}

#[test]
fn look() {
    for t in ["def f(x):\n  return x\nend\n", "if x:\n y = 1\nelif z:\nelse:\n y=2\nend"] {
        println!(
            "{}",
            match compile("a.star", t.as_bytes()).1 {
                Ok(p) => p.text,
                Err(e) => format!("{e:?}"),
            }
        );
    }
    for t in ["a (@= 1 @) b (@- for x in [1,2]: -@) x (@ end @)\n(@ def f(**k): @)<(@ return 1 @)>(@ end @)"] {
        println!(
            "{}",
            match compile("a.txt", t.as_bytes()).1 {
                Ok(p) => p.text,
                Err(e) => format!("{e:?}"),
            }
        );
    }
    let _ = star;
}
