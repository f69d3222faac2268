//! Packages outside of the workspace: copied to a temporary folder, built by cargo without network.
//!
//! All share one target folder, which is trybuild's too, so that the interpreter is compiled once, and one configuration
//! of cargo. It names C compilers that do not exist: that all these packages can be built shows that none is needed.
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
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a member of the workspace").to_path_buf()
}

/// The target folder of all packages outside of the workspace.
fn target() -> PathBuf {
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder below the target folder");
    own.join("tests").join("trybuild")
}

/// A folder outside of the workspace, the same at each run: cargo knows packages by their paths.
fn temporary() -> PathBuf {
    let mut hasher = DefaultHasher::new();
    target().hash(&mut hasher);
    std::env::temp_dir().join(format!("ytt-tests-{:016x}", hasher.finish()))
}

/// What cargo is told for all packages below the target folder, trybuild's too. No facts for debuggers: it is faster, and
/// the same units are used by all. The programs that compile C do not exist.
const CONFIG: &str = "[profile.dev]\ndebug = false\n\n[profile.dev.build-override]\ndebug = false\n\n\
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

/// What cargo said.
#[derive(Debug)]
pub struct Run {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    #[track_caller]
    pub fn succeeded(self) -> Run {
        assert!(self.success, "cargo failed:\n{}", self.stderr);
        self
    }

    #[track_caller]
    pub fn failed(self) -> Run {
        assert!(!self.success, "cargo succeeded:\n{}", self.stderr);
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
}

impl Consumer {
    /// Copies `tests/consumers/<name>`.
    pub fn new(name: &str) -> Consumer {
        Consumer::below(name, name)
    }

    /// Copies `tests/consumers/<name>` to a folder with another name.
    pub fn below(folder: &str, name: &str) -> Consumer {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("consumers").join(name);
        Consumer::copy(&from, folder, "")
    }

    /// Copies a folder of the workspace; `package` is the folder in it that cargo is called in.
    pub fn copy(from: &Path, name: &str, package: &str) -> Consumer {
        // A test that failed has left nothing that the next one could not replace.
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let root = temporary().join(name);
        if root.exists() {
            fs::remove_dir_all(&root).expect("the copy of an earlier run can be removed");
        }
        copy(from, &root, from);
        let package = if package.is_empty() { root.clone() } else { root.join(package) };
        let lock = package.join("Cargo.lock");
        fs::copy(workspace().join("Cargo.lock"), lock).expect("the lock file can be copied");
        Consumer { root, package, variables: BTreeMap::new(), _one: one }
    }

    /// `cargo build -v`.
    pub fn build(&self) -> Run {
        self.cargo(&["build", "-v"])
    }

    /// `cargo run`, with what the program printed.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let all: Vec<&str> = ["run", "-q", "--"].iter().chain(arguments).copied().collect();
        self.cargo(&all)
    }

    fn cargo(&self, arguments: &[&str]) -> Run {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        let (first, rest) = arguments.split_first().expect("a command of cargo");
        command.current_dir(&self.package).arg("--config").arg(prepare()).arg(first).arg("--offline").args(rest);
        for (name, _) in std::env::vars_os() {
            let shown = name.to_string_lossy();
            let of_outside = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_BUILD_", "CARGO_PROFILE_"];
            if shown.contains("RUSTFLAGS") || of_outside.iter().any(|start| shown.starts_with(start)) {
                command.env_remove(&name);
            }
        }
        command.env("CARGO_TARGET_DIR", target()).env("CARGO_INCREMENTAL", "0").env("CARGO_TERM_COLOR", "never");
        command.env("YTT_TRACE", self.trace_file()).envs(&self.variables);
        let output = command.output().expect("cargo can be started");
        Run {
            success: output.status.success(),
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
        self.root.with_extension("trace")
    }

    /// What macro and build script did since the last call: the second word of each line of the trace.
    pub fn trace(&self) -> Vec<String> {
        let text = fs::read_to_string(self.trace_file()).unwrap_or_default();
        let _ = fs::remove_file(self.trace_file());
        text.lines().filter_map(|line| line.split(' ').nth(1)).map(str::to_owned).collect()
    }

    /// Writes a file, with a time that is later than that of the last build.
    pub fn write(&self, name: &str, text: &str) {
        // Some file systems count whole seconds.
        std::thread::sleep(Duration::from_millis(1100));
        fs::write(self.root.join(name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) {
        fs::remove_file(self.root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Replaces text in a file. It must be there.
    #[track_caller]
    pub fn edit(&self, name: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.contains(old), "{name} has no `{old}`:\n{text}");
        self.write(name, &text.replace(old, new));
    }
}

/// Copies a folder; manifests are made independent of the workspace.
fn copy(from: &Path, to: &Path, top: &Path) {
    fs::create_dir_all(to).expect("a temporary folder");
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.expect("an entry of the folder");
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target, top);
        } else if entry.file_name() == "Cargo.toml" {
            let text = fs::read_to_string(&path).expect("a manifest");
            fs::write(target, manifest(&text, from, top)).expect("a temporary file");
        } else {
            fs::copy(&path, target).expect("a temporary file");
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
