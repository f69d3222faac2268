use crate::eval::testing::run;
#[test]
fn probe() {
    let Ok(file) = std::env::var("PROBE") else { return };
    let mut out = String::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        out.push_str(&run(&format!("print(repr({line}))")).join("\n"));
        out.push('\n');
    }
    std::fs::write("/tmp/probe.out", out).unwrap();
}

#[test]
fn probe2() {
    let Ok(file) = std::env::var("PROBE2") else { return };
    let mut out = String::new();
    for program in std::fs::read_to_string(file).unwrap().split("\n###\n") {
        out.push_str(&run(program).join("\n"));
        out.push_str("\n###\n");
    }
    std::fs::write("/tmp/probe2.out", out).unwrap();
}
