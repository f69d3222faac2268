//! Values of other types than the arguments take.

const STRICT: &str = ytt_macros::include_ytt!("data/shop", strict = 1);
const FILE: &str = ytt_macros::include_ytt!("data/shop", file = true);
const VALUES: &str = ytt_macros::include_ytt!("data/shop", values_file = { a: 1 });
const MARKS: &str = ytt_macros::include_ytt!("data/shop", file_marks = "a.yml:exclude=true");
const ENV: &str = ytt_macros::include_ytt!("data/shop", env = "APP_NAME");
const LIMITS: &str = ytt_macros::include_ytt!("data/shop", limits = { steps: 0 });

fn main() {
    println!("{STRICT}{FILE}{VALUES}{MARKS}{ENV}{LIMITS}");
}
