//! Any text as a call of the macro.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::call(bytes));
