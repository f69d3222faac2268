//! The grammar of a call: what may stand between the brackets of `include_ytt!`.
//!
//! [`parse`] reads tokens into a [`Call`]: paths first, then named arguments. Every part keeps its span, so that an error
//! of rendering can be shown at the token that caused it. Nothing here knows the engine.

mod argument;
mod canonical;
mod declared;
mod depth;
mod item;
mod path;
mod text;
mod value;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Token, token};

pub(crate) use argument::Arguments;
#[cfg(feature = "pretty")]
pub(crate) use argument::Rename;
#[cfg(feature = "engine")]
pub(crate) use argument::{Limit, LintLevel, Named, Output};
pub use canonical::{canonical, rust_string};
#[cfg(feature = "engine")]
pub(crate) use canonical::{needs_escape, push_string};
#[cfg(feature = "engine")]
pub(crate) use declared::{Attr, Declared, DeclaredBody, DeclaredField, DeclaredVariant, FieldType};
pub(crate) use item::Item;
#[cfg(feature = "engine")]
pub(crate) use item::{ModuleItem, Reading, StaticItem, Written};
#[cfg(feature = "engine")]
pub(crate) use path::{Condition, Step, YamlPath, push_key};
pub use text::Text;
#[cfg(feature = "engine")]
pub(crate) use value::{CallKind, CallValue, Entry};

/// What is wrong with a call, at one of its tokens. The message is without the leading `ytt: `.
#[derive(Clone, Debug)]
pub struct CallError {
    /// The stable name of the mistake, without `call::`.
    pub name: &'static str,
    /// What to write instead.
    pub message: String,
    /// The token.
    pub span: Span,
}

impl CallError {
    pub(crate) fn new(name: &'static str, span: Span, message: impl Into<String>) -> CallError {
        CallError { name, message: message.into(), span }
    }
}

impl From<syn::Error> for CallError {
    fn from(error: syn::Error) -> CallError {
        CallError::new("syntax", error.span(), error.to_string())
    }
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// `crate = path`: what `ytt_engine` is called where the call is expanded.
    pub engine: Option<TokenStream>,
    /// What it gives.
    pub form: Form,
}

/// What a call gives.
#[derive(Clone, Debug)]
pub enum Form {
    /// An expression: the text of a render.
    Text(Box<Source>),
    /// Items.
    Items(Vec<Item>),
}

/// What is rendered, and with which settings.
#[derive(Clone, Debug)]
pub struct Source {
    /// Which part of the result counts.
    pub kind: SourceKind,
    /// The word that says so; the first input of an expression.
    pub span: Span,
    /// Files and folders, as written.
    pub inputs: Vec<Text>,
    /// The named arguments.
    pub arguments: Arguments,
}

/// Which part of a result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// Text, for an expression.
    Text,
    /// The final data values.
    DataValues,
    /// One document.
    Document,
    /// All documents.
    Documents,
    /// All output files.
    Files,
}

impl Source {
    /// A source without inputs and arguments.
    fn bare(kind: SourceKind, span: Span) -> Source {
        Source { kind, span, inputs: Vec::new(), arguments: Arguments::default() }
    }

    /// The inputs as texts for people have them.
    #[cfg(feature = "engine")]
    pub(crate) fn named_inputs(&self, joint: &str) -> String {
        self.inputs.iter().map(|input| format!("`{}`", input.value)).collect::<Vec<_>>().join(joint)
    }
}

impl Call {
    /// The sources of all items, in order.
    pub fn sources(&self) -> Vec<&Source> {
        match &self.form {
            Form::Text(source) => vec![source],
            Form::Items(items) => items.iter().filter_map(Item::source).collect(),
        }
    }
}

type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads the tokens of a call. `variable` gives environment variables of the compiler, for `env!`.
///
/// # Errors
///
/// Every mistake that can be seen without reading a file, in the order of the tokens.
pub fn parse(tokens: TokenStream, variable: &dyn Fn(&str) -> Option<String>) -> Result<Call, Vec<CallError>> {
    read(tokens, |input, errors| call(input, variable, errors))
}

/// Is a call one of items, also if it has mistakes? The first token behind `crate = …` decides.
///
/// ```
/// use ytt_engine::codegen::call::is_items;
///
/// assert!(is_items("crate = a::b; pub static X: T = document(\"c\");".parse().unwrap()));
/// assert!(!is_items("\"config\", strict = true".parse().unwrap()));
/// ```
pub fn is_items(tokens: TokenStream) -> bool {
    let read = |input: ParseStream<'_>| {
        engine_path(input)?;
        Ok(item::is_item(input))
    };
    // What stands in brackets does not matter, however deep it is.
    within(depth::outermost(tokens), read).unwrap_or(false)
}

/// Reads items as the builder takes them: sources are words without parentheses, since the builder has the inputs.
///
/// # Errors
///
/// As [`parse`].
///
/// ```
/// use ytt_engine::codegen::call;
///
/// let items = call::parse_items("pub static CONFIG: Config = data_values;".parse().unwrap()).unwrap();
/// assert_eq!(items.len(), 1);
/// assert!(call::parse_items("static CONFIG: Config = data_values(\"config\");".parse().unwrap()).is_err());
/// ```
pub fn parse_items(tokens: TokenStream) -> Result<Vec<Item>, Vec<CallError>> {
    read(tokens, |input, errors| Some(item::items(input, &|_| None, true, errors)))
}

fn read<T>(
    tokens: TokenStream,
    work: impl FnOnce(ParseStream<'_>, &mut Vec<CallError>) -> Option<T>,
) -> Result<T, Vec<CallError>> {
    depth::check(&tokens).map_err(|error| vec![error])?;
    let mut errors = Vec::new();
    match within(tokens, |input| Ok(work(input, &mut errors))) {
        Ok(Some(found)) if errors.is_empty() => Ok(found),
        Ok(_) => Err(errors),
        Err(error) => {
            errors.push(error);
            Err(errors)
        }
    }
}

/// Reads tokens. What `work` leaves after a mistake is passed over: the mistake is what counts.
fn within<T>(tokens: TokenStream, work: impl FnOnce(ParseStream<'_>) -> Result<T, CallError>) -> Result<T, CallError> {
    let read = |input: ParseStream<'_>| {
        let result = work(input);
        input.step(|cursor| {
            let mut rest = *cursor;
            while let Some((_, next)) = rest.token_tree() {
                rest = next;
            }
            Ok(((), rest))
        })?;
        Ok(result)
    };
    read.parse2(tokens)?
}

const NO_INPUT: &str =
    "expected a path, as in `include_ytt!(\"config\")`, or items, as in `static X: T = data_values(\"config\");`";

fn call(input: ParseStream<'_>, variable: Variable<'_>, errors: &mut Vec<CallError>) -> Option<Call> {
    let engine = engine_path(input).map_err(|error| errors.push(error)).ok()?;
    if item::is_item(input) {
        let items = item::items(input, variable, false, errors);
        return Some(Call { engine, form: Form::Items(items) });
    }
    let span = input.span();
    let source = source(input, SourceKind::Text, span, NO_INPUT, variable, errors)?;
    Some(Call { engine, form: Form::Text(Box::new(source)) })
}

/// `crate = path,` or `crate = path;` at the start of a call.
fn engine_path(input: ParseStream<'_>) -> Result<Option<TokenStream>, CallError> {
    if !(input.peek(Token![crate]) && input.peek2(Token![=])) {
        return Ok(None);
    }
    let span = input.span();
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    let mut path = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) {
        let token: TokenTree = input.parse()?;
        path.extend([token]);
    }
    if path.is_empty() {
        return Err(CallError::new("crate-path", span, "expected a path, as in `crate = $crate::ytt_engine`"));
    }
    if !input.is_empty() {
        input.parse::<TokenTree>()?;
    }
    Ok(Some(path))
}

/// Paths and named arguments up to the end. A mistake after which nothing can be read gives `None`.
fn source(
    input: ParseStream<'_>,
    kind: SourceKind,
    span: Span,
    expected: &str,
    variable: Variable<'_>,
    errors: &mut Vec<CallError>,
) -> Option<Source> {
    let mut source = Source::bare(kind, span);
    while !input.is_empty() {
        let result = if is_argument(input) {
            source.arguments.argument(input, kind, variable, errors)
        } else {
            text::parse(input, variable).map(|text| match source.arguments.is_empty() {
                true => source.inputs.push(text),
                false => {
                    let message = "paths come before named arguments";
                    errors.push(CallError::new("path-after-argument", text.span, message));
                }
            })
        };
        if let Err(error) = result.and_then(|()| comma(input)) {
            errors.push(error);
            return None;
        }
    }
    if source.inputs.is_empty() {
        let at = if kind == SourceKind::Text { Span::call_site() } else { span };
        errors.push(CallError::new("no-input", at, expected));
        return None;
    }
    source.arguments.check(errors);
    Some(source)
}

/// The brackets that begin here: what stands in them, and the opening one. What comes through `macro_rules!` may be in a
/// group without delimiters, which does not count.
fn brackets(input: ParseStream<'_>, delimiter: Delimiter) -> Option<(TokenStream, Span)> {
    let found = input.step(|cursor| match cursor.group(delimiter) {
        Some((inside, span, rest)) => Ok(((inside.token_stream(), span.open()), rest)),
        None => Err(cursor.error("expected brackets")),
    });
    found.ok()
}

/// A comma, or the end.
fn comma(input: ParseStream<'_>) -> Result<(), CallError> {
    if input.is_empty() {
        return Ok(());
    }
    expect::<Token![,]>(input, "missing-comma", "expected `,`").map(drop)
}

/// What has to come next.
fn expect<T: Parse>(input: ParseStream<'_>, name: &'static str, message: &str) -> Result<T, CallError> {
    let span = input.span();
    input.parse().map_err(|_| CallError::new(name, span, message))
}

/// Reads what stands in brackets, with commas between.
fn list<T>(
    inside: TokenStream,
    mut one: impl FnMut(ParseStream<'_>) -> Result<T, CallError>,
) -> Result<Vec<T>, CallError> {
    within(inside, |input| {
        let mut all = Vec::new();
        while !input.is_empty() {
            all.push(one(input)?);
            comma(input)?;
        }
        Ok(all)
    })
}

/// Does a named argument begin here: `NAME =`, but not `concat!`?
fn is_argument(input: ParseStream<'_>) -> bool {
    input.peek(syn::Ident) && input.peek2(Token![=]) || input.peek(Token![crate]) && !input.peek2(token::Paren)
}

#[cfg(test)]
mod tests;
