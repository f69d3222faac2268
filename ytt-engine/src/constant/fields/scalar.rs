//! Which types scalars of the YAML become.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::num::NonZero;

use super::{YamlBool, YamlBytes, YamlFloat, YamlInt, YamlNull, YamlText, bits};

/// A type that scalars of one kind can become. Types of the user's implement it for the kinds that they take.
///
/// ```
/// use ytt_engine::constant::fields::{YamlInt, Put, YamlText, put};
///
/// #[derive(Debug, PartialEq)]
/// enum IntOrString {
///     Int(i32),
///     String(String),
/// }
///
/// // Every integer that fits `i32`.
/// impl<const N: i128, const BITS: i8> Put<YamlInt<N, BITS>> for IntOrString
/// where
///     i32: Put<YamlInt<N, BITS>>,
/// {
///     fn put(integer: YamlInt<N, BITS>) -> IntOrString {
///         IntOrString::Int(i32::put(integer))
///     }
/// }
///
/// impl Put<YamlText> for IntOrString {
///     fn put(text: YamlText) -> IntOrString {
///         IntOrString::String(text.0.into())
///     }
/// }
///
/// let mut surge: Option<IntOrString> = None;
/// put(YamlText("25%"), &mut surge);
/// assert_eq!(surge, Some(IntOrString::String("25%".into())));
/// put(YamlInt::<1, 7>, &mut surge);
/// assert_eq!(surge, Some(IntOrString::Int(1)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold this value of the YAML, a `{Scalar}`",
    label = "this is `{Self}`, the YAML has a `{Scalar}`",
    note = "a type of this crate can implement `Put<{Scalar}>`; for others write `as serde` instead of `as fields`"
)]
pub trait Put<Scalar>: Sized {
    /// Makes the value.
    fn put(scalar: Scalar) -> Self;
}

/// An [`YamlInt`] that the type `Number` holds.
#[diagnostic::on_unimplemented(
    message = "`{Number}` cannot hold this integer of the YAML, `{Self}`",
    label = "out of the range of `{Number}`"
)]
pub trait Fits<Number> {}

/// The integer. A type is chosen by `BITS`, so these have to be its own.
const fn honest<const N: i128, const BITS: i8>() -> i128 {
    assert!(bits(N) == BITS, "`BITS` is not `bits(N)`");
    N
}

/// Zero fits every integer; for each, the bits of others that do. They are not recommended: a list of them would hide
/// what the error is about.
macro_rules! integers {
    ($($kind:ty: $($bits:literal)*;)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl Fits<$kind> for YamlInt<0, 0> {}
            $(
                #[diagnostic::do_not_recommend]
                impl<const N: i128> Fits<$kind> for YamlInt<N, $bits> {}
                #[diagnostic::do_not_recommend]
                impl<const N: i128> Fits<NonZero<$kind>> for YamlInt<N, $bits> {}
            )*

            impl<const N: i128, const BITS: i8> Put<YamlInt<N, BITS>> for $kind
            where
                YamlInt<N, BITS>: Fits<$kind>,
            {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`Fits` says that it fits")]
                fn put(_: YamlInt<N, BITS>) -> $kind {
                    const { honest::<N, BITS>() as $kind }
                }
            }

            impl<const N: i128, const BITS: i8> Put<YamlInt<N, BITS>> for NonZero<$kind>
            where
                YamlInt<N, BITS>: Fits<NonZero<$kind>>,
            {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`Fits` says that it fits")]
                fn put(_: YamlInt<N, BITS>) -> NonZero<$kind> {
                    const { NonZero::new(honest::<N, BITS>() as $kind).expect("zero has bits of its own") }
                }
            }
        )*
    };
}

integers! {
    i8: -7 7;
    u8: 7 8;
    i16: -15 -7 7 8 15;
    u16: 7 8 15 16;
    i32: -31 -15 -7 7 8 15 16 31;
    u32: 7 8 15 16 31 32;
    i64: -63 -31 -15 -7 7 8 15 16 31 32 63;
    u64: 7 8 15 16 31 32 63 64;
    i128: -127 -63 -31 -15 -7 7 8 15 16 31 32 63 64 127;
    u128: 7 8 15 16 31 32 63 64 127;
}

#[cfg(target_pointer_width = "16")]
integers! {
    isize: -15 -7 7 8 15;
    usize: 7 8 15 16;
}

#[cfg(target_pointer_width = "32")]
integers! {
    isize: -31 -15 -7 7 8 15 16 31;
    usize: 7 8 15 16 31 32;
}

#[cfg(target_pointer_width = "64")]
integers! {
    isize: -63 -31 -15 -7 7 8 15 16 31 32 63;
    usize: 7 8 15 16 31 32 63 64;
}

macro_rules! floats {
    ($($kind:ty)*) => {
        $(
            impl<const N: i128, const BITS: i8> Put<YamlInt<N, BITS>> for $kind {
                #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "it is asserted")]
                fn put(_: YamlInt<N, BITS>) -> $kind {
                    const {
                        let float = honest::<N, BITS>() as $kind;
                        assert!(float as i128 == N, "the float is rounded: it cannot hold this integer");
                        float
                    }
                }
            }

            impl Put<YamlFloat> for $kind {
                #[allow(clippy::cast_possible_truncation, reason = "a field of type `f32` asks for the nearest one")]
                fn put(float: YamlFloat) -> $kind {
                    float.0 as $kind
                }
            }
        )*
    };
}

floats! { f32 f64 }

impl Put<YamlBool> for bool {
    fn put(flag: YamlBool) -> bool {
        flag.0
    }
}

/// What is made by `From`.
macro_rules! from {
    ($scalar:ident: $($kind:ty)*) => {
        $(impl Put<$scalar> for $kind {
            fn put(scalar: $scalar) -> $kind {
                scalar.0.into()
            }
        })*
    };
}

from! { YamlText: &'static str String Cow<'static, str> Box<str> Rc<str> }
from! { YamlBytes: &'static [u8] Vec<u8> Cow<'static, [u8]> Box<[u8]> Rc<[u8]> }

#[cfg(target_has_atomic = "ptr")]
from! { YamlText: Arc<str> }
#[cfg(target_has_atomic = "ptr")]
from! { YamlBytes: Arc<[u8]> }

#[cfg(feature = "std")]
from! { YamlText: std::path::PathBuf std::ffi::OsString }

impl Put<YamlNull> for () {
    fn put(_: YamlNull) {}
}

impl<T> Put<YamlNull> for Option<T> {
    fn put(_: YamlNull) -> Option<T> {
        None
    }
}

macro_rules! options {
    ($($scalar:ident)*) => {
        $(impl<T: Put<$scalar>> Put<$scalar> for Option<T> {
            fn put(scalar: $scalar) -> Option<T> {
                Some(T::put(scalar))
            }
        })*
    };
}

// Not for every scalar: `YamlNull` is `None`.
options! { YamlFloat YamlText YamlBytes YamlBool }

impl<T: Put<YamlInt<N, BITS>>, const N: i128, const BITS: i8> Put<YamlInt<N, BITS>> for Option<T> {
    fn put(integer: YamlInt<N, BITS>) -> Option<T> {
        Some(T::put(integer))
    }
}

impl<Scalar, T: Put<Scalar>> Put<Scalar> for Box<T> {
    fn put(scalar: Scalar) -> Box<T> {
        Box::new(T::put(scalar))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::fields::put;

    fn made<Scalar, T: Put<Scalar>>(scalar: Scalar) -> T {
        T::put(scalar)
    }

    #[test]
    fn bits_are_the_least_that_hold_the_integer() {
        let cases = [
            (0, 0),
            (1, 7),
            (0x7F, 7),
            (0x80, 8),
            (0xFF, 8),
            (0x100, 15),
            (0x7FFF, 15),
            (0x8000, 16),
            (0xFFFF, 16),
            (0x1_0000, 31),
            (0x7FFF_FFFF, 31),
            (0x8000_0000, 32),
            (0xFFFF_FFFF, 32),
            (0x1_0000_0000, 63),
            (i64::MAX.into(), 63),
            (i128::from(i64::MAX) + 1, 64),
            (u64::MAX.into(), 64),
            (i128::from(u64::MAX) + 1, 127),
            (i128::MAX, 127),
            (-1, -7),
            (-0x80, -7),
            (-0x81, -15),
            (-0x8000, -15),
            (-0x8001, -31),
            (-0x8000_0000, -31),
            (-0x8000_0001, -63),
            (i64::MIN.into(), -63),
            (i128::from(i64::MIN) - 1, -127),
            (i128::MIN, -127),
        ];
        for (integer, expected) in cases {
            assert_eq!(bits(integer), expected, "{integer}");
        }
    }

    #[test]
    fn integers_become_every_number_that_holds_them() {
        assert_eq!((made::<_, i8>(YamlInt::<-128, -7>), made::<_, u8>(YamlInt::<255, 8>)), (-128, 255));
        assert_eq!((made::<_, i16>(YamlInt::<-129, -15>), made::<_, u16>(YamlInt::<0xFFFF, 16>)), (-129, 0xFFFF));
        assert_eq!((made::<_, i32>(YamlInt::<0, 0>), made::<_, u32>(YamlInt::<0xFFFF_FFFF, 32>)), (0, u32::MAX));
        assert_eq!(made::<_, i64>(YamlInt::<-9_223_372_036_854_775_808, -63>), i64::MIN);
        assert_eq!(made::<_, u64>(YamlInt::<18_446_744_073_709_551_615, 64>), u64::MAX);
        assert_eq!(made::<_, i128>(YamlInt::<18_446_744_073_709_551_615, 64>), u64::MAX.into());
        assert_eq!((made::<_, usize>(YamlInt::<65_535, 16>), made::<_, isize>(YamlInt::<-1, -7>)), (65_535, -1));
        assert_eq!(
            (made::<_, f64>(YamlInt::<3, 7>), made::<_, f32>(YamlInt::<-16_777_216, -31>)),
            (3.0, -16_777_216.0)
        );
        assert_eq!(made::<_, Option<NonZero<u8>>>(YamlInt::<1, 7>), NonZero::new(1));
    }

    #[test]
    fn other_scalars_become_what_holds_them() {
        assert_eq!((made::<_, f64>(YamlFloat(1.5)), made::<_, Option<f32>>(YamlFloat(1.5))), (1.5, Some(1.5)));
        assert_eq!((made::<_, bool>(YamlBool(true)), made::<_, Option<bool>>(YamlBool(false))), (true, Some(false)));
        assert_eq!((made::<_, &'static str>(YamlText("a")), made::<_, String>(YamlText("a"))), ("a", "a".into()));
        assert!(matches!(made::<_, Cow<'static, str>>(YamlText("a")), Cow::Borrowed("a")));
        assert_eq!((&*made::<_, Box<str>>(YamlText("a")), &*made::<_, Rc<str>>(YamlText("a"))), ("a", "a"));
        assert_eq!(made::<_, Option<Arc<str>>>(YamlText("a")).as_deref(), Some("a"));
        assert_eq!(made::<_, Option<Vec<u8>>>(YamlBytes(&[0xFF])), Some(vec![0xFF]));
        assert_eq!(made::<_, &'static [u8]>(YamlBytes(&[0xFF])), [0xFF]);
        assert_eq!(made::<_, Box<Option<String>>>(YamlText("a")), Box::new(Some("a".into())));
        assert_eq!((made::<_, Option<String>>(YamlNull), made::<_, Option<Box<i32>>>(YamlNull)), (None, None));
        made::<_, ()>(YamlNull);
        let mut name = String::from("former");
        put(YamlText("new"), &mut name);
        assert_eq!(name, "new");
    }
}
