//! Names and patterns for what there is not.

ytt_macros::include_ytt! {
    pub static WEB: Web = document(
        "data/shop",
        rename = { metadata.nmae: called },
        maps = ["**.labels"],
    );
}

fn main() {
    println!("{:?}", WEB);
}
