//! Paths of YAML keys in a call, and the conditions of `where`.

use proc_macro2::{Delimiter, Span};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitInt, LitStr, Token, token};

use super::value::{self, CallKind, CallValue};
use super::{CallError, Variable, brackets, expect, within};

/// One step of a path into a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(String),
    /// The item with that index, from 0.
    Index(usize),
}

/// `metadata.labels."app"`, `containers[0].image`.
#[derive(Clone, Debug)]
pub struct YamlPath {
    /// At least one, the first is a key.
    pub steps: Vec<Step>,
    pub span: Span,
}

impl YamlPath {
    /// The path as it is written, keys with dots in quotes.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            match step {
                Step::Key(key) => push_key(&mut text, key),
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }
}

/// Appends a key to a path as people write it.
pub(crate) fn push_key(path: &mut String, key: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    let is_plain = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '/');
    if !key.is_empty() && key.chars().all(is_plain) {
        path.push_str(key);
    } else {
        path.push_str(&format!("{key:?}"));
    }
}

/// A condition of `where`: the value at the path is this scalar, of the same type.
#[derive(Clone, Debug)]
pub struct Condition {
    pub path: YamlPath,
    pub value: CallValue,
}

impl Condition {
    /// The condition as it is written.
    pub fn text(&self) -> String {
        let value = match &self.value.kind {
            CallKind::Bool(flag) => flag.to_string(),
            CallKind::Int(number) => number.to_string(),
            CallKind::Float(number) => format!("{number:?}"),
            CallKind::Str(text) => format!("{text:?}"),
            _ => "null".to_owned(),
        };
        format!("{} = {value}", self.path.text())
    }
}

pub(super) fn path(input: ParseStream<'_>) -> Result<YamlPath, CallError> {
    let span = input.span();
    let mut steps = Vec::new();
    loop {
        let key = part(input)?.ok_or_else(|| CallError::new("where-path", input.span(), "expected a key"))?;
        steps.push(Step::Key(key.0));
        while input.peek(token::Bracket) {
            steps.push(Step::Index(index(input)?));
        }
        if input.parse::<Option<Token![.]>>()?.is_none() {
            return Ok(YamlPath { steps, span });
        }
    }
}

/// A part of a key, if one comes next: an identifier or a quoted text.
pub(super) fn part(input: ParseStream<'_>) -> Result<Option<(String, Span)>, CallError> {
    if input.peek(Ident::peek_any) {
        let name = Ident::parse_any(input)?;
        return Ok(Some((name.unraw().to_string(), name.span())));
    }
    Ok(input.parse::<Option<LitStr>>()?.map(|text| (text.value(), text.span())))
}

fn index(input: ParseStream<'_>) -> Result<usize, CallError> {
    let span = input.span();
    let wrong = || CallError::new("where-path", span, "expected the number of an item, as in `containers[0]`");
    let Some((inside, _)) = brackets(input, Delimiter::Bracket) else { return Err(wrong()) };
    within(inside, |inside| {
        let number = inside.parse::<LitInt>().map_err(|_| wrong())?;
        if !inside.is_empty() {
            return Err(wrong());
        }
        number.base10_parse().map_err(|_| wrong())
    })
}

/// Reads `path = scalar, …` up to the end of an item or one of its words.
pub(super) fn conditions(input: ParseStream<'_>, variable: Variable<'_>) -> Result<Vec<Condition>, CallError> {
    let mut conditions = Vec::new();
    loop {
        let path = path(input)?;
        let wrong = |message: &str| Err(CallError::new("where-equals", input.span(), message));
        if input.peek(Token![==]) {
            return wrong("conditions have one `=`, as in `kind = \"Pod\"`");
        }
        if input.peek(Token![-]) {
            return wrong("expected `=`; a key with `-` is quoted, as in `metadata.\"a-b\" = \"c\"`");
        }
        expect::<Token![=]>(input, "where-equals", "expected `=` and a value, as in `kind = \"Pod\"`")?;
        let value = value::value(input, variable)?;
        if matches!(value.kind, CallKind::Array(_) | CallKind::Map(_)) {
            let message = "expected a text, a number, `true`, `false` or `null`";
            return Err(CallError::new("where-value", value.span, message));
        }
        conditions.push(Condition { path, value });
        let is_last = input.parse::<Option<Token![,]>>()?.is_none();
        if is_last || input.is_empty() || input.peek(Token![;]) || is_word(input, "by") || input.peek(Token![as]) {
            return Ok(conditions);
        }
    }
}

/// Reads `path, …` up to the end of an item.
pub(super) fn paths(input: ParseStream<'_>) -> Result<Vec<YamlPath>, CallError> {
    let mut paths = vec![path(input)?];
    while input.parse::<Option<Token![,]>>()?.is_some() {
        if input.is_empty() || input.peek(Token![;]) {
            break;
        }
        paths.push(path(input)?);
    }
    Ok(paths)
}

/// Does this word come next?
pub(super) fn is_word(input: ParseStream<'_>, word: &str) -> bool {
    input.fork().call(Ident::parse_any).is_ok_and(|found| found == word)
}
