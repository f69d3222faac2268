//! Any text as a file of the folder `.ytt`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::committed(bytes));
