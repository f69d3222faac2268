//! Calls that render nothing are warned of.
#![deny(warnings)]

static TEXT: &str = ytt_macros::include_ytt!("data/nothing");

ytt_macros::include_ytt! {
    static ALL: [Value] = documents("data/nothing");
    static FILES: [(&str, &str)] = files("data/two", file_marks = ["**/*:exclude=true"]);
    mod configs = documents("data/names") where kind = "Pod" by kind, name;
}

fn main() {
    println!("{TEXT}{ALL:?}{FILES:?}");
}
