//! What kinds of work cost: the start, many files, schemas, overlays, loops, texts, fragments, JSON, plain YAML.
//!
//! `cargo bench -p ytt-engine --features cli,serde_yaml --bench work` runs the command as a process of its own on each
//! kind in three sizes, each twice the one before. It prints processor time, the ratio of the last doubling, the most
//! memory, and the time as a multiple of what `serde_yaml` takes in the same run for 1 MB of plain YAML, read and printed:
//! that ratio holds on a busy machine. Arguments choose kinds by a part of their names. `BESIDE=PATH` names another ytt, which
//! runs in turns with the command; how many times as long it takes, and its memory, stand at the end of each line. Linux only:
//! see `process.rs`.

mod inputs;
mod process;

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs of each size; the least counts.
const TURNS: usize = 5;
/// Processor time that one measure takes at least, in milliseconds: the clock has steps of 10.
const MEASURE: f64 = 200.0;

/// Files by their paths, for a size.
type Files = Vec<(String, String)>;

struct Kind {
    name: &'static str,
    /// The smallest size; the others are twice and four times as large.
    size: usize,
    files: fn(usize) -> Files,
    /// Are the results written into a folder?
    writes: bool,
}

const fn kind(name: &'static str, size: usize, files: fn(usize) -> Files) -> Kind {
    Kind { name, size, files, writes: false }
}

const KINDS: &[Kind] = &[
    kind("start: one line", 1, |_| one("a: 1\n")),
    kind("start: one line of code", 1, |_| one("a: #@ 1\n")),
    kind("files that load two helpers", 250, files_with_helpers),
    Kind { writes: true, ..kind("files written into a folder", 450, plain_files) },
    kind("keys of a schema, five value files", 1_000, schema),
    kind("overlay files over 150 documents", 50, overlays),
    kind("turns of loops without output", 25_000, loops),
    Kind { writes: true, ..kind("servers of a text template", 750, text) },
    kind("fragments, overlay.apply, template.replace", 500, fragments),
    kind("kB of plain YAML", 1_250, |size| one(&inputs::plain(size * 1_000))),
    kind("records of JSON, decoded and printed", 2_500, json),
    kind("Deployments from a loop", 500, |size| one(&inputs::template(size))),
];

fn one(text: &str) -> Files {
    vec![("a.yml".to_owned(), text.to_owned())]
}

fn files_with_helpers(size: usize) -> Files {
    let labels = "#@ def labels(name):\napp: #@ name\ntier: web\n#@ end\n";
    let image = "def image(name, tag=\"1\"):\n  return \"registry/\" + name + \":\" + tag\nend\n";
    let mut files = vec![("labels.lib.yml".to_owned(), labels.to_owned()), ("image.star".to_owned(), image.to_owned())];
    files.extend((0..size).map(|number| {
        let text = format!(
            "#@ load(\"labels.lib.yml\", \"labels\")\n#@ load(\"image.star\", \"image\")\n---\nkind: ConfigMap\nmetadata:\n  \
             name: c{number}\n  labels: #@ labels(\"c{number}\")\ndata:\n  image: #@ image(\"c{number}\")\n"
        );
        (format!("f{number}.yml"), text)
    }));
    files
}

fn plain_files(size: usize) -> Files {
    let file = |number: usize| {
        let text = format!("kind: ConfigMap\nmetadata:\n  name: c{number}\ndata:\n  text: number {number}\n");
        (format!("d{}/f{number}.yml", number % 20), text)
    };
    (0..size).map(file).collect()
}

fn schema(size: usize) -> Files {
    let group = |number: usize, value: usize| {
        let keys: String = (0..19).map(|key| format!("  k{key}: {}\n", value + key)).collect();
        format!("g{number}:\n{keys}")
    };
    let all = |value: usize, part: fn(usize) -> bool| -> String {
        (0..size / 20).filter(|number| part(*number)).map(|number| group(number, value)).collect()
    };
    let parts: [fn(usize) -> bool; 5] =
        [|at| at % 5 == 0, |at| at % 5 == 1, |at| at % 5 == 2, |at| at % 5 == 3, |at| at % 5 == 4];
    let read =
        "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.g0.k0\nb: #@ data.values.g1.k1\nc: #@ data.values.g2.k2\n";
    let mut files = vec![
        ("a.yml".to_owned(), read.to_owned()),
        ("schema.yml".to_owned(), format!("#@data/values-schema\n---\n{}", all(0, |_| true))),
    ];
    files.extend(
        parts.iter().enumerate().map(|(number, part)| {
            (format!("values{number}.yml"), format!("#@data/values\n---\n{}", all(number, *part)))
        }),
    );
    files
}

fn overlays(size: usize) -> Files {
    let document =
        |number: usize| format!("---\nkind: Deployment\nmetadata:\n  name: d{number}\nspec:\n  replicas: 1\n");
    let mut files = vec![("a.yml".to_owned(), (0..150).map(document).collect())];
    files.extend((0..size).map(|number| {
        let text = format!(
            "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({{\"metadata\": {{\"name\": \"d{}\"}}}})\n---\n\
             spec:\n  replicas: {}\n  #@overlay/match missing_ok=True\n  k{number}: 1\n",
            number % 150,
            number + 2
        );
        (format!("o{number:04}.yml"), text)
    }));
    files
}

fn loops(size: usize) -> Files {
    let body = |name: &str, start: &str, turn: &[&str], end: &str| {
        let turn: String = turn.iter().map(|line| format!("#@     {line}\n")).collect();
        format!(
            "#@ def {name}():\n#@   x = {start}\n#@   for i in range({size}):\n{turn}#@   end\n#@   return {end}\n#@ end\n"
        )
    };
    let functions = [
        body("ints", "0", &["x += i % 7 * 3 - i // 5"], "x"),
        body("lists", "[]", &["x.append(i)", "if len(x) > 100:", "  x.pop(0)", "end"], "len(x)"),
        body("dicts", "{}", &["x[\"k\" + str(i % 1000)] = i"], "len(x)"),
        body("texts", "\"\"", &["x = \"%s-%d\" % (x[:20], i)"], "x"),
    ];
    one(&(functions.concat() + "a: #@ ints()\nb: #@ lists()\nc: #@ dicts()\nd: #@ texts()\n"))
}

fn text(size: usize) -> Files {
    let mut text = String::new();
    for number in 0..size {
        let _ = write!(
            text,
            "server s{number} (@= str({number}) @) {{\n  listen (@= \"p\" + str({number}) @); (@ if {number} % 2 == 0: @)even(@ else: \
             @)odd(@ end @)\n  root /var/www/site-{number};\n}}\n"
        );
    }
    vec![("a.txt".to_owned(), text)]
}

fn fragments(size: usize) -> Files {
    let template = "#@ load(\"@ytt:overlay\", \"overlay\")
#@ load(\"@ytt:template\", \"template\")
#@ def base(i):
metadata:
  name: #@ \"a\" + str(i)
  labels:
    app: x
spec:
  containers:
  - name: web
    image: nginx
  - name: side
    image: envoy
#@ end
#@ def patch(i):
spec:
  containers:
  #@overlay/match by=\"name\"
  - name: web
    #@overlay/match missing_ok=True
    args: #@ [\"-p\", str(i)]
#@ end
#@ def more(i):
x: #@ i
y: 2
#@ end
#@ for i in range(SIZE):
---
kind: Deployment
_: #@ template.replace(overlay.apply(base(i), patch(i)))
extra:
  _: #@ template.replace(more(i))
  z: 1
#@ end
";
    one(&template.replace("SIZE", &size.to_string()))
}

fn json(size: usize) -> Files {
    let record = |number: usize| {
        format!(
            "{{\"name\": \"n{number}\", \"labels\": {{\"app\": \"x\", \"i\": {number}, \"ok\": true, \"f\": 1.5}}, \"list\": [\"a\", \
             null, {number}], \"text\": \"some text that stands here, and more of it\"}}"
        )
    };
    let records: Vec<String> = (0..size).map(record).collect();
    let read = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:json\", \"json\")\na: #@ json.decode(data.read(\"a.json\"))\n";
    vec![("a.json".to_owned(), format!("[{}]", records.join(","))), ("t.yml".to_owned(), read.to_owned())]
}

/// What a program needs for one run.
#[derive(Clone, Copy)]
struct Cost {
    /// Processor time, in milliseconds.
    time: f64,
    /// The most memory, in bytes.
    memory: f64,
}

/// Runs a program again and again for a while, and keeps what is less.
fn measure(command: impl Fn() -> Command, cost: &mut Cost) {
    let before: f64 = process::times().iter().sum();
    let (mut runs, mut spent) = (0.0, 0.0);
    while spent < MEASURE {
        cost.memory = cost.memory.max(process::watched(command()));
        runs += 1.0;
        spent = process::times().iter().sum::<f64>() - before;
    }
    cost.time = cost.time.min(spent / runs);
}

/// The command, and what runs beside it, in turns.
fn costs(kind: &Kind, folder: &Path, beside: Option<&OsStr>) -> (Cost, Option<Cost>) {
    let output = folder.with_extension("out");
    let mut arguments = vec![OsStr::new("-f"), folder.as_os_str()];
    if kind.writes {
        arguments.extend([OsStr::new("--output-files"), output.as_os_str()]);
    }
    let nothing = Cost { time: f64::MAX, memory: 0.0 };
    let (mut own, mut other) = (nothing, beside.map(|_| nothing));
    let limits = ["--limit", "steps=none"].map(OsStr::new);
    for _ in 0..TURNS {
        measure(|| process::command(arguments.iter().chain(&limits)), &mut own);
        if let (Some(path), Some(other)) = (beside, &mut other) {
            let other_command = || {
                let mut command = Command::new(path);
                command.args(&arguments);
                command
            };
            measure(other_command, other);
        }
    }
    (own, other)
}

/// What `serde_yaml` takes for 1 MB, in milliseconds.
fn serde_yaml() -> f64 {
    use serde::Deserialize;

    let text = inputs::plain(1_000_000);
    let turn = || {
        let start = Instant::now();
        for document in serde_yaml::Deserializer::from_str(&text) {
            let value = serde_yaml::Value::deserialize(document).expect("the input is YAML");
            black_box(serde_yaml::to_string(&value).expect("it prints"));
        }
        start.elapsed()
    };
    (0..TURNS).map(|_| turn()).min().unwrap_or(Duration::ZERO).as_secs_f64() * 1000.0
}

fn main() {
    // `cargo test` runs benches too: nothing is timed there.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("benches run with `cargo bench`");
        return;
    }
    let chosen: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let root = std::env::temp_dir().join(format!("ytt-work-{}", std::process::id()));
    let beside = std::env::var_os("BESIDE");
    let head = if beside.is_some() { format!(" {:>9} {:>9}", "other/own", "its MiB") } else { String::new() };
    println!("{:<44} {:>7} {:>9} {:>9} {:>8} {:>9}{head}", "work", "size", "ms", "times", "MiB", "of serde");
    for kind in KINDS.iter().filter(|kind| chosen.is_empty() || chosen.iter().any(|part| kind.name.contains(part))) {
        let scale = serde_yaml();
        let mut before = None;
        let sizes: &[usize] = if kind.size == 1 { &[1] } else { &[1, 2, 4] };
        for size in sizes.iter().map(|times| kind.size * times) {
            let folder = root.join(format!("input-{size}"));
            for (name, text) in (kind.files)(size) {
                let path = folder.join(name);
                fs::create_dir_all(path.parent().unwrap_or(&folder)).expect("a folder for the inputs");
                fs::write(path, text).expect("an input is written");
            }
            let (Cost { time, memory }, other) = costs(kind, &folder, beside.as_deref());
            let times = before.map_or(String::new(), |before| format!("{:.2}", time / before));
            let mib = |bytes: f64| bytes / f64::from(1 << 20);
            let other =
                other.map_or(String::new(), |other| format!(" {:>9.1} {:>9.0}", other.time / time, mib(other.memory)));
            let (own, name) = (mib(memory), kind.name);
            println!("{name:<44} {size:>7} {time:>9.1} {times:>9} {own:>8.0} {:>9.2}{other}", time / scale);
            before = Some(time);
            fs::remove_dir_all(&root).expect("the inputs are removed");
        }
    }
}
