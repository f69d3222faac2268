//! Packages outside of the workspace: copied to a temporary folder, built by cargo without network.
//!
//! All share one target folder, which is trybuild's too, so that the interpreter is compiled once, and one configuration
//! of cargo. So that their builds are not taken for each other's, each has a name of its own: cargo does not look at the
//! folder of a package that is a workspace by itself. It names C compilers that do not exist: that all these packages can be built shows that none is needed.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// One package at a time: they share names of files, and cargo would let the second wait anyway.
static ONE: Mutex<()> = Mutex::new(());

/// The root of the workspace under test.
pub fn workspace() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("ytt-engine").is_dir());
    above.expect("the tests are a member of the workspace").to_path_buf()
}

/// The target folder of all packages outside of the workspace.
fn target() -> PathBuf {
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder below the target folder");
    own.join("tests").join("trybuild")
}

/// A folder outside of the workspace, the same at each run: cargo knows packages by their paths.
fn temporary() -> PathBuf {
    let mut hasher = DefaultHasher::new();
    (target(), workspace()).hash(&mut hasher);
    std::env::temp_dir().join(format!("ytt-tests-{:016x}", hasher.finish()))
}

/// What cargo is told for all packages below the target folder, trybuild's too. No facts for debuggers, and nothing for
/// builds that change little: it is faster, smaller by a gigabyte, and the same units are used by all. The programs that compile C do not exist.
const CONFIG: &str = "[build]\nincremental = false\n\n[profile.dev]\ndebug = false\nstrip = true\n\n\
                      [profile.dev.build-override]\ndebug = false\nstrip = true\n\n\
                      [env]\nCC = { value = \"no-c-compiler\", force = true }\n\
                      CXX = { value = \"no-c-compiler\", force = true }\nAR = { value = \"no-archiver\", force = true }\n";

/// Writes the settings of cargo where it finds them from any folder below the target folder.
pub fn prepare() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let file = target().join(".cargo").join("config.toml");
        if fs::read_to_string(&file).is_ok_and(|text| text == CONFIG) {
            return file;
        }
        fs::create_dir_all(target().join(".cargo")).expect("a folder below the target folder");
        fs::write(&file, CONFIG).expect("a file below the target folder");
        file
    })
}

/// A copy of a package, which may be changed.
pub struct Consumer {
    root: PathBuf,
    package: PathBuf,
    variables: BTreeMap<String, String>,
    _one: MutexGuard<'static, ()>,
}

/// How often cargo ran what belongs to the package itself: its build script, and the compiler for its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Did {
    pub script: usize,
    pub rustc: usize,
}

/// What cargo said.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    #[track_caller]
    pub fn succeeded(self) -> Run {
        assert!(self.code == 0, "cargo failed:\n{}\n{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub fn failed(self) -> Run {
        assert!(self.code != 0, "cargo succeeded:\n{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Looks for each text in what was said, in this order.
    #[track_caller]
    pub fn says(self, texts: &[&str]) -> Run {
        let mut rest = self.stderr.as_str();
        for text in texts {
            let at =
                rest.find(text).unwrap_or_else(|| panic!("`{text}` is not said (in this order):\n{}", self.stderr));
            rest = &rest[at + text.len()..];
        }
        self
    }

    #[track_caller]
    pub fn says_not(self, texts: &[&str]) -> Run {
        for text in texts {
            assert!(!self.stderr.contains(text), "`{text}` is said:\n{}", self.stderr);
        }
        self
    }

    /// What was run for packages whose names begin with `consumer`; cargo must have been told `-v`.
    pub fn did(&self) -> Did {
        let runs = || self.stderr.lines().filter_map(|line| line.trim_start().strip_prefix("Running `"));
        Did {
            script: runs().filter(|line| line.contains("/build/consumer") && line.ends_with("-build`")).count(),
            rustc: runs().filter(|line| line.contains("--crate-name consumer")).count(),
        }
    }

    /// The values of a key, texts or lists of texts, in the lines of `--message-format=json` of a kind.
    pub fn messages(&self, reason: &str, key: &str) -> Vec<String> {
        let (reason, key) = (format!("{{\"reason\":\"{reason}\","), format!("\"{key}\":"));
        let lines = self.stdout.lines().filter(|line| line.starts_with(&reason));
        let value = |line: &str| {
            let rest = line.split_once(&key)?.1;
            let end = if rest.starts_with('[') { "]" } else { "\"" };
            rest[1..].split(end).next().map(str::to_owned)
        };
        lines.filter_map(value).collect()
    }
}

impl Consumer {
    /// Copies `tests/consumers/<name>`.
    pub fn new(name: &str) -> Consumer {
        Consumer::of(name, &[name])
    }

    /// Copies folders of `tests/consumers` into one that is named `folder`; of a file that several have the last counts.
    pub fn of(folder: &str, names: &[&str]) -> Consumer {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("consumers");
        let folders: Vec<PathBuf> = names.iter().map(|name| from.join(name)).collect();
        Consumer::copied(&folders, folder, "")
    }

    /// Copies a folder of the workspace; `package` is the folder in it that cargo is called in.
    pub fn copy(from: &Path, name: &str, package: &str) -> Consumer {
        Consumer::copied(&[from.to_path_buf()], name, package)
    }

    /// A package whose files are given by their paths.
    pub fn with(folder: &str, files: &[(&str, &str)]) -> Consumer {
        let texts = files.iter().map(|(name, text)| (PathBuf::from(name), with_paths(text).into_bytes()));
        Consumer::made(texts.collect(), folder, "")
    }

    fn copied(folders: &[PathBuf], name: &str, package: &str) -> Consumer {
        let mut files = BTreeMap::new();
        for from in folders {
            collect(from, &mut files);
        }
        Consumer::made(files, name, package)
    }

    /// A folder with these files. All are newer than what an earlier copy was built of.
    fn made(mut files: BTreeMap<PathBuf, Vec<u8>>, name: &str, package: &str) -> Consumer {
        // A test that failed has left nothing that the next one could not replace.
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let root = temporary().join(name);
        let lock = fs::read(workspace().join("Cargo.lock")).expect("the lock file");
        files.insert(Path::new(package).join("Cargo.lock"), lock);
        let consumer = Consumer { package: root.join(package), root, variables: BTreeMap::new(), _one: one };
        if consumer.root.exists() {
            fs::remove_dir_all(&consumer.root).expect("the copy of an earlier test can be removed");
        }
        for (name, text) in files {
            let path = consumer.root.join(name);
            fs::create_dir_all(path.parent().expect("below the folder")).expect("a temporary folder");
            fs::write(path, text).expect("a temporary file");
        }
        let _ = fs::remove_file(consumer.trace_file());
        consumer
    }

    /// The folder of the copy.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The same copy, with cargo called in a folder of it.
    pub fn inside(mut self, folder: &str) -> Consumer {
        self.package = self.root.join(folder);
        self
    }

    /// The folder of what cargo builds for all packages, if it is not told a target.
    pub fn built(&self) -> PathBuf {
        target().join("debug")
    }

    /// Paths of all files of the copy, but for what git has.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        if self.root.is_dir() {
            walk(&self.root, Path::new(""), &mut found);
        }
        found.sort();
        found
    }

    /// Unpacks what `cargo package` has made below a folder of the copy; gives the folder of the package.
    pub fn unpack(&self, name: &str, folder: &str) -> PathBuf {
        let folder = self.root.join(folder);
        fs::create_dir_all(&folder).expect("a temporary folder");
        let package = target().join("package").join(name);
        let done =
            Command::new("tar").arg("-xf").arg(&package).arg("-C").arg(&folder).status().expect("tar can be started");
        assert!(done.success(), "{} cannot be unpacked", package.display());
        folder.join(name.trim_end_matches(".crate"))
    }

    /// `cargo build -v`.
    pub fn build(&self) -> Run {
        self.cargo(&["build", "-v"])
    }

    /// `cargo run -v`, with what the program printed.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let all: Vec<&str> = ["run", "-v", "--"].iter().chain(arguments).copied().collect();
        self.cargo(&all)
    }

    /// Cargo in the package, with one of its commands in front.
    pub fn cargo(&self, arguments: &[&str]) -> Run {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        let (first, rest) = arguments.split_first().expect("a command of cargo");
        // Behind the command: programs that stand for one, such as clippy, hand it on from there only.
        command.arg(first).arg("--config").arg(prepare()).arg("--offline").args(rest);
        self.start(command)
    }

    /// `cargo ytt` in the package: the command of the workspace under test.
    pub fn ytt(&self, arguments: &[&str]) -> Run {
        let mut command = Command::new(self.command());
        command.args(arguments);
        self.start(command)
    }

    /// The command, built as the packages are; `COMMAND_OF_TESTS` names one that is built already.
    fn command(&self) -> &'static Path {
        static FILE: OnceLock<PathBuf> = OnceLock::new();
        FILE.get_or_init(|| {
            if let Some(built) = std::env::var_os("COMMAND_OF_TESTS") {
                return built.into();
            }
            let manifest = workspace().join("Cargo.toml");
            let manifest = manifest.to_str().expect("a path that is text");
            let which = ["-p", "ytt-engine", "--features", "cli", "--bin", "cargo-ytt"];
            self.cargo(&[&["build", "--manifest-path", manifest][..], &which].concat()).succeeded();
            target().join("debug").join(format!("cargo-ytt{}", std::env::consts::EXE_SUFFIX))
        })
    }

    /// Any program in the package, with the variables that cargo gets.
    pub fn start(&self, mut command: Command) -> Run {
        command.current_dir(&self.package);
        for (name, _) in std::env::vars_os() {
            let shown = name.to_string_lossy();
            let of_outside = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_BUILD_", "CARGO_PROFILE_", "YTT_"];
            let is_of_outside = of_outside.iter().any(|start| shown.starts_with(start));
            if is_of_outside || shown.contains("RUSTFLAGS") || shown == "CI" {
                command.env_remove(&name);
            }
        }
        command.env("CARGO_TARGET_DIR", target()).env("CARGO_INCREMENTAL", "0").env("CARGO_TERM_COLOR", "never");
        command.env("YTT_TRACE", self.trace_file()).envs(&self.variables);
        let output = command.output().expect("the program can be started");
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Sets or removes an environment variable for what is called from now on.
    pub fn variable(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.variables.insert(name.to_owned(), value.to_owned()),
            None => self.variables.remove(name),
        };
    }

    fn trace_file(&self) -> PathBuf {
        let mut path = self.root.clone().into_os_string();
        path.push(".trace");
        path.into()
    }

    /// What macro and build script did since the last call: the second word of each line of the trace.
    pub fn trace(&self) -> Vec<String> {
        let text = fs::read_to_string(self.trace_file()).unwrap_or_default();
        let _ = fs::remove_file(self.trace_file());
        text.lines().filter_map(|line| line.split(' ').nth(1)).map(str::to_owned).collect()
    }

    /// Writes a file, with a time that is later than that of the last build.
    pub fn write(&self, name: &str, text: &str) {
        later();
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).unwrap_or_else(|error| panic!("{name}: {error}"));
        fs::write(path, with_paths(text)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Removes a file, or a folder with all that is in it.
    pub fn remove(&self, name: &str) {
        let path = self.root.join(name);
        let done = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        done.unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    pub fn rename(&self, old: &str, new: &str) {
        fs::rename(self.root.join(old), self.root.join(new)).unwrap_or_else(|error| panic!("{old}: {error}"));
    }

    /// Replaces text in a file. It must be there.
    #[track_caller]
    pub fn edit(&self, name: &str, old: &str, new: &str) {
        let text = self.read(name);
        assert!(text.contains(old), "{name} has no `{old}`:\n{text}");
        self.write(name, &text.replace(old, new));
    }
}

/// A manifest in a test: `$WORKSPACE` is the workspace under test.
fn with_paths(text: &str) -> String {
    text.replace("$WORKSPACE", &workspace().to_string_lossy())
}

/// Waits until the time of a file that is written now is later than that of the last build: some file systems count whole
/// seconds.
fn later() {
    std::thread::sleep(Duration::from_millis(1100));
}

/// Reads the files of a folder; manifests are made independent of the workspace.
fn collect(top: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let mut names = Vec::new();
    walk(top, Path::new(""), &mut names);
    for name in names {
        let path = top.join(&name);
        let mut bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if path.ends_with("Cargo.toml") {
            let text = String::from_utf8(bytes).expect("a manifest is UTF-8");
            bytes = manifest(&text, path.parent().unwrap_or(top), top).into_bytes();
        }
        found.insert(name, bytes);
    }
}

/// The names of all files below a folder, but for what git has.
fn walk(folder: &Path, below: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let entry = entry.expect("an entry of the folder");
        let (path, name) = (entry.path(), below.join(entry.file_name()));
        match path.is_dir() {
            true if entry.file_name() == ".git" => {}
            true => walk(&path, &name, found),
            false => found.push(name),
        }
    }
}

/// A manifest with paths that are still right elsewhere, and without keys that the workspace gives.
fn manifest(text: &str, folder: &Path, top: &Path) -> String {
    let shared = fs::read_to_string(workspace().join("Cargo.toml")).expect("the manifest of the workspace");
    let shared: Vec<&str> = shared.lines().skip_while(|line| *line != "[workspace.package]").skip(1).collect();
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !matches!(*line, "[lints]" | "workspace = true")) {
        if let Some(key) = line.strip_suffix(".workspace = true") {
            let value = shared.iter().find(|line| line.split(' ').next() == Some(key));
            lines.push((*value.unwrap_or_else(|| panic!("the workspace gives no `{key}`"))).to_owned());
        } else if let Some((start, rest)) = line.split_once("path = \"") {
            let (path, end) = rest.split_once('"').expect("the end of a path");
            let inside = folder.join(path).canonicalize().expect("a path dependency");
            if inside.starts_with(top.canonicalize().expect("a folder")) {
                lines.push(line.to_owned());
            } else {
                lines.push(format!("{start}path = {:?}{end}", inside.to_string_lossy()));
            }
        } else {
            lines.push(line.to_owned());
        }
    }
    if !lines.iter().any(|line| line == "[workspace]") && text.contains("dependencies]") {
        lines.push("\n[workspace]".to_owned());
    }
    lines.join("\n") + "\n"
}
