//! `image.tag` is the key `tag` of the map `image`; both ways may be mixed.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static DOTTED: &str = ytt_macros::include_ytt!("data/shop", values = { image.tag: "1.4", replicas: 2 });
static NESTED: &str = ytt_macros::include_ytt!("data/shop", values = { image: { tag: "1.4" }, replicas: 2 });

fn main() {
    assert_eq!(DOTTED, NESTED);
    assert!(DOTTED.contains("image: shop/web:1.4\n"), "{DOTTED}");
    assert!(DOTTED.contains("replicas: 2\n"), "{DOTTED}");
}
