//! File marks: `path:key=value`, which change what a file is, where it stands, or whether it is printed.
//!
//! A mark matches original relative paths, in the order in which marks were given; files that a mark excludes are gone
//! for later ones. Every mark with a problem is reported, not only the first.

use super::{FileKind, FilePath, Listed};
use crate::diag::{Advice, Code, Diagnostic, Fact, bail, suggest};

/// A file mark, as `--file-mark` takes it: `path:key=value`.
///
/// ```
/// use ytt_engine::{FileKind, FileMark};
///
/// let typed: FileMark = "docs/**/*:exclude=true".into();
/// assert_eq!(typed, FileMark::exclude("docs/**/*"));
/// assert_eq!(FileMark::path("a.yml", "b.yml").as_str(), "a.yml:path=b.yml");
/// assert_eq!(FileMark::template("*.tpl", FileKind::Yaml).as_str(), "*.tpl:type=yaml-template");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileMark(String);

impl FileMark {
    /// Gives the files another relative path: `path=…`.
    pub fn path(pattern: &str, path: &str) -> FileMark {
        FileMark(format!("{pattern}:path={path}"))
    }

    /// Leaves the files out, for loads too: `exclude=true`.
    pub fn exclude(pattern: &str) -> FileMark {
        FileMark(format!("{pattern}:exclude=true"))
    }

    /// Makes them templates of a kind: `type=yaml-template`, `text-template` or `starlark`; `data` is never evaluated.
    pub fn template(pattern: &str, kind: FileKind) -> FileMark {
        FileMark::of_type(pattern, kind, true)
    }

    /// Makes them files of a kind whose text is not code: `type=yaml-plain`, `text-plain`; else as [`FileMark::template`].
    pub fn plain(pattern: &str, kind: FileKind) -> FileMark {
        FileMark::of_type(pattern, kind, false)
    }

    fn of_type(pattern: &str, kind: FileKind, is_template: bool) -> FileMark {
        let mut types = TYPES.iter().filter(|row| row.1 == kind);
        let (name, ..) = types.clone().find(|row| row.2 == is_template).or(types.next()).unwrap_or(&TYPES[0]);
        FileMark(format!("{pattern}:type={name}"))
    }

    /// Prints them although they are libraries: `for-output=true`.
    pub fn for_output(pattern: &str) -> FileMark {
        FileMark(format!("{pattern}:for-output=true"))
    }

    /// Prints them and no other files: `exclusive-for-output=true`.
    pub fn exclusive_for_output(pattern: &str) -> FileMark {
        FileMark(format!("{pattern}:exclusive-for-output=true"))
    }

    /// The text, as the flag takes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Path pattern, key and value.
    fn split(&self) -> Result<(&str, &str, &str), Diagnostic> {
        let mark = &self.0;
        let Some((path, rest)) = mark.split_once(':') else {
            bail!(Code::FILES_MARK, "Expected file mark '{mark}' to be in format path:key=value");
        };
        let Some((key, value)) = rest.split_once('=') else {
            let text = format!("Expected file mark '{mark}' key-value portion to be in format key=value");
            return Err(Diagnostic::error(Code::FILES_MARK, text).advise(Advice::CompleteMark(path.to_owned())));
        };
        Ok((path, key, value))
    }

    /// The pattern, and what is done with the files that match it.
    pub(super) fn parts(&self) -> (&str, &str) {
        self.0.split_once(':').unwrap_or((&self.0, ""))
    }

    fn effect(&self, key: &str, value: &str) -> Result<Effect, Diagnostic> {
        match (key, value) {
            ("path", path) => Ok(Effect::Path(path.into())),
            ("exclude", "true") => Ok(Effect::Exclude),
            ("for-output", "true") => Ok(Effect::Output),
            ("exclusive-for-output", "true") => Ok(Effect::ExclusiveOutput),
            ("type", name) => match TYPES.iter().find(|row| row.0 == name) {
                Some((_, kind, is_template)) => Ok(Effect::Kind(*kind, *is_template)),
                None => Err(self.unknown(key)),
            },
            _ => Err(self.unknown(key)),
        }
    }

    fn unknown(&self, key: &str) -> Diagnostic {
        let keys = ["path", "exclude", "type", "for-output", "exclusive-for-output"];
        if !keys.contains(&key) {
            let problem = Diagnostic::error(Code::FILES_MARK, format!("Unknown key in file mark '{}'", self.0));
            let problem = match suggest::similar(key, keys) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem,
            };
            return problem.help(format!("keys are {}", keys.join(", ")));
        }
        let values = match key {
            "type" => TYPES.map(|row| row.0).join(", "),
            _ => "true".to_owned(),
        };
        Diagnostic::error(Code::FILES_MARK, format!("Unknown value in file mark '{}'", self.0))
            .help(format!("for {key}: {values}"))
    }
}

/// Values of `type`: the kind, and whether the text is a template.
const TYPES: [(&str, FileKind, bool); 6] = [
    ("yaml-template", FileKind::Yaml, true),
    ("yaml-plain", FileKind::Yaml, false),
    ("text-template", FileKind::Text, true),
    ("text-plain", FileKind::Text, false),
    ("starlark", FileKind::Starlark, false),
    ("data", FileKind::Data, false),
];

impl From<&str> for FileMark {
    fn from(text: &str) -> FileMark {
        FileMark(text.into())
    }
}

impl From<String> for FileMark {
    fn from(text: String) -> FileMark {
        FileMark(text)
    }
}

enum Effect {
    Path(String),
    Exclude,
    Output,
    ExclusiveOutput,
    Kind(FileKind, bool),
}

/// Applies the marks in order. Gives one problem at most for each mark, with the mark's number.
pub(crate) fn apply(files: &mut Vec<Listed>, marks: &[FileMark]) -> Vec<(usize, Diagnostic)> {
    let (mut problems, mut exclusive) = (Vec::new(), false);
    for (number, mark) in marks.iter().enumerate() {
        match apply_one(files, mark) {
            Ok(only) => exclusive |= only,
            Err(problem) => problems.push((number, problem)),
        }
    }
    if exclusive {
        for file in files {
            file.for_output = Some(file.exclusive);
        }
    }
    problems
}

/// Says whether the mark is an exclusive one.
fn apply_one(files: &mut Vec<Listed>, mark: &FileMark) -> Result<bool, Diagnostic> {
    let (path, key, value) = mark.split()?;
    let pattern = Pattern::new(path);
    if !files.iter().any(|file| pattern.matches(file.original.as_str())) {
        let text = format!("Expected file mark '{}' to match at least one file by path, but did not", mark.0);
        let problem = Diagnostic::error(Code::FILES_MARK, text).fact(Fact::UnmatchedMark);
        let names = || files.iter().map(|file| file.original.as_str());
        return Err(match (suggest::similar(path, names()), suggest::listed(names())) {
            (Some(near), _) => problem.help(format!("did you mean `{near}`?")),
            (None, Some(names)) => problem.note(format!("files: {names}")),
            (None, None) => problem,
        });
    }
    let effect = mark.effect(key, value)?;
    for file in files.iter_mut().filter(|file| pattern.matches(file.original.as_str())) {
        match &effect {
            Effect::Path(path) => file.path = Some(FilePath::new(path.as_str())),
            Effect::Exclude => file.excluded = true,
            Effect::Output => file.for_output = Some(true),
            Effect::ExclusiveOutput => file.exclusive = true,
            Effect::Kind(kind, template) => (file.kind, file.template) = (Some(*kind), Some(*template)),
        }
    }
    files.retain(|file| !file.excluded);
    Ok(matches!(effect, Effect::ExclusiveOutput))
}

/// A path in which the first `**/*` stands for anything and then the first `*` for anything without a slash; both for
/// one character at least. Everything else is literal.
pub(super) struct Pattern<'a>(Vec<Piece<'a>>);

enum Piece<'a> {
    Literal(&'a str),
    /// `.+` of a regular expression: no line feed.
    Any,
    /// `[^/]+`.
    Name,
}

impl<'a> Pattern<'a> {
    pub(super) fn new(text: &'a str) -> Pattern<'a> {
        let (before, after) = match text.split_once("**/*") {
            Some((before, after)) => (before, Some(after)),
            None => (text, None),
        };
        let mut pieces = Vec::new();
        let named = push_name(&mut pieces, before, true);
        if let Some(after) = after {
            pieces.push(Piece::Any);
            push_name(&mut pieces, after, !named);
        }
        Pattern(pieces)
    }

    pub(super) fn matches(&self, path: &str) -> bool {
        matches_from(&self.0, path)
    }
}

/// Says whether a `*` was taken as special.
fn push_name<'a>(pieces: &mut Vec<Piece<'a>>, text: &'a str, special: bool) -> bool {
    match text.split_once('*') {
        Some((before, after)) if special => {
            pieces.extend([Piece::Literal(before), Piece::Name, Piece::Literal(after)]);
            true
        }
        _ => {
            pieces.push(Piece::Literal(text));
            false
        }
    }
}

/// At most two wildcards, so the recursion is bounded and the search at most quadratic in the length of a path.
fn matches_from(pieces: &[Piece<'_>], path: &str) -> bool {
    let stops = |c: char, piece: &Piece<'_>| if matches!(piece, Piece::Any) { c == '\n' } else { c == '/' };
    match pieces {
        [] => path.is_empty(),
        [Piece::Literal(text), rest @ ..] => path.strip_prefix(text).is_some_and(|path| matches_from(rest, path)),
        [wild, rest @ ..] => {
            let mut left = path.chars();
            while left.next().is_some_and(|c| !stops(c, wild)) {
                if matches_from(rest, left.as_str()) {
                    return true;
                }
            }
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Content;
    use crate::source::Text;

    const FILES: [&str; 5] = ["a.yml", "s/b.yml", "s/t/c.yml", "n.md", "l.lib.yml"];

    fn listed() -> Vec<Listed> {
        FILES.iter().map(|path| Listed::new(*path, Content::Memory(Text::from_bytes(Vec::new())), 0)).collect()
    }

    #[test]
    fn marks_are_written_as_the_flag_takes_them() {
        let marks = [
            (FileMark::path("a.yml", "b.yml"), "a.yml:path=b.yml"),
            (FileMark::exclude("a.yml"), "a.yml:exclude=true"),
            (FileMark::for_output("a.yml"), "a.yml:for-output=true"),
            (FileMark::exclusive_for_output("a.yml"), "a.yml:exclusive-for-output=true"),
            (FileMark::template("a", FileKind::Yaml), "a:type=yaml-template"),
            (FileMark::plain("a", FileKind::Yaml), "a:type=yaml-plain"),
            (FileMark::template("a", FileKind::Text), "a:type=text-template"),
            (FileMark::plain("a", FileKind::Text), "a:type=text-plain"),
            (FileMark::plain("a", FileKind::Starlark), "a:type=starlark"),
        ];
        for (mark, text) in marks {
            assert_eq!(mark.as_str(), text);
        }
    }

    #[test]
    fn patterns() {
        let cases: [(&str, &[&str]); 14] = [
            ("*", &["a.yml", "n.md", "l.lib.yml"]),
            ("*.yml", &["a.yml", "l.lib.yml"]),
            ("**/*", &FILES),
            ("**/*.yml", &["a.yml", "s/b.yml", "s/t/c.yml", "l.lib.yml"]),
            ("s/**/*", &["s/b.yml", "s/t/c.yml"]),
            ("s/*", &["s/b.yml"]),
            ("**/*/*.yml", &["s/b.yml", "s/t/c.yml"]),
            ("s/*/*", &[]),
            ("*.*", &[]),
            ("**", &[]),
            ("?.yml", &[]),
            ("./a.yml", &[]),
            ("/a.yml", &[]),
            ("", &[]),
        ];
        for (pattern, expected) in cases {
            let parsed = Pattern::new(pattern);
            let found: Vec<&str> = FILES.into_iter().filter(|path| parsed.matches(path)).collect();
            assert_eq!(found, expected, "{pattern}");
        }
    }

    /// Path, kind, template, output and library of each file after the marks; then the problems.
    fn check(marks: &[&str], expected: &[&str]) {
        let marks: Vec<FileMark> = marks.iter().map(|mark| FileMark::from(*mark)).collect();
        let mut files = listed();
        let problems = apply(&mut files, &marks);
        let mut got: Vec<String> = files
            .into_iter()
            .map(|file| file.finish(&Default::default()))
            .map(|file| {
                let flags =
                    [(file.is_template, " template"), (file.for_output, " output"), (file.is_library, " library")];
                let flags: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
                format!("{} {:?}{flags}", file.path, file.kind)
            })
            .collect();
        got.extend(problems.iter().map(|(number, problem)| format!("{number}: {problem}")));
        assert_eq!(got, expected, "{marks:?}");
    }

    #[test]
    fn without_marks_names_decide() {
        check(
            &[],
            &[
                "a.yml Yaml template output",
                "s/b.yml Yaml template output",
                "s/t/c.yml Yaml template output",
                "n.md Data",
                "l.lib.yml Yaml library",
            ],
        );
    }

    #[test]
    fn types_change_what_is_printed() {
        check(
            &["s/**/*:exclude=true", "a.yml:type=yaml-plain", "n.md:type=text-template", "l.lib.yml:for-output=true"],
            &["a.yml Yaml output", "n.md Text template output", "l.lib.yml Yaml output library"],
        );
        check(
            &["s/**/*:exclude=true", "a.yml:type=data", "n.md:type=starlark", "l.lib.yml:type=yaml-template"],
            &["a.yml Data", "n.md Starlark library", "l.lib.yml Yaml template output library"],
        );
    }

    #[test]
    fn a_path_changes_type_and_is_not_what_later_marks_match() {
        check(
            &["s/**/*:exclude=true", "a.yml:path=x.lib.txt", "n.md:path=n.yml", "a.yml:for-output=true"],
            &["x.lib.txt Text output library", "n.yml Yaml template output", "l.lib.yml Yaml library"],
        );
    }

    #[test]
    fn exclusive_beats_for_output() {
        check(
            &[
                "s/**/*:exclude=true",
                "n.md:exclude=true",
                "l.lib.yml:exclusive-for-output=true",
                "a.yml:for-output=true",
            ],
            &["a.yml Yaml template", "l.lib.yml Yaml output library"],
        );
    }

    #[test]
    fn every_problem_is_reported() {
        check(
            &["**/*:exclude=true", "a.yml:nope=1", "x", "x:y", "**/*:exclude=false"],
            &[
                "1: Expected file mark 'a.yml:nope=1' to match at least one file by path, but did not",
                "2: Expected file mark 'x' to be in format path:key=value",
                "3: Expected file mark 'x:y' key-value portion to be in format key=value",
                "4: Expected file mark '**/*:exclude=false' to match at least one file by path, but did not",
            ],
        );
        let mut files = listed();
        let marks = ["a.yml:nope=1", "a.yml:type=x", "a.yml:exclude=false"].map(FileMark::from);
        let texts: Vec<String> = apply(&mut files, &marks).iter().map(|problem| problem.1.to_string()).collect();
        assert_eq!(
            texts,
            [
                "Unknown key in file mark 'a.yml:nope=1'",
                "Unknown value in file mark 'a.yml:type=x'",
                "Unknown value in file mark 'a.yml:exclude=false'"
            ]
        );
    }
}
