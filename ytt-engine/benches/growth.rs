//! How time and memory of the command grow with its input: nothing is compared with others here.
//!
//! `cargo bench -p ytt-engine --features cli --bench growth` runs `cargo-ytt -f FILE` as a process of its own, the sizes
//! in turns, and prints the least time of each and the ratio to the size before it: for plain YAML user time and the most
//! memory, as a multiple of the input; for the rest all processor time, which is exact also for short processes. At last
//! it prints how long it takes to refuse what is nested too deeply. Linux only: times and memory come from `/proc`, times
//! in steps of 10 ms, so small inputs are run several times for one measure.

mod inputs;
mod process;

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Instant;

use self::process::{memory, times};

const TURNS: usize = 7;

/// Runs of the command for one measure of a small input.
const REPEATS: u32 = 10;

fn start(path: &Path, stderr: Stdio) -> Child {
    let mut command = process::command([OsStr::new("-f"), path.as_os_str()]);
    command.stdout(Stdio::piped()).stderr(stderr).spawn().expect("the command starts")
}

/// User and system time of one run, in milliseconds; the most memory, in bytes.
fn run(path: &Path) -> ([f64; 2], f64) {
    let before = times();
    let mut child = start(path, Stdio::inherit());
    let mut output = child.stdout.take().expect("a pipe");
    // The first bytes come when all is rendered; the pipe is too small for the rest, so the process still lives.
    let mut part = [0; 4096];
    let mut most = 0.0;
    while output.read(&mut part).is_ok_and(|length| length > 0) {
        most = memory(&child).unwrap_or(most);
    }
    assert!(child.wait().expect("it ends").success(), "{}", path.display());
    let after = times();
    ([after[0] - before[0], after[1] - before[1]], most)
}

/// The least time of each file, in milliseconds, and the most memory. `counted` chooses from user and system time.
fn least(files: &[PathBuf], repeats: &[u32], counted: fn([f64; 2]) -> f64) -> Vec<(f64, f64)> {
    let mut least = vec![(f64::MAX, 0.0_f64); files.len()];
    for _ in 0..TURNS {
        for ((least, path), repeats) in least.iter_mut().zip(files).zip(repeats.iter().copied()) {
            let runs: Vec<([f64; 2], f64)> = (0..repeats).map(|_| run(path)).collect();
            let time: f64 = runs.iter().map(|run| counted(run.0)).sum();
            least.0 = least.0.min(time / f64::from(repeats));
            least.1 = runs.iter().fold(least.1, |most, run| most.max(run.1));
        }
    }
    least
}

fn main() {
    // `cargo test` runs benches too: nothing is timed there.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("benches run with `cargo bench`");
        return;
    }
    let folder = std::env::temp_dir().join(format!("ytt-growth-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the inputs");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("an input is written");
        path
    };

    let sizes = [5_000_000, 50_000_000];
    let files = sizes.map(|size| file(&format!("plain-{size}.yml"), &inputs::plain(size)));
    let results = least(&files, &[10, 1], |[user, _]| user);
    println!("plain YAML            user ms   times   memory, times the input");
    for (at, (size, result)) in sizes.iter().zip(&results).enumerate() {
        let ratio = if at == 0 { 1.0 } else { result.0 / results[at - 1].0 };
        println!("{:>10} bytes {:14.0} {ratio:7.2} {:10.1}", size, result.0, result.1 / *size as f64);
    }

    let counts = [5_000, 10_000, 20_000, 40_000];
    type Maker = fn(usize, bool) -> String;
    let makers: [(&str, Maker); 2] = [("commented lines", inputs::commented), ("keys of a map", inputs::keys)];
    for (what, maker) in makers {
        for code in [false, true] {
            let files = counts.map(|count| file(&format!("{}-{code}-{count}.yml", &what[..4]), &maker(count, code)));
            let results = least(&files, &[REPEATS; 4], |[user, system]| user + system);
            let times: Vec<String> = results.iter().map(|result| format!("{:.0}", result.0)).collect();
            let ratios: Vec<String> = results.windows(2).map(|pair| format!("{:.2}", pair[1].0 / pair[0].0)).collect();
            let kind = if code { "template" } else { "plain file" };
            println!("{what}, {kind}, 5,000 to 40,000: {} ms; times {}", times.join(", "), ratios.join(", "));
        }
    }

    for (what, text) in [("[", inputs::nested_flow(10_000_000)), ("indentation", inputs::nested_block(10_000_000))] {
        let path = file("nested.yml", &text);
        let begin = Instant::now();
        let done = start(&path, Stdio::piped()).wait_with_output().expect("it ends");
        let message = String::from_utf8_lossy(&done.stderr);
        let first = message.lines().next().unwrap_or_default();
        println!("10 MB of {what}: {:.0} ms, {first}", begin.elapsed().as_secs_f64() * 1000.0);
    }
    fs::remove_dir_all(&folder).expect("the inputs are removed");
}
