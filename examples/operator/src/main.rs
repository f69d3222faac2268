//! An operator that carries its manifests with it: rendered by ytt and typed while it is compiled, applied per
//! environment.
//!
//! Its cluster is one in memory, so that it can be tried anywhere.

mod cluster;
mod environment;
mod reconcile;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use cluster::{DryRun, Memory};
use environment::Environment;

const USAGE: &str = "\
Usage: operator --env ENV [--from ENV] [--tag TAG] [--dry-run]

Applies the objects of an environment (dev or prod) to a cluster in memory.

  --from ENV   the cluster has the objects of this environment already
  --tag TAG    run images with this tag instead of the one that was compiled in
  --dry-run    print the objects instead
";

/// What the arguments ask for.
struct Request {
    environment: Environment,
    from: Option<Environment>,
    tag: Option<String>,
    is_dry: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "-h" || argument == "--help") {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let request = match parse(arguments) {
        Ok(request) => request,
        Err(problem) => {
            eprint!("operator: {problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&request, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("operator: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: Vec<String>) -> Result<Request, String> {
    let (mut environment, mut from, mut tag, mut is_dry) = (None, None, None, false);
    let mut arguments = arguments.into_iter();
    while let Some(flag) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("`{flag}` needs a value"));
        match flag.as_str() {
            "--env" => environment = Some(named(&value()?)?),
            "--from" => from = Some(named(&value()?)?),
            "--tag" => tag = Some(value()?),
            "--dry-run" => is_dry = true,
            _ => return Err(format!("`{flag}` is not known")),
        }
    }
    let environment = environment.ok_or("which environment? give `--env dev` or `--env prod`")?;
    Ok(Request { environment, from, tag, is_dry })
}

fn named(name: &str) -> Result<Environment, String> {
    Environment::find(name).ok_or_else(|| format!("there is no environment `{name}`, only `dev` and `prod`"))
}

fn run(request: &Request, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let Request { environment, tag, .. } = request;
    if request.is_dry {
        reconcile::reconcile(environment, tag.as_deref(), &mut DryRun { out })?;
        return Ok(());
    }
    let mut cluster = Memory::default();
    if let Some(from) = &request.from {
        reconcile::reconcile(from, None, &mut cluster)?;
    }
    for applied in reconcile::reconcile(environment, tag.as_deref(), &mut cluster)? {
        writeln!(out, "{applied}")?;
    }
    for endpoint in environment.endpoints {
        for port in endpoint.spec.ports {
            let metadata = &endpoint.metadata;
            writeln!(out, "reachable as http://{}.{}.svc:{}", metadata.name, metadata.namespace, port.port)?;
        }
    }
    Ok(())
}
