//! Any bytes as a program that a template loads.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::program(bytes));
