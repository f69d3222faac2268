//! Parsing of flags by the rules of pflag, which ytt uses: values after `=` or in the next argument whatever it is,
//! short switches joined, no abbreviations. Flags and words may be mixed; `--` ends the flags.

use ytt_engine::Times;
use ytt_engine::codegen::all_similar;

use crate::flags::{Flag, Kind};
use crate::message::Usage;

/// What stands on a command line: flags in their order, each with its value, and words.
#[derive(Debug, Default)]
pub struct Parsed {
    flags: Vec<(&'static str, String)>,
    pub words: Vec<String>,
    /// What `--debug` prints of the renders.
    pub times: Times,
}

impl Parsed {
    /// Values of a flag, in order.
    pub fn all<'a>(&'a self, long: &'a str) -> impl Iterator<Item = &'a str> {
        self.flags.iter().filter(move |(name, _)| *name == long).map(|(_, value)| value.as_str())
    }

    /// All flags, in order.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.flags.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// The value that counts, unless it is empty.
    pub fn last<'a>(&'a self, long: &'a str) -> Option<&'a str> {
        self.all(long).last().filter(|value| !value.is_empty())
    }

    pub fn switch(&self, long: &str) -> bool {
        self.all(long).last() == Some("true")
    }
}

/// Parses arguments, without the name of the program and the word of the command.
pub fn parse(flags: &'static [Flag], args: &[String]) -> Result<Parsed, Usage> {
    let mut parsed = Parsed::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == "--" {
            parsed.words.extend(rest.cloned());
            break;
        }
        if let Some(text) = arg.strip_prefix("--") {
            if text.starts_with(['-', '=']) {
                return Err(Usage::new(format!("bad flag syntax: {arg}")));
            }
            let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            let Some(flag) = flags.iter().find(|flag| flag.long == name) else {
                return Err(unknown(flags, name));
            };
            let value = match (value, flag.kind) {
                (Some(value), _) => value,
                (None, Kind::Switch) => "true",
                (None, _) => match rest.next() {
                    Some(value) => value,
                    None => return Err(Usage::new(format!("flag needs an argument: --{name}"))),
                },
            };
            set(&mut parsed, flag, value)?;
        } else if let Some(mut letters) = arg.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            while let Some(letter) = letters.chars().next() {
                let Some(flag) = flags.iter().find(|flag| flag.short == Some(letter)) else {
                    return Err(Usage::new(format!("unknown shorthand flag: '{letter}' in -{letters}")));
                };
                let after = letters.strip_prefix(letter).unwrap_or_default();
                letters = "";
                let value = if let Some(value) = after.strip_prefix('=').filter(|value| !value.is_empty()) {
                    value
                } else if flag.kind == Kind::Switch {
                    letters = after;
                    "true"
                } else if !after.is_empty() {
                    after
                } else if let Some(value) = rest.next() {
                    value
                } else {
                    return Err(Usage::new(format!("flag needs an argument: '{letter}' in -{letter}")));
                };
                set(&mut parsed, flag, value)?;
            }
        } else {
            parsed.words.push(arg.clone());
        }
    }
    Ok(parsed)
}

fn set(parsed: &mut Parsed, flag: &Flag, value: &str) -> Result<(), Usage> {
    let invalid = |reason: String| {
        let short = flag.short.map_or(String::new(), |short| format!("-{short}, "));
        Usage::new(format!("invalid argument {value:?} for \"{short}--{}\" flag: {reason}", flag.long))
    };
    match flag.kind {
        Kind::Each | Kind::Last => parsed.flags.push((flag.long, value.into())),
        Kind::List => {
            let values = split_list(value).map_err(invalid)?;
            parsed.flags.extend(values.into_iter().map(|value| (flag.long, value)));
        }
        Kind::Switch => {
            let on = match value {
                "1" | "t" | "T" | "true" | "TRUE" | "True" => "true",
                "0" | "f" | "F" | "false" | "FALSE" | "False" => "false",
                _ => return Err(invalid(format!("parsing {value:?}: expected true or false"))),
            };
            parsed.flags.push((flag.long, on.into()));
        }
    }
    Ok(())
}

fn unknown(flags: &[Flag], name: &str) -> Usage {
    let usage = Usage::new(format!("unknown flag: --{name}"));
    let name = name.strip_prefix("no-").unwrap_or(name);
    match all_similar(name, flags.iter().map(|flag| flag.long)).as_slice() {
        [] => usage,
        near => {
            let near: Vec<String> = near.iter().map(|near| format!("`--{near}`")).collect();
            usage.help(format!("did you mean {}?", near.join(" or ")))
        }
    }
}

/// One CSV record; only the first line is read. An empty text is an empty list.
#[allow(clippy::arithmetic_side_effects, reason = "columns of a text in memory, which what is left is the end of")]
fn split_list(text: &str) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    if text.is_empty() {
        return Ok(values);
    }
    let mut rest = text;
    loop {
        let column = text.len() - rest.len() + 1;
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut value = String::new();
            let mut left = quoted;
            loop {
                let Some((before, behind)) = left.split_once('"') else {
                    return Err(format!(
                        "parse error on line 1, column {}: extraneous or missing \" in quoted-field",
                        text.len() + 1
                    ));
                };
                value.push_str(before);
                left = behind;
                match left.strip_prefix('"') {
                    Some(more) => {
                        value.push('"');
                        left = more;
                    }
                    None => break,
                }
            }
            values.push(value);
            match left.strip_prefix(',') {
                Some(more) => rest = more,
                None if left.is_empty() || left.starts_with('\n') => return Ok(values),
                None => {
                    let at = text.len() - left.len();
                    return Err(format!(
                        "parse error on line 1, column {at}: extraneous or missing \" in quoted-field"
                    ));
                }
            }
            continue;
        }
        let end = rest.find([',', '\n']).unwrap_or(rest.len());
        let (value, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if let Some(at) = value.find('"') {
            return Err(format!("parse error on line 1, column {}: bare \" in non-quoted-field", column + at));
        }
        values.push(value.strip_suffix('\r').unwrap_or(value).to_string());
        match behind.strip_prefix(',') {
            Some(more) => rest = more,
            None => return Ok(values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Command;

    fn check(args: &[&str], expected: &str) {
        let args: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
        let got = match parse(Command::Root.flags(), &args) {
            Ok(parsed) => {
                let flags: Vec<String> = parsed.flags.iter().map(|(name, value)| format!("{name}={value}")).collect();
                format!("{} | {}", flags.join(" "), parsed.words.join(" "))
            }
            Err(usage) => {
                let text = usage.to_text(false).replace("error[command::usage]: ", "").replace(" |\n = ", "");
                text.trim_end().to_string()
            }
        };
        assert_eq!(got, expected, "{args:?}");
    }

    #[test]
    fn values_and_switches() {
        check(&["-f", "a", "-fb", "-f=c", "--file", "d", "--file=e=f"], "file=a file=b file=c file=d file=e=f | ");
        check(&["-sf", "a.yml", "-sfa.yml"], "strict=true file=a.yml strict=true file=a.yml | ");
        check(&["--strict=0", "-s=T", "x", "--", "-f", "y"], "strict=false strict=true | x -f y");
        check(&["-v", "--version", "--file="], "data-value=--version file= | ");
        check(&["-", "-fx="], "file=x= | -");
        check(&["-f="], "file== | ");
    }

    #[test]
    fn mistakes() {
        check(&["--nope"], "unknown flag: --nope");
        check(&["--no-strict"], "unknown flag: --no-strict\nhelp: did you mean `--strict`?");
        check(&["--data-values"], "unknown flag: --data-values\nhelp: did you mean `--data-value`?");
        check(
            &["--data-value-files"],
            "unknown flag: --data-value-files\nhelp: did you mean `--data-value-file` or `--data-values-file`?",
        );
        check(&["-sz"], "unknown shorthand flag: 'z' in -z");
        check(&["-z=3"], "unknown shorthand flag: 'z' in -z=3");
        check(&["-s="], "unknown shorthand flag: '=' in -=");
        check(&["--file"], "flag needs an argument: --file");
        check(&["-sf"], "flag needs an argument: 'f' in -f");
        check(
            &["--strict=x"],
            "invalid argument \"x\" for \"-s, --strict\" flag: parsing \"x\": expected true or false",
        );
        check(&["--=x"], "bad flag syntax: --=x");
        check(&["---x"], "bad flag syntax: ---x");
        check(
            &["-o", "a\"b"],
            "invalid argument \"a\\\"b\" for \"-o, --output\" flag: parse error on line 1, column 2: bare \" in non-quoted-field",
        );
    }

    #[test]
    fn lists() {
        check(&["-o", "a,\"b,\"\"c\"\"\"", "-o", "", "-o", "d,"], "output=a output=b,\"c\" output=d output= | ");
        check(&["-o", "a\nb"], "output=a | ");
        check(&["-o", "\"a,b\",c,\"\""], "output=a,b output=c output= | ");
        let behind = "parse error on line 1, column 3: extraneous or missing \" in quoted-field";
        check(&["-o", "\"a\"b"], &format!("invalid argument \"\\\"a\\\"b\" for \"-o, --output\" flag: {behind}"));
        let open = "parse error on line 1, column 3: extraneous or missing \" in quoted-field";
        check(&["-o", "\"a"], &format!("invalid argument \"\\\"a\" for \"-o, --output\" flag: {open}"));
    }
}
