//! Rendering where the file system refuses one request, for each request in turn, and where others change files between
//! the requests: an error that names the file, or the result of what is there; never parts of both.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::diag::Code;
use crate::files::Disk;

const FILES: [(&str, &str); 10] = [
    (
        "in/a.yml",
        "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"h.star\", \"h\")\na: #@ h(data.values)\nd: #@ data.read(\"d.csv\")\n",
    ),
    ("in/d.csv", "1,2\n"),
    ("in/h.star", "def h(v):\n  return v.a + v.b + v.c + v.d\nend\n"),
    (
        "in/o.yml",
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=\"1+\"\n---\n#@overlay/match missing_ok=True\no: 1\n",
    ),
    ("in/schema.yml", "#@data/values-schema\n---\na: \"\"\nb: \"\"\nc: \"\"\nd: \"\"\n"),
    ("in/sub/t.txt", "text\n"),
    ("in/values.yml", "#@data/values\n---\na: \"1\"\n"),
    ("linked.yml", "linked: 1\n"),
    ("given/v.yml", "b: \"2\"\n"),
    ("text", "3"),
];

fn scene() -> Folder {
    let folder = Folder::with("reading", FILES);
    symlink("../linked.yml", folder.join("in/link.yml")).unwrap();
    folder
}

fn project(folder: &Path, ask: impl Fn(&str, &Path) -> io::Result<()> + Send + Sync + 'static) -> Project {
    let project = Project::new().base_dir(folder).read("in").allow_symlink_destination("linked.yml");
    let project = project.data_values_file("given").data_value_file("c", "text").data_value("d", "4");
    project.with(|steps| steps.disk = Disk { ask: Some(Arc::new(ask)) })
}

/// Everything that the result has.
fn whole(rendered: &Rendered) -> Vec<(String, String)> {
    let file = |file: &crate::RenderedFile| (file.path().to_owned(), file.text().unwrap().to_owned());
    rendered.files().unwrap().iter().map(file).collect()
}

fn requests() -> Vec<(String, PathBuf)> {
    let folder = scene();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (into, root) = (asked.clone(), folder.to_path_buf());
    let ask = move |request: &str, path: &Path| {
        let path = path.strip_prefix(&root).unwrap_or(path);
        into.lock().unwrap().push((request.to_owned(), path.to_owned()));
        Ok(())
    };
    project(&folder, ask).render().unwrap();
    std::mem::take(&mut *asked.lock().unwrap())
}

#[test]
fn a_request_that_is_refused_is_told() {
    let requests = requests();
    for name in ["about", "link", "target", "folder", "entry", "open", "stamp", "read"] {
        assert!(requests.iter().any(|(request, _)| request == name), "{name}");
    }
    for file in ["in/d.csv", "in/h.star", "in/schema.yml", "in/link.yml", "given/v.yml", "text"] {
        assert!(requests.contains(&("read".to_owned(), file.into())), "{file}");
    }
    let folder = scene();
    let expected = whole(&project(&folder, |_, _| Ok(())).render().unwrap());
    let kinds =
        [ErrorKind::NotFound, ErrorKind::PermissionDenied, ErrorKind::IsADirectory, ErrorKind::StaleNetworkFileHandle];
    for (number, (request, path)) in requests.iter().enumerate() {
        for kind in kinds {
            let asked = AtomicUsize::new(0);
            let refused = project(&folder, move |_, _| {
                if asked.fetch_add(1, Ordering::Relaxed) == number { Err(kind.into()) } else { Ok(()) }
            });
            let error = refused.render().expect_err("a request was refused");
            let is_told = error.diagnostics().iter().any(|problem| {
                let text = problem.full_message();
                let names_it = text.contains(&folder.join(path).display().to_string());
                let of_files = [Code::FILES_READ, Code::FILES_SYMLINK].contains(&problem.code());
                of_files && names_it && text.contains(&kind.to_string())
            });
            assert!(is_told, "{request} {} {kind}: {}", path.display(), error.to_report(false));
        }
    }
    // What a signal interrupts is asked again.
    let seen: Arc<Mutex<HashSet<(String, PathBuf)>>> = Arc::default();
    let known = seen.clone();
    let interrupted = project(&folder, move |request, path| {
        let is_new = known.lock().unwrap().insert((request.to_owned(), path.to_owned()));
        if is_new { Err(ErrorKind::Interrupted.into()) } else { Ok(()) }
    });
    assert_eq!(whole(&interrupted.render().unwrap()), expected);
    assert_eq!(seen.lock().unwrap().len(), requests.into_iter().collect::<HashSet<_>>().len());
}

/// What others do to a file between two requests.
type Deed = fn(&Path);

const DEEDS: [(&str, Deed); 7] = [
    ("removed", |path| fs::remove_file(path).unwrap()),
    ("a folder", |path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    }),
    ("emptied", |path| fs::write(path, "").unwrap()),
    ("longer", |path| {
        let old = fs::read_to_string(path).unwrap();
        fs::write(path, format!("{old}#! more\n")).unwrap();
    }),
    ("a link", |path| {
        fs::remove_file(path).unwrap();
        symlink(
            path.ancestors()
                .find_map(|above| above.ends_with("in").then(|| above.parent()))
                .flatten()
                .unwrap()
                .join("text"),
            path,
        )
        .unwrap();
    }),
    ("a pipe", |path| {
        fs::remove_file(path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.is_ok_and(|status| status.success()));
    }),
    ("another file", |path| {
        let new = path.with_extension("new");
        fs::write(&new, "x: 1\n").unwrap();
        fs::rename(new, path).unwrap();
    }),
];

#[test]
fn files_that_change_meanwhile_are_whole() {
    let requests = requests();
    let render = |folder: &Folder| project(folder, |_, _| Ok(())).render().map(|rendered| whole(&rendered));
    let before = render(&scene()).unwrap();
    for (name, deed) in DEEDS {
        for (number, (_, of)) in requests.iter().enumerate() {
            for file in ["in/a.yml", "in/d.csv"] {
                // What concerns the file, and some of the rest.
                if of != Path::new(file) && of != Path::new("in") && !number.is_multiple_of(16) {
                    continue;
                }
                let folder = scene();
                let (asked, path) = (AtomicUsize::new(0), folder.join(file));
                let changed = project(&folder, move |_, _| {
                    if asked.fetch_add(1, Ordering::Relaxed) == number {
                        deed(&path);
                    }
                    Ok(())
                });
                match changed.render() {
                    Ok(rendered) => {
                        let found = whole(&rendered);
                        let is_whole = found == before || render(&folder).is_ok_and(|after| found == after);
                        assert!(is_whole, "{file} becomes {name} at {number}: {found:?}");
                    }
                    Err(error) => {
                        let report = error.to_report(false);
                        let names_it = report.contains(file.rsplit('/').next().unwrap());
                        let is_internal = error.diagnostics().iter().any(|problem| problem.code() == Code::INTERNAL);
                        assert!(names_it && !is_internal, "{file} becomes {name} at {number}: {report}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_file_that_never_stays_is_refused() {
    let folder = scene();
    let path = folder.join("in/d.csv");
    let grows = project(&folder, move |request, asked| {
        if request == "read" && asked == path {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, format!("{text}3,4\n")).unwrap();
        }
        Ok(())
    });
    let report = grows.render().unwrap_err().to_report(false);
    assert!(report.contains("d.csv: the file changed while it was read, 3 times"), "{report}");
}
