//! What a builder was told, as a text that can stand in a file: so the command makes the file again without the script.

use std::path::{Path, PathBuf};

use super::call::{Attr, CallError, Item, Rename, SourceKind, Text, parse_items};
use super::items::{Expanded, Place, expand};
use super::plan::{Failure, with_lints};
use crate::diag::Voice;
use crate::quoted::{self, Json};
use crate::yaml::{DocumentSet, Map, NodeRef};
use crate::{Level, Limits, Project, Rendered, Value};

/// What a builder was told.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// Files and folders, in order.
    pub inputs: Vec<PathBuf>,
    /// Files in memory: name and text.
    pub files: Vec<(String, Vec<u8>)>,
    /// Data values of code: a key, or no key for a map.
    pub values: Vec<(Option<String>, Value)>,
    /// Data values read as YAML: key and text.
    pub values_yaml: Vec<(String, String)>,
    /// Data values that are texts of files: key and path.
    pub value_files: Vec<(String, PathBuf)>,
    /// Files and folders of data values.
    pub values_files: Vec<PathBuf>,
    /// File marks.
    pub marks: Vec<String>,
    /// Names of what is switched on.
    pub flags: Vec<String>,
    /// Destinations of links.
    pub symlinks: Vec<PathBuf>,
    /// Bounds, where they are not those of a build.
    pub limits: Option<Limits>,
    /// Levels of lints, in order.
    pub lints: Vec<(String, Level)>,
    /// Items, as the macro has them but for inputs.
    pub items: String,
    /// More derives for all types.
    pub derive: Vec<String>,
    /// Names by paths of keys.
    pub rename: Vec<(String, String)>,
    /// Patterns of paths.
    pub maps: Vec<String>,
    /// Texts and lists are `Cow`.
    pub cow: bool,
    /// What `ytt_engine` is called.
    pub crate_path: Option<String>,
}

/// Names of flags, as the builder's methods have them.
const FLAGS: [&str; 4] =
    ["strict", "ignore_unknown_comments", "implicit_map_key_overrides", "dangerous_data_values_disable_validation"];

const FORMAT: i64 = 1;

impl Recipe {
    /// The inputs as reports name them.
    pub fn title(&self) -> String {
        let paths = self.inputs.iter().map(|path| format!("`{}`", path.display()));
        let files = self.files.iter().map(|(name, _)| format!("`{name}`"));
        paths.chain(files).collect::<Vec<_>>().join(" + ")
    }

    /// The items that it asks for, with what it says of their types.
    ///
    /// # Errors
    ///
    /// Every mistake in the text of the items.
    pub fn items(&self) -> Result<Vec<Item>, Vec<CallError>> {
        let span = proc_macro2::Span::call_site();
        let wrong = |name: &'static str, message: String| vec![CallError::new(name, span, message)];
        let tokens = self.items.parse().map_err(|_| wrong("syntax", "the items are not tokens of Rust".to_owned()))?;
        let mut items = parse_items(tokens)?;
        let text = |value: &str| Text { value: value.to_owned(), span, is_literal: true };
        let mut rename = Vec::new();
        for (key, name) in &self.rename {
            let ident =
                syn::parse_str(name).map_err(|_| wrong("rename-name", format!("`{name}` is no name of Rust")))?;
            rename.push(Rename { key: vec![key.clone()], span, name: ident });
        }
        let mut derives = Vec::new();
        for derive in &self.derive {
            let attribute = format!("#[derive({derive})] struct A;");
            let parsed: syn::DeriveInput =
                syn::parse_str(&attribute).map_err(|_| wrong("derive", format!("`{derive}` is no list of traits")))?;
            derives.extend(parsed.attrs.iter().map(Attr::of));
        }
        let inputs: Vec<Text> = self.inputs.iter().map(|path| text(&path.display().to_string())).collect();
        for item in &mut items {
            let (source, attributes) = match item {
                Item::Static(item) => (Some(&mut item.source), &mut item.attributes),
                Item::Module(item) => (Some(&mut item.source), &mut item.attributes),
                Item::Declared(item) => (None, &mut item.attributes),
            };
            attributes.extend(derives.iter().cloned());
            if let Some(source) = source {
                source.inputs.clone_from(&inputs);
                source.arguments.rename.clone_from(&rename);
                source.arguments.maps = self.maps.iter().map(|pattern| text(pattern)).collect();
                source.arguments.cow = self.cow;
            }
        }
        Ok(items)
    }

    /// The items made of a result.
    ///
    /// # Errors
    ///
    /// All problems of the items.
    pub fn expand(&self, result: &Rendered) -> Result<Expanded, Failure> {
        let items = self.items().map_err(Failure::of_call)?;
        expand(&items, Place::File, &|_| Ok(result.clone()))
    }

    /// The project that it describes; paths are relative to `package`. `lints` are levels that the command line sets
    /// beside.
    pub fn project(&self, package: &Path, lints: &[(String, Level)]) -> Project {
        let project = Project::new().on_print(|_| {}).spoken(Voice::Builder).base_dir(package);
        let project = self.inputs.iter().fold(project, |project, path| project.read(path));
        let project = self.files.iter().fold(project, |project, (name, text)| project.file(name, text.clone()));
        let project = self.values.iter().fold(project, |project, (key, value)| match key {
            Some(key) => project.data_value(key, value.clone()),
            None => project.data_values_map(value.clone()),
        });
        let project = self.values_yaml.iter().fold(project, |project, (key, text)| project.data_value_yaml(key, text));
        let project = self.value_files.iter().fold(project, |project, (key, path)| project.data_value_file(key, path));
        let project = self.values_files.iter().fold(project, |project, path| project.data_values_file(path));
        let project = self.marks.iter().fold(project, |project, mark| project.file_mark(mark.as_str()));
        let project = self.symlinks.iter().fold(project, |project, path| project.allow_symlink_destination(path));
        let is_on = |name: &str| self.flags.iter().any(|flag| flag == name);
        let project = project
            .strict(is_on(FLAGS[0]))
            .ignore_unknown_comments(is_on(FLAGS[1]))
            .implicit_map_key_overrides(is_on(FLAGS[2]))
            .dangerous_data_values_disable_validation(is_on(FLAGS[3]));
        let project = self.lints.iter().fold(project, |project, (code, level)| project.lint(code, *level));
        let project = with_lints(project, lints);
        let project = self.taken(project);
        match &self.limits {
            Some(limits) => project.limits(limits.clone()),
            None => project,
        }
    }

    /// A project of which Rust code takes what the items say: data values among them are used.
    pub fn taken(&self, project: Project) -> Project {
        let takes_values = |item: &Item| item.source().is_some_and(|source| source.kind == SourceKind::DataValues);
        match self.items().is_ok_and(|items| items.iter().any(takes_values)) {
            true => project.taking_values(),
            false => project,
        }
    }

    /// The recipe as JSON on one line.
    ///
    /// # Errors
    ///
    /// What of it depends on the machine, or has no JSON.
    pub fn to_json(&self) -> Result<String, String> {
        let mut map = Map::new();
        map.insert("format", FORMAT);
        let paths = |list: &[PathBuf]| list.iter().map(|path| path_text(path)).collect::<Result<Vec<_>, _>>();
        let mut add = |key: &str, list: Vec<Value>| {
            if !list.is_empty() {
                map.insert(key, list);
            }
        };
        add("inputs", paths(&self.inputs)?);
        let mut files = Vec::new();
        for (name, text) in &self.files {
            let text = String::from_utf8(text.clone()).map_err(|_| format!("the file `{name}` is not UTF-8"))?;
            files.push(Value::from([Value::from(name.as_str()), Value::from(text)]));
        }
        add("files", files);
        let pairs = |list: &[(String, String)]| {
            list.iter().map(|(key, text)| Value::from([key.as_str(), text.as_str()])).collect::<Vec<_>>()
        };
        add("values_yaml", pairs(&self.values_yaml));
        let mut value_files = Vec::new();
        for (key, path) in &self.value_files {
            value_files.push(Value::from([Value::from(key.as_str()), path_text(path)?]));
        }
        add("value_files", value_files);
        add("values_files", paths(&self.values_files)?);
        let texts = |list: &[String]| list.iter().map(|text| Value::from(text.as_str())).collect::<Vec<_>>();
        add("file_marks", texts(&self.marks));
        add("flags", texts(&self.flags));
        add("allow_symlink_destination", paths(&self.symlinks)?);
        add("derive", texts(&self.derive));
        add("rename", pairs(&self.rename));
        add("maps", texts(&self.maps));
        if !self.values.is_empty() {
            map.insert("values", self.values_json());
        }
        if let Some(limits) = self.limits.as_ref().filter(|limits| **limits != Limits::build()) {
            let one = |name: &&'static str| (*name, limits.get(name).map_or(Value::Null, Value::from));
            map.insert("limits", Limits::NAMES.iter().map(one).collect::<Map>());
        }
        if !self.lints.is_empty() {
            let one = |(code, level): &(String, Level)| Value::from([code.as_str(), level.as_str()]);
            map.insert("lints", self.lints.iter().map(one).collect::<Vec<_>>());
        }
        if self.cow {
            map.insert("cow", true);
        }
        if let Some(path) = &self.crate_path {
            map.insert("crate", path.as_str());
        }
        map.insert("items", self.items.as_str());
        let mut text = String::new();
        push_json(&mut text, &map.into(), Limits::build().depth)?;
        Ok(text)
    }

    /// A map where each key stands once; otherwise a list, in which a map of values has no key.
    fn values_json(&self) -> Value {
        let keys: Vec<&str> = self.values.iter().filter_map(|(key, _)| key.as_deref()).collect();
        let is_map = keys.len() == self.values.len()
            && keys.iter().enumerate().all(|(number, key)| !keys.iter().take(number).any(|before| before == key));
        if is_map {
            return self
                .values
                .iter()
                .map(|(key, value)| (key.as_deref().unwrap_or_default(), value.clone()))
                .collect::<Map>()
                .into();
        }
        let one = |(key, value): &(Option<String>, Value)| {
            let key = key.as_deref().map_or(Value::Null, Value::from);
            Value::from([key, value.clone()])
        };
        self.values.iter().map(one).collect::<Vec<_>>().into()
    }

    /// Reads what [`Recipe::to_json`] wrote.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Recipe, String> {
        let set = DocumentSet::parse("recipe", text.as_bytes()).map_err(|problem| problem.message().to_owned())?;
        let root = set.get(0).filter(|root| root.is_map()).ok_or("the recipe is no map")?;
        if root.get("format").and_then(NodeRef::as_i64) != Some(FORMAT) {
            return Err("the recipe was written by a newer version".to_owned());
        }
        let mut recipe = Recipe::default();
        for (key, value) in root.entries() {
            recipe.set(key.as_str().unwrap_or_default(), value)?;
        }
        Ok(recipe)
    }

    fn set(&mut self, key: &str, value: NodeRef<'_>) -> Result<(), String> {
        let wrong = || format!("`{key}` of the recipe cannot be read");
        let text = |node: NodeRef<'_>| node.as_str().map(str::to_owned).ok_or_else(wrong);
        let texts = || value.items().map(text).collect::<Result<Vec<String>, String>>();
        let paths =
            || value.items().map(|node| text(node).map(PathBuf::from)).collect::<Result<Vec<PathBuf>, String>>();
        let pair = |node: NodeRef<'_>| {
            let (first, second) = node.at(0).zip(node.at(1)).ok_or_else(wrong)?;
            Ok::<_, String>((text(first)?, text(second)?))
        };
        let pairs = || value.items().map(pair).collect::<Result<Vec<(String, String)>, String>>();
        let plain = |node: NodeRef<'_>| node.to_value().map_err(|problem| problem.message().to_owned());
        match key {
            "format" => {}
            "inputs" => self.inputs = paths()?,
            "files" => self.files = pairs()?.into_iter().map(|(name, text)| (name, text.into_bytes())).collect(),
            "values" if value.is_map() => {
                for (key, value) in value.entries() {
                    self.values.push((Some(text(key)?), plain(value)?));
                }
            }
            "values" => {
                for one in value.items() {
                    let (key, value) = one.at(0).zip(one.at(1)).ok_or_else(wrong)?;
                    let key = if key.is_null() { None } else { Some(text(key)?) };
                    self.values.push((key, plain(value)?));
                }
            }
            "values_yaml" => self.values_yaml = pairs()?,
            "value_files" => {
                self.value_files = pairs()?.into_iter().map(|(key, path)| (key, PathBuf::from(path))).collect();
            }
            "values_files" => self.values_files = paths()?,
            "file_marks" => self.marks = texts()?,
            "flags" => self.flags = texts()?,
            "allow_symlink_destination" => self.symlinks = paths()?,
            "derive" => self.derive = texts()?,
            "rename" => self.rename = pairs()?,
            "maps" => self.maps = texts()?,
            "limits" => {
                let mut limits = Limits::build();
                for (name, value) in value.entries() {
                    limits.set(name.as_str().unwrap_or_default(), value.as_u64());
                }
                self.limits = Some(limits);
            }
            "lints" => {
                let level =
                    |(code, word): (String, String)| Level::of(&word).map(|level| (code, level)).ok_or_else(wrong);
                self.lints = pairs()?.into_iter().map(level).collect::<Result<_, _>>()?;
            }
            "cow" => self.cow = value.as_bool().unwrap_or_default(),
            "crate" => self.crate_path = Some(text(value)?),
            "items" => self.items = text(value)?,
            _ => return Err(format!("`{key}` of the recipe is not known here: it was written by a newer version")),
        }
        Ok(())
    }
}

/// Writes JSON on one line, keys in their order: that of data values may show in a result.
fn push_json(out: &mut String, value: &Value, depth: u32) -> Result<(), String> {
    let Some(depth) = depth.checked_sub(1) else { return Err("a data value is nested too deeply".to_owned()) };
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Int(int) => out.push_str(&int.to_string()),
        Value::UInt(int) => out.push_str(&int.to_string()),
        Value::Float(float) if float.is_finite() => out.push_str(&format!("{float:?}")),
        Value::Float(float) => return Err(format!("the data value {float} has no JSON")),
        Value::Bytes(_) => return Err("a data value that is not UTF-8 has no JSON".to_owned()),
        Value::Str(text) => quoted::json(out, text, Json::Yaml),
        Value::Array(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                push_json(out, item, depth)?;
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (number, (key, item)) in map.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                let key = key.as_str().ok_or("a data value with a key that is no string has no JSON")?;
                quoted::json(out, key, Json::Yaml);
                out.push(':');
                push_json(out, item, depth)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

/// A path as a recipe has it.
fn path_text(path: &Path) -> Result<Value, String> {
    if path.is_absolute() {
        return Err(format!("`{}` is a path of this machine: write it relative to the package", path.display()));
    }
    let text = path.to_str().ok_or_else(|| format!("`{}` is not UTF-8", path.display()))?;
    // Where it separates nothing, it is a part of a name, and would separate elsewhere.
    if text.contains('\\') && !std::path::is_separator('\\') {
        return Err(format!("`{text}` has a backslash in a name: a recipe is read on every system"));
    }
    Ok(Value::from(text.replace('\\', "/")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn recipes_are_read_as_they_are_written() {
        let mut limits = Limits::build();
        limits.steps = None;
        limits.depth = 50;
        let texts = Value::from("\\ \" \n \u{85} \u{2028} é \u{1f600} \t");
        let values = Value::from(Map::from_iter([("z", Value::from([1, 2])), ("a", texts), ("f", Value::from(1.0))]));
        let recipe = Recipe {
            inputs: vec!["config".into(), "../overlays/prod".into()],
            files: vec![("a.yml".to_owned(), b"a: \"1\"\n".to_vec())],
            values: vec![(Some("replicas".to_owned()), Value::Int(3)), (None, values)],
            values_yaml: vec![("c".to_owned(), "[1]".to_owned())],
            value_files: vec![("d".to_owned(), "d.txt".into())],
            values_files: vec!["v.yml".into()],
            marks: vec!["a.yml:exclude=true".to_owned()],
            flags: vec!["strict".to_owned()],
            symlinks: vec!["x".into()],
            limits: Some(limits),
            items: "pub static A: A = data_values;".to_owned(),
            derive: vec!["PartialEq, serde::Serialize".to_owned()],
            rename: vec![("web.9p".to_owned(), "nine_p".to_owned())],
            maps: vec!["**.labels".to_owned()],
            lints: vec![("overlay::*".to_owned(), Level::Deny), ("all".to_owned(), Level::Warn)],
            cow: true,
            crate_path: Some("crate::ytt".to_owned()),
        };
        let text = recipe.to_json().unwrap();
        assert!(!text.contains('\n'), "{text}");
        let read = Recipe::from_json(&text).unwrap();
        assert_eq!(format!("{read:?}"), format!("{recipe:?}"));
        assert_eq!(read.items().unwrap().len(), 1);
    }

    #[test]
    fn what_the_design_shows() {
        let recipe = Recipe {
            inputs: vec!["config".into(), "overlays/prod".into()],
            values: vec![(Some("replicas".to_owned()), Value::Int(3))],
            items: "pub static CONFIG: Config = data_values;".to_owned(),
            ..Recipe::default()
        };
        let expected = "{\"format\":1,\"inputs\":[\"config\",\"overlays/prod\"],\"values\":{\"replicas\":3},\
                        \"items\":\"pub static CONFIG: Config = data_values;\"}";
        assert_eq!(recipe.to_json().as_deref(), Ok(expected));
        assert_eq!(recipe.title(), "`config` + `overlays/prod`");
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (text, expected) in [
            ("{\"format\":2}", "newer version"),
            ("{\"format\":1,\"later\":1}", "newer version"),
            ("[1]", "no map"),
            ("{\"format\":1,\"inputs\":[1]}", "`inputs` of the recipe cannot be read"),
        ] {
            let problem = Recipe::from_json(text).unwrap_err();
            assert!(problem.contains(expected), "{text}: {problem}");
        }
        let recipe = Recipe { inputs: vec!["/a".into()], ..Recipe::default() };
        assert!(recipe.to_json().unwrap_err().contains("a path of this machine"));
        let recipe = Recipe { inputs: vec!["a\\b".into()], ..Recipe::default() };
        match cfg!(windows) {
            true => assert!(recipe.to_json().unwrap().contains("a/b")),
            false => assert!(recipe.to_json().unwrap_err().contains("a backslash in a name")),
        }
    }

    #[test]
    fn values_keep_their_keys_and_kinds() {
        let values = [
            ("whole", Value::UInt(u64::MAX), "18446744073709551615"),
            ("none", Value::Null, "null"),
            ("on", Value::Bool(true), "true"),
            ("half", Value::Float(0.5), "0.5"),
        ];
        let text = values.clone().map(|(key, _, text)| format!("\"{key}\":{text}")).join(",");
        let values = values.map(|(key, value, _)| (Some(key.to_owned()), value)).to_vec();
        let recipe = Recipe { values, ..Recipe::default() };
        assert_eq!(recipe.to_json(), Ok(format!("{{\"format\":1,\"values\":{{{text}}},\"items\":\"\"}}")));
        assert_eq!(Recipe::from_json(&recipe.to_json().unwrap()).unwrap().values, recipe.values);
        for (value, expected) in [
            (Value::Float(f64::NAN), "the data value NaN has no JSON"),
            (Value::Float(f64::NEG_INFINITY), "the data value -inf has no JSON"),
            (Value::from([Value::Bytes(vec![0xff].into())]), "a data value that is not UTF-8 has no JSON"),
        ] {
            let recipe = Recipe { values: vec![(None, value)], ..Recipe::default() };
            assert_eq!(recipe.to_json(), Err(expected.to_owned()));
        }
        let recipe = Recipe { files: vec![("a.txt".to_owned(), vec![0xff])], ..Recipe::default() };
        assert_eq!(recipe.to_json(), Err("the file `a.txt` is not UTF-8".to_owned()));
    }

    #[test]
    fn a_project_has_what_a_recipe_says() {
        let schema = "#@data/values-schema\n---\nport: 80\nhost: \"\"\nlist: [0]\n";
        let template = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.port\nb: #@ data.values.host\nc: #@ data.values.list\n";
        let folder = Folder::with("recipe", [("in/schema.yml", schema), ("in/a.yml", template), ("host.txt", "web")]);
        let recipe = Recipe {
            inputs: vec!["in".into()],
            values: vec![
                (Some("port".to_owned()), Value::Int(1)),
                (None, Value::from(Map::from_iter([("list", Value::from([1, 2]))]))),
            ],
            value_files: vec![("host".to_owned(), "host.txt".into())],
            ..Recipe::default()
        };
        let text = |recipe: &Recipe| recipe.project(&folder, &[]).render()?.to_text(crate::Format::Yaml);
        assert_eq!(text(&recipe).unwrap(), "a: 1\nb: web\nc:\n- 1\n- 2\n");
        let limits = Limits { output_bytes: 10, ..Limits::build() };
        let error = text(&Recipe { limits: Some(limits), ..recipe }).unwrap_err().to_string();
        assert!(error.contains("output is larger than 10 bytes"), "{error}");
    }

    #[test]
    fn every_item_gets_what_the_recipe_says_of_types() {
        let recipe = Recipe {
            items: "static A: A = document; mod m = documents by kind; struct B { a: u8 }".to_owned(),
            derive: vec!["PartialEq, Eq".to_owned(), "Hash".to_owned()],
            maps: vec!["**.labels".to_owned()],
            cow: true,
            ..Recipe::default()
        };
        let items = recipe.items().unwrap();
        for item in &items {
            let attributes = match item {
                Item::Static(item) => &item.attributes,
                Item::Module(item) => &item.attributes,
                Item::Declared(item) => &item.attributes,
            };
            let derives: Vec<String> =
                attributes.iter().map(|one| one.arguments.to_string().replace(' ', "")).collect();
            assert_eq!(derives, ["PartialEq,Eq", "Hash"]);
        }
        let sources: Vec<_> = items.iter().filter_map(Item::source).collect();
        assert_eq!(sources.len(), 2);
        assert!(sources.iter().all(|source| source.arguments.cow && source.arguments.maps[0].value == "**.labels"));

        let wrong = |recipe: Recipe| recipe.items().unwrap_err().remove(0).message;
        let items = || "static A: A = document;".to_owned();
        let derive = vec!["a, )".to_owned()];
        assert_eq!(wrong(Recipe { items: items(), derive, ..Recipe::default() }), "`a, )` is no list of traits");
        let rename = vec![("a".to_owned(), "9p".to_owned())];
        assert_eq!(wrong(Recipe { items: items(), rename, ..Recipe::default() }), "`9p` is no name of Rust");
        assert_eq!(wrong(Recipe { items: "(".to_owned(), ..Recipe::default() }), "the items are not tokens of Rust");
    }
}
