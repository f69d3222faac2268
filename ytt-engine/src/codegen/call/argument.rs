//! The named arguments of a call.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitBool, LitInt, Token, token};

use super::value::{self, CallMap};
use super::{CallError, Text, nearest, text, within};

/// The form of the embedded text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Output {
    /// As `ytt` prints it.
    #[default]
    Yaml,
    /// As `ytt -o json`.
    Json,
    /// As `ytt -o pos`.
    Pos,
}

/// A limit that the call changes.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Its name.
    pub name: String,
    /// Its new value, above 0.
    pub value: u64,
    /// The name's token.
    pub span: Span,
}

/// A key path and the variable that gives its value.
pub type Variable = (Vec<String>, Text);

/// All named arguments; those not given have their defaults.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// `values`.
    pub values: Option<CallMap>,
    /// `values_file`, in order.
    pub values_file: Vec<Text>,
    /// `env`: variables whose values are texts.
    pub env: Vec<Variable>,
    /// `env_yaml`: variables whose values are read as YAML.
    pub env_yaml: Vec<Variable>,
    /// `output`.
    pub output: Output,
    /// `file`: one output file instead of all documents.
    pub file: Option<Text>,
    /// `file_marks`, in order.
    pub file_marks: Vec<Text>,
    /// `strict`.
    pub strict: bool,
    /// `ignore_unknown_comments`.
    pub ignore_unknown_comments: bool,
    /// `implicit_map_key_overrides`.
    pub implicit_map_key_overrides: bool,
    /// `dangerous_data_values_disable_validation`.
    pub dangerous_data_values_disable_validation: bool,
    /// `allow_symlink_destination`.
    pub allow_symlink_destination: Vec<Text>,
    /// `limits`.
    pub limits: Vec<Limit>,
    /// Names that were given, in order.
    given: Vec<String>,
}

const NAMES: [&str; 13] = [
    "allow_symlink_destination",
    "dangerous_data_values_disable_validation",
    "env",
    "env_yaml",
    "file",
    "file_marks",
    "ignore_unknown_comments",
    "implicit_map_key_overrides",
    "limits",
    "output",
    "strict",
    "values",
    "values_file",
];

/// The names of [`Limit`]s; nothing of the engine is known here.
pub(crate) const LIMITS: [&str; 11] = [
    "alias_nodes",
    "call_depth",
    "depth",
    "file_bytes",
    "input_bytes",
    "memory",
    "nodes",
    "output_bytes",
    "reports",
    "seconds",
    "steps",
];

type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Arguments {
    /// Was no argument given yet?
    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Reads `NAME = value`. A mistake after which reading can go on is added to `errors`.
    pub(super) fn argument(
        &mut self,
        input: ParseStream<'_>,
        variable: Lookup<'_>,
        errors: &mut Vec<CallError>,
    ) -> Result<(), CallError> {
        let ident = Ident::parse_any(input)?;
        let (name, span) = (ident.unraw().to_string(), ident.span());
        input.parse::<Token![=]>()?;
        if name == "crate" {
            return Err(CallError::new(
                "crate-not-first",
                span,
                "`crate = …` belongs to items, which this version has not",
            ));
        }
        if !NAMES.contains(&name.as_str()) {
            let near = nearest(&name, NAMES).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            return Err(CallError::new("unknown-argument", span, format!("unknown argument `{name}`{near}")));
        }
        if self.given.contains(&name) {
            errors.push(CallError::new("repeated-argument", span, format!("`{name}` is given twice")));
        }
        self.given.push(name.clone());
        match name.as_str() {
            "values" => self.values = Some(value::map(input, variable)?),
            "values_file" => self.values_file = texts(input, &name, true, variable)?,
            "file_marks" => self.file_marks = texts(input, &name, false, variable)?,
            "allow_symlink_destination" => self.allow_symlink_destination = texts(input, &name, false, variable)?,
            "env" => self.env = variables(input, &name, variable)?,
            "env_yaml" => self.env_yaml = variables(input, &name, variable)?,
            "file" => self.file = Some(one_text(input, &name, variable)?),
            "output" => self.output = output(&one_text(input, &name, variable)?)?,
            "limits" => self.limits = limits(input)?,
            "strict" => self.strict = flag(input, &name)?,
            "ignore_unknown_comments" => self.ignore_unknown_comments = flag(input, &name)?,
            "implicit_map_key_overrides" => self.implicit_map_key_overrides = flag(input, &name)?,
            _ => self.dangerous_data_values_disable_validation = flag(input, &name)?,
        }
        Ok(())
    }
}

fn wrong_type(span: Span, name: &str, wanted: &str) -> CallError {
    CallError::new("argument-type", span, format!("`{name}` expects {wanted}"))
}

fn flag(input: ParseStream<'_>, name: &str) -> Result<bool, CallError> {
    let span = input.span();
    input.parse::<LitBool>().map(|flag| flag.value).map_err(|_| wrong_type(span, name, "`true` or `false`"))
}

fn one_text(input: ParseStream<'_>, name: &str, variable: Lookup<'_>) -> Result<Text, CallError> {
    if input.peek(syn::LitStr) || input.peek(Ident) && input.peek2(Token![!]) {
        return text::parse(input, variable);
    }
    Err(wrong_type(input.span(), name, "a string"))
}

fn texts(input: ParseStream<'_>, name: &str, single: bool, variable: Lookup<'_>) -> Result<Vec<Text>, CallError> {
    if single && !input.peek(token::Bracket) {
        let wanted = "a string or a list of strings";
        return one_text(input, name, variable).map(|text| vec![text]).map_err(|error| match error.name {
            "argument-type" => wrong_type(error.span, name, wanted),
            _ => error,
        });
    }
    if !input.peek(token::Bracket) {
        return Err(wrong_type(input.span(), name, "a list of strings"));
    }
    list(input, |inside| {
        one_text(inside, name, variable).map_err(|error| match error.name {
            "argument-type" => wrong_type(error.span, name, "a list of strings"),
            _ => error,
        })
    })
}

/// Reads what stands in the brackets that begin here, with commas between.
fn list<T>(input: ParseStream<'_>, one: impl Fn(ParseStream<'_>) -> Result<T, CallError>) -> Result<Vec<T>, CallError> {
    let TokenTree::Group(group) = input.parse::<TokenTree>()? else {
        return Err(CallError::new("syntax", input.span(), "expected brackets"));
    };
    within(group.stream(), |inside| {
        let mut all = Vec::new();
        while !inside.is_empty() {
            all.push(one(inside)?);
            comma(inside)?;
        }
        Ok(all)
    })
}

fn comma(input: ParseStream<'_>) -> Result<(), CallError> {
    if input.is_empty() {
        return Ok(());
    }
    let span = input.span();
    input.parse::<Token![,]>().map(|_| ()).map_err(|_| CallError::new("missing-comma", span, "expected `,`"))
}

/// `{ key: "VARIABLE", … }`.
fn variables(input: ParseStream<'_>, name: &str, variable: Lookup<'_>) -> Result<Vec<Variable>, CallError> {
    if !input.peek(token::Brace) {
        return Err(wrong_type(input.span(), name, "a map of keys to variables"));
    }
    list(input, |inside| {
        let path = value::key(inside)?.into_iter().map(|(part, _)| part).collect();
        inside.parse::<Token![:]>()?;
        let expected = "expected the name of a variable, as in `\"APP_A\"`";
        let span = inside.span();
        let found = text::parse(inside, variable).map_err(|_| CallError::new("env-name", span, expected))?;
        Ok((path, found))
    })
}

fn output(text: &Text) -> Result<Output, CallError> {
    match text.value.as_str() {
        "yaml" => Ok(Output::Yaml),
        "json" => Ok(Output::Json),
        "pos" => Ok(Output::Pos),
        _ => Err(CallError::new("output-unknown", text.span, "expected \"yaml\", \"json\" or \"pos\"")),
    }
}

fn limits(input: ParseStream<'_>) -> Result<Vec<Limit>, CallError> {
    let wanted = "a map of limits to integers above 0";
    if !input.peek(token::Brace) {
        return Err(wrong_type(input.span(), "limits", wanted));
    }
    list(input, |inside| {
        let name = Ident::parse_any(inside)?;
        let known = name.unraw().to_string();
        if !LIMITS.contains(&known.as_str()) {
            let near = nearest(&known, LIMITS).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            return Err(CallError::new("limit-unknown", name.span(), format!("unknown limit `{known}`{near}")));
        }
        inside.parse::<Token![:]>()?;
        let span = inside.span();
        let number = inside.parse::<LitInt>().and_then(|number| number.base10_parse::<u64>());
        match number {
            Ok(value) if value > 0 => Ok(Limit { name: known, value, span: name.span() }),
            _ => Err(wrong_type(span, "limits", wanted)),
        }
    })
}
