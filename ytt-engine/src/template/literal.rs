//! Arguments of annotations that can be read without a program: literals, and matchers of `@ytt:overlay` with literals.
//!
//! Only what the two languages read in the same way is read here, and only what cannot fail while it is read. All else is
//! `None`, and the program of the file says what it means.

use super::token::Kind;

/// A literal, or a matcher that is made of literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    None,
    Bool(bool),
    Int(i32),
    Text(Box<str>),
    List(Vec<Literal>),
    Tuple(Vec<Literal>),
    /// The keys are texts, none twice.
    Dict(Vec<(Box<str>, Literal)>),
    /// `overlay.all`, and functions of `overlay` that are called: name and arguments.
    Matcher(&'static str, Option<Vec<Literal>>),
}

/// The arguments of an annotation, in the order written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Literals {
    pub(crate) positional: Vec<Literal>,
    pub(crate) named: Vec<(Box<str>, Literal)>,
}

impl Literals {
    /// Does one of them ask for a member of the module?
    pub(super) fn has_matcher(&self) -> bool {
        self.positional.iter().chain(self.named.iter().map(|(_, value)| value)).any(Literal::has_matcher)
    }
}

impl Literal {
    fn has_matcher(&self) -> bool {
        match self {
            Literal::None | Literal::Bool(_) | Literal::Int(_) | Literal::Text(_) => false,
            Literal::List(items) | Literal::Tuple(items) => items.iter().any(Literal::has_matcher),
            Literal::Dict(entries) => entries.iter().any(|(_, value)| value.has_matcher()),
            Literal::Matcher(..) => true,
        }
    }
}

/// The module whose members may be asked for, and the name that it is loaded by.
pub(crate) const MODULE: &str = "overlay";

/// Functions of the module that only make a value.
const MATCHERS: [&str; 6] = ["and_op", "index", "map_key", "not_op", "or_op", "subset"];

/// So deep a literal may be nested.
const DEPTH: u32 = 16;

/// Digits of an integer that surely fits.
const DIGITS: usize = 9;

/// Reads the arguments of an annotation. `loaded` says that the module is loaded above it.
pub(super) fn arguments(text: &str, loaded: bool) -> Option<Literals> {
    let mut reader = Reader { rest: text, loaded, depth: 0 };
    let mut literals = Literals::default();
    reader.blanks();
    while !reader.rest.is_empty() {
        match reader.name_of_argument() {
            Some(name) if literals.named.iter().any(|(known, _)| **known == *name) => return None,
            Some(name) => literals.named.push((name.into(), reader.value()?)),
            None if literals.named.is_empty() => literals.positional.push(reader.value()?),
            None => return None,
        }
        if !reader.takes(',') && !reader.rest.is_empty() {
            return None;
        }
    }
    Some(literals)
}

/// Is it the line that loads the module by its own name?
pub(super) fn is_load(code: &str) -> bool {
    let mut reader = Reader { rest: code, loaded: false, depth: 0 };
    reader.blanks();
    reader.word() == "load"
        && reader.takes('(')
        && reader.text() == Some("@ytt:overlay")
        && reader.takes(',')
        && reader.text() == Some(MODULE)
        && reader.takes(')')
        && reader.rest.is_empty()
}

/// What is left to read. Blanks in front of it are gone.
struct Reader<'a> {
    rest: &'a str,
    loaded: bool,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    /// Reads a sign, if it comes next.
    fn takes(&mut self, sign: char) -> bool {
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest;
        self.blanks();
        true
    }

    /// Reads a word of ASCII, which may be empty.
    fn word(&mut self) -> &'a str {
        let length = self.rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.blanks();
        word
    }

    /// Reads `name=`, if it comes next.
    fn name_of_argument(&mut self) -> Option<&'a str> {
        let before = self.rest;
        let name = self.word();
        let is_name = !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit());
        if is_name && Kind::keyword(name.as_bytes()).is_none() && name != "end" && self.takes('=') {
            return Some(name);
        }
        self.rest = before;
        None
    }

    /// Reads a text between quotes, without escapes.
    fn text(&mut self) -> Option<&'a str> {
        let quote = self.rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let (text, rest) = self.rest[1..].split_once(quote)?;
        let is_plain = |c: char| matches!(c, ' '..='~' | '\u{A1}'..='\u{1FFF}') && c != '\\';
        // three quotes begin another kind of text
        if !text.chars().all(is_plain) || text.is_empty() && rest.starts_with(quote) {
            return None;
        }
        self.rest = rest;
        self.blanks();
        Some(text)
    }

    fn value(&mut self) -> Option<Literal> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let value = match self.rest.bytes().next()? {
            b'"' | b'\'' => Literal::Text(self.text()?.into()),
            b'0'..=b'9' => self.number()?,
            b'[' => Literal::List(self.items('[', ']')?.0),
            b'(' => match self.items('(', ')')? {
                (mut items, false) if items.len() == 1 => items.remove(0),
                (items, _) => Literal::Tuple(items),
            },
            b'{' => self.dict()?,
            _ => match self.word() {
                "None" => Literal::None,
                "True" => Literal::Bool(true),
                "False" => Literal::Bool(false),
                MODULE if self.loaded && self.takes('.') => self.matcher()?,
                _ => return None,
            },
        };
        self.depth -= 1;
        Some(value)
    }

    fn number(&mut self) -> Option<Literal> {
        let digits = self.word();
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        let number = digits.parse().ok().filter(|_| is_plain && digits.len() <= DIGITS)?;
        Some(Literal::Int(number))
    }

    /// Reads items between brackets, and whether a comma stands behind the last one.
    fn items(&mut self, open: char, close: char) -> Option<(Vec<Literal>, bool)> {
        let (mut items, mut comma) = (Vec::new(), false);
        if !self.takes(open) {
            return None;
        }
        while !self.takes(close) {
            if !items.is_empty() && !comma {
                return None;
            }
            items.push(self.value()?);
            comma = self.takes(',');
        }
        Some((items, comma))
    }

    fn dict(&mut self) -> Option<Literal> {
        let (mut entries, mut comma): (Vec<(Box<str>, Literal)>, bool) = (Vec::new(), self.takes('{'));
        while !self.takes('}') {
            let key = self.text()?;
            if !comma || !self.takes(':') || entries.iter().any(|(known, _)| **known == *key) {
                return None;
            }
            entries.push((key.into(), self.value()?));
            comma = self.takes(',');
        }
        Some(Literal::Dict(entries))
    }

    fn matcher(&mut self) -> Option<Literal> {
        let name = self.word();
        if name == "all" {
            return Some(Literal::Matcher("all", None));
        }
        let name = MATCHERS.into_iter().find(|known| *known == name)?;
        Some(Literal::Matcher(name, Some(self.items('(', ')')?.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Literal {
        Literal::Text(text.into())
    }

    #[test]
    fn literals_are_read_without_a_program() {
        let dict = |value| Literal::Dict(vec![("a b".into(), value), ("c".into(), Literal::None)]);
        for (written, expected) in [
            ("\"a\"", text("a")),
            ("'\"ä'", text("\"ä")),
            ("''", text("")),
            ("17", Literal::Int(17)),
            ("( 0 )", Literal::Int(0)),
            ("(1,)", Literal::Tuple(vec![Literal::Int(1)])),
            ("()", Literal::Tuple(vec![])),
            ("[1 , True,]", Literal::List(vec![Literal::Int(1), Literal::Bool(true)])),
            ("{'a b': [] , 'c':None}", dict(Literal::List(vec![]))),
            ("overlay.all", Literal::Matcher("all", None)),
            ("overlay.index(1)", Literal::Matcher("index", Some(vec![Literal::Int(1)]))),
        ] {
            let positional = vec![expected.clone()];
            assert_eq!(arguments(written, true), Some(Literals { positional, named: vec![] }), "{written}");
            let named = vec![("by".into(), expected)];
            assert_eq!(arguments(&format!(" by = {written} "), true), Some(Literals { positional: vec![], named }));
        }
        let named = vec![("by".into(), text("name")), ("missing_ok".into(), Literal::Bool(true))];
        let expected = Literals { positional: vec![text("x")], named };
        assert_eq!(arguments("'x', by=\"name\", missing_ok=True", false), Some(expected));
        assert_eq!(arguments("  ", false), Some(Literals::default()));
    }

    #[test]
    fn all_else_needs_a_program() {
        for written in [
            "x",
            "f()",
            "1.5",
            "1e3",
            "01",
            "0x1",
            "12345678901",
            "-1",
            "1 + 1",
            "'a' 'b'",
            "'a\\n'",
            "'''a'''",
            "r'a'",
            "'a",
            "[1",
            "1]",
            "{1: 2}",
            "{'a': 1, 'a': 2}",
            "{'a': 1 'b': 2}",
            "{,}",
            "[,]",
            "a=1, a=2",
            "a=1, 2",
            "if=1",
            "end=1",
            "class=1",
            "a==1",
            "1 # c",
            "1,,2",
            ",",
            "overlay",
            "overlay.apply(1)",
            "overlay.subset",
            "overlay.all()",
            "overlay.index(*[1])",
            "'\u{85}'",
            "*[1]",
            "'a' % 1",
            "True and False",
            "1 if True else 2",
        ] {
            assert_eq!(arguments(written, true), None, "{written}");
        }
        assert_eq!(arguments("overlay.all", false), None);
        assert_eq!(arguments(&("[".repeat(99) + &"]".repeat(99)), true), None);
    }

    #[test]
    fn only_the_module_under_its_own_name_is_loaded() {
        assert!(is_load(" load('@ytt:overlay', \"overlay\") "));
        for code in ["load('@ytt:overlay', o='overlay')", "load('@ytt:data', 'data')", "load('@ytt:overlay')", "load"] {
            assert!(!is_load(code), "{code}");
        }
        assert!(!is_load("load('@ytt:overlay', 'overlay') # c"));
    }
}
