//! Two keys that become one name.

ytt_macros::include_ytt! {
    pub static KEYS: Keys = document("data/odd-keys", rename = { web."9p": nine_p, web.self: own });
}

fn main() {
    println!("{:?}", KEYS.web);
}
