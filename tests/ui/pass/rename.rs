//! Fields get other names by the paths of their keys.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    pub static KEYS: Keys = document(
        "data/odd-keys",
        rename = { web: site, "web.9p": nine_p, web.self: own, web."foo-bar": dashed },
    );
}

fn main() {
    let site: KeysSite = KEYS.site;
    assert_eq!((site.nine_p, site.own, site.dashed, site.foo_bar), (true, 0, 1, 2));
}
