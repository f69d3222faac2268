//! Slips: in every case and every project a token or a line goes wrong, and what is said of it follows the rules.
//!
//! Whatever is broken, a problem is none of ours, stands at a place, can be drawn and told as JSON, and an edit that a
//! program may make leaves less to do. The slips depend on the name of the case only; `YTT_SLIPS=N` makes N of each.

#[path = "support/case.rs"]
mod case;
#[path = "support/flag.rs"]
mod flag;
#[path = "support/folder.rs"]
mod folder;
#[allow(dead_code, reason = "each test program uses a part")]
#[path = "codegen/properties/random.rs"]
mod random;

use std::path::Path;

use case::{Case, cases};
use random::Random;
use ytt_engine::{Applicability, Diagnostic, Error, Format, Limits, Project};

/// Codes of problems that may have no place, since they are of a whole input or a flag.
const OF_WHOLES: [&str; 3] = ["files::mark", "file::kind", "output::path"];

/// Flags of the command that name a file.
const NAMING: [&str; 5] = ["-f", "file", "env", "inspect", "allow"];

/// A project in memory: files, and lines of flags.
#[derive(Clone, Debug, PartialEq)]
struct Whole {
    files: Vec<(String, String)>,
    flags: String,
}

impl Whole {
    fn of(case: &Case) -> Option<Whole> {
        let flags = case.part("args").unwrap_or_default().to_owned();
        if flags.lines().any(|line| NAMING.iter().any(|naming| line.contains(naming))) {
            return None;
        }
        let is_input = |name: &str| !name.starts_with("output") && !matches!(name, "error" | "warnings");
        let files = case.project_files().filter(|(name, _)| is_input(name));
        let files = files.map(|(name, text)| {
            let text = case.part(&format!("mended {name}")).unwrap_or(text);
            (name.to_owned(), text.to_owned())
        });
        Some(Whole { files: files.collect(), flags })
    }

    fn project(&self) -> Project {
        let (mut project, mut limits) = (Project::for_command().on_print(|_| ()), Limits::build());
        limits.set("memory", 256 << 20);
        for (name, text) in &self.files {
            project = project.file(name, text.as_bytes());
        }
        for line in self.flags.lines() {
            project = flag::flag(project, &mut limits, line);
        }
        project.limits(limits)
    }

    /// The same with one thing wrong, and in which file.
    fn broken(&self, random: &mut Random) -> Option<Whole> {
        let at = random.below(self.files.len().max(1));
        let mut whole = self.clone();
        whole.files.get_mut(at)?.1 = slip(&self.files[at].1, random)?;
        (whole != *self).then_some(whole)
    }

    /// The same after an edit, where that is in a file of it.
    fn edited(&self, diagnostic: &Diagnostic, number: usize) -> Option<Whole> {
        let help = diagnostic.helps().nth(number)?;
        let (place, new) = help.edit()?;
        let mut whole = self.clone();
        let (_, text) = whole.files.iter_mut().find(|(name, _)| name == place.file())?;
        text.replace_range(place.bytes(), new);
        Some(whole)
    }
}

/// Words, numbers, runs of blanks, line breaks and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |char: char| match char {
        '\n' => 0,
        char if char.is_whitespace() => 1,
        char if char.is_alphanumeric() || char == '_' => 2,
        _ => 3,
    };
    let (mut found, mut start) = (Vec::new(), 0);
    let mut chars = text.char_indices().peekable();
    while let Some((_, char)) = chars.next() {
        let end = chars.peek().map_or(text.len(), |(at, _)| *at);
        let goes_on = chars.peek().is_some_and(|(_, next)| kind(*next) == kind(char) && matches!(kind(char), 1 | 2));
        if !goes_on {
            found.push(&text[start..end]);
            start = end;
        }
    }
    found
}

/// The text with one slip as people make them.
fn slip(text: &str, random: &mut Random) -> Option<String> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut parts: Vec<String> = tokens(text).into_iter().map(str::to_owned).collect();
    if lines.is_empty() {
        return None;
    }
    let (line, part) = (random.below(lines.len()), random.below(parts.len()));
    let is_word = parts[part].starts_with(|first: char| first.is_alphanumeric());
    match random.below(14) {
        0 => _ = lines.remove(line),
        1 => lines.insert(line, lines[line].clone()),
        2 if line > 0 => lines.swap(line, line - 1),
        3 => lines[line].insert_str(0, "  "),
        4 => lines[line] = lines[line].strip_prefix("  ")?.to_owned(),
        5 => lines[line].insert(0, ' '),
        6 | 7 => _ = parts.remove(part),
        8 => parts.insert(part, parts[part].clone()),
        9 if part > 0 => parts.swap(part, part - 1),
        10 if is_word => _ = parts[part].pop(),
        11 if is_word => {
            let mut letters: Vec<char> = parts[part].chars().collect();
            letters.reverse();
            parts[part] = letters.into_iter().collect();
        }
        12 if is_word => {
            let others = ["1", "None", "\"x\"", "[]", "{}", "1.5", "True", "null", "lambda x: x", "data", "[1, {}]"];
            others[random.below(others.len())].clone_into(&mut parts[part]);
        }
        _ => {
            let signs = ["\"", "'", "#", "@", ":", "(", ")", "[", "}", ",", "-", "%", "=", " ", ".", "#@ "];
            parts.insert(part, signs[random.below(signs.len())].to_owned());
        }
    }
    let (lines, parts) = (lines.concat(), parts.concat());
    Some(if lines == text { parts } else { lines })
}

/// What is wrong with how a failed render is told.
fn faults(whole: &Whole, error: &Error) -> Vec<String> {
    let mut faults = Vec::new();
    let problems = error.diagnostics();
    for problem in problems {
        let said = || format!("{}: {}", problem.code(), problem.message());
        if problem.code().as_str() == "engine::internal" {
            faults.push(said());
        }
        if problem.labels().next().is_none() && !OF_WHOLES.contains(&problem.code().as_str()) {
            faults.push(format!("no place: {}", said()));
        }
        for (number, help) in problem.helps().enumerate() {
            if help.applicability() != Some(Applicability::MachineApplicable) {
                continue;
            }
            let Some(edited) = whole.edited(problem, number) else {
                faults.push(format!("cannot be edited: {}", help.text()));
                continue;
            };
            let left = edited.project().render().map_or_else(|error| error.diagnostics().len(), |_| 0);
            if left >= problems.len() {
                faults.push(format!("{}: mends nothing: {}", said(), help.text()));
            }
        }
    }
    let lines = error.to_json_lines();
    let are_json = lines.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok());
    if !are_json || lines.lines().count() != problems.len() {
        faults.push(format!("no lines of JSON: {lines}"));
    }
    if error.to_report(false).is_empty() {
        faults.push("no report".to_owned());
    }
    faults
}

#[track_caller]
fn check(folder: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let times = std::env::var("YTT_SLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut failed, mut tried, mut refused) = (Vec::new(), 0, 0);
    for (name, case) in cases(&root) {
        let Some(whole) = Whole::of(&case) else { continue };
        let seed = name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        let mut random = Random::new(seed);
        for _ in 0..times {
            let Some(broken) = whole.broken(&mut random) else { continue };
            tried += 1;
            let found = match broken.project().explain(true).render() {
                Ok(rendered) => {
                    // The record changes nothing, and whatever was rendered can be told.
                    let told = rendered.explanation().map(|one| one.map(|one| one.to_lines(false)));
                    let plain = broken.project().render().and_then(|rendered| rendered.to_text(Format::Yaml));
                    let same = match (&told, plain, rendered.to_text(Format::Yaml)) {
                        (_, Ok(plain), Ok(recorded)) => plain == recorded,
                        (_, plain, recorded) => plain.is_err() && recorded.is_err(),
                    };
                    if same { Vec::new() } else { vec!["an explained render gives something else".to_owned()] }
                }
                Err(error) => {
                    refused += 1;
                    faults(&broken, &error)
                }
            };
            if !found.is_empty() {
                let files: String = broken.files.iter().map(|(name, text)| format!("-- {name} --\n{text}")).collect();
                failed.push(format!("##### {name}\n{}\n{files}-- args --\n{}", found.join("\n"), broken.flags));
            }
        }
    }
    assert!(failed.is_empty(), "{} of {tried}:\n\n{}", failed.len(), failed.join("\n"));
    assert!(refused * 4 > tried && refused < tried, "{refused} of {tried} slips are errors");
}

#[test]
fn slips_in_cases_are_told() {
    check("cases");
}

#[test]
fn slips_in_reports_are_told() {
    check("diagnostics");
}
