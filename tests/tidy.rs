//! Rules about the sources that no build checks: which layer uses which, headers, sizes, leftovers.
//!
//! The architecture page gives the reasons. Exceptions stand in tables here, each with its reason; they may only shrink.
#![forbid(unsafe_code)]

#[path = "tidy/disk.rs"]
mod disk;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Modules of `ytt-engine`: layer, name, and what it may use within its layer. Lower layers may be used by all above.
const LAYERS: [(u8, &str, &[&str]); 25] = [
    (0, "caught", &[]),
    (0, "constant", &[]),
    (0, "nearest", &[]),
    (0, "quoted", &[]),
    (0, "regular", &[]),
    (0, "times", &[]),
    (1, "limits", &[]),
    (1, "lints", &[]),
    (1, "source", &[]),
    (1, "diag", &["limits", "lints", "source"]),
    (2, "yaml", &[]),
    (3, "call", &[]),
    (3, "files", &[]),
    (4, "template", &[]),
    (4, "overlay", &["template"]),
    (4, "validate", &["template"]),
    (5, "schema", &[]),
    (6, "eval", &[]),
    (7, "stdlib", &[]),
    (8, "library", &[]),
    (9, "error", &[]),
    (9, "explain", &["error"]),
    (9, "rendered", &["error", "explain"]),
    (9, "project", &["error", "rendered"]),
    (9, "codegen", &["error", "rendered", "project"]),
];

/// Files and folders inside of a module, lowest layer first: each uses those before it. Between blanks stand some that
/// use each other. The root of the module, `mod.rs`, is above all of them.
const INNER_LAYERS: [(&str, &[&str]); 2] = [
    (
        "eval",
        &[
            "text",
            "error keywords",
            // state: a budget finds its host, a host has open nodes, and a scope makes modules for the files of a host
            "budget host open scope",
            "messages",
            "advice",
            "trace",
            // values: each kind may hold any other
            "convert fragment kind numbers object repr",
            "arguments",
            "strings",
            "builtins",
            "build",
            "replace",
            // code that runs may load files, which are compiled and run
            "compile direct load straight",
            "session",
        ],
    ),
    (
        "overlay",
        &[
            "compare",
            "annotation",
            "marks",
            "matcher",
            "problem",
            "rules",
            "index",
            "target",
            "candidates",
            "outcome engine renames",
            "matches",
            "count",
            "select",
            "edit",
            "warn targets too_high old_key",
            "walk operation",
            "report",
        ],
    ),
];

/// Where the interpreter may be named.
const INTERPRETER: [&str; 3] = ["eval/", "stdlib/", "library/module.rs"];

/// Parts of `codegen` that work without the renderer: they use nothing but the lowest layer.
const WITHOUT_ENGINE: [&str; 3] = ["codegen/call/", "codegen/committed", "codegen/track"];

/// Files that define values of the interpreter, whose derives expand to unsafe impls.
const UNSAFE_DERIVES: [&str; 8] = [
    "eval/builtins/method.rs",
    "eval/builtins/mod.rs",
    "eval/fragment.rs",
    "eval/host.rs",
    "eval/load.rs",
    "eval/object.rs",
    "eval/strings/elems.rs",
    "library/module.rs",
];

/// Allocators of tests, one that counts and one that refuses memory: none can be written without. The command declares
/// `mallopt` of the C library, which is safe to call with any numbers.
const UNSAFE_WORDS: [&str; 3] =
    ["tests/memory.rs", "ytt-engine/src/bin/cargo-ytt/heap.rs", "ytt-engine/tests/refused.rs"];

/// Where texts of others are read: the interpreter's.
const READERS_OF_MESSAGES: &str = "eval/messages/";

/// Files that know quotes of both kinds, and the language whose strings they read or write.
const READERS_OF_STRINGS: [(&str, &str); 11] = [
    ("codegen/manifest.rs", "TOML"),
    ("overlay/report/nearest.rs", "YAML"),
    ("overlay/report/narrowed.rs", "Starlark, for what begins with a quote"),
    ("overlay/report/taken.rs", "YAML and Starlark, for literals that differ in letters only"),
    ("schema/braces.rs", "YAML"),
    ("schema/misfit.rs", "YAML"),
    ("schema/run_rules.rs", "YAML"),
    ("stdlib/toml/", "TOML"),
    ("template/scan.rs", "Starlark"),
    ("template/unfilled.rs", "YAML"),
    ("yaml/", "YAML"),
];

/// Modules below `yaml` that use only `core` and `alloc`: a program that renders nothing can have them.
const CORE_ONLY: [(&str, &str); 4] =
    [("resolve", "resolve.rs"), ("number", "number.rs"), ("quote", "quote/mod.rs"), ("write", "write.rs")];

const LINES: usize = 600;

struct File {
    /// Relative to the workspace, with `/`.
    name: String,
    text: String,
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a member of the workspace").to_path_buf()
}

/// Files of the workspace that end in one of `extensions`, in the order of their names.
fn files(extensions: &[&str]) -> Vec<File> {
    let root = workspace();
    let mut found = Vec::new();
    walk(&root, &mut |path| {
        if path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known)) {
            let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
            found.push(File { name, text });
        }
    });
    assert!(!found.is_empty(), "no files below {}", root.display());
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn walk(folder: &Path, visit: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry of the workspace").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() { walk(&path, visit) } else { visit(&path) }
    }
}

fn report(rule: &str, problems: &[String]) {
    let mut text = String::new();
    for problem in problems {
        let _ = writeln!(text, "  {problem}");
    }
    assert!(problems.is_empty(), "{rule}:\n{text}");
}

/// Each line of `file` for which `wrong` gives a word.
fn lines(file: &File, wrong: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    lines.filter_map(|(number, line)| Some(format!("{}:{}: {}", file.name, number + 1, wrong(line)?))).collect()
}

/// A file of the engine by its path below `src`; the command is a crate of its own.
fn engine(files: &[File]) -> impl Iterator<Item = (&str, &File)> {
    let below = |file: &File| file.name.starts_with("ytt-engine/src/") && !file.name.contains("/bin/");
    files.iter().filter(move |file| below(file)).map(|file| (&file.name["ytt-engine/src/".len()..], file))
}

/// Is a file of the engine for tests only?
fn is_test(name: &str) -> bool {
    name.ends_with("/tests.rs") || name.ends_with("/testing.rs") || name.contains("/tests/")
}

/// The code of a file without comments and without the module of tests at its end, each line with its number.
fn code(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_tests =
        |at: usize| lines[at] == "#[cfg(test)]" && lines.get(at + 1).is_some_and(|next| *next == "mod tests {");
    let end = (0..lines.len()).find(|at| is_tests(*at)).unwrap_or(lines.len());
    let numbered = lines[..end].iter().enumerate().map(|(at, line)| (at + 1, *line));
    numbered.filter(|(_, line)| !line.trim_start().starts_with("//")).collect()
}

/// Modules of the crate's root that a file names: through `crate::…`, or through as many `super::` as lead there.
fn used(name: &str, text: &str, roots: &BTreeMap<String, String>) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (line, path) in paths(name, text) {
        if let Some(first) = path.into_iter().next() {
            let module = roots.get(&first).cloned().unwrap_or(first);
            if found.last() != Some(&(line, module.clone())) {
                found.push((line, module));
            }
        }
    }
    found
}

/// Paths from the root of the crate that a file names through `crate::…` or `super::…`.
fn paths(name: &str, text: &str) -> Vec<(usize, Vec<String>)> {
    let own = name.strip_suffix("/mod.rs").or(name.strip_suffix(".rs")).unwrap_or(name);
    let own: Vec<String> = own.split('/').map(str::to_owned).collect();
    let (mut whole, mut starts) = (String::new(), Vec::new());
    for (number, line) in code(text) {
        starts.push((whole.len(), number));
        whole.push_str(line);
        whole.push('\n');
    }
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in whole.match_indices(start) {
            let before = whole[..at].chars().next_back().unwrap_or(' ');
            if before.is_alphanumeric() || matches!(before, '_' | '$' | ':') {
                continue;
            }
            let rest = whole[at..].trim_start_matches("super::");
            let depth = (whole.len() - at - rest.len()) / "super::".len();
            let base = if depth == 0 { &[] } else { &own[..own.len().saturating_sub(depth)] };
            let line = starts[starts.partition_point(|(start, _)| *start <= at) - 1].1;
            let mut named = Vec::new();
            expand(rest.trim_start_matches("crate::"), base, &mut named);
            found.extend(named.into_iter().map(|path| (line, path)));
        }
    }
    found
}

/// The paths of `a::b`, or of `{a::b, c::{d, e}, f}`; gives what stands behind.
fn expand<'t>(text: &'t str, base: &[String], found: &mut Vec<Vec<String>>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = expand(rest, base, found).trim_start();
            match rest.strip_prefix(',').map(str::trim_start) {
                Some(next) if !next.starts_with('}') => rest = next,
                next => return next.unwrap_or(rest).strip_prefix('}').unwrap_or_default(),
            }
        }
    }
    let name = first_name(text);
    let (rest, mut path) = (&text[name.len()..], base.to_vec());
    if !name.is_empty() && name != "self" {
        path.push(name.to_owned());
    }
    match rest.strip_prefix("::") {
        Some(rest) if !name.is_empty() => expand(rest, &path, found),
        _ => {
            found.push(path);
            rest
        }
    }
}

fn first_name(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(text.len());
    &text[..end]
}

/// The names in front of `::`, but not those in texts.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("::").filter_map(|(end, _)| {
        let part = |character: char| character.is_alphanumeric() || character == '_';
        let start = line[..end].trim_end_matches(part).len();
        (!line[..start].ends_with('"')).then_some(&line[start..end])
    })
}

/// Names that the root of the engine gives again, and the modules that they come from.
fn root_names(root: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (_, line) in code(root) {
        let starts = ["pub use ", "pub(crate) use ", "pub(super) use "];
        let rest = starts.iter().find_map(|start| line.strip_prefix(start));
        let Some((module, given)) = rest.and_then(|rest| rest.split_once("::")) else { continue };
        let given = given.trim_matches(|character| matches!(character, '{' | '}' | ';'));
        names.extend(given.split(", ").map(|name| (name.to_owned(), module.to_owned())));
    }
    names
}

#[test]
fn layers_use_lower_layers_only() {
    let files = files(&["rs"]);
    let roots = engine(&files).find(|(name, _)| *name == "lib.rs").map(|(_, file)| root_names(&file.text));
    let roots = roots.expect("the root of the engine");
    let layer = |module: &str| LAYERS.iter().find(|(_, name, _)| *name == module);
    let mut problems = Vec::new();
    for (name, file) in engine(&files).filter(|(name, _)| *name != "lib.rs" && !is_test(name)) {
        let module = first_name(name);
        let Some((own, _, beside)) = layer(module) else {
            problems.push(format!("{name}: module `{module}` has no layer"));
            continue;
        };
        let alone = WITHOUT_ENGINE.iter().any(|part| name.starts_with(part));
        for (line, other) in used(name, &file.text, &roots) {
            let allowed = match layer(&other) {
                _ if other == module => true,
                Some((below, ..)) => (!alone || *below == 0) && (below < own || beside.contains(&other.as_str())),
                None => false,
            };
            if !allowed {
                problems.push(format!("{}:{line}: `{module}` uses `{other}`", file.name));
            }
        }
    }
    report("a module uses lower layers and its own parts only", &problems);
}

/// What the files of a module use of those above them in its layers.
fn against_inner_layers(
    module: &str,
    layers: &[&str],
    roots: &BTreeMap<String, String>,
    name: &str,
    text: &str,
) -> Vec<(usize, String)> {
    let layer = |part: &str| layers.iter().position(|names| names.split(' ').any(|name| name == part));
    let part = name.strip_prefix(module).map_or("", |rest| first_name(rest.trim_start_matches('/')));
    let Some(own) = layer(part) else {
        return vec![(1, format!("`{part}` has no layer"))];
    };
    let mut problems = Vec::new();
    for (line, path) in paths(name, text) {
        let [first, other, ..] = &path[..] else { continue };
        let other = roots.get(other).unwrap_or(other);
        if first == module && layer(other).is_none_or(|other| other > own) {
            problems.push((line, format!("`{part}` uses `{other}`")));
        }
    }
    problems
}

#[test]
fn files_of_a_module_use_those_below_them() {
    let files = files(&["rs"]);
    let mut problems = Vec::new();
    for (module, layers) in INNER_LAYERS {
        let root = engine(&files).find(|(name, _)| *name == format!("{module}/mod.rs"));
        let roots = root.map(|(_, file)| root_names(&file.text)).expect("the root of the module");
        let inside =
            |name: &str| name.strip_prefix(module).is_some_and(|rest| rest.starts_with('/') && rest != "/mod.rs");
        for (name, file) in engine(&files).filter(|(name, _)| inside(name) && !is_test(name)) {
            let found = against_inner_layers(module, layers, &roots, name, &file.text);
            problems.extend(found.into_iter().map(|(line, problem)| format!("{}:{line}: {problem}", file.name)));
        }
    }
    report("a file uses its own layer and those below it", &problems);
}

#[test]
fn a_use_of_what_is_above_is_found() {
    let layers = ["low", "middle other", "top"];
    let roots = root_names("pub(crate) use low::{Given, Again};\n");
    let text = "use super::{low::A, top::{B, C}};\nuse crate::module::other::D;\nuse super::{Given, Root};\nuse crate::top::E;\n";
    let found = against_inner_layers("module", &layers, &roots, "module/middle.rs", text);
    let expected = [(1, "`middle` uses `top`"), (1, "`middle` uses `top`"), (3, "`middle` uses `Root`")];
    assert_eq!(found, expected.map(|(line, problem)| (line, problem.to_owned())));
    let below = against_inner_layers(
        "module",
        &layers,
        &roots,
        "module/top/inner/deep.rs",
        "use super::super::super::low::A;\n",
    );
    assert_eq!(below, []);
    let unknown = against_inner_layers("module", &layers, &roots, "module/new.rs", "");
    assert_eq!(unknown, [(1, "`new` has no layer".to_owned())]);
}

#[test]
fn paths_are_read_as_the_compiler_reads_them() {
    let text = "use crate::yaml::{Map, Value};\nuse crate::{\n    Error, diag::{self, Code},\n};\n// crate::no\n\
                pub(crate) fn a() -> crate::call::ValueHandle { super::super::files::b(super::c()) }\n\
                #[cfg(test)]\nmod tests {\n    use crate::library;\n}\n";
    let roots = root_names("pub use error::{Error, Result};\npub use limits::Limits;\n");
    let found = used("eval/host.rs", text, &roots);
    let expected = [(1, "yaml"), (2, "error"), (2, "diag"), (6, "call"), (6, "files"), (6, "eval")];
    assert_eq!(found, expected.map(|(line, name)| (line, name.to_owned())));
}

#[test]
fn the_interpreter_is_named_where_it_may_be() {
    let files = files(&["rs"]);
    let mut problems = Vec::new();
    for (name, file) in engine(&files).filter(|(name, _)| !is_test(name)) {
        if INTERPRETER.iter().any(|part| name.starts_with(part)) {
            continue;
        }
        for (line, text) in code(&file.text) {
            let text = text.trim();
            if names(text).any(|name| name.starts_with("starlark")) {
                problems.push(format!("{}:{line}: {}", file.name, text));
            }
        }
    }
    report("the interpreter is used by eval, stdlib and library/module.rs", &problems);
}

/// The compiler is asked, with these modules alone in a crate that has no `std`.
#[test]
fn scalars_are_read_and_written_without_std() {
    let folder = workspace().join("ytt-engine/src/yaml");
    let mut root = String::from("#![no_std]\nextern crate alloc;\nmod yaml {\n");
    for (module, file) in CORE_ONLY {
        let _ = writeln!(root, "#[path = {:?}]\npub(crate) mod {module};", folder.join(file));
    }
    root.push_str("}\n");
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("core-only");
    fs::create_dir_all(&out).expect("a folder for the crate");
    fs::write(out.join("lib.rs"), root).expect("the crate is written");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let done = Command::new(compiler)
        .args(["--edition=2024", "--crate-type=lib", "--crate-name=core_only", "--emit=metadata", "--cap-lints=allow"])
        .arg("--out-dir")
        .arg(&out)
        .arg(out.join("lib.rs"))
        .output()
        .expect("the compiler runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Does a line decide by what a diagnostic says: by its message, a step, a label, a note or a help? The text of a step or
/// note is private to it and is had by `text()`; that of labels and helps is a field.
fn reads_what_is_said(line: &str) -> bool {
    let ways = ["starts_with", "ends_with", "contains", "strip_prefix", "strip_suffix", "split_once", "rsplit_once"];
    let texts = ["message()", ".message", "full_message()", ".text", ".text()"];
    let compared = ["message()", "message", "step.text()", "note.text()", "label.text", "help.text"];
    texts.iter().any(|text| ways.iter().any(|way| line.contains(&format!("{text}.{way}("))))
        || compared.iter().any(|text| line.contains(&format!("{text} ==")) || line.contains(&format!("== {text}")))
}

/// What happened is data: nothing is decided by what is said of it.
#[test]
fn messages_are_for_people() {
    let files = files(&["rs"]);
    let mut problems = Vec::new();
    for (name, file) in engine(&files).filter(|(name, _)| !is_test(name)) {
        if !name.starts_with(READERS_OF_MESSAGES) {
            let found = code(&file.text).into_iter().filter(|(_, line)| reads_what_is_said(line));
            problems.extend(found.map(|(line, text)| format!("{}:{line}: {}", file.name, text.trim())));
        }
    }
    report("ask a diagnostic for its fact, its code or a kind, not for a text", &problems);
}

#[test]
fn decisions_by_texts_are_found() {
    for (line, expected) in [
        ("helps.retain(|help| help.text.starts_with(\"did you mean\"));", true),
        ("let known = helps.iter().find(|known| known.text == help.text);", true),
        ("steps.iter().position(|step| step.text().contains(\"load\"))", true),
        ("if note.text() == \"found: x\" {", true),
        ("if problem.full_message().ends_with(TAIL) {", true),
        ("steps.iter().position(|step| step.kind == StepKind::Load)", false),
        ("labels.iter().find(|label| label.text.is_empty())", false),
    ] {
        assert_eq!(reads_what_is_said(line), expected, "{line}");
    }
}

/// Code is read by the scanner of templates alone: what looks for quotes of either kind reads strings of some language.
#[test]
fn one_scanner_reads_code() {
    let is_quotes = |line: &str| {
        let has = |text: &str| line.contains(text);
        has(r#"'"'"#)
            && has(r"'\''")
            && (has("matches!") || has("=>") || has("trim") || has("starts_with") || has("=="))
    };
    let files = files(&["rs"]);
    let mut problems = Vec::new();
    for (name, file) in engine(&files).filter(|(name, _)| !is_test(name)) {
        if !READERS_OF_STRINGS.iter().any(|(part, _)| name.starts_with(part)) {
            let found = code(&file.text).into_iter().filter(|(_, line)| is_quotes(line));
            problems.extend(found.map(|(line, text)| format!("{}:{line}: {}", file.name, text.trim())));
        }
    }
    report("code is read by `template/scan.rs`", &problems);
}

#[test]
fn every_file_says_what_it_is_for() {
    let files = files(&["rs"]);
    let bare = files.iter().filter(|file| !file.text.starts_with("//! ")).map(|file| file.name.clone());
    report("line 1 is a `//!` header", &bare.collect::<Vec<_>>());
}

#[test]
fn files_are_short() {
    let count = |file: &File| file.text.lines().count();
    let files = files(&["rs"]);
    let long = files.iter().filter(|file| count(file) > LINES);
    let problems: Vec<String> = long.map(|file| format!("{}: {} lines", file.name, count(file))).collect();
    report("a file has at most 600 lines", &problems);
}

#[test]
fn nothing_is_left_over() {
    // Put together, so that this file does not find itself.
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("dbg", "!("),
        // With a reason it may be: a test that needs a program which not everybody has.
        concat!("#[ig", "nore]"),
        concat!("#[should", "_panic"),
        concat!("allow(un", "safe"),
    ];
    let find = |line: &str| words.iter().find(|word| line.contains(**word)).map(|word| format!("`{word}`"));
    let problems: Vec<String> = files(&["rs", "toml", "md"]).iter().flat_map(|file| lines(file, find)).collect();
    report("what is not done is not in the sources", &problems);
}

#[test]
fn unsafe_code_comes_from_derives_only() {
    let files = files(&["rs"]);
    let attribute = concat!("#![expect(un", "safe_code");
    let found: Vec<&str> =
        engine(&files).filter(|(_, file)| file.text.contains(attribute)).map(|(name, _)| name).collect();
    assert_eq!(found, UNSAFE_DERIVES, "files that may derive values of the interpreter");
    let others = files.iter().filter(|file| !file.name.starts_with("ytt-engine/src/") && file.text.contains(attribute));
    report("only the engine defines values", &others.map(|file| file.name.clone()).collect::<Vec<_>>());
    let is_unsafe = |line: &str| line.trim_start().starts_with("unsafe ");
    let others: Vec<&str> =
        files.iter().filter(|file| file.text.lines().any(is_unsafe)).map(|file| file.name.as_str()).collect();
    assert_eq!(others, UNSAFE_WORDS, "files that may have words of their own that are not checked");
    let root =
        |name: &str| files.iter().find(|file| file.name == name).map(|file| file.text.as_str()).unwrap_or_default();
    assert!(root("ytt-engine/src/lib.rs").contains("#![deny(unsafe_code)]"), "ytt-engine denies unsafe code");
    for name in ["ytt-macros/src/lib.rs", "ytt-build/src/lib.rs"] {
        assert!(root(name).contains("#![forbid(unsafe_code)]"), "{name} forbids unsafe code");
    }
}

#[test]
fn lines_have_no_blanks_at_their_end() {
    let blank = |line: &str| (line.trim_end_matches([' ', '\t', '\r']) != line).then(|| "blank at the end".to_owned());
    let files = files(&["rs", "toml", "md", "stderr"]);
    let mut problems: Vec<String> =
        files.iter().filter(|file| !file.name.ends_with(".stderr")).flat_map(|file| lines(file, blank)).collect();
    problems.extend(
        files.iter().filter(|file| !file.text.ends_with('\n')).map(|file| format!("{}: no last break", file.name)),
    );
    report("lines end with what is seen", &problems);
}

#[test]
fn imports_name_what_they_bring() {
    let glob = |line: &str| {
        let line = line.trim_start();
        let imports = line.starts_with("use ") || line.starts_with("pub use ") || line.starts_with("pub(crate) use ");
        (imports && line.ends_with("::*;") && line != "use super::*;").then(|| line.to_owned())
    };
    let problems: Vec<String> = files(&["rs"]).iter().flat_map(|file| lines(file, glob)).collect();
    report("no glob imports but `use super::*` in tests", &problems);
}

#[test]
fn no_path_of_a_machine_is_written_down() {
    let root = workspace().to_string_lossy().into_owned();
    let known = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/opt/", "ref"), root.as_str()];
    let find = |line: &str| {
        let starts =
            |at: usize| !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-/*$}".contains(before));
        known.iter().find(|path| line.match_indices(**path).any(|(at, _)| starts(at))).map(|path| format!("`{path}`"))
    };
    let files = files(&["rs", "toml", "md", "yml", "stderr", "txt", "star"]);
    let problems: Vec<String> = files.iter().flat_map(|file| lines(file, find)).collect();
    report("paths of a machine", &problems);
}
