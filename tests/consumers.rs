//! Packages that use the macro and the build helper, as their users would have them: what is built again, and when.
//!
//! Each test is a row of the table of rebuilds, for one of the two ways.
#![forbid(unsafe_code)]

mod support;

use support::Consumer;

const PRINTED: &str = "kind: Deployment\nmetadata:\n  name: shop-web\nspec:\n  replicas: 1\n---\n\
                       kind: Deployment\nmetadata:\n  name: shop-web\nspec:\n  replicas: 5\n";

/// Builds a fresh copy and forgets what that did.
fn built(name: &str) -> Consumer {
    let consumer = Consumer::new(name);
    consumer.build().succeeded();
    consumer.trace();
    consumer
}

/// Nothing is compiled and nothing is rendered.
#[track_caller]
fn is_fresh(consumer: &Consumer) {
    let run = consumer.build().succeeded();
    assert!(run.stderr.contains("Fresh consumer-"), "{}", run.stderr);
    assert_eq!(consumer.trace(), [""; 0]);
}

mod rebuilds_of_the_macro {
    use super::*;

    #[test]
    fn nothing() {
        let consumer = built("macro");
        is_fresh(&consumer);
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
        is_fresh(&consumer);
    }

    #[test]
    fn file_edited() {
        let consumer = built("macro");
        for (file, old, new) in
            [("config/deployment.yml", "Deployment", "StatefulSet"), ("config/names.star", "shop-", "store-")]
        {
            // The overlay looks for the kind, so it changes as well, in the same build.
            if new == "StatefulSet" {
                consumer.edit("overlays/scale.yml", old, new);
            }
            consumer.edit(file, old, new);
            consumer.build().succeeded();
            assert_eq!(consumer.trace(), ["call", "render", "call", "render"], "{file}");
            is_fresh(&consumer);
        }
        let expected = PRINTED.replace("Deployment", "StatefulSet").replace("shop-", "store-");
        assert_eq!(consumer.run(&[]).succeeded().stdout, expected);
    }

    #[test]
    fn variable_set_changed_unset() {
        let mut consumer = built("macro");
        for (value, replicas) in [(Some("2"), "replicas: 2\n"), (Some("3"), "replicas: 3\n"), (None, "replicas: 1\n")] {
            consumer.variable("SHOP_REPLICAS", value);
            consumer.build().succeeded();
            assert_eq!(consumer.trace(), ["call", "render", "call", "render"], "{value:?}");
            is_fresh(&consumer);
            let printed = consumer.run(&[]).succeeded().stdout;
            assert!(printed.contains(replicas), "{value:?}: {printed}");
        }
    }

    #[test]
    fn file_deleted() {
        let consumer = built("macro");
        consumer.edit("config/deployment.yml", "full_name(\"web\")", "\"web\"");
        consumer.edit("config/deployment.yml", "#@ load(\"names.star\", \"full_name\")\n", "");
        consumer.build().succeeded();
        consumer.trace();
        consumer.remove("config/names.star");
        consumer.build().succeeded();
        assert_eq!(consumer.trace(), ["call", "render", "call", "render"]);
        is_fresh(&consumer);
    }

    #[test]
    fn folder_with_any_name() {
        let consumer = Consumer::below("caf\u{e9} # with blanks", "macro");
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
        consumer.trace();
        consumer.edit("config/names.star", "shop-", "store-");
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED.replace("shop-", "store-"));
        consumer.trace();
        is_fresh(&consumer);
    }

    #[test]
    fn failed_then_fixed() {
        let consumer = built("macro");
        consumer.edit("overlays/scale.yml", "replicas: 5", "replica: 5");
        for _ in 0..2 {
            consumer.build().failed().says(&[
                "error: ytt: 1 problem rendering `config` + `overlays`",
                "Expected number of matched nodes to be 1, but was 0",
                "overlays/scale.yml:6:",
                "replica: 5",
                "`replicas`",
                "--> src/main.rs:4:",
            ]);
        }
        consumer.edit("overlays/scale.yml", "replica: 5", "replicas: 5");
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
        consumer.trace();
        is_fresh(&consumer);
    }
}

mod rebuilds_of_the_build_script {
    use super::*;

    #[test]
    fn nothing() {
        let consumer = built("build-script");
        is_fresh(&consumer);
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
        is_fresh(&consumer);
    }

    #[test]
    fn file_edited() {
        let consumer = built("build-script");
        consumer.edit("config/names.star", "shop-", "store-");
        consumer.build().succeeded();
        assert_eq!(consumer.trace(), ["script", "script"], "one line for each builder");
        is_fresh(&consumer);
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED.replace("shop-", "store-"));
    }

    #[test]
    fn file_added() {
        let consumer = built("build-script");
        consumer.write("config/service.yml", "kind: Service\n");
        let added = "  replicas: 1\n---\nkind: Service\n---\n";
        let printed = consumer.run(&[]).succeeded().stdout;
        assert!(printed.contains(added), "{printed}");
        consumer.trace();
        is_fresh(&consumer);
    }

    #[test]
    fn variable_set_changed_unset() {
        let mut consumer = built("build-script");
        for (value, replicas) in [(Some("2"), "replicas: 2\n"), (Some("3"), "replicas: 3\n"), (None, "replicas: 1\n")] {
            consumer.variable("SHOP_REPLICAS", value);
            consumer.build().succeeded();
            assert_eq!(consumer.trace(), ["script", "script"], "{value:?}");
            is_fresh(&consumer);
            let printed = consumer.run(&[]).succeeded().stdout;
            assert!(printed.contains(replicas), "{value:?}: {printed}");
        }
    }

    #[test]
    fn file_deleted() {
        let consumer = built("build-script");
        consumer.edit("config/deployment.yml", "full_name(\"web\")", "\"web\"");
        consumer.edit("config/deployment.yml", "#@ load(\"names.star\", \"full_name\")\n", "");
        consumer.build().succeeded();
        consumer.trace();
        consumer.remove("config/names.star");
        consumer.build().succeeded();
        assert_eq!(consumer.trace(), ["script", "script"]);
        is_fresh(&consumer);
    }

    #[test]
    fn folder_with_any_name() {
        let consumer = Consumer::below("caf\u{e9} # with blanks", "build-script");
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
        consumer.trace();
        consumer.edit("config/names.star", "shop-", "store-");
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED.replace("shop-", "store-"));
        consumer.trace();
        is_fresh(&consumer);
    }

    #[test]
    fn failed_then_fixed() {
        let consumer = built("build-script");
        consumer.edit("overlays/scale.yml", "replicas: 5", "replica: 5");
        for _ in 0..2 {
            let run = consumer.build().failed().says(&[
                "error: consumer-build-script@0.1.0: [overlay::",
                "Expected number of matched nodes to be 1, but was 0",
                "overlays/scale.yml:6:",
                "replica: 5",
                "`replicas`",
            ]);
            assert_eq!(run.stderr.matches("Expected number of matched").count(), 1, "{}", run.stderr);
        }
        consumer.edit("overlays/scale.yml", "replica: 5", "replicas: 5");
        assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
        consumer.trace();
        is_fresh(&consumer);
    }
}
