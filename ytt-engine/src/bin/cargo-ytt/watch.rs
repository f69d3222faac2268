//! `watch`: renders again whenever something that was read has changed.
//!
//! It looks at times and lengths of what the last render read, and at the names in its folders, a few times in a second:
//! no system has to be asked for notice, and editors that replace files are seen too.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use ytt_engine::Inputs;

use crate::args::Parsed;
use crate::message::{Output, Usage};
use crate::render;

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// What can be seen of inputs without reading them.
#[derive(PartialEq)]
struct Seen {
    files: Vec<(PathBuf, Option<(u64, SystemTime)>)>,
    folders: Vec<(PathBuf, BTreeSet<OsString>)>,
}

impl Seen {
    fn of(inputs: &Inputs) -> Seen {
        let file = |path: &PathBuf| {
            let found = fs::metadata(path).and_then(|found| Ok((found.len(), found.modified()?)));
            (path.clone(), found.ok())
        };
        let folder = |path: &PathBuf| {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            (path.clone(), entries.map(|entry| entry.file_name()).collect())
        };
        Seen { files: inputs.files.iter().map(file).collect(), folders: inputs.folders.iter().map(folder).collect() }
    }

    /// A file that was written after a time: while it was read, perhaps.
    fn newer(&self, than: SystemTime) -> Option<&PathBuf> {
        let is_newer = |seen: &Option<(u64, SystemTime)>| seen.is_some_and(|(_, time)| time > than);
        self.files.iter().find(|(_, seen)| is_newer(seen)).map(|(path, _)| path)
    }

    /// The first thing that is otherwise.
    fn changed<'a>(&'a self, before: &'a Seen) -> Option<&'a PathBuf> {
        let file = self.files.iter().zip(&before.files).find(|(now, before)| now != before).map(|(now, _)| &now.0);
        file.or_else(|| {
            self.folders.iter().zip(&before.folders).find(|(now, before)| now != before).map(|(now, _)| &now.0)
        })
    }
}

/// Renders until nobody listens any more. `write` takes what each render gives, and says whether somebody does.
pub fn watch(parsed: &Parsed, mut write: impl FnMut(&Output) -> bool) -> Output {
    if render::uses_stdin(parsed) {
        let usage = Usage::new("standard input cannot be read again".to_owned());
        return Output::usage(&usage.help("give a file, or render once without `watch`".to_owned()), false);
    }
    let json = parsed.last("message-format") == Some("json");
    loop {
        let start = SystemTime::now();
        let (mut output, inputs) = render::render_with_inputs(parsed);
        // A mistake on the command line stays one.
        if inputs == Inputs::default() {
            return output;
        }
        let before = Seen::of(&inputs);
        if !json {
            output.errors.push_str("watching: a change of what was read renders again\n");
        }
        if !write(&output) {
            return Output::default();
        }
        let changed = match before.newer(start) {
            Some(path) => path.clone(),
            None => loop {
                sleep(PAUSE);
                let now = Seen::of(&inputs);
                if let Some(path) = now.changed(&before) {
                    break path.clone();
                }
            },
        };
        wait_until_quiet(&inputs);
        let errors = if json { String::new() } else { format!("{} changed\n", changed.display()) };
        if !write(&Output { errors, ..Output::default() }) {
            return Output::default();
        }
    }
}

/// Waits until a change is whole: an editor or a checkout writes more than one file.
fn wait_until_quiet(inputs: &Inputs) {
    let mut seen = Seen::of(inputs);
    for _ in 0..20 {
        sleep(PAUSE / 4);
        let now = Seen::of(inputs);
        if now == seen {
            return;
        }
        seen = now;
    }
}
