//! A path of data values that sets none is warned of: it was meant as a file of values.
#![deny(warnings)]

ytt_macros::include_ytt! {
    static PROD: Settings = data_values("data/settings", "data/plain/prod.yml");
}

fn main() {
    println!("{:?}", PROD);
}
