//! A field that no key gives.

ytt_macros::include_ytt! {
    pub static WEB: Service = document("data/cluster") where kind = "Service";
    pub struct Service {
        #[ytt(rename = "apiVersion")]
        pub version: &'static str,
        pub kind: &'static str,
        pub metadata: Metadata,
        pub spec: Spec,
    }
    pub struct Metadata {
        pub name: &'static str,
    }
    pub struct Spec {
        pub ports: &'static [u16],
        pub replicas: u16,
    }
}

fn main() {
    println!("{:?}", WEB.spec.replicas);
}
