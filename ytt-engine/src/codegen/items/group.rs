//! Constants that are written with one generated type: the type fits all of them.

use std::collections::HashSet;
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::quote;

use super::{Maker, derives, has_derive, lints, named, place_tokens};
use crate::Rendered;
use crate::codegen::call::{Attr, Source, SourceKind, StaticItem, push_key};
use crate::codegen::plan::Report;
use crate::codegen::types::Problem;
use crate::codegen::types::docs::Docs;
use crate::codegen::types::emit::{self, Writer};
use crate::codegen::types::layout::{FieldType, Layout, Origin, Renames, Struct, Ty};
use crate::codegen::types::merge::merge;
use crate::codegen::types::pattern::Patterns;
use crate::codegen::types::schema::Reader;
use crate::codegen::types::shape::{Observer, Part};
use crate::yaml::NodeRef;

/// Structs of one constant from which on the compiler takes long.
const TOO_MANY: usize = 1000;

pub(super) struct Group<'a> {
    pub(super) name: String,
    members: Vec<Member<'a>>,
}

struct Member<'a> {
    item: &'a StaticItem,
    result: &'a Rendered,
    nodes: Vec<NodeRef<'a>>,
}

pub(super) struct Made<'a> {
    pub(super) ty: Ty,
    pub(super) structs: Vec<Struct<'a>>,
    pub(super) docs: Option<Rc<Docs>>,
    pub(super) is_deprecated: bool,
    /// The written name is that of a struct; otherwise of an alias.
    pub(super) is_struct: bool,
}

/// Adds a constant to the group of its type.
pub(super) fn add<'a>(
    groups: &mut Vec<Group<'a>>,
    item: &'a StaticItem,
    name: &str,
    result: &'a Rendered,
    nodes: Vec<NodeRef<'a>>,
) {
    let member = Member { item, result, nodes };
    match groups.iter_mut().find(|group| group.name == name) {
        Some(group) => group.members.push(member),
        None => groups.push(Group { name: name.to_owned(), members: vec![member] }),
    }
}

/// What the arguments of sources say about types.
pub(super) struct Settings {
    pub(super) patterns: Patterns,
    pub(super) renames: Renames,
}

impl Settings {
    pub(super) fn new<'a>(sources: impl Iterator<Item = &'a Source> + Clone) -> Settings {
        let maps = sources.clone().flat_map(|source| &source.arguments.maps).map(|text| text.value.as_str());
        let renames = sources.flat_map(|source| &source.arguments.rename);
        let names = renames.map(|rename| (rename.key.join("."), rename.name.to_string())).collect();
        Settings { patterns: Patterns::new(maps), renames: Renames { names, ..Renames::default() } }
    }

    pub(super) fn note(self, maker: &mut Maker<'_>) {
        maker.used.extend(self.patterns.used().map(|pattern| format!("[{pattern}]")));
        maker.used.extend(self.renames.used);
    }
}

impl<'a> Made<'a> {
    /// The types of a part, named from `name` on; `root` is what is known of the constant. Also what has no name.
    pub(super) fn new(
        mut part: Part,
        name: &str,
        (docs, origin): (Option<Rc<Docs>>, Origin<'a>),
        settings: &mut Settings,
        cow: bool,
        taken: &mut HashSet<String>,
    ) -> (Made<'a>, Vec<Problem>) {
        merge(&mut part);
        let mut layout = Layout::new(&mut settings.renames, cow);
        let ty = layout.part(&part);
        let is_struct = layout.name(name, &ty, (docs.clone(), origin), taken);
        let Layout { structs, problems, .. } = layout;
        let is_deprecated = |field: &FieldType| field.docs.as_ref().is_some_and(|docs| docs.deprecated.is_some());
        let is_deprecated = structs.iter().flat_map(|one| &one.fields).any(is_deprecated);
        (Made { ty, structs, docs, is_deprecated, is_struct }, problems)
    }
}

impl<'a> Group<'a> {
    fn attributes(&self) -> impl Iterator<Item = &Attr> {
        self.members.iter().flat_map(|member| &member.item.attributes)
    }

    fn cow(&self) -> bool {
        self.members.iter().any(|member| member.item.source.arguments.cow)
    }

    /// Finds the type of all members. Problems are the maker's.
    pub(super) fn make(&self, maker: &mut Maker<'_>) -> Made<'a> {
        let cow = self.cow();
        let mut settings = Settings::new(self.members.iter().map(|member| &member.item.source));
        let (mut part, mut root) = (Part::default(), (None, Origin::default()));
        let mut first_source = None;
        for member in &self.members {
            let source = &member.item.source;
            if source.arguments.cow != cow {
                let message =
                    format!("constants of type `{}` have `cow = true` or have it not, all of them", self.name);
                maker.problem("cow-mixed", source.span, message);
            }
            if source.kind == SourceKind::DataValues
                && let Some((values, schema)) = member.result.data_values()
                && schema.is_declared()
            {
                let mut reader = Reader::new(schema, values, &settings.patterns, first_source.is_none());
                part.add(reader.root());
                if first_source.is_none() {
                    let access = Some(member.item.name.to_string());
                    root = (reader.root_docs().map(Rc::new), Origin { access, node: Some(values) });
                }
                first_source = first_source.or(Some(source));
            }
            let limit = member.result.outer().1.output_bytes;
            let mut observer = Observer::new(&settings.patterns, limit);
            for node in &member.nodes {
                if let Err(problem) = observer.observe(&mut part, *node) {
                    maker.limit(&problem, member.result, source.span);
                }
            }
            maker.boolean_key(&observer, member.result, source.span);
        }
        let (made, problems) = Made::new(part, &self.name, root, &mut settings, cow, &mut maker.taken);
        if let Some(member) = self.members.first() {
            maker.name_problems(&problems, &member.item.source, member.result);
            if made.structs.len() > TOO_MANY {
                let text = format!(
                    "`{}` needs {} structs, over which the compiler takes long: `maps = [\"**.name\"]` makes maps whose \
                     keys are data one `Map<T>` [call::many-types]",
                    self.name,
                    made.structs.len()
                );
                maker.warnings.push(Report { span: member.item.source.span, text });
            }
        }
        settings.note(maker);
        self.check_serde(maker, &made);
        made
    }

    /// What a derived `Deserialize` cannot read is told here, not in the words of the derive.
    fn check_serde(&self, maker: &mut Maker<'_>, made: &Made<'_>) {
        if !has_derive(self.attributes(), &["Deserialize"]) {
            return;
        }
        let Some(member) = self.members.first() else { return };
        let span = member.item.source.span;
        if !self.cow() {
            let message = "a derived `Deserialize` makes texts and lists of its own: add the argument `cow = true`";
            maker.problem("cow-missing", span, message);
        }
        let mut wrong: Vec<String> = Vec::new();
        if holds_value(&made.ty) {
            wrong.push(self.name.clone());
        }
        for one in &made.structs {
            for field in one.fields.iter().filter(|field| holds_value(&field.ty)) {
                let mut path = one.path.clone();
                push_key(&mut path, &field.key);
                wrong.push(path);
            }
        }
        for path in wrong {
            let message = format!(
                "`{path}` is of any type, which a derived `Deserialize` cannot read: give it a type in the schema"
            );
            maker.problem("cow-value", span, message);
        }
    }

    pub(super) fn types(&self, maker: &mut Maker<'_>, made: &Made<'a>) -> TokenStream {
        let Some(first) = self.members.first() else { return TokenStream::new() };
        let style = maker.style_of_types(self.attributes(), self.cow());
        let span = first.item.source.span;
        let tokens = maker.parsed(&emit::structs(&made.structs, style), span);
        let visibility = &first.item.visibility;
        let cfg = self.cfg();
        let derives = derives(self.attributes(), self.cow());
        let serde = named(&first.item.attributes, "serde");
        let lints = lints(maker.place, if made.is_deprecated { &["deprecated"] } else { &[] });
        let attributes = quote!(#cfg #lints #derives #serde);
        let mut tokens = place_tokens(tokens, &attributes, visibility);
        if !made.is_struct {
            let ty = Writer::new(style, &made.structs, u64::MAX).type_text(&made.ty);
            let ty = maker.parsed(&ty, span);
            if let Some(name) = first.item.ty.name() {
                let doc = super::missing_doc(&[], &Docs::text(made.docs.as_deref(), &self.name));
                let lints = super::lints(maker.place, &[]);
                tokens.extend(quote!(#lints #doc #cfg #visibility type #name = #ty;));
            }
        }
        let schema = first.result.data_values().filter(|_| self.cow());
        if let Some((values, schema)) = schema {
            let limit = first.result.outer().1.output_bytes;
            match emit::defaults(&made.structs, style, schema, values, limit) {
                Ok(text) => {
                    let defaults = maker.parsed(&text, span);
                    tokens.extend(with_lints(defaults, &quote!(#cfg #lints)));
                }
                Err(problem) => maker.limit(&problem, first.result, span),
            }
        }
        tokens
    }

    /// Conditions under which the types are there, if all members have the same.
    fn cfg(&self) -> TokenStream {
        let of = |member: &Member<'_>| named(&member.item.attributes, "cfg");
        let Some(first) = self.members.first().map(of) else { return TokenStream::new() };
        match self.members.iter().all(|member| of(member).to_string() == first.to_string()) {
            true => first,
            false => TokenStream::new(),
        }
    }
}

/// Puts attributes in front of each `impl`.
fn with_lints(tokens: TokenStream, attributes: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        if matches!(&token, proc_macro2::TokenTree::Ident(name) if name == "impl") {
            out.extend(attributes.clone());
        }
        out.extend([token]);
    }
    out
}

fn holds_value(ty: &Ty) -> bool {
    match ty {
        Ty::Value => true,
        Ty::Slice(inner) | Ty::Option(inner) | Ty::Map(inner) => holds_value(inner),
        _ => false,
    }
}
