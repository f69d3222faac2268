//! Files of deeper folders that a mark for all files of one folder does not match, since `*` stops at a slash.

use std::sync::Arc;

use super::mark::{FileMark, Pattern};
use super::{Content, FileKind, Listed};
use crate::diag::{Code, Diagnostic};
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};

/// A file that a mark was perhaps meant for.
pub(crate) struct Beyond {
    /// The mark that matches it.
    wanted: String,
    pattern: String,
    path: String,
}

/// The files that no mark matches, of the kind of those that a mark takes out of what is printed in the folder above.
pub(crate) fn beyond(files: &[Listed], marks: &[FileMark]) -> Vec<Beyond> {
    const MOST: usize = 20;
    let patterns: Vec<Pattern<'_>> = marks.iter().map(|mark| Pattern::new(mark.parts().0)).collect();
    let is_marked = |file: &Listed| patterns.iter().any(|pattern| pattern.matches(file.original.as_str()));
    let found = marks.iter().flat_map(|mark| {
        let (path, effect) = mark.parts();
        let takes_out = matches!(effect, "type=data" | "exclude=true");
        // Only a `*` for the whole name, or for all of it but its ending.
        let deeper = path.split_once("/*").filter(|(_, name)| takes_out && !name.contains(['*', '/']));
        let wanted = deeper.map(|(folder, name)| format!("{folder}/**/*{name}"));
        let is_below = move |file: &&Listed| {
            let below = deeper.and_then(|(folder, name)| {
                file.original.as_str().strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(name)
            });
            below.is_some_and(|below| below.contains('/'))
        };
        let file = files.iter().filter(is_below).filter(|file| !is_marked(file));
        let file = file.filter(|file| FileKind::of(file.original.name()) == FileKind::Yaml);
        file.filter(|file| matches!(file.content, Content::Memory(_) | Content::Disk(..))).filter_map(move |file| {
            let wanted = format!("{}:{effect}", wanted.as_ref()?);
            Some(Beyond { wanted, pattern: path.to_owned(), path: file.original.as_str().to_owned() })
        })
    });
    found.take(MOST).collect()
}

impl Beyond {
    /// The warning, unless the file has code and so is meant to be printed.
    pub(crate) fn warning(&self, sources: &SourceMap) -> Option<Diagnostic> {
        let all = sources.all();
        let is_it = |source: &Arc<Source>| *source.name == *self.path && source.text.as_str().is_some();
        let at = all.iter().position(is_it)?;
        let source = all.get(at)?;
        let text = source.text.as_str().filter(|text| !text.contains("#@") && !text.contains("(@"))?;
        let first = text.lines().position(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
        let line = source.line_range(to_u32(first).saturating_add(1));
        let Beyond { pattern, wanted, .. } = self;
        let text = format!("the file mark `{pattern}` does not match this file of a folder below");
        Some(
            Diagnostic::warning(Code::FILES_BEYOND_MARK, text)
                .label(Span::new(SourceId(to_u32(at)), line.start, line.end), "an input like any other")
                .help(format!("`*` stops at a slash: for all folders below, `{wanted}`")),
        )
    }
}
