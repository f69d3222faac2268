//! A value of any kind in a static.

use super::map::same;

/// A value that is part of the program: a scalar, an array or a map, in the order of the document.
///
/// This is what a constant is made of where no type of its own fits, as for `any=True` of a schema. Everything it gives
/// away is `'static`. Numbers remember their kind: `Int(1)`, `UInt(1)` and `Float(1.0)` are different values.
///
/// ```
/// use ytt_engine::constant::Value;
///
/// static WEB: Value = Value::Map(&[
///     (Value::Str("kind"), Value::Str("Service")),
///     (Value::Str("spec"), Value::Map(&[(Value::Str("port"), Value::Int(80))])),
/// ]);
/// const PORT: Option<i64> = match WEB.get("spec.port") {
///     Some(port) => port.as_i64(),
///     None => None,
/// };
/// assert_eq!(PORT, Some(80));
/// assert_eq!(WEB.kind(), "map");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer that fits `i64`.
    Int(i64),
    /// An integer above the largest `i64`.
    UInt(u64),
    /// A float, NaN and the infinities included.
    Float(f64),
    /// Text.
    Str(&'static str),
    /// Text that is not UTF-8, as `!!binary` gives it.
    Bytes(&'static [u8]),
    /// The values of an array in their order.
    Seq(&'static [Value]),
    /// Keys and values of a map in their order; each key once.
    Map(&'static [(Value, Value)]),
}

impl Value {
    /// Is it null?
    pub const fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The boolean, if it is one.
    pub const fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(bool) = self { Some(*bool) } else { None }
    }

    /// The integer, if it is one and fits.
    pub const fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(int) => Some(*int),
            Value::UInt(int) => 0_i64.checked_add_unsigned(*int),
            _ => None,
        }
    }

    /// The integer, if it is one and not negative.
    pub const fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Int(int) => 0_u64.checked_add_signed(*int),
            Value::UInt(int) => Some(*int),
            _ => None,
        }
    }

    /// The number as a float: integers are rounded to the nearest one.
    #[allow(clippy::cast_precision_loss, reason = "people are told that integers are rounded")]
    pub const fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(int) => Some(*int as f64),
            Value::UInt(int) => Some(*int as f64),
            Value::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// The text, if it is UTF-8.
    pub const fn as_str(&self) -> Option<&'static str> {
        if let Value::Str(text) = self { Some(text) } else { None }
    }

    /// The bytes of text, UTF-8 or not.
    pub const fn as_bytes(&self) -> Option<&'static [u8]> {
        match self {
            Value::Str(text) => Some(text.as_bytes()),
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The value at a path: keys of maps, joined by dots.
    ///
    /// A key that contains dots needs no quotes: in each map the longest key that the rest of the path begins with is
    /// tried first, then the next shorter one, and the first that leads to the end of the path counts. Keys that are no
    /// text, and items of arrays ([`Value::at`]), have no path.
    ///
    /// ```
    /// use ytt_engine::constant::Value;
    ///
    /// static WEB: Value = Value::Map(&[(
    ///     Value::Str("labels"),
    ///     Value::Map(&[(Value::Str("app.kubernetes.io/name"), Value::Str("web"))]),
    /// )]);
    /// assert_eq!(WEB.get("labels.app.kubernetes.io/name"), Some(&Value::Str("web")));
    /// assert_eq!(WEB.get("labels.app"), None);
    /// ```
    pub const fn get(&self, path: &str) -> Option<&'static Value> {
        if let Value::Map(entries) = self { find(entries, path.as_bytes()) } else { None }
    }

    /// The item with that index from 0, if it is an array that has it.
    pub const fn at(&self, index: usize) -> Option<&'static Value> {
        match self.items().split_at_checked(index) {
            Some((_, [item, ..])) => Some(item),
            _ => None,
        }
    }

    /// The items of an array; nothing for other values.
    pub const fn items(&self) -> &'static [Value] {
        if let Value::Seq(items) = self { items } else { &[] }
    }

    /// Keys and values of a map; nothing for other values.
    pub const fn entries(&self) -> &'static [(Value, Value)] {
        if let Value::Map(entries) = self { entries } else { &[] }
    }

    /// How many entries a map or array has; 0 for scalars.
    pub const fn len(&self) -> usize {
        match self {
            Value::Seq(items) => items.len(),
            Value::Map(entries) => entries.len(),
            _ => 0,
        }
    }

    /// Is it a scalar, or a map or array without entries?
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `null`, `boolean`, `int`, `float`, `string`, `map` or `array`: the words that messages use.
    pub const fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Int(_) | Value::UInt(_) => "int",
            Value::Float(_) => "float",
            Value::Str(_) | Value::Bytes(_) => "string",
            Value::Map(_) => "map",
            Value::Seq(_) => "array",
        }
    }
}

/// The value at a path that is not empty of keys: every prefix of it that ends before a dot may be one.
const fn find(entries: &'static [(Value, Value)], path: &[u8]) -> Option<&'static Value> {
    let mut key = path;
    loop {
        let (_, rest) = path.split_at(key.len());
        let found = match (lookup(entries, key), rest) {
            (Some(Value::Map(inner)), [_dot, rest @ ..]) => find(inner, rest),
            (found, []) => found,
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        loop {
            let [shorter @ .., last] = key else { return None };
            key = shorter;
            if *last == b'.' {
                break;
            }
        }
    }
}

/// The value of a key that is text.
const fn lookup(mut entries: &'static [(Value, Value)], key: &[u8]) -> Option<&'static Value> {
    while let [(name, value), behind @ ..] = entries {
        if let Value::Str(text) = name
            && same(text.as_bytes(), key)
        {
            return Some(value);
        }
        entries = behind;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn text(text: &'static str) -> Value {
        Value::Str(text)
    }

    static TREE: Value = Value::Map(&[
        (text("a"), Value::Map(&[(text("b"), Value::Map(&[(text("c"), Value::Int(1))])), (text(""), Value::Int(2))])),
        (text("a.b"), Value::Map(&[(text("d.e"), Value::Int(3))])),
        (text("a.b.c.d"), Value::Int(4)),
        (text(".x"), Value::Int(5)),
        (text(""), Value::Int(6)),
        (Value::Int(1), Value::Int(7)),
        (text("list"), Value::Seq(&[Value::Null, Value::Bool(true)])),
    ]);

    #[test]
    fn paths_take_the_longest_key_that_leads_to_their_end() {
        let cases = [
            ("a.b.c", Some(1)),   // `a.b` has no `c`, so `a` it is
            ("a.", Some(2)),      // an empty key
            ("a.b.d.e", Some(3)), // two keys with dots
            ("a.b.c.d", Some(4)), // the whole path is a key
            (".x", Some(5)),
            ("", Some(6)),
            ("1", None), // no text
            ("a.b.c.e", None),
            ("a.b.c.d.e", None), // a scalar has no keys
            ("a.x", None),
            (".", None),
            ("a..b", None),
            ("list.0", None),
        ];
        for (path, expected) in cases {
            assert_eq!(TREE.get(path).and_then(Value::as_i64), expected, "{path}");
        }
        assert_eq!(Value::Int(1).get(""), None);
        const C: Option<&Value> = TREE.get("a.b.c");
        assert_eq!(C, Some(&Value::Int(1)));
    }

    #[test]
    fn accessors_give_what_fits() {
        let list = TREE.get("list").copied().unwrap_or_default();
        assert_eq!((list.len(), list.at(1), list.at(2)), (2, Some(&Value::Bool(true)), None));
        assert_eq!((TREE.len(), TREE.items().len(), TREE.entries().len()), (7, 0, 7));
        assert!(Value::Int(1).is_empty() && Value::Seq(&[]).is_empty() && !list.is_empty() && Value::Null.is_null());
        assert_eq!(Value::UInt(u64::MAX).as_i64(), None);
        assert_eq!((Value::UInt(5).as_i64(), Value::UInt(u64::MAX).as_u64()), (Some(5), Some(u64::MAX)));
        assert_eq!((Value::Int(-1).as_u64(), Value::Int(-1).as_f64()), (None, Some(-1.0)));
        assert_eq!((Value::Float(1.0).as_i64(), Value::Float(1.5).as_f64()), (None, Some(1.5)));
        assert_eq!((text("é").as_bytes(), Value::Bytes(&[0xFF]).as_bytes()), (Some("é".as_bytes()), Some(&[0xFF][..])));
        assert_eq!((Value::Bytes(&[0xFF]).as_str(), Value::Bool(true).as_bool()), (None, Some(true)));
        let kinds = [Value::Null, Value::Bool(true), Value::UInt(1), Value::Float(0.0), Value::Bytes(&[]), list, TREE];
        assert_eq!(kinds.map(|value| value.kind()), ["null", "boolean", "int", "float", "string", "array", "map"]);
    }
}
