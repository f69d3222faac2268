//! A file that is no text.

ytt_macros::include_ytt! {
    pub static FILES: [(&str, &str)] = files("data/binary", file_marks = ["logo.txt:type=text-template", "logo.txt:path=logo.bin"]);
}

fn main() {
    println!("{:?}", FILES);
}
