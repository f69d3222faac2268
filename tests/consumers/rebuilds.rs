//! What is built again, and when: each test is a row of the table in `docs/rebuilds.md`, for its three columns.

use std::fs;
use std::path::PathBuf;

use crate::support::{Consumer, Did, Run};

/// Neither the build script nor the compiler.
const NONE: Did = Did { script: 0, rustc: 0 };
const RUSTC: Did = Did { script: 0, rustc: 1 };
const SCRIPT: Did = Did { script: 1, rustc: 0 };
const BOTH: Did = Did { script: 1, rustc: 1 };

/// A way to render in a build: a column of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Macro,
    /// The macro, and a build script that watches its folders.
    Watched,
    Script,
}

const WAYS: [Way; 3] = [Way::Macro, Way::Watched, Way::Script];

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Macro => "macro",
            Way::Watched => "watched",
            Way::Script => "build-script",
        }
    }

    /// A copy of the package; it is built, and what that did is forgotten.
    fn built(self) -> Consumer {
        let consumer = match self {
            Way::Macro | Way::Script => Consumer::of(self.name(), &["inputs", self.name()]),
            Way::Watched => Consumer::of("watched", &["inputs", "macro", "watched"]),
        };
        consumer.build().succeeded();
        consumer.trace();
        consumer
    }

    /// What is traced where this was run: each package renders twice.
    fn traced(self, did: Did) -> &'static [&'static str] {
        match (self, did) {
            (Way::Script, Did { script: 0, .. }) | (_, NONE | SCRIPT) => &[],
            (Way::Script, _) => &["script", "render", "script", "render"],
            _ => &["call", "render", "call", "render"],
        }
    }

    /// What cargo says of an overlay that does not match.
    fn failure(self) -> &'static [&'static str] {
        match self {
            Way::Script => &[
                "error: consumer-build-script@0.1.0: ytt: 1 problem rendering `config` + `overlays`",
                "error: consumer-build-script@0.1.0: error[overlay::no-match]: Expected number of matched nodes to be 1",
                "overlays/scale.yml:6:",
                "replica: 5",
                "`replicas`",
            ],
            _ => &[
                "error: ytt: 1 problem rendering `config` + `overlays`",
                "error[overlay::no-match]: Expected number of matched nodes to be 1",
                "overlays/scale.yml:6:",
                "replica: 5",
                "`replicas`",
                "--> src/main.rs:5:",
            ],
        }
    }
}

/// What the programs print: the folder as it is, and with an overlay.
fn printed() -> String {
    let plain = "kind: Deployment\nmetadata:\n  name: shop-web\n  greeting: hello\n  motto: Less is more\n  team: blue\n\
                 spec:\n  replicas: 1\n---\nkind: Service\n";
    format!("{plain}---\n{}", plain.replace("replicas: 1", "replicas: 5"))
}

type Act = Box<dyn Fn(&mut Consumer, Way)>;

/// Something that happens, what it makes cargo run for each way, and what the program prints then.
struct Step {
    event: &'static str,
    did: [Did; 3],
    printed: [String; 3],
    act: Act,
}

fn step(
    event: &'static str,
    did: [Did; 3],
    printed: impl Into<String>,
    act: impl Fn(&mut Consumer, Way) + 'static,
) -> Step {
    let printed = printed.into();
    Step { event, did, printed: [printed.clone(), printed.clone(), printed], act: Box::new(act) }
}

/// Takes all steps for each way; behind each, nothing is run again.
fn row(steps: &[Step]) {
    for (number, way) in WAYS.into_iter().enumerate() {
        let mut consumer = way.built();
        for step in steps {
            (step.act)(&mut consumer, way);
            let run = consumer.run(&[]).succeeded();
            let what = format!("{way:?}: {}", step.event);
            assert_eq!(run.did(), step.did[number], "{what}:\n{}", run.stderr);
            assert_eq!(run.stdout, step.printed[number], "{what}");
            assert_eq!(consumer.trace(), way.traced(step.did[number]), "{what}");
            is_fresh(&consumer, &what);
        }
    }
}

/// Nothing is run and nothing is rendered.
#[track_caller]
fn is_fresh(consumer: &Consumer, what: &str) {
    let run = consumer.build().succeeded();
    assert_eq!(run.did(), NONE, "after {what}:\n{}", run.stderr);
    assert!(run.stderr.contains("Fresh consumer-"), "after {what}:\n{}", run.stderr);
    assert_eq!(consumer.trace(), [""; 0], "after {what}");
}

#[test]
fn nothing() {
    for way in WAYS {
        let consumer = way.built();
        let what = format!("{way:?}");
        is_fresh(&consumer, &what);
        let run = consumer.run(&[]).succeeded();
        assert_eq!((run.did(), run.stdout), (NONE, printed()), "{what}");
        is_fresh(&consumer, &format!("{what}, run"));
        // `check` and `build` know nothing of each other, but for the build script. It may be left of an earlier test.
        consumer.edit("src/main.rs", "//! Prints", "//! Checked and prints");
        let check = || consumer.cargo(&["check", "-v"]).succeeded();
        assert_eq!(check().did(), RUSTC, "{what}: check");
        assert_eq!(consumer.trace(), way.traced(if way == Way::Script { NONE } else { RUSTC }), "{what}: check");
        assert_eq!(check().did(), NONE, "{what}: check again");
        assert_eq!(consumer.build().succeeded().did(), RUSTC, "{what}: build after check");
        consumer.trace();
        assert_eq!(check().did(), NONE, "{what}: check after build");
        is_fresh(&consumer, &what);
    }
}

#[test]
fn nothing_in_a_large_folder() {
    for way in WAYS {
        let consumer = way.built();
        for number in 0..2000 {
            let path = consumer.root().join(format!("config/many/{}/{number}.yml", number % 20));
            fs::create_dir_all(path.parent().expect("below the folder")).expect("a temporary folder");
            fs::write(path, format!("number: {number}\n")).expect("a temporary file");
        }
        consumer.edit("src/main.rs", "//! Prints", "//! Counts and prints");
        let run = consumer.run(&[]).succeeded();
        assert_eq!(run.stdout.matches("number: ").count(), 4000, "{way:?}");
        consumer.trace();
        is_fresh(&consumer, &format!("{way:?}: 2000 files"));
    }
}

#[test]
fn file_edited() {
    let edits = [
        ("config/deployment.yml", [("\"web\"", "\"api\""), ("shop-web", "shop-api")]),
        ("config/names.star", [("shop-", "store-"), ("shop-", "store-")]),
        ("config/_ytt_lib/words/greeting.star", [("hello", "good day"), ("hello", "good day")]),
        ("config/motto.md", [("Less is more", "Form follows function"), ("Less is more", "Form follows function")]),
        ("overlays/scale.yml", [("replicas: 5", "replicas: 7"), ("replicas: 5", "replicas: 7")]),
        ("values/team.yml", [("blue", "red"), ("blue", "red")]),
    ];
    let mut printed = printed();
    let mut steps = Vec::new();
    for (file, [(old, new), (before, after)]) in edits {
        printed = printed.replace(before, after);
        // The build script of the second way looks at the two folders only.
        let watched = if file.starts_with("values/") { RUSTC } else { BOTH };
        let act = move |consumer: &mut Consumer, _| consumer.edit(file, old, new);
        steps.push(step(file, [RUSTC, watched, BOTH], printed.as_str(), act));
    }
    row(&steps);
}

#[test]
fn file_touched() {
    let touch = |consumer: &mut Consumer, _| consumer.edit("config/deployment.yml", "kind", "kind");
    row(&[step("the same content", [RUSTC, BOTH, BOTH], printed(), touch)]);
    // Outputs of a build script that stay the same keep their time.
    let consumer = Way::Script.built();
    let times = || {
        let out = out_dir(&consumer);
        ["config.yml", "scaled.yml"]
            .map(|name| fs::metadata(out.join(name)).and_then(|found| found.modified()).expect("an output"))
    };
    let before = times();
    consumer.edit("config/deployment.yml", "kind", "kind");
    assert_eq!(consumer.build().succeeded().did(), BOTH);
    assert_eq!(times(), before);
    consumer.edit("overlays/scale.yml", "replicas: 5", "replicas: 6");
    assert_eq!(consumer.build().succeeded().did(), BOTH);
    let [plain, scaled] = times();
    assert!(plain == before[0] && scaled > before[1], "the one that changed is written");
}

/// The folder of the build script's outputs.
fn out_dir(consumer: &Consumer) -> PathBuf {
    let run = consumer.cargo(&["build", "--message-format=json"]).succeeded();
    let folders = run.messages("build-script-executed", "out_dir");
    let own = folders.iter().find(|folder| folder.contains("/build/consumer-")).expect("the folder of the outputs");
    PathBuf::from(own)
}

#[test]
fn file_deleted() {
    let gone = printed().replace("---\nkind: Service\n", "");
    row(&[step("deleted", [RUSTC, BOTH, BOTH], gone, |consumer, _| consumer.remove("config/service.yml"))]);
    let consumer = Way::Macro.built();
    consumer.remove("config/service.yml");
    consumer.build().succeeded().says(&["Dirty consumer-macro", "the file `config/service.yml` is missing"]);
}

#[test]
fn file_renamed() {
    row(&[
        step("renamed", [RUSTC, BOTH, BOTH], printed(), |consumer, _| {
            consumer.rename("config/service.yml", "config/web.yml");
        }),
        step(
            "edited under the new name",
            [RUSTC, BOTH, BOTH],
            printed().replace("Service", "Ingress"),
            |consumer, _| {
                consumer.edit("config/web.yml", "Service", "Ingress");
            },
        ),
    ]);
}

/// Only a build script sees new files: rustc shows a macro no folders.
#[test]
fn file_added() {
    let seen = |below: &str| printed().replace("kind: Service\n", &format!("kind: Service\n{below}"));
    let (ingress, job) = ("---\nkind: Ingress\n", "---\nkind: Job\n");
    let added = |event, text: String, act: fn(&mut Consumer, Way)| {
        let step = step(event, [NONE, BOTH, BOTH], text, act);
        Step { printed: [printed(), step.printed[1].clone(), step.printed[2].clone()], ..step }
    };
    let ingresses = seen(ingress);
    row(&[
        added("a file", ingresses, |consumer, _| consumer.write("config/web.yml", "kind: Ingress\n")),
        added("a nested folder", seen(&format!("{ingress}{job}")), |consumer, _| {
            consumer.write("config/web/jobs/once.yml", "kind: Job\n");
        }),
        // What the macro missed comes with the next change.
        step("the source edited", [RUSTC, RUSTC, RUSTC], seen(&format!("{ingress}{job}")), |consumer, _| {
            consumer.edit("src/main.rs", "//! Prints", "//! Again prints");
        }),
    ]);
}

#[test]
fn unrelated_file_added() {
    row(&[step("a file that is no template", [NONE, BOTH, BOTH], printed(), |consumer, _| {
        consumer.write("config/NOTES.md", "Notes.\n");
    })]);
}

#[test]
fn variable_changed() {
    let set = |event, value: Option<&'static str>, text: &str| {
        let act = move |consumer: &mut Consumer, _| consumer.variable("SHOP_REPLICAS", value);
        step(event, [RUSTC, RUSTC, BOTH], printed().replace("replicas: 1", text), act)
    };
    row(&[
        set("set", Some("2"), "replicas: 2"),
        set("changed", Some("3"), "replicas: 3"),
        set("unset", None, "replicas: 1"),
    ]);
}

#[test]
fn source_edited() {
    let scaled = printed().rsplit_once("---\nkind: Deployment").map(|(plain, _)| format!("{plain}---\n{plain}"));
    row(&[
        step("the source", [RUSTC; 3], printed(), |consumer, _| {
            consumer.edit("src/main.rs", "//! Prints", "//! Always prints");
        }),
        step("the call", [RUSTC, RUSTC, BOTH], scaled.expect("two renders"), |consumer, way| match way {
            Way::Script => consumer.edit("build.rs", "builder.overlay(\"overlays\")", "builder"),
            _ => consumer.edit("src/main.rs", "\"config\", \"overlays\"", "\"config\""),
        }),
    ]);
}

/// One render serves all calls of a compilation on the same inputs, whatever they make of it.
#[test]
fn two_calls() {
    const CALLS: &str = "//! Calls on the same inputs.\n\n\
        static TEXT: &str = ytt_macros::include_ytt!(\"config\", values = { replicas: 2 });\n\
        static JSON: &str = ytt_macros::include_ytt!(\"config\", values = { replicas: 2 }, output = \"json\");\n\
        ytt_macros::include_ytt! {\n\
        \x20   static VALUES: Values = data_values(\"config\", values = { replicas: 2 });\n\
        \x20   static WEB: Deployment = document(\"config\", values = { replicas: 2 }) where kind = \"Deployment\";\n\
        }\n\
        ytt_macros::include_ytt! {\n\
        \x20   mod all = documents(\"config\", values = { replicas: 2 }) by kind;\n\
        }\n\n\
        fn main() {\n\
        \x20   let [a, b] = [TEXT, JSON].map(|text| text.matches(\"kind\").count());\n\
        \x20   print!(\"{a} {b} {} {} {:?}\", VALUES.replicas, WEB.spec.replicas, all::DEPLOYMENT.kind);\n\
        }\n";
    for way in [Way::Macro, Way::Watched] {
        let consumer = way.built();
        consumer.write("src/main.rs", CALLS);
        let run = consumer.run(&[]).succeeded();
        assert_eq!((run.did(), run.stdout.as_str()), (RUSTC, "2 2 2 2 \"Deployment\""));
        let mut trace = consumer.trace();
        assert_eq!(trace[..2], ["call", "render"], "{way:?}");
        trace.sort();
        assert_eq!(trace, ["call", "call", "call", "call", "hit", "hit", "hit", "hit", "render"], "{way:?}");
        is_fresh(&consumer, "two calls");
    }
    // Each builder renders.
    let consumer = Way::Script.built();
    consumer.edit(
        "build.rs",
        "    builder.overlay",
        "    builder.clone().write_json(\"config.json\").build();\n    builder.overlay",
    );
    assert_eq!(consumer.run(&[]).succeeded().did(), BOTH);
    assert_eq!(consumer.trace(), ["script", "render", "script", "render", "script", "render"]);
    is_fresh(&consumer, "two builders");
}

#[test]
fn failed_then_fixed() {
    for (number, way) in WAYS.into_iter().enumerate() {
        let consumer = way.built();
        let fails = |run: Run, did: [Did; 3], what: &str| {
            let run = run.failed().says(way.failure());
            assert_eq!(run.stderr.matches("Expected number of matched").count(), 1, "{way:?}: {what}\n{}", run.stderr);
            assert_eq!(run.did(), did[number], "{way:?}: {what}");
        };
        consumer.edit("overlays/scale.yml", "replicas: 5", "replica: 5");
        fails(consumer.build(), [RUSTC, BOTH, SCRIPT], "broken");
        fails(consumer.build(), [RUSTC, RUSTC, SCRIPT], "not fixed");
        consumer.edit("overlays/scale.yml", "replica: 5", "replicas: 5");
        let run = consumer.run(&[]).succeeded();
        assert_eq!((run.did(), run.stdout), ([RUSTC, BOTH, BOTH][number], printed()), "{way:?}: fixed");
        consumer.trace();
        is_fresh(&consumer, "fixed");
    }
}

#[test]
fn folder_with_any_name() {
    for way in WAYS {
        let names: &[&str] = match way {
            Way::Watched => &["inputs", "macro", "watched"],
            _ => &["inputs", way.name()],
        };
        let consumer = Consumer::of(&format!("caf\u{e9} # with blanks/{}", way.name()), names);
        consumer.edit("Cargo.toml", "name = \"consumer-", "name = \"consumer-with-blanks-");
        assert_eq!(consumer.run(&[]).succeeded().stdout, printed());
        consumer.trace();
        consumer.edit("config/names.star", "shop-", "store-");
        let run = consumer.run(&[]).succeeded();
        assert_eq!(
            (run.did(), run.stdout),
            (if way == Way::Macro { RUSTC } else { BOTH }, printed().replace("shop-", "store-"))
        );
        consumer.trace();
        is_fresh(&consumer, "an edit");
    }
}
