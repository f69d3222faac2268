//! `@ytt:regexp`: `match` and `replace`, with patterns in Go's syntax.
//!
//! `translate` makes a pattern of the crate `regex` of them, `template` reads replacements. Patterns and texts are byte
//! strings; in a text that is not UTF-8 each stray byte is matched as U+FFFD and copied as it is.

mod class;
mod properties;
mod template;
mod translate;

use std::borrow::Cow;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use starlark::eval::Evaluator;
use starlark::values::Value;

use self::template::Part;
use super::arguments::{expect, place_in_text, text, warn_unknown};
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::text::{LONGEST, to_star};
use crate::eval::{EvalResult, Returned, error, is_callable, no_such_group, trace};

pub(super) const FUNCTIONS: Functions = &[("match", matches), ("replace", replace)];

/// A compiled pattern.
#[derive(Debug)]
struct Pattern {
    regex: Regex,
    names: Vec<Option<String>>,
}

fn matches<'v>(function: &Func<'v>, given: CallArgs<'v>, _: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [pattern, source] = expect(&given, "expected exactly two arguments")?;
    let (pattern, source) = (text(pattern)?, text(source)?);
    warn_unknown(function, &given, &[]);
    let pattern = compiled(function, &pattern)?;
    Ok(Value::new_bool(pattern.regex.is_match(&Readable::new(&source).text)))
}

fn replace<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [pattern, source, replacement] = expect(&given, "expected exactly 3 arguments")?;
    let pattern = compiled(function, &text(pattern)?)?;
    let source = text(source)?;
    warn_unknown(function, &given, &[]);
    let result = if is_callable(replacement) {
        pattern.replace(&source, |_, found, out| {
            let found = eval.heap().alloc_str(&to_star(found)).to_value();
            out.extend_from_slice(&text(crate::eval::call(eval, replacement, &[found], &[])?)?);
            Ok(())
        })?
    } else {
        let parts = template::parts(&text(replacement)?);
        if let Some((name, number)) = pattern.lacking(&parts) {
            let host = function.inst.as_ref().host.as_ref();
            trace::call_place(host, eval).into_iter().for_each(|call| no_such_group(host, call, name, number));
        }
        pattern.replace(&source, |groups, _, out| {
            pattern.fill(&parts, groups, out);
            Ok(())
        })?
    };
    Ok(eval.heap().alloc_str(&to_star(&result)).to_value())
}

/// The pattern, compiled once per render.
fn compiled(function: &Func<'_>, pattern: &[u8]) -> EvalResult<Arc<Pattern>> {
    let host = function.inst.as_ref().host.as_ref();
    host.memo(pattern, || compile(pattern)).map_err(error::wrap)
}

/// How deep patterns may be nested, as the crate counts it; the reference counts almost the same.
pub(super) const NESTING: u32 = 1000;
const MEMORY: usize = 64 << 20;

fn compile(pattern: &[u8]) -> Result<Pattern, Diagnostic> {
    let wrong = |kind: &str, part: &str| {
        Diagnostic::error(Code::MODULE_REGEXP, format!("error parsing regexp: {kind}: `{part}`"))
    };
    let translated = translate::translate(pattern).map_err(|found| {
        let problem = wrong(found.kind, &found.part).note(place_in_text(pattern, found.at)).fact(Fact::Pattern);
        let looks = ["(?!", "(?=", "(?<!", "(?<="].iter().any(|sign| found.part.starts_with(sign));
        let problem = match looks {
            true => {
                problem.help("these expressions look neither ahead nor back: say what may stand there, or ask twice")
            }
            false => problem,
        };
        problem.misspelt(String::from_utf8_lossy(pattern), None)
    })?;
    let regex = RegexBuilder::new(&translated.pattern).nest_limit(NESTING).size_limit(MEMORY).build();
    match regex {
        Ok(regex) => Ok(Pattern { regex, names: translated.names }),
        Err(regex::Error::CompiledTooBig(_)) => Err(wrong("expression too large", &String::from_utf8_lossy(pattern))),
        // All else that the crate can object to in a translated pattern.
        Err(_) => Err(wrong("expression nests too deeply", &String::from_utf8_lossy(pattern))),
    }
}

impl Pattern {
    /// Replaces every match; `write` is given the groups and the bytes of the match.
    #[allow(clippy::indexing_slicing, reason = "matches come in order, and `original` gives offsets of the source")]
    fn replace(
        &self,
        source: &[u8],
        mut write: impl FnMut(&dyn Fn(usize) -> Option<Vec<u8>>, &[u8], &mut Vec<u8>) -> EvalResult<()>,
    ) -> EvalResult<Vec<u8>> {
        let readable = Readable::new(source);
        let (mut out, mut last) = (Vec::with_capacity(source.len()), 0);
        for captures in self.regex.captures_iter(&readable.text) {
            let groups = |number: usize| {
                let group = captures.get(number)?;
                Some(source[readable.original(group.start())..readable.original(group.end())].to_vec())
            };
            let Some(whole) = captures.get(0) else { continue };
            let (start, end) = (readable.original(whole.start()), readable.original(whole.end()));
            out.extend_from_slice(&source[last..start]);
            write(&groups, &source[start..end], &mut out)?;
            if out.len() >= LONGEST {
                return Err(error::text_only(format!("result is longer than {LONGEST} bytes")));
            }
            last = end;
        }
        out.extend_from_slice(&source[last..]);
        Ok(out)
    }

    /// The first name of a group that is not there, such as `1_a`, and the number in front that is one.
    fn lacking<'p>(&self, parts: &'p [Part]) -> Option<(&'p str, &'p str)> {
        let names =
            parts.iter().filter_map(|part| if let Part::Name(name) = part { Some(name.as_str()) } else { None });
        let is_there = |name: &str| self.names.iter().flatten().any(|known| known == name);
        names.filter(|name| !is_there(name)).find_map(|name| {
            let (number, _) = name.split_at_checked(name.find(|letter: char| !letter.is_ascii_digit())?)?;
            let is_group = template::group(number).is_some_and(|number| number < self.regex.captures_len());
            is_group.then_some((name, number))
        })
    }

    fn fill(&self, parts: &[Part], groups: &dyn Fn(usize) -> Option<Vec<u8>>, out: &mut Vec<u8>) {
        for part in parts {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Group(number) => out.extend(groups(*number).unwrap_or_default()),
                Part::Name(name) => {
                    let same = self.names.iter().zip(1..).filter(|(known, _)| known.as_ref() == Some(name));
                    out.extend(same.filter_map(|(_, number)| groups(number)).next().unwrap_or_default());
                }
            }
        }
    }
}

/// A text as the crate can match it.
struct Readable<'a> {
    text: Cow<'a, str>,
    /// Where in `text` a replaced byte stands; such a character is two bytes longer than what it replaces.
    replaced: Vec<usize>,
}

impl<'a> Readable<'a> {
    fn new(source: &'a [u8]) -> Readable<'a> {
        if let Ok(text) = std::str::from_utf8(source) {
            return Readable { text: text.into(), replaced: Vec::new() };
        }
        let (mut text, mut replaced) = (String::with_capacity(source.len().saturating_add(32)), Vec::new());
        for chunk in source.utf8_chunks() {
            text.push_str(chunk.valid());
            for _ in chunk.invalid() {
                replaced.push(text.len());
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        Readable { text: text.into(), replaced }
    }

    /// The offset in the source of a character's offset in the text.
    #[allow(
        clippy::arithmetic_side_effects,
        reason = "each replaced byte in front of a character made the text two bytes longer"
    )]
    fn original(&self, at: usize) -> usize {
        at - 2 * self.replaced.partition_point(|replaced| *replaced < at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(pattern: &[u8], source: &[u8], replacement: &str) -> Result<Vec<u8>, String> {
        let pattern = compile(pattern).map_err(|error| error.message().to_owned())?;
        let parts = template::parts(replacement.as_bytes());
        let replaced = pattern.replace(source, |groups, _, out| {
            pattern.fill(&parts, groups, out);
            Ok(())
        });
        Ok(replaced.unwrap())
    }

    #[test]
    fn replacing() {
        for (pattern, source, replacement, expected) in [
            ("x*", "axxb", "-", "-a-b-"),
            ("(a)(b)?", "aab", "<$2$1>", "<a><ba>"),
            ("(?P<n>a)|(?P<n>b)", "ab", "[$n]", "[a][b]"),
            (r"\d+", "a12é٣", "#", "a#é٣"),
            ("(?i)é|K", "ÉkK", ".", "..."),
            (r"\bé", "aé é", "_", "a_ é"),
            ("[^a-c\\d&[]+", "a1&[xyz]é", "_", "a1&[_"),
            ("a{,3}|a{2}", "a{,3}aa", "_", "__"),
            (r"\Qa.b\E+", "a.bba.", "_", "_a."),
            (r"(?s).(?-s:.)", "\n\nx", "_", "\n_"),
            (r"^a$", "a\na", "_", "a\na"),
            (r"(?m)^a$", "a\na", "_", "_\n_"),
            (r"(?U)a+", "aa", "_", "__"),
            (r"\x{e9}|\351|\xe9", "é", "_", "_"),
            ("[[:alpha:]-]+", "ab-1", "_", "_1"),
            (r"\pL\p{Greek}\P{^Nd}", "aα1", "_", "_"),
            (r"[\x{d800}]|\p{Cs}|a", "a", "_", "_"),
            // Flags may stand between an item and its repetition; `U` counts as it is at the operator.
            (r"a(?i)*b", "aAB", "_", "aA_"),
            (r"a*(?i)?", "aab", "<$0>", "<aa>b<>"),
            (r"a(?U)*", "aab", "<$0>", "<>a<>a<>b<>"),
            (r"(?ii-is)A.|b(?U:a+)", "aA1bA\nbaa", "_", "a_bA\n_a"),
        ] {
            let replaced = run(pattern.as_bytes(), source.as_bytes(), replacement);
            assert_eq!(replaced.as_deref(), Ok(expected.as_bytes()), "{pattern}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_match_as_replacement_characters() {
        assert_eq!(run(b".", b"\xff\xc3a", "<$0>").unwrap(), b"<\xff><\xc3><a>");
        assert_eq!(run(b"\\x{fffd}", b"a\xffb", "_").unwrap(), b"a_b");
        assert_eq!(run(b"b", b"\xc3\xffabc", "_").unwrap(), b"\xc3\xffa_c");
    }

    #[test]
    fn errors() {
        for (pattern, kind, part) in [
            ("a(b", "missing closing )", "a(b"),
            ("a)b", "unexpected )", "a)b"),
            ("x[a", "missing closing ]", "[a"),
            ("[z-a]", "invalid character class range", "z-a"),
            ("[[:foo:]]", "invalid character class range", "[:foo:]"),
            (r"\p{greek}", "invalid character class range", r"\p{greek}"),
            (r"\pX", "invalid character class range", r"\pX"),
            (r"a\8b", "invalid escape sequence", r"\8"),
            (r"[\b]", "invalid escape sequence", r"\b"),
            (r"\x4", "invalid escape sequence", r"\x4"),
            (r"\x{110000}", "invalid escape sequence", r"\x{110000"),
            ("a\\", "trailing backslash at end of expression", ""),
            ("*a", "missing argument to repetition operator", "*"),
            ("(+?a)", "missing argument to repetition operator", "+?"),
            ("a**", "invalid nested repetition operator", "**"),
            ("a{2}{3}?", "invalid nested repetition operator", "{2}{3}?"),
            ("a{1001}", "invalid repeat count", "{1001}"),
            ("a{3,2}", "invalid repeat count", "{3,2}"),
            ("(a{100}){11}", "invalid repeat count", "{11}"),
            ("(?P<n a>x)", "invalid named capture", "(?P<n a>"),
            ("(?P<n", "invalid named capture", "(?P<n"),
            ("(?x)", "invalid or unsupported Perl syntax", "(?x"),
            ("(?i-)", "invalid or unsupported Perl syntax", "(?i-)"),
            ("(?=a)", "invalid or unsupported Perl syntax", "(?="),
        ] {
            let expected = format!("error parsing regexp: {kind}: `{part}`");
            assert_eq!(run(pattern.as_bytes(), b"", ""), Err(expected), "{pattern}");
        }
        assert!(run(b"a\xff", b"", "").unwrap_err().contains("invalid UTF-8"));
        assert!(run(&b"(".repeat(2000), b"", "").unwrap_err().contains("missing closing )"));
        let deep = |depth: usize| [b"(".repeat(depth), b")*".repeat(depth)].concat();
        assert!(run(&deep(40), b"", "").is_ok());
        assert!(run(&deep(100_000), b"", "").unwrap_err().contains("expression nests too deeply"));
        assert!(run(br"((\pL{100}){10}){0,9}", b"", "").unwrap_err().contains("invalid repeat count"));
        assert!(run(br"(\pL{100}){10}(\pL{100}){10}(\pL{100}){10}", b"", "").unwrap_err().contains("too large"));
    }

    #[test]
    fn every_script_is_known_to_the_crate() {
        for script in properties::SCRIPTS.split(' ') {
            assert!(compile(format!("\\p{{{script}}}").as_bytes()).is_ok(), "{script}");
        }
    }
}
