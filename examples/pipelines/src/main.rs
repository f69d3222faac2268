//! Prints the workflows and Compose files that its build script rendered.

use std::io::{self, Write};
use std::process::ExitCode;

/// The workflows: their texts by path, and what is in them.
mod ci {
    include!(concat!(env!("OUT_DIR"), "/ci.rs"));
}

/// What is in the Compose file of each environment.
mod compose {
    pub mod dev {
        include!(concat!(env!("OUT_DIR"), "/dev.rs"));
    }
    pub mod staging {
        include!(concat!(env!("OUT_DIR"), "/staging.rs"));
    }
    pub mod prod {
        include!(concat!(env!("OUT_DIR"), "/prod.rs"));
    }
}

const USAGE: &str = "\
Usage: pipelines list
       pipelines show PATH
       pipelines folder

Lists the files, prints one of them, or says in which folder the build script has put all of them.
";

/// A file, with what the index says of it.
struct File {
    path: String,
    text: &'static str,
    title: &'static str,
    parts: Vec<&'static str>,
}

/// A macro, since the index of each environment has types of its own.
macro_rules! stack {
    ($environment:ident) => {
        File {
            path: concat!("compose/", stringify!($environment), ".yml").to_owned(),
            text: include_str!(concat!(env!("OUT_DIR"), "/compose/", stringify!($environment), ".yml")),
            title: compose::$environment::STACK.name,
            parts: compose::$environment::STACK.services.iter().map(|(name, _)| name).collect(),
        }
    };
}

fn files() -> Vec<File> {
    // Each workflow is one document of a file of its own, so both lists are in one order.
    let workflows = ci::FILES.iter().zip(ci::WORKFLOWS).map(|((path, text), workflow)| File {
        path: format!("ci/{path}"),
        text,
        title: workflow.name,
        parts: workflow.jobs.iter().map(|(name, _)| name).collect(),
    });
    workflows.chain([stack!(dev), stack!(staging), stack!(prod)]).collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match answer(&arguments) {
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("pipelines: {error}");
                ExitCode::FAILURE
            }
        },
        Err(problem) => {
            eprint!("pipelines: {problem}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn answer(arguments: &[&str]) -> Result<String, String> {
    match arguments {
        ["-h" | "--help"] => Ok(USAGE.to_owned()),
        ["list"] => {
            let line = |file: File| format!("{:20}  {:12}  {}\n", file.path, file.title, file.parts.join(", "));
            Ok(files().into_iter().map(line).collect())
        }
        ["show", path] => {
            let found = files().into_iter().find(|file| file.path == *path);
            found.map(|file| file.text.to_owned()).ok_or_else(|| format!("there is no file `{path}`; see `list`"))
        }
        ["folder"] => Ok(concat!(env!("OUT_DIR"), "\n").to_owned()),
        [] => Err("expected `list`, `show` or `folder`".to_owned()),
        _ => Err(format!("`{}` is not understood", arguments.join(" "))),
    }
}
