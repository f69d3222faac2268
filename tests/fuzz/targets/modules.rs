//! Any bytes for the modules that read texts.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::modules(bytes));
