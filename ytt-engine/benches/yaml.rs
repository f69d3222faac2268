//! Reading and printing YAML, each by itself and both, against `serde_yaml` and `yaml-rust2`, on 5 MB of one text.
//!
//! `cargo bench -p ytt-engine --features serde_yaml --bench yaml` prints the least of the turns of each. The programs
//! take turns, so that ratios hold on a busy machine. The engine keeps comments and places, the others do not; what a
//! reader made is dropped outside of the time of reading and printing, and inside of that of both.

mod inputs;

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Deserialize;
use yaml_rust2::{Yaml, YamlEmitter, YamlLoader};
use ytt_engine::yaml::DocumentSet;

const TURNS: usize = 9;

/// Least times of reading, printing and both.
#[derive(Clone, Copy)]
struct Least([Duration; 3]);

impl Least {
    /// One turn of a program: `read` and `print` are its own, `print` gives the length of its text.
    fn turn<T>(&mut self, text: &str, read: impl Fn(&str) -> T, print: impl Fn(&T) -> usize) {
        let start = Instant::now();
        let read_once = black_box(read(black_box(text)));
        self.note(0, start);
        let start = Instant::now();
        black_box(print(&read_once));
        self.note(1, start);
        drop(read_once);
        let start = Instant::now();
        black_box(print(&read(black_box(text))));
        self.note(2, start);
    }

    fn note(&mut self, at: usize, start: Instant) {
        self.0[at] = self.0[at].min(start.elapsed());
    }
}

fn read_here(text: &str) -> DocumentSet {
    DocumentSet::parse("plain.yml", text.as_bytes()).expect("the input is YAML")
}

fn print_here(documents: &DocumentSet) -> usize {
    documents.to_yaml().expect("it prints").len()
}

fn read_serde(text: &str) -> Vec<serde_yaml::Value> {
    let documents = serde_yaml::Deserializer::from_str(text);
    documents.map(|document| serde_yaml::Value::deserialize(document).expect("the input is YAML")).collect()
}

fn print_serde(documents: &Vec<serde_yaml::Value>) -> usize {
    let mut text = Vec::new();
    for document in documents {
        text.extend_from_slice(b"---\n");
        serde_yaml::to_writer(&mut text, document).expect("it prints");
    }
    text.len()
}

fn read_rust2(text: &str) -> Vec<Yaml> {
    YamlLoader::load_from_str(text).expect("the input is YAML")
}

fn print_rust2(documents: &Vec<Yaml>) -> usize {
    let mut text = String::new();
    for document in documents {
        YamlEmitter::new(&mut text).dump(document).expect("it prints");
        text.push('\n');
    }
    text.len()
}

fn main() {
    // `cargo test` runs benches too: nothing is timed there.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("benches run with `cargo bench`");
        return;
    }
    let text = inputs::plain(5_000_000);
    let mut least = [Least([Duration::MAX; 3]); 3];
    for _ in 0..TURNS {
        let [here, serde, rust2] = &mut least;
        here.turn(&text, read_here, print_here);
        serde.turn(&text, read_serde, print_serde);
        rust2.turn(&text, read_rust2, print_rust2);
    }
    println!(
        "{:.1} MB of YAML with comments     reading   printing       both   (ms, least of {TURNS})",
        text.len() as f64 / 1e6
    );
    for (name, Least(times)) in ["ytt-engine", "serde_yaml", "yaml-rust2"].iter().zip(least) {
        let [read, print, both] = times.map(|time| time.as_secs_f64() * 1000.0);
        println!("{name:<28} {read:10.1} {print:10.1} {both:10.1}");
    }
    for (name, Least(times)) in ["serde_yaml", "yaml-rust2"].iter().zip(&least[1..]) {
        let ratio = |at: usize| least[0].0[at].as_secs_f64() / times[at].as_secs_f64();
        println!("part of {name:<20} {:10.2} {:10.2} {:10.2}", ratio(0), ratio(1), ratio(2));
    }
}
