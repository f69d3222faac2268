//! A compilation of its own.

static TEXT: &str = ytt_macros::include_ytt!("config");

#[test]
fn is_the_same() {
    assert_eq!(TEXT, consumer_both::TEXT);
}
