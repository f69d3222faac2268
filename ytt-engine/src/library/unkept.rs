//! A call on a line of its own below a key without a value, as other languages include text: what it gives is thrown away,
//! and the key stays null.

use std::sync::Arc;

use crate::diag::{Code, Diagnostic};
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::outline;
use crate::yaml::layout;

/// Problems that are told of.
const TOLD: usize = 20;

/// Warns of such calls in all YAML templates.
pub(super) fn lint(sources: &SourceMap, files: &[SourceId]) -> Vec<Diagnostic> {
    let yaml = files.iter().map(|file| (*file, sources.get(*file)));
    let yaml = yaml.filter(|(_, source)| [".yml", ".yaml"].iter().any(|ending| source.name.ends_with(ending)));
    yaml.flat_map(|(file, source)| in_file(sources, &source, file)).take(TOLD).collect()
}

/// A line of code below a key: both, and the key.
struct Below {
    key: Span,
    code: Span,
}

fn in_file(sources: &SourceMap, source: &Arc<Source>, id: SourceId) -> Vec<Diagnostic> {
    let below = calls_below_keys(source, id);
    let code = if below.is_empty() { None } else { FileCode::read(source, id) };
    let Some(code) = code else { return Vec::new() };
    below.into_iter().take(TOLD).filter_map(|below| told(sources, source, &code, &below)).collect()
}

/// Lines such as `#@ name(…)` that alone stand below a key with nothing behind it, deeper than that.
fn calls_below_keys(source: &Source, id: SourceId) -> Vec<Below> {
    let Some(text) = source.text.as_str().filter(|text| text.contains("#@ ")) else { return Vec::new() };
    let (mut found, mut at) = (Vec::new(), 0_usize);
    // The last key without a value, and the call below it.
    let (mut key, mut call): (Option<(usize, Span)>, Option<Span>) = (None, None);
    // How far the key of a block of text is indented, in whose lines nothing is code.
    let mut block = None;
    let mut keep = |key: Option<(usize, Span)>, call: Option<Span>, indent: usize| {
        if let (Some((outer, key)), Some(code)) = (key, call)
            && indent <= outer
        {
            found.push(Below { key, code });
        }
    };
    for line in text.split_inclusive('\n') {
        let (start, content) = (at, line.trim());
        at = at.saturating_add(line.len());
        let indent = line.len().saturating_sub(line.trim_start_matches(' ').len());
        let begin = start.saturating_add(indent);
        let span = |from: usize, to: usize| Span::new(id, to_u32(from), to_u32(to));
        if content.is_empty() || content.starts_with("#!") || block.is_some_and(|outer| outer < indent) {
            continue;
        }
        block = layout::opens_text(content).then_some(indent);
        if let Some(code) = content.strip_prefix("#@ ") {
            let is_below = call.is_none() && key.is_some_and(|(outer, _)| outer < indent);
            let end = begin.saturating_add(content.len());
            let from = end.saturating_sub(code.trim_start().len());
            (key, call) = match is_call(code.trim_start()) && is_below {
                true => (key, Some(span(from, end))),
                false if code.trim() == "end" && call.is_some() => (key, call),
                false => (None, None),
            };
            continue;
        }
        // An annotation belongs to a node below the key, and so does an item beside it.
        let is_item_of_key = content.starts_with('-') && key.is_some_and(|(outer, _)| outer == indent);
        if content.starts_with('#') || is_item_of_key {
            (key, call) = (None, None);
            continue;
        }
        keep(key, call, indent);
        let is_key = content.ends_with(':') && content.starts_with(char::is_alphanumeric);
        let place = span(begin, begin.saturating_add(content.len()));
        (key, call) = (is_key.then_some((indent, place)), None);
    }
    keep(key, call, 0);
    found
}

fn is_call(code: &str) -> bool {
    let name = code.split('(').next().unwrap_or_default();
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    is_name && !name.is_empty() && code.ends_with(')')
}

/// The warning, if the function is one of the project that gives something.
fn told(sources: &SourceMap, source: &Source, code: &FileCode, below: &Below) -> Option<Diagnostic> {
    let written = source.written(below.code)?;
    let name = written.split('(').next()?;
    let is_whole = code.calls_of(name).iter().any(|(whole, _)| *whole == below.code);
    let (file, own) = outline::home(sources, below.code.source, name).filter(|_| is_whole)?;
    let home = FileCode::read(&sources.get(file), file)?;
    let (_, function) = home.defined().into_iter().rfind(|(known, _)| *known == own)?;
    // Others may run for what they do.
    home.gives_nodes(&function).then_some(())?;
    let key = source.written(below.key)?.trim_end_matches(':');
    let text = format!("what `{name}` gives is thrown away, and `{key}` is null");
    let warning = Diagnostic::warning(Code::TEMPLATE_UNPRINTED, text)
        .label(below.code, "a call on a line of its own: nothing is put here")
        .label(below.key, format!("`{key}` has no value"))
        .label_at(function.name, format!("`{own}` gives YAML"));
    let span = Span { start: below.key.end, end: below.code.end, ..below.key };
    Some(warning.help_edit("write the call as the value of the key", span, format!(" #@ {written}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, Text};

    fn found(text: &str) -> Vec<(String, String)> {
        let source = Source::new("a.yml", Text::from_bytes(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let written = |span| source.written(span).unwrap_or_default().to_owned();
        let all = calls_below_keys(&source, SourceId(0));
        all.into_iter().map(|below| (written(below.key), written(below.code))).collect()
    }

    #[test]
    fn only_a_call_that_stands_alone_below_a_key_is_found() {
        let pair = |key: &str, code: &str| vec![(key.to_owned(), code.to_owned())];
        assert_eq!(found("a:\n  #@ f(1)\nb: 2\n"), pair("a:", "f(1)"));
        assert_eq!(found("a:\n  #@ f()"), pair("a:", "f()"));
        assert_eq!(found("x:\n  a:\n    #! why\n    #@ f()\n  b: 1\n"), pair("a:", "f()"));
        for none in [
            "a:\n  #@ f(1)\n  b: 2\n",
            "a:\n#@ f(1)\nb: 2\n",
            "a: 1\n  #@ f()\n",
            "a:\n  #@ x.append(1)\nb: 2\n",
            "a:\n  #@ if f():\n  b: 2\n  #@ end\n",
            "a:\n  #@ b = f()\nb: 2\n",
            "a:\n  #@ f()\n  #@ g()\nb: 2\n",
            "a: #@ f()\nb: 2\n",
            "env:\n  #@ f(1)\n- name: A\n",
            "a:\n  #@ f(1)\n#@overlay/match missing_ok=True\n  b: 1\n",
            "k: |\n  a:\n    #@ f(1)\n  b: X\n",
        ] {
            assert!(found(none).is_empty(), "{none}");
        }
    }
}
