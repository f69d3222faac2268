//! Finds long lines, tabs and blanks at the end of lines in files and folders.

mod check;
mod settings;

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use settings::{DEFAULTS, Settings};

const USAGE: &str = "\
Usage: textcheck [--settings FILE] [--show-settings] [PATH]...

Finds long lines, tabs and blanks at the end of lines in files and folders.

  --settings FILE   settings as TOML; what is not in it has its default
  --show-settings   print all settings and look at nothing
";

/// What the arguments ask for.
struct Request {
    settings: Settings,
    show: bool,
    paths: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.iter().any(|argument| argument == "-h" || argument == "--help") {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match parse(arguments).and_then(|request| run(&request, &mut io::stdout().lock())) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("textcheck: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse(arguments: Vec<OsString>) -> Result<Request, Box<dyn Error>> {
    let mut request = Request { settings: DEFAULTS.clone(), show: false, paths: Vec::new() };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--settings") => {
                let file = arguments.next().ok_or("`--settings` needs a file")?;
                request.settings = Settings::read(Path::new(&file))?;
            }
            Some("--show-settings") => request.show = true,
            Some(flag) if flag.starts_with('-') => return Err(format!("`{flag}` is not known; see --help").into()),
            _ => request.paths.push(argument.into()),
        }
    }
    Ok(request)
}

/// Gives the number of problems.
fn run(request: &Request, out: &mut dyn Write) -> Result<usize, Box<dyn Error>> {
    let settings = &request.settings;
    if request.show {
        write!(out, "{}", toml::to_string(settings)?)?;
        return Ok(0);
    }
    if request.paths.is_empty() {
        return Err("which files? see --help".into());
    }
    let mut files = Vec::new();
    for path in &request.paths {
        collect(settings, path, &mut files).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let mut count = 0;
    for file in &files {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        // What is no text has no lines.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let problems = check::check(settings, &file.to_string_lossy(), &text);
        if settings.report.form == "files" && !problems.is_empty() {
            writeln!(out, "{}: {}", file.display(), problems.len())?;
        }
        for problem in &problems {
            count += 1;
            if settings.report.form == "lines" {
                writeln!(out, "{}:{}: {}", file.display(), problem.line, problem.text)?;
            }
            if usize::try_from(settings.report.limit) == Ok(count) {
                writeln!(out, "that is {count}: there may be more")?;
                return Ok(count);
            }
        }
    }
    Ok(count)
}

/// All files below a path, in the order of their names.
fn collect(settings: &Settings, path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for entry in entries {
        let is_skipped = |name: &std::borrow::Cow<'_, str>| entry.file_name().is_some_and(|own| own == &**name);
        if !settings.skip.iter().any(is_skipped) {
            collect(settings, &entry, files)?;
        }
    }
    Ok(())
}
