//! What the compiler says about calls of `include_ytt!`: every message in `fail` has been read by a person.
//!
//! `TRYBUILD=overwrite cargo test -p ytt-ui-tests` writes the messages again.
#![forbid(unsafe_code)]

#[path = "../support/mod.rs"]
mod support;

use trybuild::TestCases;

/// All failures are one run of the compiler; programs that pass are a run each, since they are started too.
#[test]
fn calls_that_fail() {
    support::prepare();
    TestCases::new().compile_fail("fail/*.rs");
}

#[test]
fn calls_that_pass() {
    support::prepare();
    TestCases::new().pass("pass/*.rs");
}
