//! A key that YAML 1.1 reads as a boolean takes its map the type, which is warned of.
#![deny(warnings)]

ytt_macros::include_ytt! {
    static POINT: Point = document("data/boolean");
    mod all = documents("data/boolean") by kind;
}

fn main() {
    println!("{:?} {:?}", POINT, all::POINT);
}
