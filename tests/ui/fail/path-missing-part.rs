//! A folder on the way does not exist: the nearest path is named as far as it goes.

static TEXT: &str = ytt_macros::include_ytt!("dta/shop");

fn main() {
    println!("{TEXT}");
}
