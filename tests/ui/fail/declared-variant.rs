//! A text that is no variant of a declared enum.

ytt_macros::include_ytt! {
    pub static WEB: Deployment = document("data/cluster") where kind = "Deployment", metadata.name = "web";
    pub struct Deployment {
        pub api_version: &'static str,
        pub kind: &'static str,
        pub metadata: Value,
        pub spec: Spec,
    }
    pub struct Spec {
        pub replicas: u16,
        pub mode: Mode,
    }
    pub enum Mode {
        Dev,
        Prod,
    }
}

fn main() {
    println!("{:?}", WEB.spec.mode);
}
