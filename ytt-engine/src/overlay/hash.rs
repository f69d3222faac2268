//! Hashes of scalar values: equal values have equal hashes.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::yaml::{Arena, Val};

/// A hash that agrees with [`same_key`]; all collections of one kind have the same.
///
/// [`same_key`]: crate::yaml::duplicates::same_key
pub(super) fn hash_of(arena: &Arena, value: Val) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value {
        Val::Null => 0_u8.hash(&mut hasher),
        Val::Bool(value) => (1_u8, value).hash(&mut hasher),
        Val::Int(value) => (2_u8, value).hash(&mut hasher),
        Val::UInt(value) => (3_u8, value).hash(&mut hasher),
        // Both zeros are equal.
        Val::Float(value) => (4_u8, if value == 0.0 { 0 } else { value.to_bits() }).hash(&mut hasher),
        Val::Str { .. } | Val::Bytes(_) => (5_u8, arena.text_bytes(value)).hash(&mut hasher),
        Val::Node(_) => 6_u8.hash(&mut hasher),
        Val::Plain(_) => 7_u8.hash(&mut hasher),
    }
    hasher.finish()
}
