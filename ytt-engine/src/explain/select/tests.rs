//! Paths, and words in quotes, as they are read and written.

use super::*;

#[test]
fn quoted_keys_may_hold_anything() {
    let escaped = r#""\n\r\t\b\f\0\"\\\/\u{41}\u0041\ud83d\ude00""#;
    assert_eq!(steps(escaped).unwrap(), [Wanted::Key("\n\r\t\u{8}\u{c}\0\"\\/AA\u{1F600}".to_owned())]);
    for wrong in
        [r#""\x""#, r#""\u12""#, r#""\u{110000}""#, r#""\u{41""#, r#""\ud83d""#, r#""\ud83d\u0041""#, r#""\u00g0""#]
    {
        let problem = steps(wrong).unwrap_err();
        assert!(problem.message().ends_with("what stands behind `\\` in quotes is not known"), "{wrong}");
    }
    assert!(steps("\"a").unwrap_err().message().ends_with("a quote is not closed"));
}

#[test]
fn paths_are_read() {
    let key = |name: &str| Wanted::Key(name.to_owned());
    assert_eq!(
        steps("spec.containers[name=web].args[0][1].\"a.b/c\"").unwrap(),
        [
            key("spec"),
            key("containers"),
            Wanted::With(Some("name".into()), "web".into()),
            key("args"),
            Wanted::Index(0),
            Wanted::Index(1),
            key("a.b/c")
        ]
    );
    let with = |name: Option<&str>, value: &str| Wanted::With(name.map(str::to_owned), value.to_owned());
    assert_eq!(
        steps("a b.\"q\\\"]\\u{7}\\u0041\\ud83d\\ude00\"[n=\"]\"][=x=y][\"\"=\"\"]").unwrap(),
        [key("a b"), key("q\"]\u{7}A😀"), with(Some("n"), "]"), with(None, "x=y"), with(Some(""), "")]
    );
    assert_eq!(steps("").unwrap(), []);
    for wrong in
        ["a.", ".a", "a[", "a[x]", "a..b", "\"a", "a[0]b", "\"a\"b", "\"\\q\"", "a[\"0]", "\"\\u+041\"", "\"\\ud83d\""]
    {
        assert!(steps(wrong).is_err(), "{wrong}");
    }
}
