//! Packages that use the macro and the build helper, as their users would have them: copied out of the workspace and
//! built by cargo.
//!
//! The packages are folders of `consumers/`, beside the modules of the tests; small ones stand in the tests.
#![forbid(unsafe_code)]

mod support;

#[path = "consumers/places.rs"]
mod places;
#[path = "consumers/rebuilds.rs"]
mod rebuilds;
