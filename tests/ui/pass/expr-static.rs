//! A static holds what `ytt -f shop` prints; an overlay changes it.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static PLAIN: &str = ytt_macros::include_ytt!("data/shop");
static SCALED: &str = ytt_macros::include_ytt!("data/shop", "data/scale");

fn main() {
    assert_eq!(
        PLAIN,
        "kind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  image: shop/web:latest\n"
    );
    assert_eq!(
        SCALED,
        "kind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n  image: shop/web:latest\n"
    );
}
