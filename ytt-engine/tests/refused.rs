//! Memory that is refused: each large request in turn, over ten renders that are written into a folder. A render then ends
//! with an error or as the standard library ends a process, and the folder is as it was, or as it is to be. An allocator
//! cannot be written without unsafe code: this one hands everything else to the system's.
#![cfg(unix)]

#[path = "support/folder.rs"]
mod folder;

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use folder::Folder;
use ytt_engine::{Limits, Project, WriteOptions};

/// What counts as large.
const LARGE: usize = 64 << 10;
const VARIABLE: &str = "YTT_REFUSED_CHILD";
/// Nothing is counted before a child begins.
const NOT_YET: usize = usize::MAX;
const SIGABRT: i32 = 6;

static SEEN: AtomicUsize = AtomicUsize::new(NOT_YET);
static REFUSED: AtomicUsize = AtomicUsize::new(0);

struct Refusing;

impl Refusing {
    fn refuses(size: usize) -> bool {
        if size < LARGE || SEEN.load(Ordering::Relaxed) == NOT_YET {
            return false;
        }
        SEEN.fetch_add(1, Ordering::Relaxed) + 1 == REFUSED.load(Ordering::Relaxed)
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

// SAFETY: each call is the system's, or gives null, by which an allocator says that there is no memory.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: what the caller promises.
        if Self::refuses(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: what the caller promises.
        if Self::refuses(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: what the caller promises.
        if Self::refuses(size) { std::ptr::null_mut() } else { unsafe { System.realloc(pointer, layout, size) } }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: what the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

const LOAD: &str = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n";

/// Ten renders, each of which needs memory in another way.
fn scene(number: usize) -> Project {
    let project = Project::new().limits(Limits::build()).on_print(|_| {});
    let list = |count: usize| (0..count).map(|one| format!("- name: n{one}\n  value: {one}\n")).collect::<String>();
    let code = |text: &str| project.clone().file("a.yml", format!("{LOAD}{text}"));
    match number {
        0 => project.file("a.yml", list(1_500)),
        1 => code("a: #@ \"x\" * 300000\n"),
        2 => code("#@ for i in range(1000):\n---\nname: #@ \"n\" + str(i)\n#@ end\n"),
        3 => code("a: #@ [i for i in range(10000)][9999]\n"),
        4 => {
            let overlay =
                "#@overlay/match by=overlay.all\n---\n#@overlay/match by=overlay.all, expects=\"1+\"\n- value: 1\n";
            project.file("a.yml", list(400)).file("o.yml", format!("{LOAD}{overlay}"))
        }
        5 => {
            let schema = format!("#@data/values-schema\n---\nitems:\n{}", list(1));
            let values = format!("#@data/values\n---\nitems:\n{}", list(500));
            code("a: #@ data.values.items\n").file("s.yml", schema).file("v.yml", values)
        }
        6 => project.file("t.txt", format!("{}(@= \"y\" * 100000 @)\n", "line\n".repeat(20_000))),
        7 => {
            let text = format!("[{}]", vec!["1"; 20_000].join(","));
            code("#@ load(\"@ytt:json\", \"json\")\na: #@ json.encode(json.decode(data.read(\"d.json\")))\n")
                .file("d.json", text)
        }
        8 => {
            let library = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"l\").eval())\n";
            project.file("a.yml", library).file("_ytt_lib/l/b.yml", list(500))
        }
        // An error, with its report.
        _ => code(&format!("a: #@ data.values.nowhere\nb: {}\n", "z".repeat(100_000))),
    }
}

const SCENES: usize = 10;

fn write(project: &Project, folder: &Path) -> Result<(), String> {
    let written = project.render().and_then(|rendered| rendered.write_to_with(folder, &WriteOptions::default()));
    written.map(drop).map_err(|error| error.to_report(false))
}

/// What a child does: the scene and the number of the request come by the variable.
#[test]
fn child() {
    let Ok(given) = std::env::var(VARIABLE) else { return };
    let [scene_number, refused, folder] = given.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{given}") };
    let project = scene(scene_number.parse().unwrap());
    REFUSED.store(refused.parse().unwrap(), Ordering::Relaxed);
    SEEN.store(0, Ordering::Relaxed);
    let done = write(&project, Path::new(folder));
    let seen = SEEN.swap(NOT_YET, Ordering::Relaxed);
    match done {
        Ok(()) => println!("\nseen {seen} done"),
        Err(report) => println!("\nseen {seen} failed\n{report}"),
    }
}

fn run(scene: usize, refused: usize, folder: &Path) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture", "--test-threads=1"]);
    command
        .env(VARIABLE, format!("{scene} {refused} {}", folder.display()))
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap()
}

/// What a child said at its end: the requests, and what came of the render.
fn said(output: &Output) -> Option<(usize, String)> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rest = text.split_once("\nseen ")?.1;
    let (seen, rest) = rest.split_once(' ')?;
    Some((seen.parse().ok()?, rest.to_owned()))
}

/// Names and contents; the folder in which a killed process has prepared files is none of them.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())).collect()
}

#[test]
fn refused_memory_is_an_error_or_an_orderly_end() {
    let (mut errors, mut aborts) = (0, 0);
    for scene in 0..SCENES {
        let folder = Folder::new("refused");
        let out = folder.join("out");
        let whole = run(scene, 0, &out);
        let (count, result) = said(&whole).unwrap_or_else(|| panic!("{scene}: {whole:?}"));
        assert_eq!(result.starts_with("failed"), scene == SCENES - 1, "{scene}: {result}");
        assert!(count > 0, "{scene}: no large request");
        let expected = files(&out);
        for refused in 1..=count {
            let _ = fs::remove_dir_all(&out);
            folder.write("out/a.yml", "old");
            let output = run(scene, refused, &out);
            let found = files(&out);
            let is_old = found.len() == 1 && found.get("a.yml").is_some_and(|text| text == b"old");
            let is_told = match (output.status.signal(), said(&output)) {
                (Some(SIGABRT), _) => {
                    aborts += 1;
                    String::from_utf8_lossy(&output.stderr).contains("memory allocation of")
                }
                (None, Some((_, result))) if result.starts_with("failed") => {
                    errors += 1;
                    true
                }
                // A request that may be refused: there is another way.
                (None, Some((_, result))) => result.starts_with("done") && !is_old,
                _ => false,
            };
            assert!(is_told, "{scene}: request {refused} of {count}: {output:?}");
            let has_all = expected.iter().all(|(name, text)| found.get(name) == Some(text));
            assert!(is_old || has_all, "{scene}: request {refused} of {count}: {:?}", found.keys());
        }
        println!("scene {scene}: {count} large requests");
    }
    println!("{errors} errors, {aborts} aborts");
    assert!(errors + aborts > 0);
}
