//! Where in code the words of a message stand: the arguments of a call or annotation, a keyword, a part of a text.
//!
//! Problems are raised with values, which have no places. When one is told, the parser reads the code that it is about
//! once more, so that the word to change is marked instead of the whole call: programs that run well keep no trees.
//! What is not found, or is there twice, is not marked.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "trees are read from their tokens, and offsets are those of parts of a source, all below 2³¹"
)]

mod given;
mod holds;
mod inner;
mod literals;
mod members;
mod path;

use crate::diag::WordKind;
use crate::nearest::only;
use crate::source::{LineBreaks, Source, SourceMap, Span};
use crate::template::input::{Input, Origin, trim_start};
use crate::template::parse::{self, Parsed, Single};
use crate::template::scan::{Scanner, inside, literal};
use crate::template::snippet;
use crate::template::token::{Kind, Token};
use crate::template::tree::{self, ArgumentRole, Expr, ExprKind, StmtKind, TokenId};
use crate::template::word;

pub(crate) use given::{GivenInCall, within};
pub(crate) use holds::{Asked, holds};
pub(crate) use inner::{inner, inner_at};
pub(crate) use literals::{elements, parts, scalar, string, whole_string};
pub(crate) use members::{Dict, KeysOfName, MemberKey, dicts, keys_of, members};
pub(crate) use path::{CodeStep, choices, in_front, is_dotted, kept, passed_on, path, paths, series};

/// An argument as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) name: Option<Span>,
    /// With the stars of `*args` and `**kwargs`.
    pub(crate) value: Span,
}

impl Argument {
    /// Name and value.
    pub(crate) fn whole(&self) -> Span {
        Span { start: self.name.map_or(self.value.start, |name| name.start), ..self.value }
    }
}

/// An entry of a dict, or an element of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Without its quotes.
    pub(crate) key: Option<Span>,
    pub(crate) value: Span,
}

/// The arguments that a list of arguments holds, which `list` spans without its brackets.
pub(crate) fn arguments(sources: &SourceMap, list: Span) -> Vec<Argument> {
    input(sources, list, "_(", ")").and_then(Single::read).map(|call| call.arguments()).unwrap_or_default()
}

/// The keyword argument of that name in such a list.
pub(crate) fn named(sources: &SourceMap, list: Span, name: &str) -> Option<Argument> {
    let source = sources.get(list.source);
    let is_named = |argument: &Argument| argument.name.and_then(|span| source.written(span)) == Some(name);
    arguments(sources, list).into_iter().find(is_named)
}

/// What a list comprehension makes each of its items from.
pub(crate) fn element(sources: &SourceMap, value: Span) -> Option<Span> {
    let written = read(sources, value)?;
    let ExprKind::Comprehension(comprehension) = &written.root.bare().kind else { return None };
    match &comprehension.body[..] {
        [element] => Some(written.span(element)),
        _ => None,
    }
}

/// The two operands of an expression with a binary operator.
pub(crate) fn operands(sources: &SourceMap, code: Span) -> Option<[Span; 2]> {
    let condition = sources.get(code.source).written(code).and_then(snippet::condition);
    let code = condition.map_or(code, |part| Span {
        start: code.start + part.start as u32,
        end: code.start + part.end as u32,
        ..code
    });
    // The interpreter leaves out a parenthesis in front of the first operand, and behind the last one.
    let wider = |(front, behind): (u32, u32)| {
        read(sources, Span { start: code.start.checked_sub(front)?, end: code.end + behind, ..code })
    };
    let written = [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().find_map(wider)?;
    let ExprKind::Binary(binary) = &written.root.bare().kind else { return None };
    Some([written.span(&binary.left), written.span(&binary.right)])
}

/// The two sides of `name += value`. The interpreter marks what is changed alone, which is `target`.
pub(crate) fn added(sources: &SourceMap, target: Span) -> Option<[Span; 2]> {
    let end = line_end(&sources.get(target.source), target)?;
    let input = input(sources, Span { end, ..target }, "", "")?;
    let Parsed { tokens, stmts, .. } = parse::parse(&input).ok()?;
    let StmtKind::Assign { left, operator: Some(Kind::AddAssign), right } = &stmts.first()?.kind else { return None };
    Some([left, right].map(|side| span_of(&input, &tokens, side)))
}

/// Is code a string that is written out?
pub(crate) fn is_text(sources: &SourceMap, code: Span) -> bool {
    let is_string = |written: Single| {
        matches!(written.root.kind, ExprKind::Literal)
            && written.tokens.get(written.root.first as usize).is_some_and(|token| token.kind == Kind::Str)
    };
    read(sources, code).is_some_and(is_string)
}

/// The arguments of a call.
pub(crate) fn call(sources: &SourceMap, code: Span) -> Option<Vec<Argument>> {
    let written = read(sources, code)?;
    matches!(written.root.kind, ExprKind::Call(..)).then(|| written.arguments())
}

/// The names of the parameters of a lambda that code is, and its body.
pub(crate) fn lambda(sources: &SourceMap, code: Span) -> Option<(Vec<Span>, Span)> {
    let written = read(sources, code)?;
    let ExprKind::Lambda(lambda) = &written.root.bare().kind else { return None };
    let names = lambda.params.iter().map(|param| written.tokens_between(param.name, param.name));
    Some((names.collect(), written.span(&lambda.body)))
}

/// What stands in front of the last dot of `value.name` or `value.name(…)`.
pub(crate) fn receiver(sources: &SourceMap, code: Span) -> Option<Span> {
    let written = read(sources, code)?;
    let dot = match &written.root.kind {
        ExprKind::Call(function, _) => &function.kind,
        kind => kind,
    };
    let ExprKind::Dot(value, _) = dot else { return None };
    Some(written.span(value))
}

/// What stands in front of the brackets of `value[index]`.
pub(crate) fn indexed(sources: &SourceMap, code: Span) -> Option<Span> {
    let written = read(sources, code)?;
    let ExprKind::Index(parts) = &written.root.kind else { return None };
    Some(written.span(&parts[0]))
}

/// What stands in front of the parentheses of a call.
pub(crate) fn callee(sources: &SourceMap, code: Span) -> Option<Span> {
    let written = read(sources, code)?;
    let ExprKind::Call(function, _) = &written.root.kind else { return None };
    Some(written.span(function))
}

/// What `value.method(…)`, `value[index] = …` or `value += …` changes.
pub(crate) fn changed(sources: &SourceMap, code: Span) -> Option<Span> {
    let input = input(sources, code, "", "")?;
    let Parsed { tokens, stmts, .. } = parse::parse(&input).ok()?;
    let target = match &stmts.first()?.kind {
        StmtKind::Expr(expr) => match &expr.kind {
            ExprKind::Call(function, _) => &function.kind,
            kind => kind,
        },
        StmtKind::Assign { left, operator: None, .. } => &left.kind,
        StmtKind::Assign { left, .. } => return Some(span_of(&input, &tokens, left)),
        _ => return None,
    };
    match target {
        ExprKind::Dot(value, _) => Some(span_of(&input, &tokens, value)),
        ExprKind::Index(parts) => Some(span_of(&input, &tokens, &parts[0])),
        _ => None,
    }
}

fn span_of(input: &Input, tokens: &[Token], expr: &Expr) -> Span {
    input.span(tokens[expr.first as usize].start, tokens[expr.last as usize].end)
}

/// Where a word stands in the strings among the arguments of the call that `code` is, if it is there once.
pub(crate) fn find(sources: &SourceMap, code: Span, word: &str) -> Option<Span> {
    let Some(written) = read(sources, code) else {
        let input = input(sources, code, "", "")?;
        return in_strings(&input, &tokens(&input), word);
    };
    let tokens = match &written.root.kind {
        ExprKind::Call(_, arguments) => {
            &written.tokens[arguments.first()?.first as usize..=arguments.last()?.value.last as usize]
        }
        _ => &written.tokens[..],
    };
    in_strings(&written.input, tokens, word)
}

/// The names in code that stand for values: no members, no keywords of calls, no functions that are called.
pub(crate) fn names(sources: &SourceMap, code: Span) -> Vec<Span> {
    let Some(input) = input(sources, code, "", "") else { return Vec::new() };
    let tokens = tokens(&input);
    let kind_at = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
    let is_value = |(at, token): &(usize, &Token)| {
        let (before, after) = (kind_at(at.checked_sub(1)), kind_at(Some(at + 1)));
        let is_called = matches!(after, Some(Kind::OpenParen | Kind::Assign | Kind::Dot));
        token.kind == Kind::Name && before != Some(Kind::Dot) && !is_called
    };
    tokens.iter().enumerate().filter(is_value).map(|(_, token)| input.span(token.start, token.end)).collect()
}

/// The names of functions that code calls; no members.
pub(crate) fn called(sources: &SourceMap, code: Span) -> Vec<Span> {
    let Some(input) = input(sources, code, "", "") else { return Vec::new() };
    let tokens = tokens(&input);
    let kind_at = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
    let is_called = |(at, token): &(usize, &Token)| {
        let (before, after) = (kind_at(at.checked_sub(1)), kind_at(Some(at + 1)));
        token.kind == Kind::Name && before != Some(Kind::Dot) && after == Some(Kind::OpenParen)
    };
    tokens.iter().enumerate().filter(is_called).map(|(_, token)| input.span(token.start, token.end)).collect()
}

/// Where a word stands in code as what it is, if it does so once; of attributes the last one counts.
pub(crate) fn word(sources: &SourceMap, code: Span, word: &str, kind: WordKind) -> Option<Span> {
    let input = input(sources, code, "", "")?;
    let tokens = tokens(&input);
    if kind == WordKind::Text {
        return in_strings(&input, &tokens, word);
    }
    let kind_at = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
    let mut found = tokens.iter().enumerate().filter(|(at, token)| {
        let (before, after) = (kind_at(at.checked_sub(1)), kind_at(Some(at + 1)));
        let is = match (before, after) {
            (Some(Kind::Dot), _) => kind == WordKind::Attribute,
            (_, Some(Kind::Assign)) => kind == WordKind::Argument,
            (_, after) => kind == WordKind::Name && after != Some(Kind::OpenParen),
        };
        is && token.kind == Kind::Name && input.token(**token) == word.as_bytes()
    });
    let (_, last) = found.next_back()?;
    (kind == WordKind::Attribute || found.next().is_none()).then(|| input.span(last.start, last.end))
}

/// Where a word stands in strings, with nothing around it that could belong to it, if it is there once.
fn in_strings(input: &Input, tokens: &[Token], word: &str) -> Option<Span> {
    let belong = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let strings = tokens.iter().filter(|token| token.kind == Kind::Str);
    let found = strings.flat_map(|token| {
        let whole = input.token(*token);
        let inside = inside(whole);
        let start = token.start + inside.start as u32;
        let text = std::str::from_utf8(&whole[inside]).unwrap_or_default();
        word::apart(text, word, belong).map(move |at| start + at as u32)
    });
    let start = only(found)?;
    Some(input.span(start, start + word.len() as u32))
}

/// Where the line of code ends that a place begins in: behind the brackets that are open there.
pub(super) fn line_end(source: &Source, from: Span) -> Option<u32> {
    const LINES: usize = 100;
    let text = source.text.as_str()?.get(from.start as usize..)?;
    let text = match text.find("@)") {
        Some(end) if source.breaks == LineBreaks::Plain && !source.name.ends_with(".star") => &text[..end],
        _ => text,
    };
    let length: usize = text.split_inclusive('\n').take(LINES).map(str::len).sum();
    let input = input_of(source, Span { end: from.start + length as u32, ..from }, "", "")?;
    let tokens = tokens(&input);
    let line = tokens.iter().take_while(|token| !matches!(token.kind, Kind::Newline | Kind::End));
    line.last().map(|token| input.span(token.start, token.end).end)
}

/// The text of a part of a source, between `before` and `after`, as the parser reads it by itself.
fn input(sources: &SourceMap, code: Span, before: &str, after: &str) -> Option<Input> {
    input_of(&sources.get(code.source), code, before, after)
}

fn input_of(source: &Source, code: Span, before: &str, after: &str) -> Option<Input> {
    let text = source.text.as_bytes().get(code.start as usize..code.end as usize)?;
    let mut input = Input::new(code.source, ("", ""));
    input.piece(before.as_bytes(), Origin::Made(code.start, code.start));
    let mut at = code.start;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        // in a YAML template every line of code begins with its mark; elsewhere that begins a comment
        let kept = trim_start(line);
        let is_marked = source.breaks == LineBreaks::Yaml && kept.starts_with(b"#@");
        let cut = if is_marked { line.len() - kept.len() + 2 } else { 0 };
        input.piece(&line[cut..], Origin::Code(at + cut as u32));
        at += line.len() as u32;
    }
    // a comment at the end must not swallow what is put behind it
    input.piece(b"\n", Origin::Made(code.end, code.end));
    input.piece(after.as_bytes(), Origin::Made(code.end, code.end));
    Some(input)
}

/// The tokens of a text, up to what is none.
fn tokens(input: &Input) -> Vec<Token> {
    let mut scanner = Scanner::new(input);
    while scanner.next().is_ok_and(|token| scanner.tokens[token as usize].kind != Kind::End) {}
    scanner.tokens
}

/// A part of code, if it is one expression.
pub(super) fn single(sources: &SourceMap, code: Span) -> Option<Single> {
    read(sources, code)
}

fn read(sources: &SourceMap, code: Span) -> Option<Single> {
    Single::read(input(sources, code, "", "")?)
}

impl Single {
    fn span(&self, expr: &Expr) -> Span {
        self.tokens_between(expr.first, expr.last)
    }

    fn tokens_between(&self, first: TokenId, last: TokenId) -> Span {
        self.input.span(self.tokens[first as usize].start, self.tokens[last as usize].end)
    }

    /// Is it `value.NAME`?
    fn is_member(&self, expr: &Expr, name: &str) -> bool {
        matches!(expr.kind, ExprKind::Dot(..)) && self.text(expr.last) == name.as_bytes()
    }

    /// Is it a string that is written out, with that content?
    fn is_string(&self, expr: &Expr, content: &str) -> bool {
        let token = self.text(expr.first);
        let is_string = matches!(expr.kind, ExprKind::Literal) && self.tokens[expr.first as usize].kind == Kind::Str;
        is_string
            && if token.contains(&b'\\') {
                literal(token) == content.as_bytes()
            } else {
                token[inside(token)] == *content.as_bytes()
            }
    }

    /// What stands between the quotes of a string.
    fn inside(&self, string: TokenId) -> Span {
        let token = self.tokens[string as usize];
        let inside = inside(self.text(string));
        self.input.span(token.start + inside.start as u32, token.start + inside.end as u32)
    }

    /// Of a call.
    fn arguments(&self) -> Vec<Argument> {
        let ExprKind::Call(_, arguments) = &self.root.kind else { return Vec::new() };
        let written = |argument: &tree::Argument| match argument.role {
            ArgumentRole::Named => Argument {
                name: Some(self.tokens_between(argument.first, argument.first)),
                value: self.span(&argument.value),
            },
            _ => Argument { name: None, value: self.tokens_between(argument.first, argument.value.last) },
        };
        arguments.iter().map(written).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::PathStep;
    use crate::source::{Origin, SourceId, Text};

    fn source(text: &str) -> (SourceMap, Span) {
        source_with(text, LineBreaks::Yaml)
    }

    fn source_with(text: &str, breaks: LineBreaks) -> (SourceMap, Span) {
        let sources = SourceMap::default();
        sources.add(Source::new("a", Text::Str(text.into()), Origin::Memory, 0, breaks));
        (sources, Span::new(SourceId(0), 0, text.len() as u32))
    }

    #[test]
    fn arguments_are_split() {
        for (text, expected) in [
            ("", &[][..]),
            ("by=f(a, b), expects=2", &["by:f(a, b)", "expects:2"]),
            ("lambda i, l, r: l == \",\" , when=1", &[":lambda i, l, r: l == \",\"", "when:1"]),
            ("a=\"\\\",\", b={1: 2, 3: 4}", &["a:\"\\\",\"", "b:{1: 2, 3: 4}"]),
            ("'''a', ''', #! no, comment\n x == 1", &[":'''a', '''", ":x == 1"]),
            ("\n#@  a=1,\n#@ b", &["a:1", ":b"]),
            ("*a, **{\"b\": 1}", &[":*a", ":**{\"b\": 1}"]),
            ("(", &[]),
            ("a=", &[]),
        ] {
            let (sources, whole) = source(text);
            let part = |span: Span| text[span.start as usize..span.end as usize].to_owned();
            let found: Vec<String> = arguments(&sources, whole)
                .into_iter()
                .map(|argument| format!("{}:{}", argument.name.map(part).unwrap_or_default(), part(argument.value)))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
        let (sources, whole) = source("when=1, by==2, f(by=3), by = 4");
        let by = named(&sources, whole, "by").expect("it is written there");
        assert_eq!((by.whole().start, by.value.start), (24, 29));
        assert_eq!(named(&sources, whole, "f"), None);
    }

    #[test]
    fn elements_are_those_of_the_outer_brackets() {
        for (text, count) in [
            ("(\"a\", 80)", 2),
            ("[1, (2, 3), 4]", 3),
            ("(1, 2) + (3,)", 0),
            ("f(1, 2)", 0),
            ("[x for x in y]", 0),
            (")", 0),
        ] {
            let (sources, whole) = source(text);
            assert_eq!(elements(&sources, whole).len(), count, "{text}");
        }
    }

    #[test]
    fn paths_lead_into_dicts_and_lists() {
        use PathStep::{Index, Key};
        let text = "f(x).g({\"a\": [1, {'b': 2}],\n#@  \"c\": lambda x: {1: 2}, d: 3}, plain=True)";
        let (sources, whole) = source(text);
        let values = GivenInCall::new(whole);
        for (path, expected) in [
            (&[][..], Some((None, "{\"a\""))),
            (&[Key("a"), Index(1), Key("b")], Some((Some("b"), "2"))),
            (&[Key("c")], Some((Some("c"), "lambda x: {1: 2}"))),
            (&[Key("d")], None),
            (&[Key("a"), Key("b")], None),
            (&[Index(9)], None),
        ] {
            let found = values.entry(&sources, path);
            let part = |span: Span| &text[span.start as usize..span.end as usize];
            let found = found.map(|found| (found.key.map(part), part(found.value)));
            assert_eq!(found.map(|found| found.0), expected.map(|expected| expected.0), "{path:?}");
            assert!(found.is_none_or(|found| expected.is_some_and(|expected| found.1.starts_with(expected.1))));
        }
    }

    #[test]
    fn dicts_know_what_is_around_them() {
        let text = "a = {\"x\": {\"y\": 1}, \"z\": f({\"k\": [2]}), 3: {}}\nb = [{\"q\": x[\"r\":]}]";
        let (sources, whole) = source_with(text, LineBreaks::Plain);
        let part = |span: Span| &text[span.start as usize..span.end as usize];
        let all = dicts(&sources, whole);
        let told = all.iter().map(|dict| {
            let keys: Vec<&str> = dict.keys.iter().map(|(key, _)| key.as_str()).collect();
            (dict.name.map(part), keys.join(" "), dict.entry)
        });
        let expected = [
            (Some("a"), "x z", None),
            (None, "y", Some((0, 0))),
            (None, "k", None),
            (None, "", None),
            (None, "q", None),
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected.map(|(name, keys, entry)| (name, keys.to_owned(), entry)));
    }

    #[test]
    fn names_are_those_of_values() {
        let text = "overlay.subset({\"kind\": KIND, K: f(a.b, c=d)}), expects=\"N\"";
        let (sources, whole) = source(text);
        let part = |span: Span| &text[span.start as usize..span.end as usize];
        assert_eq!(names(&sources, whole).into_iter().map(part).collect::<Vec<_>>(), ["KIND", "K", "d"]);
    }

    #[test]
    fn words_are_found_if_they_are_there_once() {
        for (text, word, expected) in [
            ("get(\"db\").export(\"db\")", "db", Some(18)),
            ("f(\"a\", \"a\")", "a", None),
            ("load(\"@lib:a/b.star\", \"lib\")", "a/b.star", Some(11)),
            ("f(\"a-b\")", "b", None),
            ("f({\"a\": {'b': 1}})", "b", Some(10)),
            ("\"k\" + x", "k", Some(1)),
            ("f(\"", "", None),
        ] {
            let (sources, whole) = source(text);
            assert_eq!(find(&sources, whole, word).map(|span| span.start), expected, "{text}");
        }
    }

    #[test]
    fn a_mark_begins_code_in_yaml_and_a_comment_elsewhere() {
        for (breaks, expected) in [(LineBreaks::Yaml, None), (LineBreaks::Plain, Some(11))] {
            let (sources, whole) = source_with("f(\n#@ \"a\"\n\"a\")", breaks);
            assert_eq!(find(&sources, whole, "a").map(|span| span.start), expected);
        }
    }

    #[test]
    fn words_are_found_as_what_they_are() {
        for (text, wanted, kind, expected) in [
            ("data.read(\"files/crt.pem\")", "files/crt.pem", WordKind::Text, Some(11)),
            ("read(\"read\")", "read", WordKind::Text, Some(6)),
            ("f(\"ab\")", "a", WordKind::Text, None),
            ("load('@a:b', \"b\")", "a", WordKind::Text, Some(7)),
            ("f(\"it's\", \"s\")", "s", WordKind::Text, None),
            ("json.encode({\"f\": f})", "f", WordKind::Name, Some(18)),
            ("f(f)", "f", WordKind::Name, Some(2)),
            ("g(f=f)", "f", WordKind::Name, Some(4)),
            ("g(x.f, f)", "f", WordKind::Name, Some(7)),
            ("g(f, f)", "f", WordKind::Name, None),
            ("for x in f:", "f", WordKind::Name, Some(9)),
            ("g(\"a=\", a=a)", "a", WordKind::Argument, Some(8)),
            ("a == 1", "a", WordKind::Argument, None),
            ("a.b.b", "b", WordKind::Attribute, Some(4)),
            ("a.b(b)", "b", WordKind::Attribute, Some(2)),
        ] {
            let (sources, whole) = source(text);
            assert_eq!(word(&sources, whole, wanted, kind).map(|span| span.start), expected, "{text}");
        }
        let (sources, whole) = source("f(\"a\", 'ab')");
        assert_eq!(string(&sources, whole, "ab").map(|span| (span.start, span.end)), Some((7, 11)));
        assert_eq!(string(&sources, whole, "b"), None);
    }
}
