//! Modules as programs see them: expressions run by the engine, their text compared with what the reference gives.

mod codecs;
mod places;
mod values;

use std::any::Any;
use std::sync::{Arc, Mutex};

use super::MODULES;
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::eval::{
    Form, MemberFn, ModuleFn, Options, PrintSink, Root, Scope, Session, Setup, SourceUnit, Work, with_session,
};
use crate::limits::Limits;
use crate::source::{LineBreaks, Origin, Source, SourceId, SourceMap, Text};
use crate::yaml::{Arena, Val, print};

/// A folder with two files.
#[derive(Debug)]
struct Folder;

impl Scope for Folder {
    fn resolve(&self, path: &str) -> Result<SourceUnit, Diagnostic> {
        Err(Diagnostic::error(Code::TEMPLATE_LOAD, format!("no {path} here")))
    }
    fn module(&self, name: &str) -> Option<ModuleFn> {
        super::module(name)
    }
    fn overlay_member(&self) -> MemberFn {
        super::overlay_member
    }
    fn modules(&self) -> Vec<&'static str> {
        super::names().collect()
    }
    fn read(&self, path: &str) -> Result<(Text, Option<SourceId>), Diagnostic> {
        match path {
            "é.txt" => Ok((Text::Str("grün".into()), None)),
            "bytes" => Ok((Text::Bytes([0xff, b'a'][..].into()), None)),
            _ => {
                let text =
                    format!("Expected to find file '{path}' (hint: only files included via -f flag are available)");
                Err(Diagnostic::error(Code::TEMPLATE_LOAD, text))
            }
        }
    }
    fn list(&self, path: Option<&str>) -> Result<Vec<String>, Diagnostic> {
        Ok(vec![format!("{}é.txt", path.unwrap_or_default()), "bytes".to_owned()])
    }
    fn loadable(&self) -> Vec<(String, SourceId)> {
        Vec::new()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What a file gave: the lines that it printed, its documents as text, and the warnings.
struct Outcome {
    printed: Vec<String>,
    documents: Result<String, Diagnostics>,
    warnings: Vec<Diagnostic>,
}

struct File(Arc<SourceMap>, String);

impl Work for File {
    type Output = Result<Root, Diagnostics>;
    fn run(self, session: &mut Session<'_, '_, '_, '_>) -> Self::Output {
        let source = Source::new("a.yml", Text::from_bytes(self.1.into_bytes()), Origin::Memory, 0, LineBreaks::Yaml);
        let unit = SourceUnit {
            source: self.0.add(source),
            path: "a.yml".into(),
            form: Form::Yaml { plain: false },
            options: Options::default(),
            scope: Arc::new(Folder),
        };
        let prepared = session.prepare(&unit)?;
        Ok(session.run(&unit, prepared, Val::Null, false)?.root)
    }
}

/// Runs a YAML template that has all modules at hand.
fn run(template: &str) -> Outcome {
    run_within(Limits::build(), template)
}

/// The template with all modules.
fn with_modules(template: &str) -> String {
    let mut text: String = MODULES.iter().map(|(name, _)| format!("#@ load(\"@ytt:{name}\", \"{name}\")\n")).collect();
    text.push_str(template);
    text
}

fn run_within(limits: Limits, template: &str) -> Outcome {
    let text = with_modules(template);
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = lines.clone();
    let sink = PrintSink(Arc::new(move |line: &str| {
        if let Ok(mut lines) = sink.lock() {
            lines.push(line.to_owned());
        }
    }));
    let sources = Arc::new(SourceMap::default());
    let arena = Arena::new(limits.depth);
    let setup = Setup { sources: sources.clone(), limits, print: sink, arena, finds_unused: false };
    // As a render does: a thread with a stack for deep values.
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let running = thread.spawn(move || with_session(setup, File(sources, text))).unwrap();
    let (result, arena, warnings) = running.join().unwrap();
    let documents = result.map(|root| match root {
        Root::Documents(set) => print::documents(&arena, arena.items(set), u64::MAX).unwrap_or_default(),
        _ => String::new(),
    });
    let printed = lines.lock().map(|lines| lines.clone()).unwrap_or_default();
    Outcome { printed, documents, warnings }
}

/// Functions that expressions may use: fragments of every kind.
const FRAGMENTS: &str = "\
#@ def map():
a: 1
b: [é]
#@ end
---
#@ def array():
- 1
- x: 2.0
#@ end
---
#@ def documents():
--- 1
--- {}
--- 2
#@ end
---
#@ def empty():
#@   for x in []:
- 1
#@   end
#@ end
---
#@ def empty_map():
#@   if False:
a: 1
#@   end
#@ end
#@ def boom(*args, **kwargs):
#@   fail(\"boom\")
#@ end
";

/// Evaluates each expression by itself; its `repr`, or its error behind `! `, must be what is expected.
fn check(cases: &[(&str, &str)]) {
    let mut template = FRAGMENTS.to_owned();
    for (expression, _) in cases {
        template.push_str(&format!(
            "#@ r, e = assert.try_to(lambda: {expression})\n#@ print(\"! \" + e if e else repr(r))\n"
        ));
    }
    let outcome = run(&template);
    assert!(outcome.documents.is_ok(), "{:?}", outcome.documents);
    let failed: Vec<String> = cases
        .iter()
        .zip(&outcome.printed)
        .filter(|((_, expected), found)| expected != found)
        .map(|((expression, expected), found)| format!("{expression}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(outcome.printed.len(), cases.len());
}

#[test]
fn the_table_is_sorted_and_names_its_modules() {
    assert!(MODULES.is_sorted_by_key(|(name, _)| name));
    for (name, _) in MODULES {
        assert_eq!(run(&format!("#@ print({name})\n")).printed, [format!("<module \"{name}\">")]);
    }
    assert!(super::module("library").is_none());
}
