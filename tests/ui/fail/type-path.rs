//! A type of the program cannot be filled while it is compiled.

mod api {
    #[derive(Debug)]
    pub struct Deployment {
        pub kind: String,
    }
}

ytt_macros::include_ytt! {
    pub static WEB: api::Deployment = document("data/shop");
}

fn main() {
    println!("{:?}", WEB);
}
