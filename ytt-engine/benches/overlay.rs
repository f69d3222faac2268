//! How the cost of overlays grows: each doubling of the number of items should cost about twice as much.
//!
//! `cargo bench -p ytt-engine --bench overlay` prints the time of the whole render for each size, less what a render of
//! nothing takes, and the ratio of each doubling. Arguments choose cases by name.
//!
//! Each time is the least of several processes that render once, as a build does: a page of memory that a process uses
//! for the first time costs about as much as what is then done with it. With the argument `warm` it is the least of many
//! renders in one process. Then the memory of small sizes stays there, in the cache and with the allocator, and that of
//! 16,000 items, 20 to 35 MB, does not, so that the last ratios are greater by up to a fifth.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use ytt_engine::{Format, Limits, Project};

const TURNS: usize = 12;
const SIZES: [usize; 4] = [2_000, 4_000, 8_000, 16_000];
/// Levels of nesting; the limit is 1,000.
const DEPTHS: [usize; 4] = [120, 240, 480, 960];

const LOAD: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n";

/// What is overlaid, and the overlays.
type Files = (String, String);
/// Makes the files of one case.
type Case = fn(usize) -> Files;

const CASES: &[(&str, Case)] = &[
    ("array items by key", array_by_key),
    ("array items by map_key in a combination", array_by_combination),
    ("map items", map_items),
    ("new map items", new_map_items),
    ("replace of map items by a function", replace_via),
    ("remove of map items", remove_map_items),
    ("remove of array items by key", remove_array_items),
    ("remove of array items by index", remove_by_index),
    ("one remove of all array items", remove_all),
    ("remove of array items two by two", remove_pairs),
    ("insert at array items by key", insert_array_items),
    ("insert at one, remove of two", insert_and_remove),
    ("insert at array items by index", insert_by_index),
    ("one insert at all array items", insert_all),
    ("append of array items", append),
    ("documents by subset", documents_by_subset),
    ("documents by subset, kind last", documents_by_subset_reversed),
    ("documents by and_op", documents_by_combination),
    ("insert and remove of documents", insert_documents),
    ("overlay.apply on map items", apply_map_items),
];

const NESTING: (&str, Case) = ("nesting", nested);
/// What each process pays first.
const NOTHING: (&str, Case) = ("nothing", |_| (String::from("a: 1\n"), String::from("#@ 1\n")));

fn each(count: usize, mut line: impl FnMut(&mut String, usize)) -> String {
    let mut text = String::new();
    for number in 0..count {
        line(&mut text, number);
    }
    text
}

/// Lines that a template repeats for `number`, which is each number below `count` once, in another order. A loop, since
/// the growth of overlays is meant here, not that of compiling programs of many lines.
fn repeated(count: usize, lines: &str) -> String {
    let step = 7_919;
    format!("#@ for turn in range({count}):\n#@ number = str((turn * {step} + 13) % {count})\n{lines}\n#@ end\n")
}

fn map(count: usize) -> String {
    each(count, |text, number| writeln!(text, "key-{number}: {{value: {number}}}").unwrap())
}

fn array(count: usize) -> String {
    each(count, |text, number| writeln!(text, "- name: n-{number}\n  value: {number}").unwrap())
}

/// An overlay on all documents, with items that a loop makes.
fn on_all(count: usize, lines: &str) -> String {
    format!("{LOAD}#@overlay/match by=overlay.all\n---\n{}", repeated(count, lines))
}

fn array_by_key(count: usize) -> Files {
    (array(count), on_all(count, "#@overlay/match by=\"name\"\n- name: #@ \"n-\" + number\n  value: 0"))
}

fn array_by_combination(count: usize) -> Files {
    let by = "overlay.or_op(overlay.subset({\"name\": \"n-\" + number}), overlay.subset({\"name\": 1}))";
    (array(count), on_all(count, &format!("#@overlay/match by={by}\n- value: 0")))
}

/// A key of the map, made by a loop.
const KEY: &str = "#@yaml/text-templated-strings\nkey-(@= number @):";

fn map_items(count: usize) -> Files {
    (map(count), on_all(count, &format!("{KEY}\n  value: 0")))
}

fn new_map_items(count: usize) -> Files {
    (String::from("a: 1\n"), on_all(count, &format!("#@overlay/match missing_ok=True\n{KEY} 1")))
}

fn replace_via(count: usize) -> Files {
    // To make a function costs more than the rest of a turn, so it is made once.
    let function = "#@ def right_of(left, right):\n#@   return right\n#@ end\n";
    (map(count), format!("{function}{}", on_all(count, &format!("#@overlay/replace via=right_of\n{KEY} 0"))))
}

fn remove_map_items(count: usize) -> Files {
    (map(count), on_all(count, &format!("#@overlay/remove\n{KEY}")))
}

fn remove_array_items(count: usize) -> Files {
    (array(count), on_all(count, "#@overlay/match by=\"name\"\n#@overlay/remove\n- name: #@ \"n-\" + number"))
}

fn remove_by_index(count: usize) -> Files {
    (array(count), on_all(count, "#@overlay/match by=overlay.index(0)\n#@overlay/remove\n-"))
}

fn remove_all(count: usize) -> Files {
    let item = "#@overlay/match by=overlay.all, expects=\"0+\"\n#@overlay/remove\n-\n";
    (array(count), format!("{LOAD}#@overlay/match by=overlay.all\n---\n{item}"))
}

/// Each name stands twice: so many items, and half as many overlays.
fn pairs(count: usize) -> String {
    each(count, |text, number| writeln!(text, "- name: n-{}\n  value: {number}", number / 2).unwrap())
}

fn remove_pairs(count: usize) -> Files {
    let by = "overlay.subset({\"name\": \"n-\" + number})";
    (pairs(count), on_all(count / 2, &format!("#@overlay/match by={by}, expects=2\n#@overlay/remove\n-")))
}

fn insert_and_remove(count: usize) -> Files {
    let by = |name| format!("#@overlay/match by=overlay.subset({{\"name\": \"n-\" + {name}}})");
    let insert = format!("{}\n#@overlay/insert after=True\n- name: #@ \"m-\" + number", by("number"));
    let insert = insert.replace("})\n", "}), expects=2\n");
    let other = format!("str(int(number) + {})", count / 4);
    let remove = format!("{}, expects=2\n#@overlay/remove\n-", by(&other));
    (pairs(count), on_all(count / 4, &format!("{insert}\n{remove}")))
}

fn insert_array_items(count: usize) -> Files {
    let by = "overlay.subset({\"name\": \"n-\" + number})";
    let item = format!("#@overlay/match by={by}\n#@overlay/insert after=True\n- name: #@ \"m-\" + number");
    (array(count), on_all(count, &item))
}

fn insert_by_index(count: usize) -> Files {
    let item = "#@overlay/match by=overlay.index(int(number))\n#@overlay/insert before=True\n- #@ number";
    (array(count), on_all(count, item))
}

fn insert_all(count: usize) -> Files {
    let item = "#@overlay/match by=overlay.all, expects=\"0+\"\n#@overlay/insert before=True\n- 1\n";
    (array(count), format!("{LOAD}#@overlay/match by=overlay.all\n---\n{item}"))
}

fn append(count: usize) -> Files {
    (array(20), on_all(count, "#@overlay/append\n- name: #@ \"m-\" + number"))
}

fn documents(count: usize) -> String {
    each(count, |text, number| {
        writeln!(text, "---\nkind: Deployment\nmetadata:\n  name: web-{number}\nspec:\n  replicas: 1").unwrap();
    })
}

fn documents_by_subset(count: usize) -> Files {
    documents_by(count, "overlay.subset({\"kind\": \"Deployment\", \"metadata\": {\"name\": \"web-\" + number}})")
}

fn documents_by_subset_reversed(count: usize) -> Files {
    documents_by(count, "overlay.subset({\"metadata\": {\"name\": \"web-\" + number}, \"kind\": \"Deployment\"})")
}

fn documents_by(count: usize, by: &str) -> Files {
    let overlays = repeated(count, &format!("#@overlay/match by={by}\n---\nspec:\n  replicas: 2"));
    (documents(count), format!("{LOAD}{overlays}"))
}

fn documents_by_combination(count: usize) -> Files {
    let by = "overlay.and_op(overlay.not_op(overlay.subset({\"a\": 1})), named(\"web-\" + number))";
    let overlays = repeated(count, &format!("#@overlay/match by={by}\n---\nspec:\n  replicas: 2"));
    let named = "#@ def named(name):\n#@   return overlay.subset({\"metadata\": {\"name\": name}})\n#@ end\n";
    (documents(count), format!("{LOAD}{named}{overlays}"))
}

fn insert_documents(count: usize) -> Files {
    let by = |name| format!("#@overlay/match by=overlay.subset({{\"metadata\": {{\"name\": \"web-\" + {name}}}}})");
    let insert = format!("{}\n#@overlay/insert before=True\n---\nspec: #@ number", by("number"));
    let remove = format!("{}\n#@overlay/remove\n---", by(&format!("str({} + int(number))", count / 2)));
    (documents(count), format!("{LOAD}{}", repeated(count / 2, &format!("{insert}\n{remove}"))))
}

fn apply_map_items(count: usize) -> Files {
    let right = repeated(count, &format!("{KEY} 0"));
    let text = format!(
        "{LOAD}#@ def left():\n{}#@ end\n#@ def right():\n{right}#@ end\n---\n#@ overlay.apply(left(), right())\n",
        map(count)
    );
    (text, String::from("#@ 1\n"))
}

/// Fifty times maps in maps: all levels are overlaid, and the innermost values are replaced. Then all is removed, since
/// indentation makes the text of nested maps grow with the square of the depth.
fn nested(depth: usize) -> Files {
    let nest = |value: &str| format!("{}{value}{}", "{k: ".repeat(depth - 3), "}".repeat(depth - 3));
    let maps = |value: &str| each(50, |text, number| writeln!(text, "n-{number}: {}", nest(value)).unwrap());
    let all = "#@overlay/match by=overlay.all\n";
    (maps("{w: 1}"), format!("{LOAD}{all}---\n{}{all}#@overlay/remove\n---\n", maps("{w: 2}")))
}

/// The least time of one render in this process, of as many as a third of a second holds: what else the machine does
/// only adds to it.
fn warm_turn(files: &Files) -> Duration {
    const ENOUGH: Duration = Duration::from_millis(300);
    let (begin, mut least) = (Instant::now(), Duration::MAX);
    while begin.elapsed() < ENOUGH {
        least = least.min(render(files));
    }
    least
}

/// The time of one render in a process of its own.
fn cold_turn(name: &str, size: usize) -> Result<Duration, Box<dyn Error>> {
    let output = Command::new(std::env::current_exe()?).args([ONCE, name, &size.to_string()]).output()?;
    let nanoseconds = std::str::from_utf8(&output.stdout)?.trim().parse();
    Ok(Duration::from_nanos(nanoseconds.map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?))
}

/// The argument with which a bench starts itself, before the name of a case and a size.
const ONCE: &str = "--once";

fn render(files: &Files) -> Duration {
    let mut limits = Limits::build();
    limits.output_bytes = 1 << 30;
    limits.steps = None;
    limits.seconds = None;
    let project = Project::new().file("left.yml", files.0.as_str()).file("overlay.yml", files.1.as_str());
    let project = project.limits(limits);
    let start = Instant::now();
    let text = project.render().and_then(|rendered| rendered.to_text(Format::Yaml));
    black_box(text.unwrap_or_else(|error| panic!("{error}")).len());
    start.elapsed()
}

/// The least time of one case, for each size.
fn least(name: &str, sizes: [usize; 4], case: Case, warm: bool) -> Result<[Duration; 4], Box<dyn Error>> {
    let files = if warm { sizes.map(case).to_vec() } else { Vec::new() };
    let mut least = [Duration::MAX; 4];
    for _ in 0..TURNS {
        for (number, least) in least.iter_mut().enumerate() {
            let time = if warm { warm_turn(&files[number]) } else { cold_turn(name, sizes[number])? };
            *least = (*least).min(time);
        }
    }
    Ok(least)
}

/// Measures one case; gives the greatest ratio of a doubling, of the time above `start`.
fn measure(name: &str, sizes: [usize; 4], case: Case, warm: bool, start: f64) -> Result<f64, Box<dyn Error>> {
    let times = least(name, sizes, case, warm)?.map(|time| milliseconds(time) - start);
    let ratios = [times[1] / times[0], times[2] / times[1], times[3] / times[2]];
    let shown = times.map(|time| format!("{time:8.1}")).join(" ");
    println!("{name:42} {shown} ms   x{:.2} x{:.2} x{:.2}", ratios[0], ratios[1], ratios[2]);
    Ok(ratios.into_iter().fold(0.0, f64::max))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let cases = || CASES.iter().map(|case| (case, SIZES)).chain([(&NESTING, DEPTHS), (&NOTHING, [0; 4])]);
    if let [once, name, size] = &arguments[..]
        && once == ONCE
    {
        let ((_, case), _) = cases().find(|((known, _), _)| known == name).ok_or("no such case")?;
        println!("{}", render(&case(size.parse()?)).as_nanos());
        return Ok(());
    }
    // `cargo test` runs benches too: nothing is timed there.
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("benches run with `cargo bench`");
        return Ok(());
    }
    let warm = arguments.iter().any(|argument| argument == "warm");
    let chosen: Vec<&String> =
        arguments.iter().filter(|argument| !argument.starts_with('-') && *argument != "warm").collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|part| name.contains(part.as_str()));
    let start = least(NOTHING.0, [0; 4], NOTHING.1, warm)?.map(milliseconds).into_iter().fold(f64::MAX, f64::min);
    println!("{:42} {start:8.1} ms, not counted below", NOTHING.0);
    let (mut greatest, mut shown): (f64, _) = (0.0, [0; 4]);
    for ((name, case), sizes) in cases().filter(|((name, _), sizes)| sizes[0] > 0 && wanted(name)) {
        if shown != sizes {
            shown = sizes;
            println!("{:42} {}", "items, or levels", sizes.map(|size| format!("{size:8}")).join(" "));
        }
        greatest = greatest.max(measure(name, sizes, *case, warm, start)?);
    }
    println!("greatest ratio of a doubling: {greatest:.2}");
    Ok(())
}
