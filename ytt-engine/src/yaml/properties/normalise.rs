//! What ytt's printing loses, and nothing else: the one list that round trips are measured by.

use super::tree::Tree;

/// Why a printed text is not the tree, or no text that reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// The text key `<<` is printed without quotes and so merges, here what is no map.
    Merge,
    /// A list in a key is printed as maps of values and lines.
    ArrayKey,
}

/// The documents as they are after one print, or why that cannot be said:
///
/// 1. A float without a fraction that is printed without exponent becomes the integer: below a million, `-0.0` too.
/// 2. The text key `<<` merges a map in place.
/// 3. Keys that are equal now become one: the last item at the first place.
/// 4. Documents that are null, `{}` or `[]` are not printed.
///
/// Comments, anchors, tags and spellings are no part of a [`Tree`], and what prints alike is one kind in the arena: small
/// integers, and bytes that are text.
pub(super) fn normalise(documents: Vec<Tree>) -> Result<Vec<Tree>, Loss> {
    let mut left = Vec::new();
    let mut loss = None;
    for document in documents {
        // Also of two documents: a merge that fails counts before a key that only changes.
        match merged(&numbers(&document), false) {
            Ok(Tree::Null) => {}
            Ok(Tree::Map(entries)) if entries.is_empty() => {}
            Ok(Tree::Array(items)) if items.is_empty() => {}
            Ok(tree) => left.push(tree),
            Err(Loss::Merge) => loss = Some(Loss::Merge),
            Err(Loss::ArrayKey) => loss = loss.or(Some(Loss::ArrayKey)),
        }
    }
    loss.map_or(Ok(left), Err)
}

/// The first rule alone, which also holds of the formatter.
pub(super) fn numbers(tree: &Tree) -> Tree {
    match tree {
        Tree::Float(float) if float.abs() < 1e6 && float.fract() == 0.0 => Tree::Int(*float as i64),
        Tree::Map(entries) => Tree::Map(entries.iter().map(|(key, value)| (numbers(key), numbers(value))).collect()),
        Tree::Array(items) => Tree::Array(items.iter().map(numbers).collect()),
        scalar => scalar.clone(),
    }
}

fn merged(tree: &Tree, in_key: bool) -> Result<Tree, Loss> {
    match tree {
        Tree::Array(items) if in_key && !items.is_empty() => Err(Loss::ArrayKey),
        Tree::Array(items) => Ok(Tree::Array(all(items.iter().map(|item| merged(item, in_key)))?)),
        Tree::Map(entries) => {
            let pairs = all(entries.iter().map(|(key, value)| {
                let pair = all([merged(key, true), merged(value, in_key)].into_iter())?;
                let is_merge = matches!(&pair[0], Tree::Text(text) if text == b"<<");
                match &pair[1] {
                    Tree::Map(items) if is_merge => Ok(items.clone()),
                    Tree::Array(items) if is_merge && items.is_empty() => Ok(Vec::new()),
                    _ if is_merge => Err(Loss::Merge),
                    _ => Ok(vec![(pair[0].clone(), pair[1].clone())]),
                }
            }))?;
            Ok(Tree::Map(without_duplicates(pairs.into_iter().flatten().collect())))
        }
        scalar => Ok(scalar.clone()),
    }
}

/// All results, or the loss that counts: a merge that fails before a list in a key.
fn all<T>(results: impl Iterator<Item = Result<T, Loss>>) -> Result<Vec<T>, Loss> {
    let (mut found, mut loss) = (Vec::new(), None);
    for result in results {
        match result {
            Ok(value) => found.push(value),
            Err(Loss::Merge) => loss = Some(Loss::Merge),
            Err(Loss::ArrayKey) => loss = loss.or(Some(Loss::ArrayKey)),
        }
    }
    loss.map_or(Ok(found), Err)
}

fn without_duplicates(pairs: Vec<(Tree, Tree)>) -> Vec<(Tree, Tree)> {
    let mut left: Vec<(Tree, Tree)> = Vec::new();
    for pair in pairs {
        match left.iter_mut().find(|(key, _)| is_one_key(key, &pair.0)) {
            Some(first) => *first = pair,
            None => left.push(pair),
        }
    }
    left
}

/// Collections in keys stand on lines of their own in printed text, which makes them different, unless they are empty.
fn is_one_key(a: &Tree, b: &Tree) -> bool {
    match (a, b) {
        (Tree::Float(a), Tree::Float(b)) => a == b,
        (Tree::Map(a), Tree::Map(b)) => a.is_empty() && b.is_empty(),
        (Tree::Array(a), Tree::Array(b)) => a.is_empty() && b.is_empty(),
        _ => a == b,
    }
}
