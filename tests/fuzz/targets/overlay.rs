//! Documents and overlays of a grammar; bytes decide between its alternatives.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_fuzz::overlay(bytes));
