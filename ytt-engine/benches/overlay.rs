//! How the cost of overlays grows: each doubling of the number of items should cost about twice as much.
//!
//! `cargo bench -p ytt-engine --bench overlay` prints the least of several turns for each size, of the whole render, and
//! the ratio of each doubling. Times are those of the processor where the system tells them (Linux), so that other work
//! on the machine counts less. Arguments choose cases by name.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ytt_engine::{Format, Limits, Project};

const TURNS: usize = 4;
const SIZES: [usize; 4] = [2_000, 4_000, 8_000, 16_000];
/// Levels of nesting; the limit is 1,000.
const DEPTHS: [usize; 4] = [120, 240, 480, 960];

const LOAD: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n";

/// Files of one case: what is overlaid, and the overlays.
type Case = fn(usize) -> (String, String);

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
    ("insert at array items by key", insert_array_items),
    ("insert at array items by index", insert_by_index),
    ("one insert at all array items", insert_all),
    ("append of array items", append),
    ("documents by subset", documents_by_subset),
    ("documents by and_op", documents_by_combination),
    ("insert and remove of documents", insert_documents),
    ("overlay.apply on map items", apply_map_items),
];

fn each(count: usize, mut line: impl FnMut(&mut String, usize)) -> String {
    let mut text = String::new();
    for number in 0..count {
        line(&mut text, number);
    }
    text
}

/// Numbers below `count` in another order.
fn shuffled(number: usize, count: usize) -> usize {
    (number * 7_919 + 13) % count
}

fn map(count: usize) -> String {
    each(count, |text, number| writeln!(text, "key-{number}: {{value: {number}}}").unwrap())
}

fn array(count: usize) -> String {
    each(count, |text, number| writeln!(text, "- name: n-{number}\n  value: {number}").unwrap())
}

fn on_all(count: usize, mut line: impl FnMut(&mut String, usize)) -> String {
    let body = each(count, |text, number| line(text, shuffled(number, count)));
    format!("{LOAD}#@overlay/match by=overlay.all\n---\n{body}")
}

fn array_by_key(count: usize) -> (String, String) {
    let item = |text: &mut String, number| {
        writeln!(text, "#@overlay/match by=\"name\"\n- name: n-{number}\n  value: 0").unwrap();
    };
    (array(count), on_all(count, item))
}

fn array_by_combination(count: usize) -> (String, String) {
    let item = |text: &mut String, number| {
        let by =
            format!("overlay.or_op(overlay.subset({{\"name\": \"n-{number}\"}}), overlay.subset({{\"name\": 1}}))");
        writeln!(text, "#@overlay/match by={by}\n- value: 0").unwrap();
    };
    (array(count), on_all(count, item))
}

fn map_items(count: usize) -> (String, String) {
    (map(count), on_all(count, |text, number| writeln!(text, "key-{number}:\n  value: 0").unwrap()))
}

fn new_map_items(count: usize) -> (String, String) {
    let item = |text: &mut String, number| {
        writeln!(text, "#@overlay/match missing_ok=True\nnew-{number}: 1").unwrap();
    };
    (map(20), on_all(count, item))
}

fn replace_via(count: usize) -> (String, String) {
    let item = |text: &mut String, number| {
        writeln!(text, "#@overlay/replace via=lambda left, right: right\nkey-{number}: 0").unwrap();
    };
    (map(count), on_all(count, item))
}

fn remove_map_items(count: usize) -> (String, String) {
    (map(count), on_all(count, |text, number| writeln!(text, "#@overlay/remove\nkey-{number}:").unwrap()))
}

fn remove_array_items(count: usize) -> (String, String) {
    let item = |text: &mut String, number| {
        writeln!(text, "#@overlay/match by=\"name\"\n#@overlay/remove\n- name: n-{number}").unwrap();
    };
    (array(count), on_all(count, item))
}

fn remove_by_index(count: usize) -> (String, String) {
    let item = |text: &mut String, _| {
        writeln!(text, "#@overlay/match by=overlay.index(0)\n#@overlay/remove\n-").unwrap();
    };
    (array(count), on_all(count, item))
}

fn remove_all(count: usize) -> (String, String) {
    let item = "#@overlay/match by=overlay.all, expects=\"0+\"\n#@overlay/remove\n-\n";
    (array(count), format!("{LOAD}#@overlay/match by=overlay.all\n---\n{item}"))
}

fn insert_array_items(count: usize) -> (String, String) {
    let item = |text: &mut String, number| {
        let annotations = "#@overlay/match by=overlay.subset({\"name\": \"n-";
        writeln!(text, "{annotations}{number}\"}})\n#@overlay/insert after=True\n- name: m-{number}").unwrap();
    };
    (array(count), on_all(count, item))
}

fn insert_by_index(count: usize) -> (String, String) {
    let item = |text: &mut String, number| {
        writeln!(text, "#@overlay/match by=overlay.index({number})\n#@overlay/insert before=True\n- {number}").unwrap();
    };
    (array(count), on_all(count, item))
}

fn insert_all(count: usize) -> (String, String) {
    let item = "#@overlay/match by=overlay.all, expects=\"0+\"\n#@overlay/insert before=True\n- 1\n";
    (array(count), format!("{LOAD}#@overlay/match by=overlay.all\n---\n{item}"))
}

fn append(count: usize) -> (String, String) {
    (array(20), on_all(count, |text, number| writeln!(text, "#@overlay/append\n- name: m-{number}").unwrap()))
}

fn documents(count: usize) -> String {
    each(count, |text, number| {
        writeln!(text, "---\nkind: Deployment\nmetadata:\n  name: web-{number}\nspec:\n  replicas: 1").unwrap();
    })
}

fn documents_by_subset(count: usize) -> (String, String) {
    let overlays = each(count, |text, number| {
        let name = shuffled(number, count);
        let by = format!("overlay.subset({{\"kind\": \"Deployment\", \"metadata\": {{\"name\": \"web-{name}\"}}}})");
        writeln!(text, "#@overlay/match by={by}\n---\nspec:\n  replicas: 2").unwrap();
    });
    (documents(count), format!("{LOAD}{overlays}"))
}

fn documents_by_combination(count: usize) -> (String, String) {
    let overlays = each(count, |text, number| {
        let name = shuffled(number, count);
        let by = format!("overlay.and_op(overlay.not_op(overlay.subset({{\"a\": 1}})), named(\"web-{name}\"))");
        writeln!(text, "#@overlay/match by={by}\n---\nspec:\n  replicas: 2").unwrap();
    });
    let named = "#@ def named(name):\n#@   return overlay.subset({\"metadata\": {\"name\": name}})\n#@ end\n";
    (documents(count), format!("{LOAD}{named}{overlays}"))
}

fn insert_documents(count: usize) -> (String, String) {
    let overlays = each(count / 2, |text, number| {
        let by = |name| format!("#@overlay/match by=overlay.subset({{\"metadata\": {{\"name\": \"web-{name}\"}}}})");
        let (one, other) = (shuffled(number, count / 2), count / 2 + shuffled(number, count / 2));
        writeln!(text, "{}\n#@overlay/insert before=True\n---\nspec: {number}", by(one)).unwrap();
        writeln!(text, "{}\n#@overlay/remove\n---", by(other)).unwrap();
    });
    (documents(count), format!("{LOAD}{overlays}"))
}

fn apply_map_items(count: usize) -> (String, String) {
    let right = each(count, |text, number| writeln!(text, "key-{}: 0", shuffled(number, count)).unwrap());
    let text = format!(
        "{LOAD}#@ def left():\n{}#@ end\n#@ def right():\n#@overlay/match-child-defaults expects=1\n{right}#@ end\n---\n#@ overlay.apply(left(), right())\n",
        map(count)
    );
    (text, String::from("#@ 1\n"))
}

/// Maps in maps: all levels are overlaid, and the innermost value is replaced.
fn nested(depth: usize) -> (String, String) {
    let nest = |value: &str| format!("{}{value}{}", "{k: ".repeat(depth - 2), "}".repeat(depth - 2));
    let lines = each(depth - 2, |text, level| writeln!(text, "{}k:", " ".repeat(level)).unwrap());
    let overlay = format!("{}{} w: 2\n", lines, " ".repeat(depth - 2));
    (format!("{}\n", nest("{w: 1}")), format!("{LOAD}#@overlay/match by=overlay.all\n---\n{overlay}"))
}

/// Time that this process spent on processors, in steps of 10 ms.
fn processor() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis(ticks.sum::<Option<u64>>()? * 10))
}

/// Renders until the time can be measured; the time of one render.
fn turn(files: &(String, String)) -> Duration {
    const LEAST: Duration = Duration::from_millis(300);
    let (clock, start) = (Instant::now(), processor());
    let mut count = 0;
    loop {
        render(files);
        count += 1;
        let spent = match (start, processor()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => clock.elapsed(),
        };
        if spent >= LEAST {
            return spent / count;
        }
    }
}

fn render(files: &(String, String)) {
    let mut limits = Limits::build();
    limits.output_bytes = 1 << 30;
    limits.steps = None;
    limits.seconds = None;
    let project = Project::new().file("left.yml", files.0.as_str()).file("overlay.yml", files.1.as_str());
    let project = project.limits(limits);
    let text = project.render().and_then(|rendered| rendered.to_text(Format::Yaml));
    black_box(text.unwrap_or_else(|error| panic!("{error}")).len());
}

fn measure(name: &str, sizes: [usize; 4], case: Case) -> f64 {
    let files = sizes.map(case);
    let mut least = [Duration::MAX; 4];
    for _ in 0..TURNS {
        for (least, files) in least.iter_mut().zip(&files) {
            *least = (*least).min(turn(files));
        }
    }
    let times = least.map(|time| time.as_secs_f64() * 1000.0);
    let ratios = [times[1] / times[0], times[2] / times[1], times[3] / times[2]];
    let shown = times.map(|time| format!("{time:8.1}")).join(" ");
    println!("{name:42} {shown} ms   x{:.2} x{:.2} x{:.2}", ratios[0], ratios[1], ratios[2]);
    ratios.into_iter().fold(0.0, f64::max)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` runs benches too: nothing is timed there.
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("benches run with `cargo bench`");
        return;
    }
    let chosen: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|part| name.contains(part.as_str()));
    let mut greatest: f64 = 0.0;
    println!("{:42} {}", "items", SIZES.map(|size| format!("{size:8}")).join(" "));
    for (name, case) in CASES.iter().filter(|(name, _)| wanted(name)) {
        greatest = greatest.max(measure(name, SIZES, *case));
    }
    if wanted("nesting") {
        println!("{:42} {}", "levels", DEPTHS.map(|depth| format!("{depth:8}")).join(" "));
        greatest = greatest.max(measure("nesting", DEPTHS, nested));
    }
    println!("greatest ratio of a doubling: {greatest:.2}");
}
