//! A program to a function: parsed and resolved once, or once more where a `load` asks for functions that were left out;
//! every `load` calls it again. A plain YAML file ends here as documents, its repeated keys resolved.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use starlark::environment::{Globals, GlobalsBuilder};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};
use starlark::values::Value;

use super::host::{Compiled, Host, Made};
use super::{Form, SourceUnit, budget, builtins, load, trace};
use crate::diag::Diagnostics;
use crate::source::{SourceId, Span};
use crate::template::{self, Asked, FILE_FUNCTION, Needed, Program, Unused};
use crate::times::Phase;
use crate::yaml::{self, NodeId, NodeSpan, ReadOptions};

/// The names that code may use without loading; made once for the process.
pub(super) static GLOBALS: LazyLock<Globals> = LazyLock::new(|| {
    let mut builder = GlobalsBuilder::new();
    builtins::register(&mut builder);
    builtins::set(&mut builder, load::INSTRUCTIONS);
    builder.build()
});

/// A file that was read, for one evaluation.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// A plain YAML file: its documents.
    Plain(NodeId),
    /// A plain text file: its bytes.
    Text(Vec<u8>),
    Template(Arc<Compiled>),
}

impl Prepared {
    /// The documents of a YAML file, as they stand there.
    pub(crate) fn tree(&self) -> Option<NodeId> {
        match self {
            Prepared::Plain(root) => Some(*root),
            Prepared::Text(_) => None,
            Prepared::Template(compiled) => compiled.program.skeleton.items.first().map(|item| item.node),
        }
    }
}

impl Host<'_> {
    /// The program of a file, compiled at first need, or the documents of a plain YAML file.
    pub(super) fn prepare(&self, unit: &SourceUnit) -> Result<Prepared, Diagnostics> {
        if let Some(compiled) = self.compiled.borrow().get(&(unit.source, unit.options)) {
            return Ok(Prepared::Template(compiled.clone()));
        }
        let _lap = self.sources.lap(unit.source, Phase::Compiling);
        let asked = self.asked();
        let program = match unit.form {
            Form::Yaml { plain } => match self.yaml_program(unit, plain)? {
                Ok(program) => program,
                Err(root) => return Ok(Prepared::Plain(root)),
            },
            Form::Text { .. } => template::compile_text(&self.sources, unit.source, asked)?,
            Form::Starlark => template::compile_star(&self.sources, unit.source, asked)?,
        };
        for warning in &program.warnings {
            self.warn(warning.clone());
        }
        Ok(Prepared::Template(self.compiled(unit, program)))
    }

    fn compiled(&self, unit: &SourceUnit, program: Program) -> Arc<Compiled> {
        let (source, options) = (unit.source, unit.options);
        let (made, loaded) = (Mutex::default(), Mutex::default());
        let compiled = Arc::new(Compiled { program, made, source, options, loaded });
        self.compiled.borrow_mut().insert((unit.source, unit.options), compiled.clone());
        self.by_source.borrow_mut().insert(unit.source, compiled.clone());
        compiled
    }

    /// Names of all files that nothing in their files reads, and that no other file loaded; in the order of the sources.
    pub(crate) fn unused_names(&self) -> Vec<Unused> {
        let mut found = Vec::new();
        for compiled in self.compiled.borrow().values() {
            let loaded = compiled.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            let is_unused = |one: &&Unused| !(one.is_offered && loaded.contains(&one.name));
            found.extend(compiled.program.unused.iter().filter(is_unused).cloned());
        }
        found.sort_by_key(|one| (one.place.source, one.place.start));
        found.dedup();
        found
    }

    /// The names of all files whose truth is asked, or that are compared, and that may mean functions.
    pub(crate) fn asked_names(&self) -> Vec<Span> {
        let mut found: Vec<Span> = Vec::new();
        self.compiled.borrow().values().for_each(|compiled| found.extend(&compiled.program.asked));
        found.sort_by_key(|place| (place.source, place.start));
        found.dedup();
        found
    }

    /// The files that have a program, in the order of the sources.
    pub(crate) fn programs(&self) -> Vec<SourceId> {
        let mut found: Vec<SourceId> = self.by_source.borrow().keys().copied().collect();
        found.sort_unstable();
        found
    }

    /// The trees of the templates that are YAML, in the order of the sources.
    pub(crate) fn trees(&self) -> Vec<(SourceId, NodeId)> {
        let compiled = self.by_source.borrow();
        let tree = |file: &Arc<Compiled>| Some((file.source, file.program.skeleton.items.first()?.node));
        let mut found: Vec<_> = compiled.values().filter_map(tree).collect();
        found.sort_unstable();
        found
    }

    /// The arguments of annotations of this name in templates that are asked for, as they stand there, in the order of the
    /// sources.
    pub(crate) fn arguments_of(&self, name: &str, is_asked: impl Fn(&str) -> bool) -> Vec<Span> {
        let (compiled, arena) = (self.by_source.borrow(), self.arena.borrow());
        let mut found: Vec<Span> = Vec::new();
        for file in compiled.values() {
            let source = self.sources.get(file.source);
            let all = file.program.skeleton.items.iter().flat_map(|item| &item.annotations);
            let places = all.filter(|(own, _)| **own == *name).filter_map(|(_, place)| arena.place(*place));
            found.extend(places.map(NodeSpan::value).filter(|list| source.written(*list).is_some_and(&is_asked)));
        }
        found.sort_unstable_by_key(|place| (place.source, place.start));
        found
    }

    /// The same file with a program, where it was read without one.
    #[allow(clippy::unreachable, reason = "the compiler begins the items of every YAML file with its documents")]
    pub(super) fn with_program(&self, unit: &SourceUnit, direct: &Compiled) -> Result<Arc<Compiled>, Diagnostics> {
        let asked = Asked { always: true, ..self.asked() };
        let program = match unit.form {
            Form::Yaml { .. } => {
                let ignore_unknown = unit.options.ignore_unknown_comments;
                let Some(root) = direct.program.skeleton.items.first().map(|item| item.node) else {
                    unreachable!("the documents are the first item")
                };
                let mut arena = self.arena.borrow_mut();
                template::compile_yaml(&mut arena, &self.sources, unit.source, root, ignore_unknown, asked)?
            }
            Form::Text { .. } => template::compile_text(&self.sources, unit.source, asked)?,
            Form::Starlark => template::compile_star(&self.sources, unit.source, asked)?,
        };
        let compiled = self.compiled(unit, program);
        let loaded = std::mem::take(&mut *direct.loaded.lock().unwrap_or_else(PoisonError::into_inner));
        compiled.loaded.lock().unwrap_or_else(PoisonError::into_inner).extend(loaded);
        Ok(compiled)
    }

    fn asked(&self) -> Asked<'_> {
        Asked {
            builtins: &is_builtin,
            unused: self.finds_unused.then_some(&*self.sources),
            always: false,
            returns: self.explains,
        }
    }

    /// The program of a YAML file, or its documents where it holds no code.
    fn yaml_program(&self, unit: &SourceUnit, plain: bool) -> Result<Result<Program, NodeId>, Diagnostics> {
        let options = ReadOptions::new(unit.options.strict, &self.limits);
        let mut arena = self.arena.borrow_mut();
        let reading = self.sources.lap(unit.source, Phase::Reading);
        let file = yaml::read(&mut arena, &self.sources, unit.source, &options)?;
        drop(reading);
        file.warnings.iter().for_each(|warning| self.warn(warning.clone()));
        if plain || !file.has_code {
            if file.has_duplicate_keys {
                yaml::resolve_duplicate_keys(&mut arena, file.root);
            }
            return Ok(Err(file.root));
        }
        let ignore_unknown = unit.options.ignore_unknown_comments;
        template::compile_yaml(&mut arena, &self.sources, unit.source, file.root, ignore_unknown, self.asked()).map(Ok)
    }
}

/// What an evaluation of a file is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'a> {
    /// Whoever evaluates the library of the file may ask for any of its names later.
    All,
    /// What the file does, and these names of it.
    Names(&'a [String]),
}

/// The function of a file. The interpreter reads the program when the file runs for the first time, and once more when a
/// function is asked for that the program did not have.
pub(super) fn function<'v>(
    host: &Host<'v>,
    compiled: &Compiled,
    wanted: Wanted<'_>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<(Value<'v>, Option<Arc<Needed>>), Diagnostics> {
    let program = &compiled.program;
    let known = compiled.made.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let before = known.as_ref().and_then(|made| made.needed.clone());
    let needed = match (&program.spare, wanted) {
        (Some(spare), Wanted::Names(names)) => Some(spare.needed(names, before.as_deref())),
        _ => None,
    };
    let mut spent = 0;
    if let Some(made) = known {
        if before.is_none() || before.as_deref() == needed.as_ref() {
            return Ok((host.value(made.function), before));
        }
        spent = made.spent;
    }
    if let Some(full) = budget::without_frame(host, eval) {
        return Err(full.into());
    }
    let _lap = host.sources.lap(compiled.source, Phase::Compiling);
    let some = program.spare.as_ref().zip(needed).and_then(|(spare, needed)| {
        let text = spare.text(&program.text, &needed);
        spent = spent.saturating_add(text.len());
        // all of them together cost at most half of what one with everything does
        (spent <= program.text.len() / 2).then_some((text, needed))
    });
    let (text, needed) = match some {
        Some((text, needed)) => (Some(text), Some(Arc::new(needed))),
        None => (None, None),
    };
    let parsed = parse(compiled.source, text.as_deref().unwrap_or(&program.text), program.has_operators);
    let function = parsed
        .and_then(|ast| budget::define(eval, ast, &GLOBALS))
        .map_err(|failure| trace::compile_error(&host.sources, compiled.source, program, &failure))?;
    let made = Made { function: host.keep(function), needed: needed.clone(), spent };
    *compiled.made.lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
    Ok((function, needed))
}

/// May code use the name without loading it?
pub(super) fn is_builtin(name: &str) -> bool {
    builtins::is_registered(name) || builtins::has(load::INSTRUCTIONS, name)
}

/// Parses the text of a program, which gives its function. Its file name is the number of the source: positions are mapped
/// back through it.
fn parse(source: SourceId, text: &str, has_operators: bool) -> starlark::Result<AstModule> {
    let dialect = Dialect { enable_keyword_only_arguments: true, ..Dialect::Standard };
    let mut ast = AstModule::parse(&source.0.to_string(), format!("{text}{FILE_FUNCTION}\n"), &dialect)?;
    if has_operators {
        let operators = template::OPERATORS.map(|(operator, name)| (operator.to_owned(), name.to_owned()));
        ast.replace_binary_operators(&HashMap::from(operators));
    }
    Ok(ast)
}
