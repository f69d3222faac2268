//! What generated types say about themselves: the texts of a schema, as rustdoc reads them.

use crate::codegen::call::rust_string;

/// Texts for one type or field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::codegen) struct Docs {
    pub(in crate::codegen) title: String,
    pub(in crate::codegen) description: String,
    /// The notice; it may be empty.
    pub(in crate::codegen) deprecated: Option<String>,
    /// Description and YAML.
    pub(in crate::codegen) examples: Vec<(String, String)>,
}

impl Docs {
    pub(in crate::codegen) fn is_empty(&self) -> bool {
        *self == Docs::default()
    }

    /// The text of a doc comment; where the schema says nothing, `path` in back quotes.
    pub(in crate::codegen) fn text(docs: Option<&Docs>, path: &str) -> String {
        let mut parts = Vec::new();
        if let Some(docs) = docs {
            parts.extend(
                [&docs.title, &docs.description]
                    .into_iter()
                    .filter(|text| !text.trim().is_empty())
                    .map(|text| markdown(text.trim())),
            );
            if !docs.examples.is_empty() {
                parts.push("Examples:".to_owned());
            }
            for (description, yaml) in &docs.examples {
                if !description.trim().is_empty() {
                    parts.push(markdown(description.trim()));
                }
                let fence = fence(yaml);
                parts.push(format!("{fence}yaml\n{}\n{fence}", yaml.trim_end()));
            }
        }
        if parts.is_empty() {
            return code(path);
        }
        parts.join("\n\n")
    }
}

/// A doc comment as attributes, a line each: so they are printed as comments.
pub(in crate::codegen) fn attributes(text: &str) -> String {
    let line = |line: &str| match line.is_empty() {
        true => "#[doc = \"\"] ".to_owned(),
        false => format!("#[doc = {}] ", rust_string(&format!(" {line}"))),
    };
    text.lines().map(line).collect()
}

/// A text in back quotes, on one line.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    if !text.contains('`') {
        return format!("`{text}`");
    }
    format!("`` {text} ``")
}

/// Back quotes that end no sooner than the text.
fn fence(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    fence
}

/// A text of a schema as Markdown that rustdoc has nothing to say about: brackets that are no links and angle brackets
/// are escaped, bare addresses are made links. What stands in back quotes stays.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let starts_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        if starts_fence {
            // A block without a language would be compiled as Rust.
            let opens = !fenced && line.trim_start().trim_start_matches(['`', '~']).trim().is_empty();
            out.push_str(line);
            out.push_str(if opens { "text" } else { "" });
            fenced = !fenced;
        } else if fenced {
            out.push_str(line);
        } else {
            // Four blanks would begin a block of code, which would be compiled as Rust.
            let text = line.trim_start();
            let most = line.len().saturating_sub(text.len()).min(3);
            // There are blanks of several bytes.
            out.push_str((0..=most).rev().find_map(|end| line.get(..end)).unwrap_or_default());
            escape_line(text, &mut out);
        }
    }
    if fenced {
        out.push_str("\n```");
    }
    out
}

#[allow(clippy::string_slice, reason = "cut behind characters that the text begins with")]
#[allow(clippy::arithmetic_side_effects, reason = "sums of lengths within the text")]
fn escape_line(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let after = &rest[character.len_utf8()..];
        if character == '`' {
            let ticks = rest.len() - rest.trim_start_matches('`').len();
            let end = rest[ticks..].find(&rest[..ticks]).map(|at| ticks + at + ticks);
            let Some(end) = end else {
                out.push_str(&"\\`".repeat(ticks));
                rest = &rest[ticks..];
                continue;
            };
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if character == '\\' {
            out.push('\\');
            let next = after.chars().next();
            out.extend(next);
            rest = &after[next.map_or(0, char::len_utf8)..];
            continue;
        }
        if let Some(length) = address(rest) {
            out.push_str(&format!("<{}>", &rest[..length]));
            rest = &rest[length..];
            continue;
        }
        let kept = match character {
            '[' => link(rest),
            '<' => after.find('>').filter(|end| address(after) == Some(*end)).map(|end| end + 2),
            _ => None,
        };
        if let Some(length) = kept {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        if matches!(character, '<' | '[' | ']') {
            out.push('\\');
        }
        out.push(character);
        rest = after;
    }
}

/// The length of a web address that begins here.
fn address(text: &str) -> Option<usize> {
    let start = ["https://", "http://"].iter().find(|start| text.starts_with(**start))?.len();
    let is_part =
        |character: char| !character.is_whitespace() && !matches!(character, '<' | '>' | '"' | '`' | ')' | ']' | '[');
    let end = text.find(|character| !is_part(character)).unwrap_or(text.len());
    let end = text.get(..end)?.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'']).len();
    (end > start).then_some(end)
}

/// The length of `[text](address)` that begins here.
fn link(text: &str) -> Option<usize> {
    let (_, behind) = text.split_once(']')?;
    let target = behind.strip_prefix('(')?;
    let rest = target.get(address(target)?..)?.strip_prefix(')')?;
    text.len().checked_sub(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_rustdoc_would_warn_of_are_escaped() {
        let cases = [
            ("a <b> c", "a \\<b> c"),
            ("list [of] things", "list \\[of\\] things"),
            ("`<b>` and ``a ` [b]``", "`<b>` and ``a ` [b]``"),
            ("see https://x.io/a, or <https://y.io>", "see <https://x.io/a>, or <https://y.io>"),
            ("[text](https://x.io)", "[text](https://x.io)"),
            ("a ` b", "a \\` b"),
            ("\\[a\\]", "\\[a\\]"),
            ("```\ncode <T>\n```", "```text\ncode <T>\n```"),
            ("a:\n\n    let x = 1;", "a:\n\n   let x = 1;"),
            ("ends with \\", "ends with \\"),
            ("\u{a0}\u{a0}a", "\u{a0}a"),
        ];
        for (text, expected) in cases {
            assert_eq!(markdown(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_said() {
        assert_eq!(Docs::text(None, "web.port"), "`web.port`");
        assert_eq!(Docs::text(None, "a`b"), "`` a`b ``");
        let docs = Docs {
            title: "Port".to_owned(),
            description: "Where it listens.".to_owned(),
            deprecated: None,
            examples: vec![("usual".to_owned(), "80\n".to_owned()), (String::new(), "```\n".to_owned())],
        };
        let text = "Port\n\nWhere it listens.\n\nExamples:\n\nusual\n\n```yaml\n80\n```\n\n````yaml\n```\n````";
        assert_eq!(Docs::text(Some(&docs), "web.port"), text);
    }
}
