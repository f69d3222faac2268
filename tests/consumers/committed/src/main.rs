//! Prints nothing, before the tests add something.

fn main() {}
