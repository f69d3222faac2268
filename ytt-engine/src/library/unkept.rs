//! A call on a line of its own below a key without a value, as other languages include text: what it gives is thrown away,
//! and the key stays null.

use crate::diag::{Code, Diagnostic};
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::outline;
use crate::yaml::{Arena, Body, NodeId, NodeSpan, Val, comment_text};

/// Problems that are told of.
const TOLD: usize = 20;

/// Warns of such calls in these templates, each with the tree that its file is.
pub(super) fn lint(sources: &SourceMap, arena: &Arena, templates: &[(SourceId, NodeId)]) -> Vec<Diagnostic> {
    let in_file = |(file, root): &(SourceId, NodeId)| {
        let source = sources.get(*file);
        // Few files have such a line, and only theirs are looked through.
        let has_call = source.text.as_str().is_some_and(|text| text.lines().any(|line| call_in(line).is_some()));
        let below = if has_call { calls_below_keys(arena, &source, *root) } else { Vec::new() };
        let code = if below.is_empty() { None } else { FileCode::read(&source, *file) };
        let told = code.map(|code| {
            below.into_iter().take(TOLD).filter_map(|below| told(sources, &source, &code, &below)).collect::<Vec<_>>()
        });
        told.unwrap_or_default()
    };
    templates.iter().flat_map(in_file).take(TOLD).collect()
}

/// A line of code below a key: both, and the key.
struct Below {
    key: Span,
    code: Span,
}

/// The call that is all of a line of code.
fn call_in(line: &str) -> Option<&str> {
    line.trim().strip_prefix("#@ ").map(str::trim).filter(|code| is_call(code))
}

/// Lines such as `#@ name(…)` that alone stand below a key with nothing behind it, deeper than that.
fn calls_below_keys(arena: &Arena, source: &Source, root: NodeId) -> Vec<Below> {
    let (mut found, mut open) = (Vec::new(), vec![root]);
    // The node in front of the one that is looked at.
    let mut last: Option<(NodeId, NodeSpan)> = None;
    while let Some(node) = open.pop() {
        if matches!(arena.get(node).body, Body::Doc(_) | Body::MapItem(..) | Body::ArrayItem(_)) {
            let place = arena.place_of(node).copied();
            let above = last.filter(|(last, _)| arena.value(*last) == Val::Null);
            found.extend(above.and_then(|(_, key)| below(arena, source, key, (node, place))));
            last = place.map(|place| (node, place)).or(last);
        }
        match arena.value(node) {
            Val::Node(inner) if inner == node => open.extend(arena.items(node).iter().rev()),
            Val::Node(inner) => open.push(inner),
            _ => {}
        }
    }
    found
}

/// The call above a node, if it is the only code between that and a key without a value.
fn below(arena: &Arena, source: &Source, key: NodeSpan, node: (NodeId, Option<NodeSpan>)) -> Option<Below> {
    let (node, place) = node;
    let is_above = |comment: &&Span| place.is_none_or(|place| comment.end <= place.start);
    let code = arena.comments(node).iter().filter(is_above);
    let mut code = code.filter(|comment| comment_text(source, **comment).starts_with("@ "));
    let (call, mut rest) = (*code.next()?, code);
    let written = call_in(source.written(call)?)?;
    let is_end = |comment: &Span| comment_text(source, *comment).trim_start_matches('@').trim() == "end";
    rest.all(is_end).then_some(())?;
    // A list has no key, and what stands between the key and the call gives it a value, or is about another node.
    let between = source.written(Span { start: key.key_end, end: call.start, ..call })?.trim_start();
    let behind = between.strip_prefix(':')?;
    let is_bare = behind.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with("#!"));
    let column = |at: u32| at.saturating_sub(source.line_range(source.line(at)).start);
    let is_below = source.line(key.key_end) < source.line(call.start) && column(key.start) < column(call.start);
    let name = source.written(key.key())?;
    (is_bare && is_below && !name.contains('\n')).then(|| {
        let colon = call.start.saturating_sub(to_u32(behind.len()));
        let end = call.start.saturating_add(to_u32(source.written(call).map_or(0, |code| code.trim_end().len())));
        let code = Span { start: end.saturating_sub(to_u32(written.len())), end, ..call };
        Below { key: Span { end: colon, ..key.key() }, code }
    })
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
    use crate::limits::Limits;
    use crate::source::{LineBreaks, Origin, Text};
    use crate::yaml::{self, ReadOptions};

    fn found(text: &str) -> Vec<(String, String)> {
        let (sources, mut arena) = (SourceMap::default(), Arena::new(100));
        let source = Source::new("a.yml", Text::from_bytes(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
        let id = sources.add(source);
        let options = ReadOptions::new(false, &Limits::default());
        let root = yaml::read(&mut arena, &sources, id, &options).expect("YAML").root;
        let source = sources.get(id);
        let written = |span| source.written(span).unwrap_or_default().to_owned();
        let all = calls_below_keys(&arena, &source, root);
        all.into_iter().map(|below| (written(below.key), written(below.code))).collect()
    }

    #[test]
    fn only_a_call_that_stands_alone_below_a_key_is_found() {
        let pair = |key: &str, code: &str| vec![(key.to_owned(), code.to_owned())];
        assert_eq!(found("a:\n  #@ f(1)\nb: 2\n"), pair("a:", "f(1)"));
        assert_eq!(found("a:\n  #@ f()"), pair("a:", "f()"));
        assert_eq!(found("x:\n  a:\n    #! why\n    #@ f()\n  b: 1\n"), pair("a:", "f()"));
        assert_eq!(found("- \"a\" :  #! why\n    #@ f()\n---\nb: 1\n"), pair("\"a\" :", "f()"));
        assert_eq!(found("#@ def g():\na:\n  #@ f()\n#@ end\n---\nb: 1\n"), pair("a:", "f()"));
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
            "a: null\n  #@ f()\n",
            "a: #@ g()\n  #@ f()\n",
            "a: {b: }\n  #@ f()\n",
            "-\n  #@ f()\n- 1\n",
            "k: |\n  a:\n    #@ f(1)\n  b: X\n",
            "k: >-2\n  a:\n    #@ f(1)\nb: X\n",
            "k: \"\n  a:\n    #@ f(1)\n  b: X\"\n",
        ] {
            assert!(found(none).is_empty(), "{none}");
        }
    }
}
