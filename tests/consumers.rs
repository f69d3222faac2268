//! Packages that use the macro and the build helper, as their users would have them: what is built again, and when.
//!
//! Each test is a row of the table of rebuilds, for both ways.
#![forbid(unsafe_code)]

mod support;

use support::Consumer;

const PRINTED: &str = "kind: Deployment\nmetadata:\n  name: shop-web\nspec:\n  replicas: 1\n---\n\
                       kind: Deployment\nmetadata:\n  name: shop-web\nspec:\n  replicas: 5\n";

/// A way to use the engine in a build: a package of `consumers/`.
#[derive(Debug)]
struct Way {
    name: &'static str,
    /// What is traced when it works: the package renders twice.
    again: &'static [&'static str],
    /// What cargo says of an overlay that does not match.
    failure: &'static [&'static str],
}

const MACRO: Way = Way {
    name: "macro",
    again: &["call", "render", "call", "render"],
    failure: &[
        "error: ytt: 1 problem rendering `config` + `overlays`",
        "Expected number of matched nodes to be 1, but was 0",
        "overlays/scale.yml:6:",
        "replica: 5",
        "`replicas`",
        "--> src/main.rs:4:",
    ],
};

const BUILD_SCRIPT: Way = Way {
    name: "build-script",
    again: &["script", "script"],
    failure: &[
        "error: consumer-build-script@0.1.0: [overlay::",
        "Expected number of matched nodes to be 1, but was 0",
        "overlays/scale.yml:6:",
        "replica: 5",
        "`replicas`",
    ],
};

const WAYS: [&Way; 2] = [&MACRO, &BUILD_SCRIPT];

impl Way {
    /// Builds a fresh copy and forgets what that did.
    fn built(&self) -> Consumer {
        let consumer = Consumer::new(self.name);
        consumer.build().succeeded();
        consumer.trace();
        consumer
    }

    /// It renders again, once: then it is fresh.
    #[track_caller]
    fn renders_again(&self, consumer: &Consumer, why: &str) {
        consumer.build().succeeded();
        assert_eq!(consumer.trace(), self.again, "{}: {why}", self.name);
        is_fresh(consumer);
    }
}

/// Nothing is compiled and nothing is rendered.
#[track_caller]
fn is_fresh(consumer: &Consumer) {
    let run = consumer.build().succeeded();
    assert!(run.stderr.contains("Fresh consumer-"), "{}", run.stderr);
    assert_eq!(consumer.trace(), [""; 0]);
}

#[track_caller]
fn prints(consumer: &Consumer, expected: &str) {
    assert_eq!(consumer.run(&[]).succeeded().stdout, expected);
}

#[test]
fn nothing() {
    for way in WAYS {
        let consumer = way.built();
        is_fresh(&consumer);
        prints(&consumer, PRINTED);
        is_fresh(&consumer);
    }
}

#[test]
fn file_edited() {
    for way in WAYS {
        let consumer = way.built();
        for (file, old, new) in
            [("config/deployment.yml", "Deployment", "StatefulSet"), ("config/names.star", "shop-", "store-")]
        {
            // The overlay looks for the kind, so it changes as well, in the same build.
            if new == "StatefulSet" {
                consumer.edit("overlays/scale.yml", old, new);
            }
            consumer.edit(file, old, new);
            way.renders_again(&consumer, file);
        }
        prints(&consumer, &PRINTED.replace("Deployment", "StatefulSet").replace("shop-", "store-"));
    }
}

/// Only a build script sees new files: rustc shows a macro no folders.
#[test]
fn file_added() {
    let consumer = BUILD_SCRIPT.built();
    consumer.write("config/service.yml", "kind: Service\n");
    let added = "  replicas: 1\n---\nkind: Service\n---\n";
    let printed = consumer.run(&[]).succeeded().stdout;
    assert!(printed.contains(added), "{printed}");
    consumer.trace();
    is_fresh(&consumer);
}

#[test]
fn variable_set_changed_unset() {
    for way in WAYS {
        let mut consumer = way.built();
        for (value, replicas) in [(Some("2"), "replicas: 2\n"), (Some("3"), "replicas: 3\n"), (None, "replicas: 1\n")] {
            consumer.variable("SHOP_REPLICAS", value);
            way.renders_again(&consumer, replicas);
            let printed = consumer.run(&[]).succeeded().stdout;
            assert!(printed.contains(replicas), "{}: {value:?}: {printed}", way.name);
        }
    }
}

#[test]
fn file_deleted() {
    for way in WAYS {
        let consumer = way.built();
        consumer.edit("config/deployment.yml", "full_name(\"web\")", "\"web\"");
        consumer.edit("config/deployment.yml", "#@ load(\"names.star\", \"full_name\")\n", "");
        consumer.build().succeeded();
        consumer.trace();
        consumer.remove("config/names.star");
        way.renders_again(&consumer, "a file less");
    }
}

#[test]
fn folder_with_any_name() {
    for way in WAYS {
        let consumer = Consumer::below("caf\u{e9} # with blanks", way.name);
        prints(&consumer, PRINTED);
        consumer.trace();
        consumer.edit("config/names.star", "shop-", "store-");
        prints(&consumer, &PRINTED.replace("shop-", "store-"));
        consumer.trace();
        is_fresh(&consumer);
    }
}

#[test]
fn failed_then_fixed() {
    for way in WAYS {
        let consumer = way.built();
        consumer.edit("overlays/scale.yml", "replicas: 5", "replica: 5");
        for _ in 0..2 {
            let run = consumer.build().failed().says(way.failure);
            assert_eq!(run.stderr.matches("Expected number of matched").count(), 1, "{}", run.stderr);
        }
        consumer.edit("overlays/scale.yml", "replica: 5", "replicas: 5");
        prints(&consumer, PRINTED);
        consumer.trace();
        is_fresh(&consumer);
    }
}
