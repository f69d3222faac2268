//! Any bytes as a text template.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::text_template(bytes));
