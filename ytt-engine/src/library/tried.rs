//! Problems as one text, as the reference writes them: for programs, which see it through `assert.try_to`.
//!
//! Problems of schemas are blocks below a summary, problems of rules are entries below their stage; of all others the
//! first counts. People get the diagnostics themselves.

use super::cause;
use crate::diag::{Code, Diagnostic, Fact, Label, NoteKind, Step, StepKind};
use crate::source::SourceMap;

/// The text of the first problem, with those that the reference would report together with it.
///
/// The `outer` last frames of each are those of the program that asks.
pub(crate) fn text(problems: &[Diagnostic], outer: usize, sources: &SourceMap) -> String {
    let Some(first) = problems.first() else { return String::new() };
    let alike = |of: fn(Code) -> bool| {
        let context = &first.parts().context;
        problems.iter().filter(move |problem| of(problem.code()) && problem.parts().context == *context)
    };
    if is_block(first.code()) {
        // Of a schema the reference reports one problem, or all of one annotation; of values it reports all.
        let annotated = |problem: &Diagnostic| {
            let label = problem.parts().labels.get(1)?;
            Some((label.span.source, sources.get(label.span.source).line(label.span.start)))
        };
        let joins = |problem: &&Diagnostic| match first.code() {
            Code::SCHEMA_TYPE | Code::SCHEMA_UNDECLARED => true,
            code if is_annotated(code) => problem.code() == code && annotated(problem) == annotated(first),
            _ => std::ptr::eq(*problem, first),
        };
        let blocks: Vec<Block> = alike(is_block).filter(joins).map(|problem| Block::new(problem, sources)).collect();
        return blocks_text(first, &blocks);
    }
    if is_rule(first.code()) {
        let entries = alike(is_rule).filter_map(entry);
        return format!("{}:\n{}", Step::join(&first.parts().context), entries.collect::<String>());
    }
    let template = first.parts().labels.first().filter(|_| first.code() == Code::YAML_SYNTAX);
    if let Some(label) = template {
        let step = format!("Unmarshaling YAML template '{}'", sources.get(label.span.source).name);
        let mut first = first.clone();
        first.parts_mut().context.push(step.into());
        return first.full_message();
    }
    cause::text(problems, outer, sources).unwrap_or_else(|| first.full_message())
}

fn is_rule(code: Code) -> bool {
    code == Code::VALIDATE_RULE
}

fn is_block(code: Code) -> bool {
    [
        Code::SCHEMA_ANNOTATION,
        Code::SCHEMA_ANY,
        Code::SCHEMA_ARRAY,
        Code::SCHEMA_DEFAULT,
        Code::SCHEMA_EXAMPLES,
        Code::SCHEMA_NULL,
        Code::SCHEMA_TYPE,
        Code::SCHEMA_UNDECLARED,
    ]
    .contains(&code)
}

/// Is it that a value of an annotation does not fit what it annotates?
fn is_annotated(code: Code) -> bool {
    matches!(code, Code::SCHEMA_DEFAULT | Code::SCHEMA_EXAMPLES)
}

/// A node and annotation of which rules do not hold.
fn entry(problem: &Diagnostic) -> Option<String> {
    let parts = problem.parts();
    let Some(Fact::Rule { path, must_be, .. }) = &parts.fact else { return None };
    let mut text = format!("  {path}\n");
    for note in &parts.notes {
        match note.kind {
            NoteKind::From => text.push_str(&format!("    {note}\n    - must be: {must_be}\n")),
            NoteKind::MustBe => text.push_str(&format!("    - {note}\n")),
            _ => text.push_str(&format!("      {note}\n")),
        }
    }
    Some(text + "\n")
}

/// One problem of a schema, or of a value under it.
struct Block {
    summary: String,
    description: Option<String>,
    file: String,
    /// Number, text, and whether lines before it are left out.
    lines: Vec<(String, String, bool)>,
    /// Key and value without a place.
    calculated: Option<String>,
    notes: Vec<String>,
    hints: Vec<String>,
}

impl Block {
    fn new(problem: &Diagnostic, sources: &SourceMap) -> Block {
        let parts = problem.parts();
        let mismatch = matches!(parts.fact, Some(Fact::Mismatch { .. }));
        let annotated = is_annotated(problem.code());
        let is_value = mismatch || annotated || problem.code() == Code::SCHEMA_UNDECLARED;
        let (summary, description) = match parts.context.last() {
            Some(step) if step.kind == StepKind::Summary => {
                (step.to_string(), Some(parts.message.clone()).filter(|_| !mismatch))
            }
            _ => (parts.message.clone(), None),
        };
        let shown = match is_value {
            true => parts.labels.len().min(if annotated { 2 } else { 1 }),
            false => parts.labels.len(),
        };
        let calculated = parts.notes.iter().find(|note| note.kind == NoteKind::Calculated);
        let labels = parts.labels.iter().take(if calculated.is_some() { 0 } else { shown });
        let line = |label: &Label| sources.get(label.span.source).line(label.span.start);
        let mut lines = Vec::new();
        let mut before: Option<&Label> = None;
        for label in labels.clone() {
            let source = sources.get(label.span.source);
            let is_apart =
                |before: &Label| before.span.source != label.span.source || line(before).abs_diff(line(label)) > 1;
            let skip = before.replace(label).is_some_and(is_apart);
            lines.push((line(label).to_string(), source.line_text(line(label)), skip));
        }
        let hints = parts.helps.iter().filter_map(|help| match &help.near {
            Some(near) => Some(format!("did you mean \"{near}\"?")),
            None => (!is_value).then(|| help.text.clone()),
        });
        let notes = [NoteKind::Found, NoteKind::Expected].map(|kind| {
            let note = parts.notes.iter().find(|note| note.kind == kind);
            note.map(|note| note.to_string()).unwrap_or_default()
        });
        Block {
            summary,
            description,
            file: labels
                .clone()
                .next_back()
                .map_or_else(String::new, |label| sources.get(label.span.source).name.to_string()),
            lines,
            calculated: calculated.map(|note| note.content().to_owned()),
            notes: notes.into(),
            hints: hints.collect(),
        }
    }

    fn width(&self) -> usize {
        self.lines.last().map_or(1, |line| line.0.len())
    }

    fn write(&self, width: usize, out: &mut String) {
        let mut line = |mark: &str, number: &str, text: &str| {
            out.push_str(&format!("  {number:>width$} {mark}{text}\n"));
        };
        match &self.calculated {
            Some(text) => {
                line("#", "", "");
                line("#", "", &format!(" {text}"));
                line("#", "", "");
            }
            None => {
                line("|", "", "");
                if self.lines.is_empty() {
                    line("|", "?", " ");
                }
                for (number, text, skip) in &self.lines {
                    if *skip {
                        line("|", "", " ...");
                    }
                    line("|", number, &format!(" {text}"));
                }
                line("|", "", "");
            }
        }
        out.push('\n');
        for (number, note) in self.notes.iter().enumerate() {
            if !note.is_empty() {
                out.push_str(&format!("  {:>width$} = {note}", ""));
            }
            if number == 0 {
                out.push('\n');
            }
        }
        for hint in &self.hints {
            out.push_str(&format!("\n  {:>width$} = hint: {hint}", ""));
        }
        out.push('\n');
    }
}

fn blocks_text(first: &Diagnostic, blocks: &[Block]) -> String {
    let Some(Block { summary, .. }) = blocks.first() else { return String::new() };
    let mut out = String::new();
    for step in first.parts().context.iter().filter(|step| step.kind != StepKind::Summary) {
        out.push_str(&format!("{step}: "));
    }
    out.push_str(&format!("\n{summary}\n{}\n", "=".repeat(summary.len())));
    let width = blocks.iter().map(Block::width).max().unwrap_or(1);
    for block in blocks {
        if let Some(description) = &block.description {
            out.push_str(&format!("\n{description}"));
        }
        let file = if block.calculated.is_some() { "Data value calculated" } else { &block.file };
        out.push_str(&format!("\n{file}:\n"));
        block.write(width, &mut out);
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use crate::call::Call;
    use crate::diag::Diagnostic;
    use crate::schema::{Schema, conform};
    use crate::validate::script::script;

    use super::text;

    fn values(schema: &str, values: &str) -> String {
        let mut script = script();
        let document = script.read("s.yml", schema)[0];
        let schema = match Schema::from_document(&mut script, document) {
            Ok(schema) => schema,
            Err(problems) => return text(&problems.0, 0, script.sources()),
        };
        let document = script.read("v.yml", values)[0];
        let mut problems = conform(&mut script.arena().borrow_mut(), script.sources(), &schema, document, None).0;
        if problems.is_empty() {
            problems = crate::schema::validate(&mut script, &schema, document).0;
        }
        let problems: Vec<Diagnostic> = problems.into_iter().map(|problem| problem.context("Stage")).collect();
        text(&problems, 0, script.sources())
    }

    #[test]
    fn blocks_are_laid_out_as_in_the_reference() {
        assert_eq!(
            values("image: x\ntag: y\nk: 1\n", "tagg: 1\nk: x\n"),
            "Stage: \nOne or more data values were invalid\n====================================\n\n\
             Given data value is not declared in schema\nv.yml:\n    |\n  1 | tagg: 1\n    |\n\n    = found: tagg\n    \
             = expected: one of { image, k, tag } (from s.yml:1)\n    = hint: did you mean \"tag\"?\n\n\
             v.yml:\n    |\n  2 | k: x\n    |\n\n    = found: string\n    = expected: integer (by s.yml:3)\n\n"
        );
        assert_eq!(
            values("image: x\n#@schema/title 1\n\n#! comment\n\nk: 1\n", ""),
            "\nInvalid schema\n==============\n\nsyntax error in @schema/title annotation\ns.yml:\n    |\n  \
             2 | #@schema/title 1\n    | ...\n  6 | k: 1\n    |\n\n    \
             = found: Non-string value in @schema/title (by s.yml:2)\n    = expected: string\n\n"
        );
        assert_eq!(
            values("#@schema/default \"x\"\nk: 1\n", ""),
            "\nInvalid schema - @schema/default is wrong type\n==============================================\n\n\
             s.yml:\n    |\n  1 | #@schema/default \"x\"\n  2 | k: 1\n    |\n\n    = found: string (at s.yml:1)\n    \
             = expected: integer (by s.yml:2)\n\n"
        );
    }

    #[test]
    fn entries_are_laid_out_as_in_the_reference() {
        assert_eq!(
            values("#@schema/validation (\"odd\", odd), (\"x\", fails), min=5\na: 1\n", "a: 2\n"),
            "Stage: Validating final data values:\n  a\n    from: v.yml:1\n    - must be: odd (by: s.yml:1)\n    \
             - must be: x (by: s.yml:1)\n      found: fails\n    - must be: a value >= 5 (by: s.yml:1)\n      \
             found: value < 5\n\n"
        );
    }
}
