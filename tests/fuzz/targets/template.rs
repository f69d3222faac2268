//! Any bytes as a YAML template.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::template(bytes));
