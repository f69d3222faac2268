//! A lint that there is not, near to one that there is; and a level that there is not.

static NAME: &str = ytt_macros::include_ytt!("data/shop", lints = { "overlay::no-efect": "deny" });
static LEVEL: &str = ytt_macros::include_ytt!("data/shop", lints = { "all": "forbid" });

fn main() {
    println!("{NAME}{LEVEL}");
}
