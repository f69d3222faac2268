//! Files to programs: YAML with comments, text with code, `.star`. A program is the text of one Starlark function.
//!
//! The steps: `yaml` and `text` make one text in the language of ytt of a file (`input`), with made calls for its nodes;
//! `scan` and `parse` read it (`token`, `tree`); `names` resolves it; `emit` writes it anew, indented and with what the two
//! languages differ in. Nothing here runs code, or knows the interpreter. `skeleton` is what the calls copy, `lines` leads
//! from places of the program back to the source.

mod brackets;
pub(crate) mod chain;
mod choice;
pub(crate) mod code;
mod comment;
mod emit;
pub(crate) mod given;
pub(crate) mod handled;
mod input;
mod lines;
pub(crate) mod literal;
pub(crate) mod loading;
pub(crate) mod methods;
mod names;
pub(crate) mod outline;
mod parse;
pub(crate) mod plain;
mod scan;
mod skeleton;
pub(crate) mod snippet;
mod straight;
mod text;
mod token;
mod tree;
mod uncovered;
pub(crate) mod unfilled;
pub(crate) mod unit;
pub(crate) mod word;
pub(crate) mod written;
mod yaml;

#[cfg(test)]
mod tests;

pub(crate) use self::comment::{is_known, meant_by};
use self::emit::Written;
pub(crate) use self::emit::{Needed, OPERATORS, Spare};
use self::input::Input;
pub(crate) use self::lines::LineMap;
pub(crate) use self::literal::{Literal, Literals};
pub(crate) use self::names::{Binding, BoundBy, Names, Unused, is_marked, mangle, unmangle};
use self::parse::Parsed;
pub(crate) use self::skeleton::{Action, Item, Skeleton, Task};
pub(crate) use self::straight::{
    Code as StraightCode, For as StraightFor, Given as StraightGiven, Operator as StraightOperator,
    Step as StraightStep, Straight,
};
use self::text::{Places, Whole};
use self::token::Token;
use self::tree::{ExprKind, Stmt, StmtKind, StmtPart};
pub(crate) use self::unfilled::shows_code;
use self::yaml::Walked;
use crate::diag::{Code, Diagnostic, Diagnostics, Fact, Step, StepKind};
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::yaml::{Arena, NodeId};

/// Texts of one file that are told of because they look like code.
const TOLD: usize = 20;
pub(crate) use literal::is_literal;

/// Name of the function that a file becomes; templates cannot define it.
pub(crate) const FILE_FUNCTION: &str = "__ytt_file";

/// What a `.star` file is as a template.
const NO_ROOT: &str = "None";

/// A file, ready for the interpreter.
#[derive(Debug)]
pub(crate) struct Program {
    /// `def __ytt_file(__i, …): …`, which returns `(root, (definite names…,), (functions for conditional names…,))`; empty
    /// where the skeleton has actions, and where the file is run as it was read.
    pub(crate) text: String,
    /// What the file does, if it is run as it was read.
    pub(crate) straight: Option<Straight>,
    /// Does the text hold operators that are functions of ours?
    pub(crate) has_operators: bool,
    /// The functions that the interpreter need not know, unless somebody asks for them.
    pub(crate) spare: Option<Spare>,
    pub(crate) names: Names,
    pub(crate) lines: LineMap,
    pub(crate) skeleton: Skeleton,
    pub(crate) warnings: Vec<Diagnostic>,
    /// Names that nothing in the file reads, if that was asked for.
    pub(crate) unused: Vec<Unused>,
    /// Names whose truth is asked, or that are compared, and that may mean functions.
    pub(crate) asked: Vec<Span>,
}

/// What is asked of the compiler beside a program.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// Which names mean something everywhere.
    pub(crate) builtins: &'a dyn Fn(&str) -> bool,
    /// The sources, if unused names are to be found.
    pub(crate) unused: Option<&'a SourceMap>,
    /// Is there to be a program even where a file can do without?
    pub(crate) always: bool,
    /// Are functions without nodes to tell what they return?
    pub(crate) returns: bool,
}

/// Compiles a YAML file that was read with its comments. `ignore_unknown`: those that are neither `#@` nor `#!` are
/// comments. A file that needs no program has [`Skeleton::actions`] instead.
pub(crate) fn compile_yaml(
    arena: &mut Arena,
    sources: &SourceMap,
    source: SourceId,
    root: NodeId,
    ignore_unknown: bool,
    asked: Asked<'_>,
) -> Result<Program, Diagnostics> {
    let Walked { input, skeleton, warnings, uncovered, quoted, in_blocks } =
        yaml::walk(arena, sources, source, root, ignore_unknown, asked.always)?;
    if skeleton.actions.is_some() {
        let (text, names, lines) = (String::new(), Names::default(), LineMap::new(source));
        return Ok(Program {
            text,
            straight: None,
            has_operators: false,
            spare: None,
            names,
            lines,
            skeleton,
            warnings,
            unused: Vec::new(),
            asked: Vec::new(),
        });
    }
    let mut program = finish(&input, source, skeleton, "__ytt_end(__i)", false, asked)
        .map_err(|problems| explained(problems, &input, &warnings, sources))?;
    let binds = |name: &str| program.names.binding(name).is_some() || program.names.loaded.contains(name);
    let origin = sources.get(source);
    let unfilled = uncovered::told(origin.text.as_str().unwrap_or_default(), source, &uncovered, &binds);
    let quoted = quoted.iter().filter_map(|text| text.warning(source, &binds)).take(TOLD);
    let in_blocks = in_blocks.iter().filter_map(|text| text.warning(source, &binds)).take(TOLD);
    program.warnings.splice(0..0, warnings.into_iter().chain(unfilled).chain(quoted).chain(in_blocks));
    Ok(program)
}

/// Says of problems of a YAML template what only such a file has.
fn explained(mut problems: Diagnostics, input: &Input, warnings: &[Diagnostic], sources: &SourceMap) -> Diagnostics {
    for problem in &mut problems.0 {
        let parts = problem.parts_mut();
        // The reference names the items of text-templated strings by their lines.
        let item = parts.labels.iter().skip(1).find(|label| input.regions.contains(&label.span));
        if let Some(item) = item {
            parts.notes.push(format!("in the text of the item at {}", sources.name_line(item.span)).into());
        }
        if parts.fact == Some(Fact::AssignmentAsValue) {
            let help = "an assignment is not a value: write it on a line of its own, `#@ name = …`";
            *problem = problem.clone().help(help);
        }
    }
    // What was meant to be an annotation, or its text, is told once for each line.
    let mut last = None;
    problems.0.retain_mut(|problem| {
        let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return true };
        let text = input.source_text();
        let slip = parse::annotation(text, place, problem).or_else(|| parse::unquoted(text, place, problem));
        let Some(slip) = slip else { return true };
        let here = slip.parts().labels.first().map(|label| label.span);
        *problem = slip;
        std::mem::replace(&mut last, here) != here
    });
    // What is read as an annotation was meant to be code, if there is a problem in it.
    let line = |span: Span| (span.source, sources.get(span.source).line(span.start));
    for warning in warnings.iter().filter(|warning| warning.code() == Code::TEMPLATE_MISSING_BLANK) {
        let Some(place) = warning.parts().labels.first() else { continue };
        let here = |problem: &&mut Diagnostic| {
            problem.parts().labels.first().is_some_and(|label| line(label.span) == line(place.span))
        };
        if let Some(problem) = problems.0.iter_mut().find(here) {
            let parts = problem.parts_mut();
            parts.labels.push(place.clone());
            parts.helps.extend(warning.parts().helps.iter().cloned());
        }
    }
    problems
}

/// Compiles a text template.
pub(crate) fn compile_text(sources: &SourceMap, source: SourceId, asked: Asked<'_>) -> Result<Program, Diagnostics> {
    let origin = sources.get(source);
    let text = origin.text.as_bytes();
    let whole = Whole { span: Span::new(source, 0, to_u32(text.len())), line: 1 };
    let step = Step::new(StepKind::TextTemplate, format!("Parsing text template '{}'", origin.name)).shown_if(true);
    let parts = text::split(text, &Places::Direct(0), whole).map_err(|problems| problems.context(step))?;
    let (mut input, mut skeleton) = (Input::new(source, ("(@ ", " -@)")).of(&origin), Skeleton::default());
    input.task(&mut skeleton, Task::Text, 0, 0);
    let warnings = text::unprinted(text, &parts, &Places::Direct(0), source);
    text::compile(text, &parts, Places::Direct(0), whole, &mut input, &mut skeleton);
    let mut program = finish(&input, source, skeleton, "__ytt_end(__i)", true, asked)?;
    program.warnings.extend(warnings);
    Ok(program)
}

/// Compiles a `.star` file.
pub(crate) fn compile_star(sources: &SourceMap, source: SourceId, asked: Asked<'_>) -> Result<Program, Diagnostics> {
    let origin = sources.get(source);
    let mut input = Input::new(source, ("", "")).of(&origin);
    input.lines(origin.text.as_bytes(), 0);
    finish(&input, source, Skeleton::default(), NO_ROOT, false, asked)
}

fn finish(
    input: &Input,
    source: SourceId,
    skeleton: Skeleton,
    root: &str,
    text_only: bool,
    asked: Asked<'_>,
) -> Result<Program, Diagnostics> {
    refuse_long(source, input.text.len())?;
    let parsed = parse::parse(input)?;
    let resolved = names::resolve(input, &parsed, asked.builtins)?;
    let may_be_straight = !asked.always && root != NO_ROOT;
    let straight = may_be_straight.then(|| straight::read(input, &parsed, &resolved, asked.builtins)).flatten();
    let Written { text, lines, has_operators, spare } = match straight {
        Some(_) => Written { text: String::new(), lines: LineMap::new(source), has_operators: false, spare: None },
        None => emit::emit(input, &parsed, &resolved, source, (root, text_only), asked)?,
    };
    let names::Doubtful { mut warnings, asked: asked_for } = names::doubtful(input, &parsed);
    warnings.extend(names::borrowed(input, &parsed, &resolved.names, &|name| resolved.builtins.contains(name)));
    if !skeleton.items.is_empty() {
        replace_statements(input, &parsed, &parsed.stmts, &mut warnings);
    }
    let unused = asked.unused.map(|sources| names::unused(input, &parsed, &sources.get(source))).unwrap_or_default();
    let names = resolved.names;
    Ok(Program { text, straight, has_operators, spare, names, lines, skeleton, warnings, unused, asked: asked_for })
}

/// Refuses a program for whose offsets, and those of the text that it is made of, 32 bits are not enough.
fn refuse_long(source: SourceId, bytes: usize) -> Result<(), Diagnostic> {
    const MOST: usize = u32::MAX as usize - 1;
    if bytes <= MOST {
        return Ok(());
    }
    let text = format!("the program of this file has {bytes} bytes, more than the limit of {MOST}");
    Err(Diagnostic::error(Code::LIMIT, text).label(Span::new(source, 0, 0), "").note("this limit is fixed"))
}

/// `template.replace(…)` as a statement replaces the node above it, which is hardly ever meant.
#[allow(clippy::indexing_slicing, reason = "the statements were read from these tokens")]
fn replace_statements(input: &Input, parsed: &Parsed, stmts: &[Stmt], warnings: &mut Vec<Diagnostic>) {
    let is = |token: Token, text: &[u8]| input.text.get(token.start as usize..token.end as usize) == Some(text);
    for stmt in stmts {
        stmt.kind.each_part(|part| match part {
            StmtPart::Body(body) if !matches!(stmt.kind, StmtKind::Def(_)) => {
                replace_statements(input, parsed, &body.stmts, warnings);
            }
            _ => {}
        });
        let StmtKind::Expr(expr) = &stmt.kind else { continue };
        let ExprKind::Call(function, _) = &expr.kind else { continue };
        let ExprKind::Dot(module, name) = &function.kind else { continue };
        let (first, name) = (parsed.tokens[module.first as usize], parsed.tokens[*name as usize]);
        if matches!(module.kind, ExprKind::Name) && is(first, b"template") && is(name, b"replace") {
            let span = input.span(first.start, name.end);
            if fills_document(input.source_text(), span.start as usize) {
                continue;
            }
            let message = "`template.replace` as a statement replaces the node above it";
            let help = "write it as a value: `_: #@ template.replace(…)`";
            let warning = Diagnostic::warning(Code::TEMPLATE_REPLACE_STATEMENT, message);
            warnings.push(warning.label(span, "").help(help));
        }
    }
}

/// Is the statement at `at` all there is of a document that begins in the line above? Then it gives what the same does
/// behind the `---`.
fn fills_document(text: &[u8], at: usize) -> bool {
    let (Some(above), Some(below)) = (text.get(..at), text.get(at..)) else { return false };
    let is_comment = |line: &[u8]| line.is_empty() || line.starts_with(b"#!");
    let begins = above.rsplit(|byte| *byte == b'\n').skip(1).find(|line| !is_comment(line.trim_ascii_start()));
    if !begins.and_then(|line| line.strip_prefix(b"---")).is_some_and(|rest| is_comment(rest.trim_ascii())) {
        return false;
    }
    let mut lines = below.split(|byte| *byte == b'\n').skip(1);
    let next = lines.find(|line| !matches!(line.trim_ascii_start(), [] | [b'#', ..]));
    next.is_none_or(|line| line.starts_with(b"---"))
}
