//! Mistakes that need no file are all told, those of one item too.

ytt_macros::include_ytt! {
    pub static A: A = document("data/shop", strict = 1);
    pub static B = document("data/shop");
    pub const C: C = document("data/shop");
    pub static D: D = document("data/shop", output = "json", values = { a: 1, a: 2 });
    pub static E: E = document("data/shop");
}

fn main() {
    println!("{:?}", E);
}
