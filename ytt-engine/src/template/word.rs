//! Words in texts: where one stands that is no part of a longer one.

/// Where a word stands in a text, with no letter, digit or `_` around it.
pub(crate) fn whole<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    apart(text, word, |letter| letter.is_alphanumeric() || letter == '_')
}

/// Where a word stands in a text with none of the letters around it that could `belong` to it.
pub(crate) fn apart<'t>(text: &'t str, word: &'t str, belong: fn(char) -> bool) -> impl Iterator<Item = usize> + 't {
    let places = text.match_indices(word).map(|(at, _)| at);
    places.filter(move |at| {
        let (before, rest) = text.split_at(*at);
        let behind = rest.strip_prefix(word).unwrap_or(rest);
        !word.is_empty() && !before.ends_with(belong) && !behind.starts_with(belong)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_words_are_no_words() {
        for (text, word, expected) in
            [("a.b a_b ab é a", "a", &[0, 14][..]), ("aéa é", "é", &[5]), ("", "a", &[]), ("abc", "", &[])]
        {
            assert_eq!(whole(text, word).collect::<Vec<_>>(), expected, "{text}");
        }
        let belong = |letter: char| letter.is_alphanumeric() || letter == '-';
        assert_eq!(apart("a-b b", "b", belong).collect::<Vec<_>>(), [4]);
    }
}
