//! The named arguments of a call.

use proc_macro2::{Delimiter, Span};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitBool, LitInt, Token, token};

use super::value::{self, CallKind, Entry};
use super::{CallError, SourceKind, Text, Variable, brackets, expect, list, text};
use crate::codegen::{Level, Limits, check_lint, did_you_mean};

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
    pub name: String,
    /// Its new value, above 0.
    pub value: u64,
    pub span: Span,
}

/// A lint whose level the call sets.
#[derive(Clone, Debug)]
pub struct LintLevel {
    /// Its code; `x::*` for several, `all` for every one.
    pub code: String,
    pub level: Level,
    pub span: Span,
}

/// A key path, each part with its token, and the variable that gives its value.
#[derive(Clone, Debug)]
pub struct Named {
    pub key: Vec<(String, Span)>,
    pub variable: Text,
}

/// A key path and the name that it gets in Rust.
#[derive(Clone, Debug)]
pub struct Rename {
    pub key: Vec<String>,
    /// The key's first token.
    pub span: Span,
    pub name: Ident,
}

/// All named arguments; those not given have their defaults.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    pub values: Option<(Vec<Entry>, Span)>,
    pub values_file: Vec<Text>,
    /// `env`: variables whose values are texts.
    pub env: Vec<Named>,
    /// `env_yaml`: variables whose values are read as YAML.
    pub env_yaml: Vec<Named>,
    pub output: Output,
    pub output_span: Option<Span>,
    /// `file`: one output file instead of all documents.
    pub file: Option<Text>,
    pub file_marks: Vec<Text>,
    pub strict: bool,
    pub ignore_unknown_comments: bool,
    pub implicit_map_key_overrides: bool,
    pub dangerous_data_values_disable_validation: bool,
    pub allow_symlink_destination: Vec<Text>,
    pub limits: Vec<Limit>,
    /// `lints`: levels in their order.
    pub lints: Vec<LintLevel>,
    /// `rename`: names of fields and constants.
    pub rename: Vec<Rename>,
    /// `maps`: patterns of paths that become `Map<T>`.
    pub maps: Vec<Text>,
    /// `cow`: texts and lists are `Cow`.
    pub cow: bool,
    /// Names that were given, in order.
    given: Vec<String>,
}

pub(super) const NAMES: [&str; 17] = [
    "allow_symlink_destination",
    "cow",
    "dangerous_data_values_disable_validation",
    "env",
    "env_yaml",
    "file",
    "file_marks",
    "ignore_unknown_comments",
    "implicit_map_key_overrides",
    "limits",
    "lints",
    "maps",
    "output",
    "rename",
    "strict",
    "values",
    "values_file",
];

/// Arguments of items, and those of expressions.
const OF_ITEMS: [&str; 3] = ["cow", "maps", "rename"];
const OF_EXPRESSIONS: [&str; 2] = ["file", "output"];

impl Arguments {
    /// Was no argument given yet?
    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Reads `NAME = value`. A mistake after which reading can go on is added to `errors`.
    pub(super) fn argument(
        &mut self,
        input: ParseStream<'_>,
        kind: SourceKind,
        variable: Variable<'_>,
        errors: &mut Vec<CallError>,
    ) -> Result<(), CallError> {
        let ident = Ident::parse_any(input)?;
        let (name, span) = (ident.unraw().to_string(), ident.span());
        input.parse::<Token![=]>()?;
        if name == "crate" {
            return Err(CallError::new("crate-not-first", span, "`crate = …` comes first"));
        }
        if !NAMES.contains(&name.as_str()) {
            return Err(unknown(&name, span));
        }
        let is_text = kind == SourceKind::Text;
        if is_text && OF_ITEMS.contains(&name.as_str()) {
            let message = format!("`{name}` belongs to items, as in `static X: T = data_values(..)`");
            errors.push(CallError::new("argument-form", span, message));
        }
        if !is_text && OF_EXPRESSIONS.contains(&name.as_str()) {
            let message = format!("`{name}` belongs to the expression form");
            errors.push(CallError::new("argument-form", span, message));
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
            "file" => self.file = Some(one_text(input, &name, "a string", variable)?),
            "output" => {
                let text = one_text(input, &name, "a string", variable)?;
                self.output_span = Some(text.span);
                self.output = output(&text)?;
            }
            "rename" => self.rename = renames(input)?,
            "maps" => self.maps = texts(input, &name, false, variable)?,
            "cow" => self.cow = flag(input, &name)?,
            "limits" => self.limits = limits(input)?,
            "lints" => self.lints = lints(input, variable)?,
            "strict" => self.strict = flag(input, &name)?,
            "ignore_unknown_comments" => self.ignore_unknown_comments = flag(input, &name)?,
            "implicit_map_key_overrides" => self.implicit_map_key_overrides = flag(input, &name)?,
            _ => self.dangerous_data_values_disable_validation = flag(input, &name)?,
        }
        Ok(())
    }

    /// Finds what only shows when all arguments are known.
    pub(super) fn check(&self, errors: &mut Vec<CallError>) {
        let mut seen: Vec<(Vec<&str>, &str)> = Vec::new();
        let all = [("env", &self.env), ("env_yaml", &self.env_yaml)];
        for (list, named) in all.into_iter().flat_map(|(list, all)| all.iter().map(move |named| (list, named))) {
            let key: Vec<&str> = named.key.iter().map(|(part, _)| part.as_str()).collect();
            let span = named.key.last().map_or_else(Span::call_site, |(_, span)| *span);
            let shown = key.join(".");
            if let Some((_, other)) = seen.iter().find(|(known, _)| *known == key) {
                let message = match *other == list {
                    true => format!("`{shown}` is given twice"),
                    false => format!("`{shown}` is set by `env` and by `env_yaml`; `env_yaml` would always win"),
                };
                errors.push(CallError::new("env-twice", span, message));
            }
            if self.values.as_ref().is_some_and(|(map, _)| sets(map, &key)) {
                let message = format!("`{shown}` is set by `values` and by `{list}`; `values` would always win");
                errors.push(CallError::new("env-and-values", span, message));
            }
            seen.push((key, list));
        }
    }
}

/// Does a map give the whole value of this key? A map at the key only adds to it.
fn sets(map: &[Entry], key: &[&str]) -> bool {
    let Some((first, rest)) = key.split_first() else { return false };
    map.iter().filter(|entry| entry.key == *first).any(|entry| match &entry.value.kind {
        CallKind::Map(inner) if !rest.is_empty() => sets(inner, rest),
        CallKind::Map(inner) => inner.is_empty(),
        _ => true,
    })
}

fn unknown(name: &str, span: Span) -> CallError {
    if let "env_prefix" | "data_values_env" | "values_env" = name {
        let message = "a macro takes exact names: `env = { key: \"APP_KEY\" }`; prefixes are for `ytt_build`";
        return CallError::new("env-prefix", span, message);
    }
    let more = match did_you_mean(name, NAMES) {
        none if none.is_empty() => format!("; there are {}", NAMES.map(|name| format!("`{name}`")).join(", ")),
        near => near,
    };
    CallError::new("unknown-argument", span, format!("unknown argument `{name}`{more}"))
}

fn wrong_type(span: Span, name: &str, wanted: &str) -> CallError {
    CallError::new("argument-type", span, format!("`{name}` expects {wanted}"))
}

fn flag(input: ParseStream<'_>, name: &str) -> Result<bool, CallError> {
    let message = format!("`{name}` expects `true` or `false`");
    expect::<LitBool>(input, "argument-type", &message).map(|flag| flag.value)
}

fn one_text(input: ParseStream<'_>, name: &str, wanted: &str, variable: Variable<'_>) -> Result<Text, CallError> {
    if input.peek(syn::LitStr) || input.peek(Ident) && input.peek2(Token![!]) {
        return text::parse(input, variable);
    }
    Err(wrong_type(input.span(), name, wanted))
}

fn texts(input: ParseStream<'_>, name: &str, single: bool, variable: Variable<'_>) -> Result<Vec<Text>, CallError> {
    if single && !input.peek(token::Bracket) {
        return Ok(vec![one_text(input, name, "a string or a list of strings", variable)?]);
    }
    let wanted = "a list of strings";
    each(input, Delimiter::Bracket, name, wanted, |inside| one_text(inside, name, wanted, variable))
}

/// Reads what stands in the brackets that have to begin here.
fn each<T>(
    input: ParseStream<'_>,
    delimiter: Delimiter,
    name: &str,
    wanted: &str,
    one: impl FnMut(ParseStream<'_>) -> Result<T, CallError>,
) -> Result<Vec<T>, CallError> {
    let found = brackets(input, delimiter);
    let (inside, _) = found.ok_or_else(|| wrong_type(input.span(), name, wanted))?;
    list(inside, one)
}

/// `{ key: "VARIABLE", … }`.
fn variables(input: ParseStream<'_>, name: &str, variable: Variable<'_>) -> Result<Vec<Named>, CallError> {
    each(input, Delimiter::Brace, name, "a map of keys to variables", |inside| {
        let key = value::key(inside)?;
        value::colon(inside, &key)?;
        let expected = "expected the name of a variable, as in `\"APP_A\"`";
        let span = inside.span();
        let variable = text::parse(inside, variable).map_err(|error| match error.name {
            "input-not-literal" => CallError::new("env-name", span, expected),
            _ => error,
        })?;
        if variable.value.is_empty() || variable.value.contains(['=', '\0']) {
            return Err(CallError::new("env-name", span, expected));
        }
        Ok(Named { key, variable })
    })
}

/// `{ key.path: name, … }`.
fn renames(input: ParseStream<'_>) -> Result<Vec<Rename>, CallError> {
    each(input, Delimiter::Brace, "rename", "a map of keys to names", |inside| {
        let key = value::key(inside)?;
        value::colon(inside, &key)?;
        let expected = "expected a Rust name, as in `rename = { \"9p\": nine_p }`";
        let name = expect::<Ident>(inside, "rename-name", expected)?;
        let span = key.first().map_or_else(Span::call_site, |(_, span)| *span);
        Ok(Rename { key: key.into_iter().map(|(part, _)| part).collect(), span, name })
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
    each(input, Delimiter::Brace, "limits", wanted, |inside| {
        let name = Ident::parse_any(inside)?;
        let known = name.unraw().to_string();
        if !Limits::NAMES.contains(&known.as_str()) {
            let near = did_you_mean(&known, Limits::NAMES);
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

/// `{ "overlay::*": "deny", … }`.
fn lints(input: ParseStream<'_>, variable: Variable<'_>) -> Result<Vec<LintLevel>, CallError> {
    let wanted = "a map of lints to \"allow\", \"warn\" or \"deny\"";
    each(input, Delimiter::Brace, "lints", wanted, |inside| {
        let code = one_text(inside, "lints", wanted, variable)?;
        if let Err(unknown) = check_lint(&code.value) {
            let near = unknown.near().map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            return Err(CallError::new("lint-unknown", code.span, format!("{unknown}{near}")));
        }
        expect::<Token![:]>(inside, "argument-type", &format!("`lints` expects {wanted}"))?;
        let level = one_text(inside, "lints", wanted, variable)?;
        match Level::of(&level.value) {
            Some(level) => Ok(LintLevel { code: code.value, level, span: code.span }),
            None => Err(wrong_type(level.span, "lints", wanted)),
        }
    })
}
