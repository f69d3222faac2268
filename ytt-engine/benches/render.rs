//! Rendering and YAML against `serde_yaml`, in turns of one run, so that ratios hold on a busy machine.
//!
//! `cargo bench -p ytt-engine --features serde_yaml` prints the least of the turns of each, and the ratios.

mod inputs;

use std::hint::black_box;
use std::time::{Duration, Instant};

use ytt_engine::{Format, Limits, Project};

const TURNS: usize = 7;

fn timed(work: impl FnOnce() -> usize) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn render(name: &str, text: &str) -> usize {
    let mut limits = Limits::build();
    limits.output_bytes = 1 << 30;
    let project = Project::new().file(name, text).limits(limits);
    project.render().and_then(|rendered| rendered.to_text(Format::Yaml)).expect("the input renders").len()
}

fn serde_yaml(text: &str) -> usize {
    use serde::Deserialize;

    let documents = serde_yaml::Deserializer::from_str(text);
    documents
        .map(|document| {
            let value = serde_yaml::Value::deserialize(document).expect("the input is YAML");
            serde_yaml::to_string(&value).expect("it prints").len()
        })
        .sum()
}

fn main() {
    // `cargo test` runs benches too: nothing is timed there.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("benches run with `cargo bench`");
        return;
    }
    let (plain, template) = (inputs::plain(5_000_000), inputs::template(2_000));
    let mut least = [Duration::MAX; 3];
    for _ in 0..TURNS {
        let turn = [
            timed(|| render("loop.yml", &template)),
            timed(|| render("plain.yml", &plain)),
            timed(|| serde_yaml(&plain)),
        ];
        for (least, turn) in least.iter_mut().zip(turn) {
            *least = (*least).min(turn);
        }
    }
    let [template, plain, other] = least.map(|time| time.as_secs_f64() * 1000.0);
    println!("2,000 Deployments from a loop, rendered and printed: {template:8.1} ms");
    println!("5 MB of plain YAML, read and printed:                {plain:8.1} ms");
    println!("5 MB of plain YAML through serde_yaml:               {other:8.1} ms");
    println!("ratios to serde_yaml: loop {:.2}, plain {:.2}", template / other, plain / other);
}
