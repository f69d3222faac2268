//! A map in a static, whose values have one type.

use core::{fmt, hash, iter, slice};

/// The entries of a [`Map`], one after the other.
pub type Entries<T> = iter::Map<slice::Iter<'static, (&'static str, T)>, fn(&'static (&'static str, T)) -> Entry<T>>;

type Entry<T> = (&'static str, &'static T);

/// A map that is part of the program: texts as keys, values of one type, in the order of the document; each key once.
///
/// It is a reference, so it is `Copy` whatever it holds. [`Map::get`] looks at one key after the other. Two maps are equal
/// if they hold equal entries in equal order.
///
/// ```
/// use ytt_engine::constant::Map;
///
/// static PORTS: Map<u16> = Map::new(&[("http", 80), ("https", 443)]);
/// const HTTPS: Option<&u16> = PORTS.get("https");
///
/// assert_eq!(HTTPS, Some(&443));
/// assert_eq!(PORTS.keys().collect::<Vec<_>>(), ["http", "https"]);
/// for (name, port) in PORTS {
///     assert!(PORTS.get(name) == Some(port));
/// }
/// ```
pub struct Map<T: 'static>(&'static [(&'static str, T)]);

impl<T> Map<T> {
    /// A map of these entries.
    pub const fn new(entries: &'static [(&'static str, T)]) -> Map<T> {
        Map(entries)
    }

    /// The value of a key.
    pub const fn get(&self, key: &str) -> Option<&'static T> {
        let mut entries = self.0;
        while let [(name, value), behind @ ..] = entries {
            if same(name.as_bytes(), key.as_bytes()) {
                return Some(value);
            }
            entries = behind;
        }
        None
    }

    /// Is there a value for this key?
    pub const fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Keys and values, one after the other.
    pub fn iter(&self) -> Entries<T> {
        self.0.iter().map(|(key, value)| (*key, value))
    }

    /// The keys, one after the other.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &'static str> + ExactSizeIterator + Clone + use<T> {
        self.0.iter().map(|(key, _)| *key)
    }

    /// The values, one after the other.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &'static T> + ExactSizeIterator + Clone + use<T> {
        self.0.iter().map(|(_, value)| value)
    }

    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Are there no entries?
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// `==`, which constants cannot use.
pub(super) const fn same(mut one: &[u8], mut other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (rest, others);
    }
    true
}

// Derives would ask the same of `T`.
impl<T> Clone for Map<T> {
    fn clone(&self) -> Map<T> {
        *self
    }
}

impl<T> Copy for Map<T> {}

impl<T> Default for Map<T> {
    fn default() -> Map<T> {
        Map(&[])
    }
}

impl<T: fmt::Debug> fmt::Debug for Map<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T: PartialEq> PartialEq for Map<T> {
    fn eq(&self, other: &Map<T>) -> bool {
        self.0 == other.0
    }
}

impl<T: Eq> Eq for Map<T> {}

impl<T: hash::Hash> hash::Hash for Map<T> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T> IntoIterator for Map<T> {
    type Item = (&'static str, &'static T);
    type IntoIter = Entries<T>;

    fn into_iter(self) -> Entries<T> {
        self.iter()
    }
}

impl<T> IntoIterator for &Map<T> {
    type Item = (&'static str, &'static T);
    type IntoIter = Entries<T>;

    fn into_iter(self) -> Entries<T> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Port(u16);

    static PORTS: Map<Port> = Map::new(&[("http", Port(80)), ("", Port(0)), ("https", Port(443))]);

    #[test]
    fn entries_are_found_and_keep_their_order() {
        // No `T: Copy` is needed.
        let copy = PORTS;
        assert_eq!((copy, copy.len(), copy.is_empty()), (PORTS, 3, false));
        assert_eq!((PORTS.get("http"), PORTS.get(""), PORTS.get("htt")), (Some(&Port(80)), Some(&Port(0)), None));
        assert!(PORTS.contains_key("https") && !PORTS.contains_key("HTTPS"));
        assert_eq!(PORTS.iter().next_back(), Some(("https", &Port(443))));
        assert!(PORTS.keys().eq(["http", "", "https"]) && PORTS.values().map(|port| port.0).eq([80, 0, 443]));
        assert!(PORTS.into_iter().eq(&PORTS));
        assert_eq!(format!("{PORTS:?}"), r#"{"http": Port(80), "": Port(0), "https": Port(443)}"#);
        assert_eq!(Map::<Port>::default().len(), 0);
    }
}
