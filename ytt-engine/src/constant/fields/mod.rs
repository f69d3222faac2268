//! Types of the user's filled without serde: what `static X: LazyLock<T> = … as fields` calls.
//!
//! The generated code makes `T::default()` and assigns, by the paths of the YAML, what the YAML holds. It names the
//! fields only, never the types inside: [`Slot`] finds the way through `Option`, [`put`] makes whatever scalar the field
//! has, [`list`] and [`map`] take what the standard library knows as such. So the compiler checks the YAML against the
//! type, and its errors are those of a program written by hand:
//!
//! * a key without a field: E0609, `no field … on type …`, with the fields that there are;
//! * another kind of value, or an integer out of the range of the field: E0277, here with the types by name;
//! * an integer that a float would round: when the static is compiled, not by `cargo check`.
//!
//! Fields that the YAML does not have keep the value that `Default` gives them. Arrays and maps are filled from empty.
//! Tuples, arrays of a fixed length, `char`, and enums and newtypes without [`Put`] need `as serde`.
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::sync::LazyLock;
//!
//! #[derive(Default)]
//! struct Web {
//!     name: String,
//!     spec: Option<Spec>,
//! }
//!
//! #[derive(Default)]
//! struct Spec {
//!     replicas: Option<i32>,
//!     ports: Vec<u16>,
//!     labels: BTreeMap<String, String>,
//! }
//!
//! static WEB: LazyLock<Web> = <LazyLock<Web>>::new(|| {
//!     use ytt_engine::constant::fields::{self, Plain as _};
//!
//!     let mut web = <Web as Default>::default();
//!     fields::put(fields::YamlText("web"), &mut web.name);
//!     let spec = fields::Slot(&mut web.spec).slot();
//!     fields::put(fields::YamlInt::<3, 7>, &mut spec.replicas);
//!     let ports = fields::list(fields::Slot(&mut spec.ports).slot());
//!     fields::add(fields::YamlInt::<443, 15>, ports);
//!     let labels = fields::map(fields::Slot(&mut spec.labels).slot());
//!     fields::set(fields::YamlText("app"), fields::YamlText("web"), labels);
//!     web
//! });
//!
//! let spec = WEB.spec.as_ref().unwrap();
//! assert_eq!((WEB.name.as_str(), spec.replicas, &spec.ports[..]), ("web", Some(3), &[443][..]));
//! assert_eq!(spec.labels["app"], "web");
//! ```
//!
//! What does not fit is refused by the compiler:
//!
//! ```compile_fail,E0277
//! use ytt_engine::constant::fields;
//!
//! let mut port: Option<u16> = None;
//! fields::put(fields::YamlInt::<70_000, 31>, &mut port);
//! ```
//!
//! ```compile_fail,E0277
//! use ytt_engine::constant::fields;
//!
//! let mut name = String::new();
//! fields::put(fields::YamlInt::<3, 7>, &mut name);
//! ```
//!
//! ```compile_fail,E0080
//! use ytt_engine::constant::fields;
//!
//! let mut ratio = 0.0_f32;
//! fields::put(fields::YamlInt::<16_777_217, 31>, &mut ratio);
//! ```

mod collection;
mod scalar;

pub use collection::{Items, List, Table};
pub use scalar::{Fits, Put};

/// An integer of the YAML, `N`. `BITS` is [`bits`]`(N)`: how many bits a type needs to hold it, which decides where it
/// [`Fits`]; wrong ones do not compile.
///
/// ```
/// use ytt_engine::constant::fields::{YamlInt, put};
///
/// let mut replicas: Option<i32> = None;
/// put(YamlInt::<3, 7>, &mut replicas);
/// assert_eq!(replicas, Some(3));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct YamlInt<const N: i128, const BITS: i8>;

/// A float of the YAML.
#[derive(Clone, Copy, Debug)]
pub struct YamlFloat(pub f64);

/// Text of the YAML.
#[derive(Clone, Copy, Debug)]
pub struct YamlText(pub &'static str);

/// Text of the YAML that is not UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct YamlBytes(pub &'static [u8]);

/// `true` or `false` in the YAML.
#[derive(Clone, Copy, Debug)]
pub struct YamlBool(pub bool);

/// `null` in the YAML.
#[derive(Clone, Copy, Debug)]
pub struct YamlNull;

/// The second parameter of [`YamlInt`]: the least of 0 (for zero), 7, 8, 15, 16, 31, 32, 63, 64 and 127 bits that hold the
/// magnitude of an integer; for negative ones the least of -7, -15, -31, -63 and -127 of which the same is true.
///
/// ```
/// use ytt_engine::constant::fields::bits;
///
/// assert_eq!([0, 127, 128, 256, 70_000].map(bits), [0, 7, 8, 15, 31]);
/// assert_eq!([-1, -128, -129].map(bits), [-7, -7, -15]);
/// ```
#[allow(clippy::indexing_slicing, reason = "no magnitude needs more than 127 bits, which end both lists")]
#[allow(clippy::arithmetic_side_effects, reason = "128 bits have at most 128 zeros in front")]
pub const fn bits(integer: i128) -> i8 {
    const POSITIVE: [i8; 10] = [0, 7, 8, 15, 16, 31, 32, 63, 64, 127];
    const NEGATIVE: [i8; 5] = [-7, -15, -31, -63, -127];
    // Two's complement: the magnitude of -128 is that of 127.
    let magnitude = if integer < 0 { !integer } else { integer };
    let needed = 128 - magnitude.leading_zeros();
    let classes: &[i8] = if integer < 0 { &NEGATIVE } else { &POSITIVE };
    let mut at = 0;
    while (classes[at].unsigned_abs() as u32) < needed {
        at += 1;
    }
    classes[at]
}

/// Assigns a scalar to a field.
///
/// ```
/// use ytt_engine::constant::fields::{YamlBool, YamlNull, YamlText, put};
///
/// let mut name: Option<Box<str>> = None;
/// put(YamlText("web"), &mut name);
/// assert_eq!(name.as_deref(), Some("web"));
///
/// let mut paused = Some(true);
/// put(YamlBool(false), &mut paused);
/// assert_eq!(paused, Some(false));
/// put(YamlNull, &mut paused);
/// assert_eq!(paused, None);
/// ```
pub fn put<Scalar, T: Put<Scalar>>(scalar: Scalar, field: &mut T) {
    *field = T::put(scalar);
}

/// The field that holds a map or an array: [`Slot::slot`] gives what is inside of an `Option`, and puts
/// `T::default()` there if it is empty; of other fields the same method of [`Plain`] gives the field itself.
///
/// ```
/// use ytt_engine::constant::fields::{YamlInt, Plain as _, Slot, put};
///
/// #[derive(Default)]
/// struct Spec {
///     replicas: i32,
/// }
///
/// let (mut maybe, mut always, mut boxed) = (None::<Spec>, Spec::default(), None::<Box<Spec>>);
/// put(YamlInt::<1, 7>, &mut Slot(&mut maybe).slot().replicas);
/// put(YamlInt::<2, 7>, &mut Slot(&mut always).slot().replicas);
/// put(YamlInt::<3, 7>, &mut Slot(&mut boxed).slot().replicas);
/// assert_eq!((maybe.unwrap().replicas, always.replicas, boxed.unwrap().replicas), (1, 2, 3));
/// ```
#[derive(Debug)]
pub struct Slot<'a, F>(pub &'a mut F);

impl<'a, T> Slot<'a, Option<T>> {
    /// What is in the field.
    pub fn slot(self) -> &'a mut T
    where
        T: Default,
    {
        self.0.get_or_insert_with(T::default)
    }
}

/// Fields that are no `Option`. An inherent method wins over the method of a trait, so this one is for all others.
pub trait Plain<'a> {
    /// What the field holds.
    type Field;

    /// The field.
    fn slot(self) -> &'a mut Self::Field;
}

impl<'a, F> Plain<'a> for Slot<'a, F> {
    type Field = F;

    fn slot(self) -> &'a mut F {
        self.0
    }
}

/// Empties a field that holds an array; [`add`] and [`item`] fill it again.
pub fn list<L: List>(list: &mut L) -> &mut L {
    list.clear();
    list
}

/// Adds a scalar to an array.
///
/// ```
/// use ytt_engine::constant::fields::{YamlText, add, list};
///
/// let mut args = vec![String::from("former")];
/// let list = list(&mut args);
/// add(YamlText("-v"), list);
/// add(YamlText("--all"), list);
/// assert_eq!(args, ["-v", "--all"]);
/// ```
pub fn add<Scalar, L: List>(scalar: Scalar, list: &mut L)
where
    L::Item: Put<Scalar>,
{
    list.push(Put::put(scalar));
}

/// Adds `Default::default()` to an array, to be filled: what [`Slot`] takes.
///
/// ```
/// use ytt_engine::constant::fields::{Plain as _, Slot, item, list};
///
/// let mut rows: Vec<Option<Vec<u8>>> = vec![];
/// let outer = list(&mut rows);
/// let _ = Slot(item(outer)).slot();
/// assert_eq!(rows, [Some(vec![])]);
/// ```
pub fn item<L: Items>(list: &mut L) -> &mut L::Item
where
    L::Item: Default,
{
    list.grow(L::Item::default())
}

/// Empties a field that holds a map; [`set`] and [`entry`] fill it again.
pub fn map<M: Table>(map: &mut M) -> &mut M {
    map.clear();
    map
}

/// Sets an entry of a map to a scalar.
///
/// ```
/// use std::collections::BTreeMap;
/// use ytt_engine::constant::fields::{YamlInt, YamlText, map, set};
///
/// let mut ports: BTreeMap<u16, &str> = BTreeMap::new();
/// set(YamlInt::<80, 7>, YamlText("http"), map(&mut ports));
/// assert_eq!(ports[&80], "http");
/// ```
pub fn set<Key, Scalar, M: Table>(key: Key, scalar: Scalar, map: &mut M)
where
    M::Key: Put<Key>,
    M::Value: Put<Scalar>,
{
    map.insert(Put::put(key), Put::put(scalar));
}

/// Sets an entry of a map to `Default::default()`, to be filled: what [`Slot`] takes.
///
/// ```
/// use std::collections::BTreeMap;
/// use ytt_engine::constant::fields::{YamlInt, YamlText, add, entry, list, map};
///
/// let mut ports: BTreeMap<String, Vec<u16>> = BTreeMap::new();
/// let map = map(&mut ports);
/// add(YamlInt::<80, 7>, list(entry(YamlText("http"), map)));
/// assert_eq!(ports["http"], [80]);
/// ```
pub fn entry<Key, M: Table>(key: Key, map: &mut M) -> &mut M::Value
where
    M::Key: Put<Key>,
    M::Value: Default,
{
    map.entry(Put::put(key))
}
