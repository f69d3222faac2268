//! Calls that render nothing are warned of.
#![deny(warnings)]

static TEXT: &str = ytt_macros::include_ytt!("ui/data/nothing");

ytt_macros::include_ytt! {
    static ALL: [Value] = documents("ui/data/nothing");
    static FILES: [(&str, &str)] = files("ui/data/two", file_marks = ["**/*:exclude=true"]);
    mod configs = documents("ui/data/names") where kind = "Pod" by kind, name;
}

fn main() {
    println!("{TEXT}{ALL:?}{FILES:?}");
}
