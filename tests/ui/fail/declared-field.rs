//! A field of a type that no constant has.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/shop");
    pub struct Web {
        pub kind: String,
        pub metadata: Value,
        pub spec: Value,
    }
}

fn main() {
    println!("{:?}", WEB.kind);
}
