//! Mistakes of several items of one call are all told.

ytt_macros::include_ytt! {
    pub static MISSING: Missing = document("data/shpo");
    pub static NONE: Web = document("data/cluster") where kind = "Pod";
    pub static TYPE: Shop = data_values("data/shop", values = { replicas: "three", ports: [80, "http"] });
    pub static KEYS: Keys = document("data/odd-keys");
    pub static BROKEN: Web = document("data/broken-yaml");
}

fn main() {
    println!("{:?} {:?} {:?} {:?} {:?}", MISSING, NONE, TYPE, KEYS, BROKEN);
}
