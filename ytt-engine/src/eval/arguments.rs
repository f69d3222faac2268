//! Arguments of built-ins: how many there may be, and of which types, with the reference's complaints.

use smallvec::SmallVec;
use starlark::eval::{Arguments, Evaluator};
use starlark::values::Value;
use starlark::values::tuple::TupleRef;

use super::budget::Meter;
use super::error::{self, EvalResult, Returned, text_only};
use super::keywords::{self, Members};
use super::kind::{is_callable, type_name};
use super::numbers::is_int;
use crate::diag::{Code, Diagnostic, Fact};

/// Arguments of one call of a built-in. Names are Starlark text as the caller wrote them.
#[derive(Debug)]
pub(crate) struct Input<'v> {
    /// Name of the built-in: every complaint begins with it.
    pub(crate) name: &'static str,
    pub(crate) positional: SmallVec<[Value<'v>; 4]>,
    pub(crate) named: Members<'v>,
    pub(crate) meter: Meter<'v>,
}

impl<'v> Input<'v> {
    pub(crate) fn read(
        name: &'static str,
        args: &Arguments<'v, '_>,
        eval: &Evaluator<'v, '_, '_>,
    ) -> EvalResult<Input<'v>> {
        let heap = eval.heap();
        let mut positional = SmallVec::new();
        args.positions(heap)?.for_each(|value| positional.push(value));
        let named = keywords::named(args, positional.len(), heap)?;
        Ok(Input { name, positional, named, meter: Meter::of(eval) })
    }

    /// An error of this built-in.
    pub(crate) fn fail<T>(&self, text: impl AsRef<str>) -> EvalResult<T> {
        Err(text_only(format!("{}: {}", self.name, text.as_ref())))
    }

    /// Positional arguments only, so many of them.
    pub(crate) fn between(&self, min: usize, max: usize) -> EvalResult<()> {
        if !self.named.is_empty() {
            return self.fail("unexpected keyword arguments");
        }
        let count = self.positional.len();
        let (bound, want) = match count {
            _ if count < min => ("at least ", min),
            _ if count > max => ("at most ", max),
            _ => return Ok(()),
        };
        self.fail(format!("got {count} arguments, want {}{want}", if min < max { bound } else { "" }))
    }

    /// Exactly one positional argument, in the words of the functions that count it themselves.
    pub(crate) fn only(&self, exactly: &str) -> Returned<'v> {
        if !self.named.is_empty() {
            return Err(text_only(format!("{} does not accept keyword arguments", self.name)));
        }
        match self.positional[..] {
            [value] => Ok(value),
            _ => self.fail(format!("got {} arguments, want {exactly}1", self.positional.len())),
        }
    }

    /// The first positional argument, of which [`Input::between`] wants one or more.
    pub(crate) fn first(&self) -> Value<'v> {
        self.get(0).unwrap_or_else(Value::new_none)
    }

    /// The positional argument of that number (from 0), if it was given.
    pub(crate) fn get(&self, number: usize) -> Option<Value<'v>> {
        self.positional.get(number).copied()
    }

    /// Binds positional and named arguments to parameters; a name with `?` may be missing.
    pub(crate) fn bind<const N: usize>(&self, parameters: [&str; N]) -> EvalResult<[Option<Value<'v>>; N]> {
        if self.positional.len() > N {
            return self.fail(format!("got {} arguments, want at most {N}", self.positional.len()));
        }
        let mut bound = [None; N];
        for (slot, value) in bound.iter_mut().zip(&self.positional) {
            *slot = Some(*value);
        }
        for (name, value) in &self.named {
            let name = name.as_str();
            let mut slots = parameters.iter().zip(&mut bound);
            let Some((_, slot)) = slots.find(|(known, _)| known.trim_end_matches('?') == name) else {
                return self.fail(format!("unexpected keyword argument {}", quoted(name)));
            };
            if slot.replace(*value).is_some() {
                return self.fail(format!("got multiple values for keyword argument {}", quoted(name)));
            }
        }
        let required = parameters.iter().zip(&bound).take_while(|(name, _)| !name.ends_with('?'));
        for (name, value) in required {
            if value.is_none() {
                return self.fail(format!("missing argument for {name}"));
            }
        }
        Ok(bound)
    }

    /// A parameter as complaints name it: an argument given by name is between quotes.
    fn label(&self, number: usize, name: &str) -> String {
        if number < self.positional.len() { name.to_owned() } else { format!("\"{name}\"") }
    }

    /// A complaint about one parameter, given as number or name.
    fn wrong<T>(&self, parameter: &str, value: Value<'v>, want: &str) -> EvalResult<T> {
        self.fail(format!("for parameter {parameter}: got {}, want {want}", type_name(value)))
    }

    /// Text (as Starlark holds it) of the positional argument of that number.
    pub(crate) fn text(&self, number: usize) -> EvalResult<Option<&'v str>> {
        let Some(value) = self.get(number) else { return Ok(None) };
        match value.unpack_str() {
            Some(text) => Ok(Some(text)),
            None => self.wrong(&number.saturating_add(1).to_string(), value, "string"),
        }
    }

    /// An integer of at most 32 bits.
    pub(crate) fn number(&self, number: usize) -> EvalResult<Option<i32>> {
        let Some(value) = self.get(number) else { return Ok(None) };
        match whole(value) {
            Ok(number) => Ok(Some(number)),
            Err(text) if is_int(value) => self.fail(format!("for parameter {}: {text}", number.saturating_add(1))),
            Err(text) => {
                let text = format!("{}: for parameter {}: {text}", self.name, number.saturating_add(1));
                let found = type_name(value).to_owned();
                let fact = Fact::Argument { wanted: "int", found, number: Some(number) };
                Err(error::wrap(Diagnostic::error(Code::STARLARK_ERROR, text).fact(fact)))
            }
        }
    }

    /// A bool; the parameter has this number and name.
    pub(crate) fn flag(&self, number: usize, name: &str, value: Option<Value<'v>>) -> EvalResult<Option<bool>> {
        let Some(value) = value else { return Ok(None) };
        match value.unpack_bool() {
            Some(flag) => Ok(Some(flag)),
            None => self.wrong(&self.label(number, name), value, "bool"),
        }
    }

    /// A value that can be called; the parameter has this number and name.
    pub(crate) fn callable(&self, number: usize, name: &str, value: Value<'v>) -> Returned<'v> {
        if is_callable(value) { Ok(value) } else { self.wrong(&self.label(number, name), value, "callable") }
    }

    /// All items of an iterable argument.
    pub(crate) fn items(&self, parameter: &str, value: Value<'v>) -> EvalResult<Vec<Value<'v>>> {
        match iterate(value, self.meter)? {
            Some(items) => Ok(items),
            None => {
                let failure = self.wrong(parameter, value, "iterable");
                if value.is_none() {
                    failure.map_err(|one| error::with_fact(one, || Fact::NoneArgument))
                } else {
                    failure
                }
            }
        }
    }
}

/// All items of a value; `None` if it cannot be iterated. Errors of a value that can are handed on.
pub(crate) fn iterate<'v>(value: Value<'v>, meter: Meter<'v>) -> EvalResult<Option<Vec<Value<'v>>>> {
    if let Some(length) = too_long(value) {
        return Err(text_only(format!("cannot make a list of {length} items")));
    }
    if let Ok(length) = length_of(value) {
        // a list of these, and one that is made of it
        meter.room(length.saturating_mul(size_of::<[Value<'v>; 2]>()))?;
    }
    match value.iterate(meter.heap) {
        Ok(items) => {
            let items: Vec<Value<'v>> = items.collect();
            meter.walk_items(items.len())?;
            Ok(Some(items))
        }
        Err(failure) if error::diagnostic_of(&failure).is_some() && type_name(value) != "module" => Err(failure),
        Err(_) => Ok(None),
    }
}

/// How many items a value has, where it has a length.
pub(crate) fn length_of(value: Value<'_>) -> EvalResult<usize> {
    Ok(usize::try_from(value.length()?).unwrap_or_default())
}

/// The length of a range that no memory would hold: the interpreter panics at 2^32 bytes.
fn too_long(value: Value<'_>) -> Option<i32> {
    (value.get_type() == "range").then(|| value.length().ok()).flatten().filter(|length| *length > 1 << 28)
}

/// What is said of a value that cannot be a key: it names the part that cannot.
pub(crate) fn unhashable(value: Value<'_>) -> String {
    let mut at = value;
    while let Some(inner) = TupleRef::from_value(at)
        .and_then(|tuple| tuple.content().iter().copied().find(|item| item.get_hashed().is_err()))
    {
        at = inner;
    }
    format!("unhashable type: {}", type_name(at))
}

/// An integer of at most 32 bits, or what is wrong with the value.
pub(crate) fn whole(value: Value<'_>) -> Result<i32, String> {
    if !is_int(value) {
        return Err(format!("got {}, want int", type_name(value)));
    }
    value.unpack_i32().ok_or_else(|| format!("{} out of range", value.to_str()))
}

fn quoted(name: &str) -> String {
    let mut text = String::new();
    crate::eval::repr::quote(&mut text, name);
    crate::eval::text::readable(&text).into_owned()
}
