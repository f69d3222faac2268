//! Any files and settings as a whole render.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::whole(bytes));
