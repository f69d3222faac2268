//! Types that do not go with their sources.

ytt_macros::include_ytt! {
    pub static ALL: All = documents("ui/data/cluster");
    pub static ONE: [One] = document("ui/data/shop");
    pub static FILES: [Value] = files("ui/data/two");
}

fn main() {
    println!("{:?} {:?} {:?}", ALL, ONE, FILES);
}
