//! Looks at lines.

use crate::settings::Settings;

/// What is wrong with a line.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    pub line: usize,
    pub text: String,
}

/// Finds what the settings do not allow in a file of this name.
pub fn check(settings: &Settings, name: &str, text: &str) -> Vec<Problem> {
    let rule = settings.overrides.iter().find(|rule| name.ends_with(&*rule.suffix));
    let max_width = rule.and_then(|rule| rule.max_width).unwrap_or(settings.max_width);
    let tabs = rule.and_then(|rule| rule.tabs).unwrap_or(settings.allow.tabs);
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut add = |text: String| problems.push(Problem { line: number + 1, text });
        let width = line.chars().count();
        if i64::try_from(width).is_ok_and(|width| width > max_width) {
            add(format!("{width} characters, {max_width} are allowed"));
        }
        if !tabs && line.contains('\t') {
            add("a tab".to_owned());
        }
        if !settings.allow.trailing_blanks && line.ends_with([' ', '\t']) {
            add("blanks at the end".to_owned());
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::DEFAULTS;

    #[track_caller]
    fn finds(name: &str, text: &str, expected: &[(usize, &str)]) {
        let problems = check(&DEFAULTS, name, text);
        let found: Vec<(usize, &str)> = problems.iter().map(|problem| (problem.line, &*problem.text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_are_held_to_the_rules_of_their_file() {
        finds("a.txt", "fine\n\tx \n", &[(2, "a tab"), (2, "blanks at the end")]);
        finds("a.txt", &"é".repeat(101), &[(1, "101 characters, 100 are allowed")]);
        finds("Makefile", "\tcc\n", &[]);
        finds("Cargo.lock", &"x".repeat(101), &[]);
    }
}
