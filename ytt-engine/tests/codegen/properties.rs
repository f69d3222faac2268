//! Laws that hold for random input: the same for the same seed.

#[path = "properties/places.rs"]
mod places;
#[path = "properties/random.rs"]
mod random;
#[path = "properties/soup.rs"]
mod soup;
#[path = "properties/types.rs"]
mod types;
#[path = "properties/variables.rs"]
mod variables;
