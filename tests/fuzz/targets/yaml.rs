//! Any bytes are read, printed and read again; the properties are those of `ytt-engine/src/yaml/properties`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ytt_engine::check_text(bytes));
