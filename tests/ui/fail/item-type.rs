//! Types that do not go with their sources.

ytt_macros::include_ytt! {
    pub static ALL: All = documents("data/cluster");
    pub static ONE: [One] = document("data/shop");
    pub static FILES: [Value] = files("data/two");
}

fn main() {
    println!("{:?} {:?} {:?}", ALL, ONE, FILES);
}
