//! `cargo ytt fmt`: YAML files of a project, printed in one canonical form. Nothing is evaluated, no mark applies.

use super::Steps;
use super::run::{Inputs, list, on_big_stack};
use crate::diag::{Diagnostic, Diagnostics};
use crate::error::{Error, Result};
use crate::files::{File, FileKind};
use crate::limits::Limits;
use crate::source::SourceMap;
use crate::yaml::{self, Arena, ReadOptions, fmt, view};

pub(super) fn format(steps: &Steps) -> Result<(String, Vec<Diagnostic>)> {
    let record = steps.record();
    let Inputs { files, .. } = list(steps, &record, None)?;
    let options = ReadOptions::new(steps.options.strict, &steps.limits);
    let work = |limits: &Limits| {
        let (mut out, mut warnings, mut problems) = (String::new(), Vec::new(), Diagnostics::default());
        for file in files.iter().filter(|file| file.kind == FileKind::Yaml) {
            match format_file(file, &record.sources, limits, &options) {
                Ok((text, found)) => {
                    if !out.is_empty() && !text.is_empty() && !text.starts_with("---\n") && !text.starts_with("--- ") {
                        out.push_str("---\n");
                    }
                    out.push_str(&text);
                    warnings.extend(found);
                    if out.len() as u64 > limits.output_bytes {
                        problems.push(view::too_large(limits.output_bytes, None));
                        break;
                    }
                }
                Err(problem) => problems.push(problem),
            }
        }
        (problems.into_result().map(|()| out), warnings)
    };
    let done = on_big_stack(&steps.limits, work);
    let (text, warnings) = done.map_err(|problem| steps.outer(&record, Vec::new()).error(problem))?;
    let outer = steps.outer(&record, warnings);
    match text {
        Ok(text) => outer.permit(outer.warnings.clone()).map(|warnings| (text, warnings)),
        Err(problems) => Err(Error::new(problems.0, &outer)),
    }
}

fn format_file(
    file: &File,
    sources: &SourceMap,
    limits: &Limits,
    options: &ReadOptions,
) -> std::result::Result<(String, Vec<Diagnostic>), Diagnostic> {
    let source = file.open(sources, limits)?;
    let mut arena = Arena::new(limits.depth);
    let read = yaml::read(&mut arena, sources, source, options)?;
    let text = fmt::documents(&arena, &sources.get(source), arena.items(read.root), limits.output_bytes)?;
    Ok((text, read.into_warnings_of_format()))
}
