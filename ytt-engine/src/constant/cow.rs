//! A map that starts as a constant and can be changed at run time.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::{fmt, hash, mem};

/// Key and value of a [`CowMap`].
type Entry<T> = (Cow<'static, str>, T);

/// What [`Map`](super::Map) is in a constant, in types whose values may come from elsewhere: borrowed as long as nobody
/// changes it.
///
/// Its entries keep their order, each key is there once. [`CowMap::get`] looks at one key after the other. Two maps are
/// equal if they hold equal entries in equal order.
///
/// With the feature `serde` it is read from any map, of equal keys the last counts; what was there before is replaced as
/// a whole.
///
/// ```
/// use std::borrow::Cow;
/// use ytt_engine::constant::CowMap;
///
/// static LABELS: CowMap<u16> = CowMap::borrowed(&[(Cow::Borrowed("http"), 80)]);
///
/// let mut labels = LABELS.clone();
/// assert_eq!(labels.insert("https", 443), None);
/// assert_eq!(labels.insert("http", 8080), Some(80));
/// assert_eq!(labels.iter().collect::<Vec<_>>(), [("http", &8080), ("https", &443)]);
/// assert_eq!(LABELS.get("http"), Some(&80));
/// ```
#[derive(Clone)]
pub struct CowMap<T: Clone + 'static>(Cow<'static, [Entry<T>]>);

impl<T: Clone> CowMap<T> {
    /// A map of these entries, without a copy. Of equal keys the first is found.
    ///
    /// In a constant the entries are written as `const { &[…] }`: values that have something to drop live long enough
    /// only so.
    pub const fn borrowed(entries: &'static [(Cow<'static, str>, T)]) -> CowMap<T> {
        CowMap(Cow::Borrowed(entries))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.iter().find(|(other, _)| *other == key).map(|(_, value)| value)
    }

    /// Is there a value for this key?
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Sets the value of a key and gives the former one; a key that is there stays at its place. The first change of a
    /// borrowed map copies it.
    pub fn insert(&mut self, key: impl Into<Cow<'static, str>>, value: T) -> Option<T> {
        let (key, entries) = (key.into(), self.0.to_mut());
        match entries.iter_mut().find(|(other, _)| *other == key) {
            Some((_, former)) => Some(mem::replace(former, value)),
            None => {
                entries.push((key, value));
                None
            }
        }
    }

    /// Keys and values, one after the other.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &T)> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    /// The keys, one after the other.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, _)| &**key)
    }

    /// The values, one after the other.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Are there no entries?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Of equal keys the last value counts, at the place of the first.
impl<T: Clone> From<Vec<(Cow<'static, str>, T)>> for CowMap<T> {
    fn from(entries: Vec<(Cow<'static, str>, T)>) -> CowMap<T> {
        CowMap(Cow::Owned(unique(entries)))
    }
}

/// Of equal keys the last value counts, at the place of the first.
impl<K: Into<Cow<'static, str>>, T: Clone> FromIterator<(K, T)> for CowMap<T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> CowMap<T> {
        entries.into_iter().map(|(key, value)| (key.into(), value)).collect::<Vec<_>>().into()
    }
}

/// Each key once. Sorts, so that maps of any size are made in little more than linear time.
#[allow(
    clippy::indexing_slicing,
    reason = "`order` and `again` have numbers of entries, of equal keys the lower first"
)]
fn unique<T>(mut entries: Vec<Entry<T>>) -> Vec<Entry<T>> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    // Stable: equal keys stay in their order.
    order.sort_by(|one, other| entries[*one].0.cmp(&entries[*other].0));
    let mut again = Vec::new();
    let mut first = 0;
    for (at, place) in order.iter().enumerate().skip(1) {
        if entries[order[first]].0 == entries[*place].0 { again.push((order[first], *place)) } else { first = at }
    }
    if again.is_empty() {
        return entries;
    }
    let mut keep: Vec<bool> = entries.iter().map(|_| true).collect();
    for (first, place) in again {
        // After the last of them, the first place holds the last value.
        let (head, tail) = entries.split_at_mut(place);
        mem::swap(&mut head[first].1, &mut tail[0].1);
        keep[place] = false;
    }
    entries.into_iter().zip(keep).filter_map(|(entry, keep)| keep.then_some(entry)).collect()
}

impl<T: Clone> Default for CowMap<T> {
    fn default() -> CowMap<T> {
        CowMap(Cow::Borrowed(&[]))
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for CowMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T: Clone + PartialEq> PartialEq for CowMap<T> {
    fn eq(&self, other: &CowMap<T>) -> bool {
        self.0 == other.0
    }
}

impl<T: Clone + Eq> Eq for CowMap<T> {}

impl<T: Clone + hash::Hash> hash::Hash for CowMap<T> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// The entries of a [`CowMap`], one after the other.
type Iter<'a, T> = core::iter::Map<core::slice::Iter<'a, Entry<T>>, fn(&'a Entry<T>) -> (&'a str, &'a T)>;

impl<'a, T: Clone> IntoIterator for &'a CowMap<T> {
    type Item = (&'a str, &'a T);
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static PORTS: CowMap<u16> = CowMap::borrowed(&[(Cow::Borrowed("http"), 80), (Cow::Borrowed("https"), 443)]);

    #[test]
    fn a_borrowed_map_is_copied_when_it_is_changed() {
        let mut ports = PORTS.clone();
        assert!(matches!(ports.0, Cow::Borrowed(_)));
        assert_eq!(ports, PORTS);
        assert_eq!(
            (ports.insert("http", 8080), ports.insert(alloc::string::String::from("ssh"), 22)),
            (Some(80), None)
        );
        assert_eq!(format!("{ports:?}"), r#"{"http": 8080, "https": 443, "ssh": 22}"#);
        assert_eq!((ports.get("ssh"), PORTS.get("ssh"), PORTS.get("http")), (Some(&22), None, Some(&80)));
        assert!(
            ports.contains_key("https") && ports != PORTS && PORTS.len() == 2 && CowMap::<u16>::default().is_empty()
        );
        assert!(ports.keys().eq(["http", "https", "ssh"]) && ports.values().eq(&[8080, 443, 22]));
        assert!((&ports).into_iter().eq(ports.iter()));
    }

    #[test]
    fn of_equal_keys_the_last_value_counts_at_the_first_place() {
        let map: CowMap<i32> = [("b", 1), ("a", 2), ("b", 3), ("c", 4), ("a", 5), ("b", 6)].into_iter().collect();
        assert!(map.iter().eq([("b", &6), ("a", &5), ("c", &4)]), "{map:?}");
        let map = CowMap::from(vec![(Cow::Borrowed("x"), 1)]);
        assert!(map.iter().eq([("x", &1)]));
    }

    #[test]
    fn constants_can_be_nested() {
        static NESTED: CowMap<CowMap<Cow<'static, [u8]>>> = CowMap::borrowed(
            const { &[(Cow::Borrowed("a"), CowMap::borrowed(const { &[(Cow::Borrowed("b"), Cow::Borrowed(&[1]))] }))] },
        );
        assert_eq!(NESTED.get("a").and_then(|map| map.get("b")).map(|bytes| &**bytes), Some(&[1][..]));
    }
}
