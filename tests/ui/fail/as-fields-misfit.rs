//! The compiler compares with the structs of the program: a field that they lack, another type, an integer out of range.

use std::sync::LazyLock;

#[derive(Debug, Default)]
struct Deployment {
    metadata: Metadata,
    spec: Spec,
}

#[derive(Debug, Default)]
struct Metadata {
    name: u32,
}

#[derive(Debug, Default)]
struct Spec {
    replicas: u8,
    mode: String,
}

ytt_macros::include_ytt! {
    static WEB: LazyLock<Deployment> = document("data/cluster")
        where kind = "Deployment", apiVersion = "apps/v1", metadata.name = "web" as fields;
}

fn main() {
    println!("{:?}", *WEB);
}
