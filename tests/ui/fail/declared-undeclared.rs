//! A field of a type that the call does not declare.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/shop");
    pub struct Web {
        pub kind: &'static str,
        pub metadata: Value,
        pub spec: Option<Spec>,
    }
}

fn main() {
    println!("{:?}", WEB.kind);
}
