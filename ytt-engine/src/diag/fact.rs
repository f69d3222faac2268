//! What happened, for code that decides by it. People read the message.

use crate::source::Span;

/// What a diagnostic is about, where code asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// A value of another kind than the expected one.
    Mismatch { expected: String, found: String },
    /// A rule of a validation does not hold at the path. `beside` is where a file sets another value of the map, where
    /// nothing sets this one. A rule that `fails` does so before it can tell whether the value is right. `near` is the value
    /// that is proposed where it cannot be written in place of the other, and whether that is a guess. `given` is a scalar
    /// without a place: code gave it.
    Rule {
        path: String,
        must_be: String,
        beside: Option<Span>,
        fails: bool,
        near: Option<(String, bool)>,
        given: Option<String>,
    },
    /// A key that looks like code of a text template, which nothing makes code, and which a loop writes again.
    CodeAsKey,
    /// A name that nothing defines; several that are known may be equally near.
    Undefined { name: String, is_like_others: bool },
    /// A name that a file is to be loaded for, and does not have; the module that has it as a member; the name that it has,
    /// of which one is short for the other; and some of the names that it has.
    NotExported { path: String, name: String, module: Option<String>, short: Option<String>, names: Vec<String> },
    /// A function where a value is wanted.
    Uncalled,
    /// A name that the function around sets, further down or not yet.
    Unassigned { name: String },
    /// A value of this type of which code sets an item or a field.
    NotSettable { kind: String },
    /// A text that `format` does not take. `short` is how many values its places ask for, and how many there are, where
    /// that is what is wrong.
    Format { short: Option<(usize, usize)> },
    /// A single value behind `%` for a text with so many places.
    Unbracketed { places: usize },
    /// A text to which an overlay of this kind is applied, which stands there.
    OverlaidText { wanted: &'static str, right: Option<Span> },
    /// Arguments of `overlay.apply` that are lists of overlays, by their numbers in the call, each with its length: the first
    /// one failed.
    ListsOfOverlays { lists: Vec<(usize, usize)> },
    /// A value of this type that `%d` or its like in a text does not take: the letter, where it stands in the text, and the
    /// number of the value.
    Conversion { verb: char, at: usize, number: usize, kind: String },
    /// Values that an operator does not take, by their types.
    Operands { operator: String, left: String, right: String },
    /// None as the first argument of a built-in that counts or takes items.
    NoneArgument,
    /// An argument of a built-in that is of another type: that of this number, or the only one.
    Argument { wanted: &'static str, found: String, number: Option<usize> },
    /// A positional argument behind one that has a name.
    PositionalBehindNamed,
    /// Two values that should be equal: each as YAML, and their types.
    NotEqual { left: String, right: String, kinds: (String, String) },
    /// Where the name that was probably meant is defined.
    DefinedAt { name: String, place: Span },
    /// A symbol that several files of a library export: each by its path, and where it defines the symbol.
    Exported { symbol: String, files: Vec<(String, Option<Span>)> },
    /// A file that cannot be loaded by its name, though it defines a function; whether its code is plain text.
    InNoLibrary { name: String, place: Span, is_plain: bool },
    /// A symbol that other files of a library export than the one at this path, if that is one.
    ExportedElsewhere { symbol: String, path: String, is_file: bool, files: Vec<(String, Option<Span>)> },
    /// A path that would lead to a file without this folder in front.
    SurplusFolder { surplus: String },
    /// A library where its documents are needed.
    LibraryAsValue,
    /// An assertion of the project's own that does not hold. `of` is code outside of the library that is asked, which gave
    /// it the value that was looked at: where it stands, and the value.
    Assertion { of: Option<(Span, String)> },
    /// A check of a bound that does not hold: what the value must be, in words, and the texts that are allowed, if these
    /// are written out.
    Check { must: String, allowed: Vec<String> },
    /// What `join` does not take: the item of that number, or the whole argument, by its type.
    Joined { number: Option<usize>, kind: String },
    /// A text that `int` or `float` does not read as a number.
    NoNumber { text: String },
    /// The only argument that a call lacks.
    MissingArgument { name: String },
    /// Keyword arguments where a function takes one map.
    KeywordsForMap,
    /// A keyword argument that a function does not take, and is near none of those that it takes. Of an idle one the effect
    /// is there without it.
    NoSuchArgument { name: String, known: Vec<String>, is_idle: bool },
    /// A width in `%`: what stands behind the sign, up to its letter.
    Width { spec: String },
    /// A `%` in a text that is no place for one of these many values: no letter that stands for one is behind it, or there
    /// are more of them than values.
    Directive { values: usize },
    /// A symbol that a library does not export and that is spelt like none of those that it does, each with its place.
    NotInLibrary { symbol: String, exported: Vec<(String, Option<Span>)> },
    /// So many places of a text for another number of values.
    Counted { places: usize, values: usize },
    /// A text with several documents where one is decoded.
    SeveralDocuments,
    /// Several dicts for a function that takes one.
    SeveralDicts,
    /// A keyword argument that a function does not take, with the parameters of which one is probably meant, whether that is
    /// by more than their spelling, and the function, if it is known by its name.
    UnknownKeyword { keyword: String, near: Vec<String>, is_guess: bool, defined: Option<Span> },
    /// A member that a value of this type does not have, with the one that the reference proposes, and those that a struct or
    /// module has.
    NoMember { kind: String, name: String, near: Option<String>, known: Vec<String> },
    /// A key that a map fragment does not have.
    NoKey,
    /// A key that a dict does not have, and the keys that are there, if they are texts and few.
    NotInDict { key: Option<String>, keys: Vec<String>, alike: Option<String> },
    /// The same of a struct.
    NotInStruct { key: Option<String>, keys: Vec<String> },
    /// A version with a `v` in front, which is none.
    LeadingV,
    /// A pattern that is no regular expression, whatever it is matched with.
    Pattern,
    /// A function as the key of a dict; its name, if it is one of the project.
    FunctionAsKey { name: Option<String> },
    /// A map that is to take the place of an item of an array, as `template.replace` does with arrays.
    MapForItems,
    /// A value of a module that nothing encodes, by the name of its type.
    NotEncoded { kind: String },
    /// Parameters of a query whose values are texts, not lists of them; whether all are.
    Unlisted { keys: Vec<String>, are_all: bool },
    /// A value of this type where `assert.try_to` takes a function.
    NotTried { kind: String },
    /// None where `template.replace` takes items: of a map, or of an array and documents.
    NullForItems { is_map: bool },
    /// A set of documents as the value of a node: of a document, or of an item.
    DocumentSet { is_document: bool },
    /// An index outside of a list, tuple, string or range, which has so many items.
    OutOfRange { length: usize },
    /// The least or greatest item of nothing.
    EmptySequence,
    /// A value of this type where code asks for an item by an index that it does not have.
    NotIndexed { kind: String },
    /// A value of this type where code goes over items.
    NotIterable { kind: String },
    /// A value of this type where code calls a function.
    NotCallable { kind: String },
    /// Another number of values than there are names for them: how many there are, and how many there should be, if both
    /// are known.
    NotUnpacked { counts: Option<(u64, u64)> },
    /// A list, dict or set, by its type, that is changed while a loop goes over it.
    Iterated { kind: String },
    /// A list or dict, by its type, that cannot be changed since its file has ended.
    Frozen { kind: String },
    /// A render could have done without it: with the edit of the first help it gives the same.
    Useless,
    /// A file, or the folder of a library, that nothing uses.
    IdleFile { path: String },
    /// A file mark whose pattern fits no file.
    UnmatchedMark,
    /// A value of this type in a text template, which takes texts.
    NotText { kind: String },
    /// A `=` inside of a value.
    AssignmentAsValue,
}
