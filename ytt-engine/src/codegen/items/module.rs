//! `mod name = documents(..) by kind, metadata.name`: a module for each kind, in it a constant for each name.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::group::{Made, Settings};
use super::{Maker, derives, missing_doc, named, place_tokens, select};
use crate::Rendered;
use crate::codegen::call::{ModuleItem, push_key};
use crate::codegen::plan::Report;
use crate::codegen::types::docs;
use crate::codegen::types::emit::{self, Writer};
use crate::codegen::types::layout::Origin;
use crate::codegen::types::names;
use crate::codegen::types::shape::{Observer, Part};
use crate::yaml::NodeRef;

/// A module that is being put together.
#[derive(Default)]
struct Tree<'a> {
    /// Modules by their names, with the text that the name comes from, in the order of documents.
    modules: Vec<(String, String, Tree<'a>)>,
    /// Constants by their names, with the path of texts.
    documents: Vec<(String, String, NodeRef<'a>)>,
}

pub(super) fn module(maker: &mut Maker<'_>, item: &ModuleItem, result: &Rendered) -> TokenStream {
    let nodes = match select::nodes(&item.source, &item.conditions, result, false) {
        Ok(nodes) => nodes,
        Err(problem) => {
            maker.problems.push(Report::from(problem));
            return TokenStream::new();
        }
    };
    if nodes.is_empty() {
        maker.nothing(&item.source, &item.conditions, result);
    }
    let mut settings = Settings::new([&item.source].into_iter());
    let Some(tree) = tree(maker, item, &nodes, &mut settings) else { return TokenStream::new() };
    let mut inside = Inside { maker, item, result, settings };
    let text = inside.module(&tree, "Document");
    let Inside { settings, .. } = inside;
    settings.note(maker);
    let (visibility, name) = (&item.visibility, &item.name);
    let head = maker.head(&item.attributes, &item.source.described("Documents rendered"), &[]);
    quote!(#head #visibility mod #name { #text })
}

/// Puts documents under the names that their values give. Problems are the maker's.
fn tree<'a>(
    maker: &mut Maker<'_>,
    item: &ModuleItem,
    nodes: &[NodeRef<'a>],
    settings: &mut Settings,
) -> Option<Tree<'a>> {
    let mut root = Tree::default();
    let mut seen: HashMap<Vec<String>, String> = HashMap::new();
    let before = maker.problems.len();
    for node in nodes {
        let mut texts = Vec::new();
        for path in &item.by {
            let found = select::at(*node, path);
            match found.and_then(select::scalar_text) {
                Some(text) => texts.push(text),
                None => {
                    let (place, path_text) = (select::place(*node), path.text());
                    let message = match found {
                        Some(found) => {
                            format!(
                                "`{path_text}` of the document at {place} is {}, which gives no name",
                                a_kind(found)
                            )
                        }
                        None => format!("document at {place} has no `{path_text}`"),
                    };
                    maker.problem("by-missing", path.span, message);
                }
            }
        }
        if texts.len() != item.by.len() {
            continue;
        }
        let mut idents = Vec::new();
        let mut path = Vec::new();
        for (text, by) in texts.iter().zip(&item.by) {
            path.push(text.as_str());
            let is_last = path.len() == texts.len();
            let made = || if is_last { names::upper(text) } else { names::snake(text) };
            let Some(ident) = settings.renames.get(&path).or_else(made) else {
                let proposal = names::proposal(text);
                let proposal = if is_last { proposal.to_uppercase() } else { proposal };
                let message = format!(
                    "`{text}` cannot be a Rust name; name it with `rename = {{ {:?}: {proposal} }}` ({})",
                    path.join("."),
                    select::place(*node)
                );
                maker.problem("name-invalid", by.span, message);
                break;
            };
            idents.push(ident.clone());
            // The same name must come from the same texts; two documents of equal texts are told too.
            let known = seen.entry(idents.clone()).or_insert_with(|| text.clone());
            if *known != *text || is_last && root.has(&idents) {
                let message = match *known == *text {
                    true => format!("two documents are `{ident}`: {}", texts.join(", ")),
                    false => format!("`{known}` and `{text}` both become `{ident}`"),
                };
                let rename = format!("{message}; rename one with `rename = {{ {:?}: … }}`", path.join("."));
                let message = if *known == *text { format!("{message} ({})", select::place(*node)) } else { rename };
                maker.problem("by-collision", by.span, message);
            }
        }
        if idents.len() == texts.len() {
            root.add(&idents, &texts, *node);
        }
    }
    (maker.problems.len() == before).then_some(root)
}

fn a_kind(node: NodeRef<'_>) -> &'static str {
    if node.is_map() { "a map" } else { "a list" }
}

impl<'a> Tree<'a> {
    fn has(&self, idents: &[String]) -> bool {
        match idents {
            [last] => self.documents.iter().any(|(ident, ..)| ident == last),
            [first, rest @ ..] => self.modules.iter().any(|(ident, _, tree)| ident == first && tree.has(rest)),
            [] => false,
        }
    }

    fn add(&mut self, idents: &[String], texts: &[String], node: NodeRef<'a>) {
        let Some((document, modules)) = idents.split_last() else { return };
        let mut tree = self;
        for (ident, text) in modules.iter().zip(texts) {
            tree = tree.module(ident, text);
        }
        let mut path = String::new();
        texts.iter().for_each(|text| push_key(&mut path, text));
        tree.documents.push((document.clone(), path, node));
    }

    /// The module of a name, made if need be.
    #[allow(clippy::indexing_slicing, reason = "it was found or pushed")]
    fn module(&mut self, ident: &str, text: &str) -> &mut Tree<'a> {
        let number = self.modules.iter().position(|(known, ..)| known == ident).unwrap_or_else(|| {
            let number = self.modules.len();
            self.modules.push((ident.to_owned(), text.to_owned(), Tree::default()));
            number
        });
        &mut self.modules[number].2
    }
}

struct Inside<'a, 'm> {
    maker: &'m mut Maker<'a>,
    item: &'m ModuleItem,
    result: &'m Rendered,
    settings: Settings,
}

impl Inside<'_, '_> {
    /// What stands in a module; `name` is that of its type.
    fn module(&mut self, tree: &Tree<'_>, name: &str) -> TokenStream {
        let mut tokens = TokenStream::new();
        for (ident, text, inner) in &tree.modules {
            // The text may be no name, the module's name is one.
            let content = self.module(inner, &names::camel(ident.trim_start_matches("r#")));
            let ident = self.maker.parsed(ident, self.item.source.span);
            let doc = missing_doc(&[], &docs::Docs::text(None, text));
            tokens.extend(quote!(#doc pub mod #ident { #content }));
        }
        if !tree.documents.is_empty() {
            tokens.extend(self.documents(tree, name));
        }
        tokens
    }

    fn documents(&mut self, tree: &Tree<'_>, name: &str) -> TokenStream {
        let (item, span) = (self.item, self.item.source.span);
        let cow = item.source.arguments.cow;
        let limit = self.result.outer().1.output_bytes;
        let mut part = Part::default();
        let mut observer = Observer::new(&self.settings.patterns, limit);
        for (_, _, node) in &tree.documents {
            if let Err(problem) = observer.observe(&mut part, *node) {
                self.maker.limit(&problem, self.result, span);
                return TokenStream::new();
            }
        }
        self.maker.boolean_key(&observer, self.result, span);
        let root = (None, Origin::default());
        let (made, problems) = Made::new(part, name, root, &mut self.settings, cow, &mut HashSet::new());
        self.maker.name_problems(&problems, &item.source, self.result);
        let Made { ty, structs, is_struct, .. } = made;
        let style = self.maker.style_of_types(&item.attributes, cow);
        let types = self.maker.parsed(&emit::structs(&structs, style), span);
        let derives = derives(&item.attributes, cow);
        let own = named(&item.attributes, "serde");
        let mut tokens = place_tokens(types, &quote!(#derives #own), &quote!(pub));
        let written = Writer::new(style, &structs, limit).type_text(&ty);
        let mut text = String::new();
        if !is_struct {
            let _ = write!(text, "{}pub type {name} = {written}; ", docs::attributes(&format!("`{name}`")));
        }
        for (ident, path, node) in &tree.documents {
            let mut writer = Writer::new(style, &structs, limit);
            if let Err(problem) = writer.value(*node, &ty) {
                self.maker.limit(&problem, self.result, span);
                return TokenStream::new();
            }
            let doc = docs::attributes(&docs::Docs::text(None, path));
            let _ = write!(text, "{doc}pub static {ident}: {name} = {}; ", writer.finish());
        }
        tokens.extend(self.maker.parsed(&text, span));
        tokens
    }
}
