//! `watch`: renders again whenever something that was read has changed.
//!
//! It looks at times and lengths of what the last render read, and at the names in its folders, a few times in a second:
//! no system has to be asked for notice, and editors that replace files are seen too.

use std::thread::sleep;
use std::time::{Duration, SystemTime};

use ytt_engine::Inputs;
use ytt_engine::codegen::seen::Seen;

use crate::args::Parsed;
use crate::message::{Output, Usage};
use crate::render;

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// Renders until nobody listens any more. `write` takes what each render gives, and says whether somebody does.
pub fn watch(parsed: &Parsed, mut write: impl FnMut(&Output) -> bool) -> Output {
    if render::uses_stdin(parsed) {
        let usage = Usage::new("standard input cannot be read again".to_owned());
        return Output::usage(&usage.help("give a file, or render once without `watch`".to_owned()), false);
    }
    let json = parsed.last("message-format") == Some("json");
    let mut earlier: Option<Seen> = None;
    loop {
        let start = SystemTime::now();
        let (mut output, inputs) = render::render_with_inputs(parsed);
        // A mistake on the command line stays one.
        if inputs == Inputs::default() {
            return output;
        }
        let before = Seen::now(&inputs);
        if !json {
            output.errors.push_str("watching: a change of what was read renders again\n");
        }
        if !write(&output) {
            return Output::default();
        }
        let changed = match before.newer(start, earlier.as_ref()) {
            Some(path) => path.clone(),
            None => loop {
                sleep(PAUSE);
                let now = Seen::now(&inputs);
                if let Some(path) = now.changed(&before) {
                    break path.clone();
                }
            },
        };
        earlier = Some(before);
        wait_until_quiet(&inputs);
        let errors = if json { String::new() } else { format!("{} changed\n", changed.display()) };
        // Who has gone is seen when the next render is written.
        let _ = write(&Output { errors, ..Output::default() });
    }
}

/// Waits until a change is whole: an editor or a checkout writes more than one file.
fn wait_until_quiet(inputs: &Inputs) {
    let mut seen = Seen::now(inputs);
    for _ in 0..20 {
        sleep(PAUSE.checked_div(4).unwrap_or(PAUSE));
        let now = Seen::now(inputs);
        if now == seen {
            return;
        }
        seen = now;
    }
}
