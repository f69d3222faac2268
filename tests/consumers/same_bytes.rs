//! The same bytes from the command, the macro, a build script and committed expansions, for the inputs of all whole renders
//! in `ytt-engine/tests/cases`.

use std::fmt::Write;
use std::fs;

use crate::case::cases;
use crate::support::{Consumer, workspace};

/// The input files of every case that takes no flags and comes to an end.
fn inputs() -> Vec<Vec<(String, String)>> {
    let cases = cases(&workspace().join("ytt-engine/tests/cases")).into_iter().map(|(_, case)| case);
    let run = cases.filter(|case| case.part("args").or(case.part("error")).is_none());
    let is_input = |name: &str| name != "warnings" && name != "output" && !name.starts_with("output ");
    run.map(|case| case.parts.into_iter().filter(|(name, _)| is_input(name)).collect()).collect()
}

const MANIFEST: &str = "[package]\nname = \"consumer-same-bytes\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
                        [dependencies]\nytt-macros = { path = \"$WORKSPACE/ytt-macros\" }\n\n\
                        [build-dependencies]\nytt-build = { path = \"$WORKSPACE/ytt-build\" }\n\n[workspace]\n";

/// Says where a way gives other bytes than the command.
const MAIN: &str = "fn main() {\n    let mut same = 0;\n    for (number, of_macro, of_script, expected) in ALL {\n\
                    \x20       for (way, text) in [(\"macro\", of_macro), (\"script\", of_script)] {\n\
                    \x20           if text.as_bytes() == *expected {\n                same += 1;\n            } else {\n\
                    \x20               println!(\"{number}: the {way} gives\\n{text}\");\n            }\n        }\n    }\n\
                    \x20   println!(\"{same}\");\n}\n";

#[test]
fn every_way_gives_the_same_bytes() {
    let all = inputs();
    let mut files = vec![("Cargo.toml".to_owned(), MANIFEST.to_owned())];
    for (number, parts) in all.iter().enumerate() {
        files.extend(parts.iter().map(|(name, text)| (format!("cases/{number}/{name}"), text.clone())));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let consumer = Consumer::with("same-bytes", &files);

    let (mut table, mut script, count) = (String::new(), String::new(), all.len());
    for number in 0..count {
        let run = consumer.ytt(&["-f", &format!("cases/{number}")]).succeeded();
        fs::write(consumer.root().join(format!("expected-{number}.yml")), &run.stdout).expect("a file of the package");
        let _ = writeln!(
            table,
            "    ({number}, ytt_macros::include_ytt!(\"cases/{number}\"), \
             include_str!(concat!(env!(\"OUT_DIR\"), \"/{number}.yml\")), \
             include_bytes!(\"../expected-{number}.yml\")),"
        );
        let _ =
            writeln!(script, "    ytt_build::Builder::new(\"cases/{number}\").write_text(\"{number}.yml\").build();");
    }
    assert!(count > 130, "{count} cases");
    consumer.write("build.rs", &format!("fn main() {{\n{script}}}\n"));
    consumer.write("src/main.rs", &format!("const ALL: &[(u32, &str, &str, &[u8])] = &[\n{table}];\n\n{MAIN}"));
    assert_eq!(consumer.run(&[]).succeeded().stdout, format!("{}\n", 2 * count));

    consumer.edit("Cargo.toml", "/ytt-macros\" }", "/ytt-macros\", default-features = false }");
    consumer.ytt(&["generate"]).succeeded();
    assert_eq!(fs::read_dir(consumer.root().join(".ytt")).expect("expansions").count(), count);
    assert_eq!(consumer.run(&[]).succeeded().stdout, format!("{}\n", 2 * count));
}
