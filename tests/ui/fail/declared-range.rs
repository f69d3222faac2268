//! A number that the declared type does not hold.

ytt_macros::include_ytt! {
    pub static WEB: Deployment = document("data/cluster") where kind = "Deployment", metadata.name = "web";
    pub struct Deployment {
        pub api_version: &'static str,
        pub kind: &'static str,
        pub metadata: Value,
        pub spec: Spec,
    }
    pub struct Spec {
        pub replicas: u8,
        pub mode: &'static str,
    }
}

fn main() {
    println!("{:?}", WEB.spec.replicas);
}
