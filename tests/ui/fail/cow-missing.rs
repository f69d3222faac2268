//! Types that a program reads at run time own what they hold.

ytt_macros::include_ytt! {
    #[derive(serde::Deserialize)]
    #[serde(default)]
    pub static SETTINGS: Settings = data_values("data/settings");
}

fn main() {
    println!("{:?}", SETTINGS);
}
