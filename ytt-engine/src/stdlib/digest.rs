//! `@ytt:md5` and `@ytt:sha256`: `sum`, the digest of a byte string in hexadecimal.
//!
//! Programs hash what they read (`data.read`) to see changes in names. What `md5` gives is a fingerprint, no protection.

use data_encoding::HEXLOWER;
use hmac_sha256::Hash as Sha256;

use super::arguments::only_text;
use crate::eval::object::Functions;

pub(super) const MD5: Functions = &[("sum", |function, given, eval| {
    let digest = md5::compute(only_text(function, &given)?);
    Ok(eval.heap().alloc_str(&HEXLOWER.encode(&*digest)).to_value())
})];

pub(super) const SHA256: Functions = &[("sum", |function, given, eval| {
    let digest = Sha256::hash(&only_text(function, &given)?);
    Ok(eval.heap().alloc_str(&HEXLOWER.encode(&digest)).to_value())
})];
