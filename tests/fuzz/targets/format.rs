//! Any bytes are formatted, and formatted again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::format(bytes));
