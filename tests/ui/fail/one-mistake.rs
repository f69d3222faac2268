//! One mistake in a file that several calls read is told in full once, and once for a call with several items.

static TEXT: &str = ytt_macros::include_ytt!("data/broken-yaml");
static MORE: &str = ytt_macros::include_ytt!("data/two", "data/broken-yaml");

ytt_macros::include_ytt! {
    pub static WEB: Web = document("data/broken-yaml");
    pub static ALL: [Web] = documents("data/broken-yaml");
}

fn main() {
    println!("{TEXT}{MORE}{:?}", WEB);
}
