//! Laws that hold for random input: the same for the same seed.

#[path = "laws/places.rs"]
mod places;
#[path = "laws/random.rs"]
mod random;
#[path = "laws/soup.rs"]
mod soup;
#[path = "laws/types.rs"]
mod types;
#[path = "laws/variables.rs"]
mod variables;
