//! The methods of texts, lists, dicts and sets: which values have them, and who does them.
//!
//! The interpreter's own methods cannot be replaced, so generated code leads a call to ours where that differs, or where
//! the limits of a render must know what it costs (`emit`).

/// Who does a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The interpreter.
    Native,
    /// We do, since the languages differ.
    Ours,
    /// We do if it is called, since it takes a time that grows with the text.
    Counted,
    /// We do if it is called, by this function of the receiver: the interpreter makes all of its methods, with their
    /// documentation, when it is asked for one.
    Read(&'static str),
    /// We do if it is called with one argument, by this function of the receiver, for the same reason.
    Put(&'static str),
    /// The interpreter, after what it walks through or copies was counted.
    Walk,
    /// The interpreter, after the items that it compares were counted.
    Seek,
    /// The interpreter, after the argument was counted, which is put behind what is there.
    Grow,
}

/// A method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// The types that have it.
    kinds: &'static [&'static str],
    pub(crate) way: Way,
    /// Does it change the value? Messages of values that must not be changed need to know which one it was.
    pub(crate) changes: bool,
}

impl Method {
    /// Do values of that type have it?
    pub(crate) fn is_of(&self, kind: &str) -> bool {
        self.kinds.contains(&kind)
    }

    const fn changing(self) -> Method {
        Method { changes: true, ..self }
    }
}

const fn method(name: &'static str, kinds: &'static [&'static str], way: Way) -> Method {
    Method { name, kinds, way, changes: false }
}

const STRING: &[&str] = &["string"];
const LIST: &[&str] = &["list"];
const DICT: &[&str] = &["dict"];

/// All methods, sorted by their names.
const METHODS: [Method; 47] = [
    method("append", LIST, Way::Put("__ytt_append(")).changing(),
    method("capitalize", STRING, Way::Ours),
    method("clear", &["list", "dict"], Way::Native).changing(),
    method("codepoint_ords", STRING, Way::Ours),
    method("codepoints", STRING, Way::Ours),
    method("count", STRING, Way::Ours),
    method("elem_ords", STRING, Way::Ours),
    method("elems", STRING, Way::Ours),
    method("endswith", STRING, Way::Native),
    method("extend", LIST, Way::Grow).changing(),
    method("find", STRING, Way::Counted),
    method("format", STRING, Way::Ours),
    method("get", DICT, Way::Native),
    method("index", &["string", "list"], Way::Seek),
    method("insert", LIST, Way::Walk).changing(),
    method("isalnum", STRING, Way::Ours),
    method("isalpha", STRING, Way::Ours),
    method("isdigit", STRING, Way::Ours),
    method("islower", STRING, Way::Ours),
    method("isspace", STRING, Way::Ours),
    method("istitle", STRING, Way::Ours),
    method("isupper", STRING, Way::Ours),
    method("items", DICT, Way::Read("__ytt_items(")),
    method("join", STRING, Way::Counted),
    method("keys", DICT, Way::Read("__ytt_keys(")),
    method("lower", STRING, Way::Ours),
    method("lstrip", STRING, Way::Ours),
    method("partition", STRING, Way::Counted),
    method("pop", &["list", "dict"], Way::Put("__ytt_pop(")).changing(),
    method("popitem", DICT, Way::Walk).changing(),
    method("remove", LIST, Way::Seek).changing(),
    method("replace", STRING, Way::Ours),
    method("rfind", STRING, Way::Counted),
    method("rindex", STRING, Way::Counted),
    method("rpartition", STRING, Way::Counted),
    method("rsplit", STRING, Way::Ours),
    method("rstrip", STRING, Way::Ours),
    method("setdefault", DICT, Way::Ours),
    method("split", STRING, Way::Ours),
    method("splitlines", STRING, Way::Ours),
    method("startswith", STRING, Way::Native),
    method("strip", STRING, Way::Ours),
    method("title", STRING, Way::Ours),
    method("union", &["set"], Way::Grow),
    method("update", DICT, Way::Ours),
    method("upper", STRING, Way::Ours),
    method("values", DICT, Way::Read("__ytt_values(")),
];

/// Where the names begin that start with a letter, from `a` on: programs ask for a method at each call of one.
#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "this runs in the compiler, where a wrong index is an error; there are fewer than 256 methods"
)]
const STARTS: [u8; 27] = {
    let mut starts = [0; 27];
    let mut letter = 0;
    while letter < 27 {
        let mut start = 0;
        while start < METHODS.len() && METHODS[start].name.as_bytes()[0] < b'a' + letter {
            start += 1;
        }
        starts[letter as usize] = start as u8;
        letter += 1;
    }
    starts
};

/// The method of that name.
#[allow(clippy::indexing_slicing, reason = "`STARTS` has places of `METHODS`, in order")]
pub(crate) fn named(name: &[u8]) -> Option<&'static Method> {
    let letter = usize::from(name.first()?.checked_sub(b'a')?);
    let (start, end) = (STARTS.get(letter)?, STARTS.get(letter + 1)?);
    METHODS[usize::from(*start)..usize::from(*end)].iter().find(|method| method.name.as_bytes() == name)
}

/// Is it a method that is done here, for values of any type?
pub(crate) fn is_ours(name: &str) -> bool {
    named(name.as_bytes()).is_some_and(|method| method.way == Way::Ours)
}

/// The names of the methods that values of a type have, sorted.
pub(crate) fn of_kind(kind: &str) -> impl Iterator<Item = &'static str> {
    METHODS.iter().filter(move |method| method.is_of(kind)).map(|method| method.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_in_order() {
        assert!(METHODS.is_sorted_by_key(|method| method.name));
    }

    #[test]
    fn methods_are_found_by_name_and_by_type() {
        assert_eq!(named(b"index").map(|method| method.way), Some(Way::Seek));
        for name in [&b"shout"[..], b"", b"Index", b"{", b"\xff", b"zip", b"inde"] {
            assert_eq!(named(name).map(|method| method.way), None);
        }
        for method in &METHODS {
            assert_eq!(named(method.name.as_bytes()).map(|found| found.name), Some(method.name));
        }
        assert_eq!(of_kind("set").collect::<Vec<_>>(), ["union"]);
    }
}
