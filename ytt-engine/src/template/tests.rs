//! Programs as the interpreter gets them: each is parsed by it.

mod errors;
mod places;
mod programs;
mod spare;

use starlark::syntax::{AstModule, Dialect};

use super::{Asked, Program, compile_star, compile_text, compile_yaml};
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::{LineBreaks, Origin, Source, SourceMap, Text};
use crate::yaml::{self, Arena, ReadOptions};

const BUILTINS: &[&str] = &["True", "False", "None", "len", "range", "str", "dict", "list", "print"];

/// A compiled file with what its places mean.
struct Compiled {
    sources: SourceMap,
    program: Result<Program, Diagnostics>,
}

/// Compiles a file by the kind that its name says; `ignore_unknown` is for comments of YAML.
fn compile(name: &str, text: &[u8], ignore_unknown: bool) -> Compiled {
    compile_as(name, text, ignore_unknown, true)
}

/// `always`: with a program, even where the file needs none.
fn compile_as(name: &str, text: &[u8], ignore_unknown: bool, always: bool) -> Compiled {
    let sources = SourceMap::default();
    let is_yaml = name.ends_with(".yml");
    let breaks = if is_yaml { LineBreaks::Yaml } else { LineBreaks::Plain };
    let source = sources.add(Source::new(name, Text::from_bytes(text.to_vec()), Origin::Memory, 0, breaks));
    let asked =
        Asked { builtins: &|name: &str| BUILTINS.contains(&name), unused: Some(&sources), always, returns: false };
    let program = if is_yaml {
        let mut arena = Arena::new(1000);
        let file =
            yaml::read(&mut arena, &sources, source, &ReadOptions { strict: false, alias_nodes: 1000, reports: 20 });
        let root = file.expect("the YAML of a test is right").root;
        compile_yaml(&mut arena, &sources, source, root, ignore_unknown, asked)
    } else if name.ends_with(".star") {
        compile_star(&sources, source, asked)
    } else {
        compile_text(&sources, source, asked)
    };
    if let Ok(program) = &program {
        let dialect = Dialect { enable_keyword_only_arguments: true, ..Dialect::Standard };
        if let Err(error) = AstModule::parse("test", program.text.clone(), &dialect) {
            panic!("{error}\n{}", program.text);
        }
    }
    Compiled { sources, program }
}

fn program(name: &str, text: &str) -> Program {
    match compile(name, text.as_bytes(), false).program {
        Ok(program) => program,
        Err(problems) => panic!("{text}\n{problems:?}"),
    }
}

/// `LINE:COLUMN MESSAGE` of each diagnostic.
fn shown(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<String> {
    let place = |diagnostic: &Diagnostic| {
        let span = diagnostic.parts().labels.first().map(|label| label.span)?;
        Some(sources.get(span.source).position(span.start).to_string())
    };
    diagnostics.iter().map(|one| format!("{} {}", place(one).unwrap_or_default(), one.message())).collect()
}
