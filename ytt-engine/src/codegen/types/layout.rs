//! From shapes to types with names: equal structs are one, every field and type gets its name, what has none is told.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::docs::Docs;
use super::shape::{Fields, Part, Shape};
use super::{Problem, names};
use crate::codegen::call::push_key;
use crate::schema::TypeId;
use crate::source::Span;
use crate::yaml::NodeRef;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::codegen) enum Ty {
    Unit,
    Bool,
    I64,
    U64,
    F64,
    Str,
    Bytes,
    Slice(Box<Ty>),
    Option(Box<Ty>),
    /// A generated struct, by its number.
    Struct(usize),
    Map(Box<Ty>),
    Value,
}

#[derive(Clone, Debug, Default)]
pub(in crate::codegen) struct Struct<'a> {
    pub(in crate::codegen) name: String,
    /// Where it is first found.
    pub(in crate::codegen) path: String,
    pub(in crate::codegen) docs: Option<Rc<Docs>>,
    pub(in crate::codegen) fields: Vec<FieldType>,
    pub(in crate::codegen) default: Option<DefaultOf<'a>>,
    declared: Option<TypeId>,
}

#[derive(Clone, Debug)]
pub(in crate::codegen) enum DefaultOf<'a> {
    /// The constant and the fields that lead to it.
    Constant(String),
    /// A value inside of an option of the constant.
    Node(NodeRef<'a>),
    /// The schema's defaults.
    Schema(TypeId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::codegen) struct FieldType {
    pub(in crate::codegen) key: Rc<str>,
    pub(in crate::codegen) name: String,
    pub(in crate::codegen) ty: Ty,
    pub(in crate::codegen) docs: Option<Rc<Docs>>,
}

/// Names that the caller gives, by paths of keys joined by dots.
#[derive(Clone, Debug, Default)]
pub(in crate::codegen) struct Renames {
    pub(in crate::codegen) names: HashMap<String, String>,
    /// The paths that were asked for.
    pub(in crate::codegen) used: HashSet<String>,
}

impl Renames {
    /// The name for a path, if it was given one.
    pub(in crate::codegen) fn get(&mut self, path: &[&str]) -> Option<String> {
        if self.names.is_empty() {
            return None;
        }
        let path = path.join(".");
        let name = self.names.get(&path)?;
        self.used.insert(path);
        Some(name.clone())
    }

    /// The name of the field for the last key of a path. A key that has none is a problem.
    pub(in crate::codegen) fn field(&mut self, path: &[&str], at: Option<Span>, problems: &mut Vec<Problem>) -> String {
        let key = path.last().copied().unwrap_or_default();
        if let Some(name) = self.get(path).or_else(|| names::snake(key)) {
            return name;
        }
        let message = format!(
            "key {} cannot be a Rust field name; name it with `rename = {{ {:?}: {} }}`",
            beside(path, key),
            path.join("."),
            names::proposal(key)
        );
        problems.push(Problem { name: "name-invalid", message, at });
        // One that no other key has: it is told once.
        format!("unnamed_{}", problems.len())
    }
}

/// The last key of a path has the name that another key beside it has.
pub(in crate::codegen) fn collision(path: &[&str], other: &str, name: &str, at: Option<Span>) -> Problem {
    let message = format!(
        "keys {} and {} both become the field `{name}`; rename one with `rename = {{ {:?}: … }}`",
        beside(path, other),
        beside(path, path.last().copied().unwrap_or_default()),
        path.join(".")
    );
    Problem { name: "name-collision", message, at }
}

/// A key in the place of the last one of a path, in back quotes, with the path to it.
fn beside(path: &[&str], key: &str) -> String {
    let mut shown = String::new();
    let above = path.split_last().map_or(path, |(_, above)| above);
    above.iter().chain([&key]).for_each(|part| push_key(&mut shown, part));
    format!("`{shown}`")
}

/// What makes two structs one.
#[derive(PartialEq, Eq, Hash)]
struct Same {
    fields: Vec<FieldType>,
    /// Defaults differ by path, so these are never one.
    path: Option<String>,
}

/// Makes the types of constants that share them.
pub(in crate::codegen) struct Layout<'a, 'r> {
    pub(in crate::codegen) structs: Vec<Struct<'a>>,
    pub(in crate::codegen) problems: Vec<Problem>,
    renames: &'r mut Renames,
    /// Texts and lists are `Cow`, and structs of a schema have defaults.
    cow: bool,
    known: HashMap<Same, usize>,
    path: Vec<Rc<str>>,
}

impl<'a, 'r> Layout<'a, 'r> {
    pub(in crate::codegen) fn new(renames: &'r mut Renames, cow: bool) -> Layout<'a, 'r> {
        Layout { structs: Vec::new(), problems: Vec::new(), renames, cow, known: HashMap::new(), path: Vec::new() }
    }

    pub(in crate::codegen) fn part(&mut self, part: &Part) -> Ty {
        let ty = match &part.shape {
            Shape::Unknown if part.nullable => return Ty::Unit,
            Shape::Unknown | Shape::Value => return Ty::Value,
            Shape::Bool => Ty::Bool,
            Shape::Int(ints) if ints.large && ints.negative => return Ty::Value,
            Shape::Int(ints) if ints.large => Ty::U64,
            Shape::Int(_) => Ty::I64,
            Shape::Float => Ty::F64,
            Shape::Str => Ty::Str,
            Shape::Bytes => Ty::Bytes,
            Shape::Seq(item) => Ty::Slice(Box::new(self.part(item))),
            Shape::Map(item) => Ty::Map(Box::new(self.part(item))),
            Shape::Struct(fields) if fields.list.is_empty() => return Ty::Value,
            Shape::Struct(fields) => Ty::Struct(self.fields(fields)),
        };
        if part.nullable { Ty::Option(Box::new(ty)) } else { ty }
    }

    fn fields(&mut self, fields: &Fields) -> usize {
        let mut found = Vec::with_capacity(fields.list.len());
        let mut names: HashMap<String, Rc<str>> = HashMap::new();
        for field in &fields.list {
            self.path.push(field.key.clone());
            let path: Vec<&str> = self.path.iter().map(|part| &**part).collect();
            let name = self.renames.field(&path, field.at, &mut self.problems);
            if let Some(other) = names.insert(name.clone(), field.key.clone()) {
                self.problems.push(collision(&path, &other, &name, field.at));
            }
            let ty = self.part(&field.part);
            let ty =
                if fields.is_optional(field) && !matches!(ty, Ty::Option(_)) { Ty::Option(Box::new(ty)) } else { ty };
            found.push(FieldType { key: field.key.clone(), name, ty, docs: field.docs.clone() });
            self.path.pop();
        }
        let declared = fields.declared.filter(|_| self.cow);
        let path = declared.map(|_| self.path.join("."));
        let same = Same { fields: found, path };
        if let Some(known) = self.known.get(&same) {
            return *known;
        }
        let fields = same.fields.clone();
        let number = self.structs.len();
        self.structs.push(Struct { fields, declared, ..Struct::default() });
        self.known.insert(same, number);
        number
    }

    /// Gives names to all structs of a root, which has the name `name` itself if it is a struct. Says whether it is.
    pub(in crate::codegen) fn name(
        &mut self,
        name: &str,
        root: &Ty,
        (docs, origin): (Option<Rc<Docs>>, Origin<'a>),
        taken: &mut HashSet<String>,
    ) -> bool {
        let is_struct = matches!(root, Ty::Struct(_));
        let name = if is_struct { name.to_owned() } else { format!("{name}Item") };
        self.name_type(root, &Place { name, path: String::new(), docs }, origin, taken, is_struct);
        is_struct
    }

    fn name_type(&mut self, ty: &Ty, place: &Place, origin: Origin<'a>, taken: &mut HashSet<String>, exact: bool) {
        match ty {
            Ty::Option(inner) => {
                let node = origin.node.filter(|node| !node.is_null());
                self.name_type(inner, place, Origin { access: None, node }, taken, false);
            }
            Ty::Slice(inner) | Ty::Map(inner) => {
                self.name_type(inner, place, Origin::default(), taken, false);
            }
            Ty::Struct(number) => self.name_struct(*number, place, &origin, taken, exact),
            _ => {}
        }
    }

    #[allow(clippy::indexing_slicing, reason = "types have numbers of structs, of which none goes away")]
    fn name_struct(
        &mut self,
        number: usize,
        place: &Place,
        origin: &Origin<'a>,
        taken: &mut HashSet<String>,
        exact: bool,
    ) {
        if !self.structs[number].name.is_empty() {
            return;
        }
        let mut name = place.name.clone();
        let mut count = 1_u64;
        while !exact && taken.contains(&name) {
            count = count.saturating_add(1);
            name = format!("{}{count}", place.name);
        }
        taken.insert(name.clone());
        let known = &mut self.structs[number];
        (known.path, known.docs) = (place.path.clone(), place.docs.clone());
        known.default = known.declared.map(|declared| match (&origin.access, origin.node) {
            (Some(access), Some(_)) => DefaultOf::Constant(access.clone()),
            (None, Some(node)) => DefaultOf::Node(node),
            (_, None) => DefaultOf::Schema(declared),
        });
        known.name.clone_from(&name);
        for field in known.fields.clone() {
            let mut path = place.path.clone();
            push_key(&mut path, &field.key);
            let part = names::camel(field.name.trim_start_matches("r#"));
            let inner = Place { name: format!("{name}{part}"), path, docs: field.docs.clone() };
            let node = origin.node.and_then(|node| node.get(&field.key));
            let access = origin.access.as_ref().map(|access| format!("{access}.{}", field.name));
            self.name_type(&field.ty, &inner, Origin { access, node }, taken, false);
        }
    }
}

struct Place {
    /// What it is called unless that is taken.
    name: String,
    path: String,
    docs: Option<Rc<Docs>>,
}

/// What stands at a place of the constant to which types belong.
#[derive(Clone, Default)]
pub(in crate::codegen) struct Origin<'a> {
    /// The constant and the fields that lead there, if only fields do.
    pub(in crate::codegen) access: Option<String>,
    pub(in crate::codegen) node: Option<NodeRef<'a>>,
}

#[cfg(test)]
mod tests {
    use super::super::pattern::Patterns;
    use super::super::shape::Observer;
    use super::*;
    use crate::yaml::DocumentSet;

    /// The structs of a document as `Name { field: Type }`, and the problems.
    fn of(text: &str, renames: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let set = DocumentSet::parse("a.yml", text.as_bytes()).unwrap();
        let mut part = Part::default();
        Observer::new(&Patterns::default(), 1000).observe(&mut part, set.get(0).unwrap()).unwrap();
        let names = renames.iter().map(|(path, name)| ((*path).to_owned(), (*name).to_owned())).collect();
        let mut renames = Renames { names, ..Renames::default() };
        let mut layout = Layout::new(&mut renames, false);
        let root = layout.part(&part);
        layout.name("Root", &root, (None, Origin::default()), &mut HashSet::from(["RootTaken".to_owned()]));
        let show = |one: &Struct<'_>| {
            let fields: Vec<String> =
                one.fields.iter().map(|field| format!("{}: {:?}", field.name, field.ty)).collect();
            format!("{} {{ {} }}", one.name, fields.join(", "))
        };
        let structs = layout.structs.iter().map(show).collect();
        (structs, layout.problems.into_iter().map(|problem| problem.message).collect())
    }

    #[test]
    fn equal_structs_are_one_and_have_the_first_name() {
        let (structs, problems) =
            of("limits: {cpu: 1}\nrequests: {cpu: 2}\ntaken: {a: 1}\nlist:\n- {cpu: 1, x: [{b: z}]}\n", &[]);
        assert_eq!(
            structs,
            [
                "RootLimits { cpu: I64 }",
                "RootTaken2 { a: I64 }",
                "RootListX { b: Str }",
                "RootList { cpu: I64, x: Slice(Struct(2)) }",
                "Root { limits: Struct(0), requests: Struct(0), taken: Struct(1), list: Slice(Struct(3)) }",
            ]
        );
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn what_has_no_name_is_told_at_once() {
        let (_, problems) = of("web:\n  9p: 1\n  foo-bar: 1\n  foo_bar: 2\n  self: 3\n", &[]);
        assert_eq!(
            problems,
            [
                "key `web.9p` cannot be a Rust field name; name it with `rename = { \"web.9p\": n9p }`",
                "keys `web.foo-bar` and `web.foo_bar` both become the field `foo_bar`; rename one with `rename = { \"web.foo_bar\": … }`",
                "key `web.self` cannot be a Rust field name; name it with `rename = { \"web.self\": self_ }`",
            ]
        );
        let (structs, problems) =
            of("web: {9p: 1, a-b: 1, a_b: 2}\n", &[("web.9p", "nine_p"), ("web.a-b", "ab"), ("web", "site")]);
        assert_eq!(structs, ["RootSite { nine_p: I64, ab: I64, a_b: I64 }", "Root { site: Struct(0) }"]);
        assert!(problems.is_empty(), "{problems:?}");
    }
}
