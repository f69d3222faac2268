//! Items of a call become items of Rust: constants, the types that they need, modules of constants.
//!
//! `select` finds the documents, `group` makes the types of all constants that are written with one name, `module` makes
//! modules, `lazy` fills types of the user's. All problems of all items are told together.

mod fields;
mod group;
mod lazy;
mod module;
mod select;

use std::collections::{HashMap, HashSet};

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use super::call::{
    Attr, CallError, Condition, Declared, DeclaredBody, Item, Reading, Source, SourceKind, StaticItem, Written,
};
use super::plan::{Failure, Report};
use super::types::Problem;
use super::types::declared::{self, Filler, Types};
use super::types::docs;
use super::types::emit::{self, ENGINE, Style, Writer};
use super::types::shape::Observer;
use crate::diag::{Diagnostic, draw};
use crate::source::Span as ValueSpan;
use crate::yaml::NodeRef;
use crate::{Inputs, Rendered};
use group::Group;
pub use select::{no_document, scalar_text};

/// Where generated code stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the expansion of a macro.
    Macro,
    /// In a file that the macro puts into a package without the engine.
    Expansion,
    /// In a module or an included file.
    File,
}

/// Items of Rust.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The items.
    pub tokens: TokenStream,
    /// What stops nothing.
    pub warnings: Vec<Report>,
    /// The code names `::ytt_engine`.
    pub needs_engine: bool,
}

/// Expands items. `rendered` gives the result of a source.
///
/// # Errors
///
/// All problems of all items, each at its token.
pub fn expand(
    items: &[Item],
    place: Place,
    rendered: &dyn Fn(&Source) -> Result<Rendered, Failure>,
) -> Result<Expanded, Failure> {
    let mut failure = Failure { reports: Vec::new(), inputs: Inputs::default() };
    let result = |item: &Item| match rendered(item.source()?) {
        Ok(result) => {
            failure.inputs.add(result.inputs());
            Some(result)
        }
        Err(found) => {
            failure.inputs.add(&found.inputs);
            failure.reports.extend(found.reports);
            None
        }
    };
    let results: Vec<Option<Rendered>> = items.iter().map(result).collect();
    let types = items.iter().filter_map(|item| match item {
        Item::Declared(declared) => Some((declared.name.to_string(), declared.as_ref())),
        _ => None,
    });
    let types: Types<'_> = types.collect();
    let mut maker = Maker {
        place,
        types: &types,
        problems: Vec::new(),
        warnings: Vec::new(),
        taken: HashSet::new(),
        used: HashSet::new(),
    };
    maker.names(items);
    let tokens = maker.items(items, &results);
    if failure.reports.is_empty() {
        maker.unused(items);
    }
    failure.reports.extend(maker.problems);
    if failure.reports.is_empty() {
        let needs_engine = names_engine(&tokens);
        return Ok(Expanded { tokens, warnings: maker.warnings, needs_engine });
    }
    Err(failure)
}

/// Are data values all that the items are made of?
pub fn need_only_values(items: &[Item]) -> bool {
    items.iter().filter_map(Item::source).all(|source| source.kind == SourceKind::DataValues)
}

struct Maker<'a> {
    place: Place,
    types: &'a Types<'a>,
    problems: Vec<Report>,
    warnings: Vec<Report>,
    /// Names of types; written ones before any generated one.
    taken: HashSet<String>,
    /// Keys of `rename`, and patterns of `maps` in brackets, that were of use.
    used: HashSet<String>,
}

impl Maker<'_> {
    fn problem(&mut self, name: &'static str, span: Span, message: impl Into<String>) {
        self.problems.push(Report::from(CallError::new(name, span, message)));
    }

    /// Problems of values, each told once: several constants may be made of one value.
    fn problems_once(&mut self, problems: &[Problem], source: &Source, place: impl Fn(Option<ValueSpan>) -> String) {
        for Problem { name, message, at } in problems {
            let message = format!("{message}{}", place(*at));
            let report = Report::from(CallError::new(name, source.argument_span(), message));
            if !self.problems.iter().any(|known| known.text == report.text) {
                self.problems.push(report);
            }
        }
    }

    /// Takes written names, and finds those that are written twice or used without being declared.
    fn names(&mut self, items: &[Item]) {
        let mut seen: HashMap<String, &'static str> = HashMap::new();
        for item in items {
            let (ident, what) = match item {
                Item::Static(item) => (&item.name, "constant"),
                Item::Module(item) => (&item.name, "module"),
                Item::Declared(item) => (&item.name, "type"),
            };
            let key = format!("{}{ident}", if what == "constant" { "static " } else { "" });
            if seen.insert(key, what).is_some() {
                self.problem("item-twice", ident.span(), format!("there are two items `{ident}`"));
            }
            if let Item::Static(item) = item {
                self.taken.extend(item.ty.name().map(ToString::to_string));
            }
        }
        self.taken.extend(self.types.keys().cloned());
        for name in declared::undeclared(self.types) {
            let message = format!("`{name}` is not declared in this call");
            self.problem("declared-undeclared", name.span(), message);
        }
    }

    /// Names and patterns that no item had a use for are mistakes. A builder gives the same to all of its items.
    fn unused(&mut self, items: &[Item]) {
        let mut told = HashSet::new();
        for source in items.iter().filter_map(Item::source) {
            for rename in &source.arguments.rename {
                let key = rename.key.join(".");
                if !self.used.contains(&key) && told.insert(key.clone()) {
                    self.problem("rename-unused", rename.span, format!("no key `{key}` to rename"));
                }
            }
            for pattern in &source.arguments.maps {
                let key = format!("[{}]", pattern.value);
                if !self.used.contains(&key) && told.insert(key) {
                    self.problem("rename-unused", pattern.span, format!("no map matches `{}`", pattern.value));
                }
            }
        }
    }

    fn items<'n>(&mut self, items: &'n [Item], results: &'n [Option<Rendered>]) -> TokenStream {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut find = |(item, result): (&'n Item, &'n Option<Rendered>)| {
            let (Item::Static(item), Some(result)) = (item, result) else { return None };
            let generated = item.ty.name().map(ToString::to_string).filter(|name| !self.types.contains_key(name));
            let needs_type = generated.is_some() && item.ty.is_list();
            let nodes = select::nodes(&item.source, &item.conditions, result, needs_type);
            let nodes = nodes.map_err(|problem| self.problems.push(Report::from(problem))).ok()?;
            if nodes.is_empty() && item.source.kind == SourceKind::Documents {
                self.nothing(&item.source, &item.conditions, result);
            }
            if let Some(name) = generated {
                group::add(&mut groups, item, &name, result, nodes.clone());
            }
            Some(nodes)
        };
        let values: Vec<Option<Vec<NodeRef<'n>>>> = items.iter().zip(results).map(&mut find).collect();
        let made: Vec<group::Made<'_>> = groups.iter().map(|group| group.make(self)).collect();
        let mut tokens = TokenStream::new();
        let mut written = HashSet::new();
        for ((item, result), nodes) in items.iter().zip(results).zip(&values) {
            match (item, result) {
                (Item::Declared(declared), _) => tokens.extend(self.declaration(declared, items)),
                (Item::Module(module), Some(result)) => tokens.extend(module::module(self, module, result)),
                (Item::Static(item), Some(result)) => {
                    let Some(nodes) = nodes else { continue };
                    let group = item.ty.name().and_then(|name| groups.iter().position(|group| *name == group.name));
                    let types = group.and_then(|number| Some((number, groups.get(number)?, made.get(number)?)));
                    if let Some((_, group, types)) = types.filter(|(number, ..)| written.insert(*number)) {
                        tokens.extend(group.types(self, types));
                    }
                    tokens.extend(self.constant(item, result, nodes, types.map(|(.., types)| types)));
                }
                (_, None) => {}
            }
        }
        tokens
    }

    /// Warns that there is nothing, and why.
    fn nothing(&mut self, source: &Source, conditions: &[Condition], result: &Rendered) {
        let text = match select::nodes(source, conditions, result, true) {
            Err(problem) => problem.message,
            Ok(_) => select::nothing(source),
        };
        self.warnings.push(Report { span: source.span, text: format!("{text} [call::nothing]") });
    }

    /// A type that the call declares, as it is written but for our own types.
    fn declaration(&mut self, declared: &Declared, items: &[Item]) -> TokenStream {
        let (name, visibility) = (&declared.name, &declared.visibility);
        let cow = items.iter().any(|item| matches!(item, Item::Static(item) if item.source.arguments.cow));
        let own = declared.attributes.iter().filter(|attribute| attribute.name != "derive");
        let own = own.map(|attribute| &attribute.tokens);
        let derives = derives(&declared.attributes, cow);
        let lints = lints(self.place, &[]);
        let doc = missing_doc(&declared.attributes, &format!("`{name}`"));
        let ours = |tokens: &TokenStream| self.with_paths(tokens.clone(), cow);
        let body = match &declared.body {
            DeclaredBody::Struct(fields) => {
                let fields = fields.iter().map(|field| {
                    let attributes = field.attributes.iter().map(|attribute| &attribute.tokens);
                    let doc = missing_doc(&field.attributes, &format!("`{}`", field.name));
                    let (visibility, name, ty) = (&field.visibility, &field.name, ours(&field.written));
                    quote!(#doc #(#attributes)* #visibility #name: #ty,)
                });
                quote!(struct #name { #(#fields)* })
            }
            DeclaredBody::Enum(variants) => {
                let variants = variants.iter().map(|variant| {
                    let attributes = variant.attributes.iter().map(|attribute| &attribute.tokens);
                    let doc = missing_doc(&variant.attributes, &format!("`{}`", variant.name));
                    let (name, content) = (&variant.name, variant.content.as_ref().map(|(_, written)| ours(written)));
                    let content = content.map(|written| quote!((#written)));
                    quote!(#doc #(#attributes)* #name #content,)
                });
                quote!(enum #name { #(#variants)* })
            }
        };
        quote!(#lints #doc #derives #(#own)* #visibility #body)
    }

    /// `Map` and `Value` get their paths unless the call declares types of these names.
    fn with_paths(&self, tokens: TokenStream, cow: bool) -> TokenStream {
        let mut is_inside = false;
        let mut out = TokenStream::new();
        for token in tokens {
            let is_colon = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':');
            match token {
                TokenTree::Ident(name) if !is_inside && !self.types.contains_key(&name.to_string()) => {
                    let constant = quote_spanned!(name.span()=> ::ytt_engine::constant);
                    match name.to_string().as_str() {
                        "Map" if cow => out.extend(quote_spanned!(name.span()=> #constant::CowMap)),
                        "Map" | "Value" => out.extend(quote!(#constant::#name)),
                        "Cow" => out.extend(quote_spanned!(name.span()=> ::std::borrow::Cow)),
                        _ => out.extend([TokenTree::Ident(name)]),
                    }
                }
                TokenTree::Group(group) => {
                    let inner = self.with_paths(group.stream(), cow);
                    let mut new = proc_macro2::Group::new(group.delimiter(), inner);
                    new.set_span(group.span());
                    out.extend([TokenTree::Group(new)]);
                }
                other => out.extend([other]),
            }
            is_inside = is_colon;
        }
        out
    }

    fn constant(
        &mut self,
        item: &StaticItem,
        result: &Rendered,
        nodes: &[NodeRef<'_>],
        made: Option<&group::Made<'_>>,
    ) -> TokenStream {
        match item.reading {
            Reading::Constant => {}
            Reading::Serde => return lazy::serde(self, item, result, nodes),
            Reading::Fields => return fields::fields(self, item, result, nodes),
        }
        let value = match &item.ty {
            Written::Files(bytes, span) => select::files(result, *bytes, *span),
            _ => self.value(item, result, nodes, made),
        };
        let (value, extra) = match value {
            Ok(value) => value,
            Err(problem) => {
                self.problems.push(Report::from(problem));
                return TokenStream::new();
            }
        };
        if matches!(item.ty, Written::Files(..)) && value == "&[]" {
            self.nothing(&item.source, &[], result);
        }
        let ty = match &item.ty {
            Written::One(Some(name), _) => name.to_token_stream(),
            Written::List(Some(name), _) => quote!(&[#name]),
            Written::One(None, span) => quote_spanned!(*span=> ::ytt_engine::constant::Value),
            Written::List(None, span) => quote_spanned!(*span=> &[::ytt_engine::constant::Value]),
            Written::Files(true, span) => quote_spanned!(*span=> &[(&str, &[u8])]),
            Written::Files(false, span) => quote_spanned!(*span=> &[(&str, &str)]),
            Written::Lazy { ty, .. } => ty.clone(),
        };
        let (visibility, name) = (&item.visibility, &item.name);
        let head = self.head(&item.attributes, &describe(item, made), if extra { &["deprecated"] } else { &[] });
        let value = self.parsed(&value, item.source.span);
        quote!(#head #visibility static #name: #ty = #value;)
    }

    /// The expression of a constant, and whether it names what is deprecated.
    fn value(
        &mut self,
        item: &StaticItem,
        result: &Rendered,
        nodes: &[NodeRef<'_>],
        made: Option<&group::Made<'_>>,
    ) -> Result<(String, bool), CallError> {
        let limit = result.outer().1.output_bytes;
        let style = self.style(item.source.arguments.cow);
        let (open, between, close) = if item.ty.is_list() { ("&[", ", ", "]") } else { ("", "", "") };
        let of_limit = |problem: Diagnostic| limit_error(&problem, result, item.source.span);
        if let (Some(name), None) = (item.ty.name(), made) {
            let mut filler = Filler::new(self.types, style, &name.to_string(), limit);
            filler.writer.out.push_str(open);
            for node in nodes {
                filler.declared(*node, &name.to_string()).map_err(of_limit)?;
                filler.writer.out.push_str(between);
            }
            filler.writer.out.push_str(close);
            self.problems_once(&filler.misfits, &item.source, |at| place_of(result, at, ", ", ""));
            return Ok((filler.writer.finish(), false));
        }
        let mut writer = Writer::new(style, made.map_or(&[], |made| &made.structs), limit);
        writer.out.push_str(open);
        for node in nodes {
            match made {
                Some(made) => writer.value(*node, &made.ty).map_err(of_limit)?,
                None => writer.any(*node).map_err(of_limit)?,
            }
            writer.out.push_str(between);
        }
        writer.out.push_str(close);
        Ok((writer.finish(), made.is_some_and(|made| made.is_deprecated)))
    }

    fn style(&self, cow: bool) -> Style {
        Style { cow, raw: self.place != Place::Macro, serde: false }
    }

    fn style_of_types<'a>(&self, attributes: impl IntoIterator<Item = &'a Attr>, cow: bool) -> Style {
        Style { serde: has_derive(attributes, &["Serialize", "Deserialize"]), ..self.style(cow) }
    }

    fn parsed(&mut self, text: &str, span: Span) -> TokenStream {
        text.parse().unwrap_or_else(|_| {
            self.problem("internal", span, "internal error in ytt, please report: generated code is not Rust");
            TokenStream::new()
        })
    }

    fn name_problems(&mut self, problems: &[Problem], source: &Source, result: &Rendered) {
        self.problems_once(problems, source, |at| place_of(result, at, " (", ")"));
    }

    /// A problem of a value that is too deep or too large to be a constant.
    fn limit(&mut self, problem: &Diagnostic, result: &Rendered, span: Span) {
        self.problems.push(Report::from(limit_error(problem, result, span)));
    }

    /// What stands in front of an item that is no type: lints, documentation, and what its author wrote.
    fn head(&self, attributes: &[Attr], doc: &str, more_lints: &[&str]) -> TokenStream {
        let (lints, doc) = (lints(self.place, more_lints), missing_doc(attributes, doc));
        // Others belong to types alone.
        let own = attributes.iter().filter(|attribute| !matches!(attribute.name.as_str(), "derive" | "serde"));
        let own = own.map(|attribute| &attribute.tokens);
        quote!(#lints #doc #(#own)*)
    }

    /// Warns of a map that has no type of its own since YAML 1.1 reads one of its keys as a boolean.
    fn boolean_key(&mut self, observer: &Observer<'_>, result: &Rendered, span: Span) {
        let Some((at, path)) = &observer.boolean_key else { return };
        let place = place_of(result, *at, ", ", ",");
        let map = if path.is_empty() { "the document".to_owned() } else { format!("`{path}`") };
        let text = format!(
            "{map} has a key{place} that YAML 1.1 reads as a boolean (`y`, `n`, `on`, `off`, …), so it is a `Value`: quote the \
             key to have a type [call::key-boolean]"
        );
        self.warnings.push(Report { span, text });
    }
}

/// A place in the inputs of a render between two texts, for a message; nothing if there is none.
fn place_of(result: &Rendered, at: Option<ValueSpan>, before: &str, behind: &str) -> String {
    let place = at.and_then(|at| draw::place_of(&result.outer().0.sources, at));
    place.map(|place| format!("{before}{place}{behind}")).unwrap_or_default()
}

/// What a constant is, where neither its author nor the schema says it.
fn describe(item: &StaticItem, made: Option<&group::Made<'_>>) -> String {
    if let Some(docs) = made.and_then(|made| made.docs.as_deref()) {
        return docs::Docs::text(Some(docs), "");
    }
    item.source.described("Rendered")
}

/// Lints that generated code is not meant for; in a file also those that the compiler does not apply to macros.
fn lints(place: Place, more: &[&str]) -> TokenStream {
    let more = more.iter().map(|name| proc_macro2::Ident::new(name, Span::call_site()));
    let of_files = match place {
        Place::Macro | Place::Expansion => TokenStream::new(),
        Place::File => quote!(dead_code, unreachable_pub, unnameable_types,),
    };
    quote!(#[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, #of_files #(#more),*)])
}

/// `#[doc]` where the author wrote none.
fn missing_doc(attributes: &[Attr], text: &str) -> TokenStream {
    match attributes.iter().any(|attribute| attribute.name == "doc") {
        true => TokenStream::new(),
        false => docs::attributes(text).parse().unwrap_or_default(),
    }
}

fn named<'a>(attributes: impl IntoIterator<Item = &'a Attr>, name: &str) -> TokenStream {
    attributes
        .into_iter()
        .filter(|attribute| attribute.name == name)
        .map(|attribute| attribute.tokens.clone())
        .collect()
}

/// Derives of types: the usual ones, and what is asked for.
fn derives<'a>(attributes: impl IntoIterator<Item = &'a Attr>, cow: bool) -> TokenStream {
    let usual: &[&str] = if cow { &["Debug", "Clone"] } else { &["Debug", "Clone", "Copy"] };
    let names = usual.iter().map(|name| proc_macro2::Ident::new(name, Span::call_site()));
    let mut tokens = quote!(#[derive(#(#names),*)]);
    let mut seen: Vec<String> = usual.iter().map(|name| (*name).to_owned()).collect();
    for attribute in attributes.into_iter().filter(|attribute| attribute.name == "derive") {
        let arguments: Vec<TokenTree> = attribute.arguments.clone().into_iter().collect();
        let paths = arguments.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
        for path in paths.filter(|path| !path.is_empty()) {
            let path: TokenStream = path.iter().cloned().collect();
            let text = path.to_string();
            let text = text.rsplit("::").next().unwrap_or(&text).trim().to_owned();
            if !seen.contains(&text) {
                tokens.extend(quote!(#[derive(#path)]));
                seen.push(text);
            }
        }
    }
    tokens
}

/// Is one of these traits among the derives?
fn has_derive<'a>(attributes: impl IntoIterator<Item = &'a Attr>, names: &[&str]) -> bool {
    let is_one = |token: TokenTree| names.contains(&token.to_string().as_str());
    let mut derives = attributes.into_iter().filter(|attribute| attribute.name == "derive");
    derives.any(|attribute| attribute.arguments.clone().into_iter().any(is_one))
}

fn limit_error(problem: &Diagnostic, result: &Rendered, span: Span) -> CallError {
    let place = place_of(result, problem.parts().labels.first().map(|label| label.span), ", ", "");
    CallError::new("constant-limit", span, format!("{}{place}", problem.message()))
}

/// Does code name the run-time half?
fn names_engine(tokens: &TokenStream) -> bool {
    let name = ENGINE.trim_start_matches(':');
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => names_engine(&group.stream()),
        _ => false,
    })
}

impl Source {
    /// The token that stands for the inputs: the first of them.
    fn argument_span(&self) -> Span {
        self.inputs.first().map_or(self.span, |input| input.span)
    }

    /// What is said of an item where neither its author nor the schema says it.
    fn described(&self, what: &str) -> String {
        match self.inputs.is_empty() {
            true => format!("{what} by ytt."),
            false => format!("{what} by ytt from {}.", self.named_inputs(" and ")),
        }
    }
}

/// Puts the tokens of a call into the definitions of types.
fn place_tokens(tokens: TokenStream, attributes: &TokenStream, visibility: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => match tokens.peek() {
                Some(TokenTree::Group(group)) if group.stream().to_string() == emit::ATTRIBUTES => {
                    tokens.next();
                    out.extend(attributes.clone());
                }
                _ => out.extend([token]),
            },
            TokenTree::Ident(name) if name == emit::VISIBILITY => out.extend(visibility.clone()),
            TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace => {
                let inner = place_tokens(group.stream(), attributes, visibility);
                out.extend([TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))]);
            }
            _ => out.extend([token]),
        }
    }
    out
}
