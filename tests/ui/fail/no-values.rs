//! Data values of templates that have none.

ytt_macros::include_ytt! {
    pub static VALUES: Values = data_values("data/two");
}

fn main() {
    println!("{:?}", VALUES);
}
