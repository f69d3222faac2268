//! Command line that the two guestbook programs share.
//!
//! They differ only in when their manifests are rendered; both hand the texts to [`run`], which
//! prints those of one environment, or a listing of them (`listing.rs`).

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

mod listing;

/// The manifests of one installation.
///
/// ```
/// let dev = guestbook_cli::Environment { name: "dev", manifests: "kind: Service\n" };
/// assert_eq!(dev.name, "dev");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Environment {
    /// What the environment is called on the command line.
    pub name: &'static str,
    /// Its documents, as ytt prints them.
    pub manifests: &'static str,
}

/// What the arguments ask for.
#[derive(Debug, Clone, Copy)]
enum Request {
    Help,
    Manifests(Environment),
    Listing(Environment),
}

/// Runs the command with the arguments of this process.
///
/// The exit code is 0, or 2 for arguments that are not understood, or 1 if the output cannot be
/// written. A reader that stops early (`| head`) is no failure.
///
/// ```no_run
/// use guestbook_cli::Environment;
///
/// guestbook_cli::run("guestbook", &[Environment { name: "dev", manifests: "kind: Service\n" }]);
/// ```
pub fn run(program: &str, environments: &[Environment]) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut errors = io::stderr().lock();
    // A message that cannot be shown leaves only the exit code to say it.
    match answer(program, environments, &arguments) {
        Err(message) => {
            let _ = errors.write_all(message.as_bytes());
            ExitCode::from(2)
        }
        Ok(text) => match print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(errors, "{program}: cannot write the output: {error}");
                ExitCode::FAILURE
            }
        },
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// Gives the text for standard output, or the one for standard error.
fn answer(program: &str, environments: &[Environment], arguments: &[OsString]) -> Result<String, String> {
    match parse(environments, arguments) {
        Ok(Request::Help) => Ok(usage(program, environments)),
        Ok(Request::Manifests(environment)) => Ok(environment.manifests.to_owned()),
        Ok(Request::Listing(environment)) => Ok(listing::listing(environment.manifests)),
        Err(problem) => Err(format!("{program}: {problem}\n\n{}", usage(program, environments))),
    }
}

fn parse(environments: &[Environment], arguments: &[OsString]) -> Result<Request, String> {
    let mut chosen = None;
    let mut list = false;
    for argument in arguments {
        let text = argument.to_string_lossy();
        match &*text {
            "-h" | "--help" => return Ok(Request::Help),
            "--list" => list = true,
            option if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
            name if chosen.is_some() => return Err(format!("expected one environment, but `{name}` is a second one")),
            name => match environments.iter().find(|environment| environment.name == name) {
                Some(environment) => chosen = Some(*environment),
                None => return Err(format!("unknown environment `{name}`")),
            },
        }
    }
    match chosen {
        None => Err("expected an environment".to_owned()),
        Some(environment) if list => Ok(Request::Listing(environment)),
        Some(environment) => Ok(Request::Manifests(environment)),
    }
}

fn usage(program: &str, environments: &[Environment]) -> String {
    let names: Vec<&str> = environments.iter().map(|environment| environment.name).collect();
    format!(
        "Usage: {program} ENVIRONMENT [--list]\n\n\
         Prints the manifests of an environment; with --list only the kind and name of each.\n\n\
         Environments: {}\n",
        names.join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEV: &str = "kind: Service\nmetadata:\n  name: web\n";

    fn check(arguments: &[&str], expected: Result<&str, &str>) {
        let environments =
            [Environment { name: "dev", manifests: DEV }, Environment { name: "prod", manifests: "kind: Secret\n" }];
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        match (answer("guestbook", &environments, &arguments), expected) {
            (Ok(text), Ok(expected)) => assert_eq!(text, expected, "{arguments:?}"),
            (Err(text), Err(expected)) => {
                assert_eq!(text.lines().next(), Some(expected), "{arguments:?}");
                assert!(text.ends_with("Environments: dev, prod\n"), "{text}");
            }
            (found, _) => panic!("{arguments:?} gave {found:?}"),
        }
    }

    #[test]
    fn gives_manifests_or_a_listing() {
        check(&["dev"], Ok(DEV));
        check(&["prod"], Ok("kind: Secret\n"));
        let listing = "Service  web\n\n1 Service\n1 document\n";
        check(&["dev", "--list"], Ok(listing));
        check(&["--list", "dev"], Ok(listing));
    }

    #[test]
    fn explains_wrong_arguments() {
        check(&[], Err("guestbook: expected an environment"));
        check(&["--list"], Err("guestbook: expected an environment"));
        check(&["live"], Err("guestbook: unknown environment `live`"));
        check(&[""], Err("guestbook: unknown environment ``"));
        check(&["dev", "prod"], Err("guestbook: expected one environment, but `prod` is a second one"));
        check(&["dev", "--json"], Err("guestbook: unknown option `--json`"));
    }

    #[test]
    fn helps_when_asked() {
        check(
            &["--help"],
            Ok("Usage: guestbook ENVIRONMENT [--list]\n\n\
                Prints the manifests of an environment; with --list only the kind and name of each.\n\n\
                Environments: dev, prod\n"),
        );
    }
}
