//! Values of other types than the declared ones.

ytt_macros::include_ytt! {
    pub static WEB: Service = document("data/cluster") where kind = "Service";
    pub struct Service {
        pub api_version: &'static str,
        pub kind: bool,
        pub metadata: Option<&'static [Value]>,
        pub spec: Spec,
    }
    pub struct Spec {
        pub ports: [u16; 3],
    }
}

fn main() {
    println!("{:?}", WEB.kind);
}
