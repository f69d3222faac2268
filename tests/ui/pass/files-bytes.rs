//! All output files with their contents, as texts or bytes.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    pub static BYTES: [(&str, &[u8])] =
        files("data/binary", file_marks = ["logo.txt:type=text-template", "logo.txt:path=img/logo.bin"]);
    pub static TEXTS: &'static [(&'static str, &'static str)] = files("data/two");
}

fn main() {
    assert_eq!(BYTES, [("img/logo.bin", &b"\x89PNG\n"[..])]);
    assert_eq!(TEXTS, [("second.txt", "second text\n"), ("first.yml", "kind: First\n")]);
}
