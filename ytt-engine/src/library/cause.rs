//! Errors of templates in a library, as the text that a program sees of them: the reference's list with call stacks.
//!
//! `library.eval` inside of `assert.try_to` gives such a text (`report` chooses). A `load` that failed has the problem of
//! the loaded file below it, as its reason.

use std::fmt::Write;

use crate::diag::{Diagnostic, Frame, Label, Step, StepKind};
use crate::source::{LineBreaks, SourceMap, Span};

/// The text of template errors; `None` for others. The `outer` last frames are those of the caller.
pub(super) fn text(problems: &[Diagnostic], outer: usize, sources: &SourceMap) -> Option<String> {
    let first = problems.first()?.parts();
    let alike = problems.iter().take_while(|problem| problem.parts().context == first.context);
    let loads = first.context.iter().position(is_load);
    let (steps, inner) = first.context.split_at(loads.unwrap_or(first.context.len()));
    let mut out = String::new();
    for step in steps {
        let _ = write!(out, "{step}: ");
    }
    for problem in alike {
        let parts = problem.parts();
        let trace = parts.trace.get(..parts.trace.len().saturating_sub(outer))?;
        let is_template = !trace.is_empty() || problem.code().as_str().starts_with("starlark::");
        let area = problem.code().as_str().split("::").next();
        if !is_template || matches!(area, Some("overlay" | "schema" | "validate" | "values")) {
            return None;
        }
        entry(&mut out, inner, problem.message(), trace, parts.labels.first(), (0, sources));
    }
    Some(out)
}

/// One error: its message, the calls that were running, and below a `load` its reason.
fn entry(
    out: &mut String,
    steps: &[Step],
    message: &str,
    trace: &[Frame],
    label: Option<&Label>,
    (indent, sources): (usize, &SourceMap),
) {
    let blank = " ".repeat(indent);
    let inner = steps.iter().skip(1).position(is_load).map(|at| at.saturating_add(1));
    let (own, below) = steps.split_at(inner.unwrap_or(steps.len()));
    // The outermost frame is the `load` itself; a message of another file is the reason why it failed.
    let reason = trace.split_last().filter(|(load, rest)| {
        let elsewhere = |span: &Span| load.span.is_none_or(|load| load.source != span.source);
        !own.is_empty() && (!rest.is_empty() || label.is_some_and(|label| elsewhere(&label.span)))
    });
    let Some((load, rest)) = reason else {
        let steps: String = own.iter().map(|step| format!("{step}: ")).collect();
        let _ = write!(out, "\n{blank}- {steps}{message}");
        if trace.is_empty()
            && let Some(label) = label
        {
            let _ = write!(out, "\n{blank}    {}", line(sources, label.span));
        }
        return frames(out, trace, &blank, sources);
    };
    let _ = write!(out, "\n{blank}- {}: ", Step::join(own));
    frames(out, std::slice::from_ref(load), &blank, sources);
    let _ = write!(out, "\n{blank}\n{blank}    reason:");
    entry(out, below, message, rest, label, (indent.saturating_add(5), sources));
}

fn is_load(step: &Step) -> bool {
    step.kind == StepKind::Load
}

fn frames(out: &mut String, trace: &[Frame], blank: &str, sources: &SourceMap) {
    for frame in trace {
        let _ = write!(out, "\n{blank}    in {}", frame.name);
        if let Some(span) = frame.span {
            let _ = write!(out, "\n{blank}      {}", line(sources, span));
        }
    }
}

/// `a.yml:2 | TEXT`: of `.star` files the number only, of text templates the code only, as in the reference.
fn line(sources: &SourceMap, span: Span) -> String {
    let source = sources.get(span.source);
    let number = source.line(span.start);
    let text = source.line_text(number);
    if source.name.ends_with(".star") {
        return format!("{number} | {text}");
    }
    let column = span.start.saturating_sub(source.line_range(number).start) as usize;
    let open = text.get(..column).and_then(|before| before.rfind("(@")).and_then(|open| text.get(open..));
    let code = match (source.breaks, open.and_then(|open| open.strip_prefix("(@"))) {
        (LineBreaks::Plain, Some(code)) => {
            let code = code.split("@)").next().unwrap_or(code);
            code.strip_prefix('-').unwrap_or(code).strip_suffix('-').unwrap_or(code)
        }
        _ => text.as_str(),
    };
    format!("{}:{number} | {code}", source.name)
}
