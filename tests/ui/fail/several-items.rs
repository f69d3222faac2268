//! Mistakes of several items of one call are all told.

ytt_macros::include_ytt! {
    pub static MISSING: Missing = document("ui/data/shpo");
    pub static NONE: Web = document("ui/data/cluster") where kind = "Pod";
    pub static TYPE: Shop = data_values("ui/data/shop", values = { replicas: "three", ports: [80, "http"] });
    pub static KEYS: Keys = document("ui/data/odd-keys");
    pub static BROKEN: Web = document("ui/data/broken-yaml");
}

fn main() {
    println!("{:?} {:?} {:?} {:?} {:?}", MISSING, NONE, TYPE, KEYS, BROKEN);
}
