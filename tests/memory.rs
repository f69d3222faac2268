//! How much memory inputs take: what a law of the fuzz targets allocates at most for each kept input, and what a render
//! takes of inputs that grow. An allocator that counts cannot be written without unsafe code: this one hands everything
//! to the system's.

#[path = "fuzz/src/lib.rs"]
mod laws;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use ytt_engine::{Format, Limits, Project};

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

impl Counting {
    fn more(bytes: usize) {
        let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
        MOST.fetch_max(now, Ordering::Relaxed);
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: each call is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counting::more(layout.size());
        // SAFETY: what the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Counting::more(layout.size());
        // SAFETY: what the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be there while what is in it moves.
        Counting::more(size);
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: what the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: what the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The most that was allocated at once while something works, beside what was there before.
fn most(work: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    work();
    MOST.load(Ordering::Relaxed).saturating_sub(before)
}

/// Bytes for a byte of what is read, printed or formatted.
const OF_DATA: usize = 50;
/// Bytes for a byte of code: the interpreter makes a tree of it, then instructions with their places, and keeps them.
const OF_CODE: usize = 1_000;
/// What a render takes whatever its input is: the interpreter, its built-in functions and modules.
const ALONE: usize = 4 << 20;
/// The limit `memory` of the renders of the laws: what programs may take that make much of little.
const MEMORY: usize = 16 << 20;

type Law = fn(&[u8]);

/// Each law with what its programs may take: those that run none have no limit to use up.
const TARGETS: [(&str, Law, usize); 9] = [
    ("call", laws::call, 0),
    ("committed", laws::committed, 0),
    ("format", laws::format, 0),
    ("modules", laws::modules, MEMORY),
    ("overlay", laws::overlay, MEMORY),
    ("program", laws::program, MEMORY),
    ("template", laws::template, MEMORY),
    ("text_template", laws::text_template, MEMORY),
    ("whole", laws::whole, MEMORY),
];

/// Inputs of some hundred thousand bytes, each with its file and what a byte of it may take.
fn grown() -> [(&'static str, &'static str, usize, String); 14] {
    let lines = |line: &str, count| line.repeat(count);
    [
        ("numbers", "a.yml", OF_DATA, lines("- 1\n", 100_000)),
        ("keys", "a.yml", OF_DATA, (0..40_000).map(|key| format!("k{key}: {key}\n")).collect()),
        ("maps", "a.yml", OF_DATA, lines("- name: a\n  value: b\n", 20_000)),
        ("documents", "a.yml", OF_DATA, lines("a: 1\n---\n", 40_000)),
        ("flow", "a.yml", OF_DATA, format!("[{}1]\n", lines("[], {}, ", 40_000))),
        ("quoted", "a.yml", OF_DATA, lines("- \"a\\n\"\n", 40_000)),
        ("block", "a.yml", OF_DATA, format!("a: |\n{}", lines("  text\n", 50_000))),
        ("comments", "a.yml", OF_DATA, format!("a: 1\n{}", lines("# comment\n", 40_000))),
        ("wrong", "a.yml", OF_DATA, lines("- a: [\n", 40_000)),
        ("annotations", "a.yml", OF_DATA, lines("#@yaml/map-key-override\na: 1\n", 10_000)),
        ("values", "a.yml", OF_CODE, lines("- #@ 1\n", 40_000)),
        ("statements", "a.yml", OF_CODE, format!("{}a: #@ x\n", lines("#@ x = 1\n", 40_000))),
        ("program", "a.star", OF_CODE, lines("x = [1]\n", 40_000)),
        ("text", "a.txt", OF_CODE, lines("line (@= \"x\" @)\n", 20_000)),
    ]
}

fn render(file: &str, text: &str) {
    let mut limits = Limits::build();
    (limits.steps, limits.memory, limits.nodes) = (None, None, None);
    let project = Project::new().limits(limits).file(file, text.as_bytes());
    let project = match file {
        "a.star" => project.file("b.yml", "#@ load(\"a.star\", \"x\")\na: #@ x\n"),
        _ => project,
    };
    match project.render() {
        Ok(rendered) => drop(rendered.to_text(Format::Yaml)),
        Err(error) => drop(error.to_report(false)),
    }
}

/// One test: others would be counted with it. What was found is printed, for `docs/reliability.md`.
#[test]
fn memory_is_bounded_by_the_input() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (target, law, memory) in TARGETS {
        // What is made once is not counted.
        law(b"");
        let mut largest = 0;
        for entry in fs::read_dir(corpus.join(target)).expect("the corpus") {
            let path = entry.expect("an entry").path();
            let input = fs::read(&path).expect("an input");
            let most = most(|| law(&input));
            let allowed = ALONE + memory + OF_DATA * input.len();
            assert!(most <= allowed, "{}: {most} bytes, more than {allowed}", path.display());
            largest = largest.max(most);
        }
        eprintln!("{target}: at most {largest} bytes");
    }
    for (name, file, times, text) in grown() {
        let most = most(|| render(file, &text));
        eprintln!("{name}: {} times {} bytes", most / text.len(), text.len());
        assert!(most <= ALONE + times * text.len(), "{name}: {most} bytes for {}", text.len());
    }
}
