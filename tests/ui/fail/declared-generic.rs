//! A declared type with generics.

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/shop");
    pub struct Web<T> {
        pub kind: T,
    }
}

fn main() {
    println!("{:?}", WEB.kind);
}
