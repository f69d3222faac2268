//! A key for which no field is declared.

ytt_macros::include_ytt! {
    pub static WEB: Service = document("data/cluster") where kind = "Service";
    pub struct Service {
        pub api_version: &'static str,
        pub kind: &'static str,
        pub metadata: Metadata,
    }
    pub struct Metadata {
        pub name: &'static str,
    }
}

fn main() {
    println!("{:?}", WEB.kind);
}
