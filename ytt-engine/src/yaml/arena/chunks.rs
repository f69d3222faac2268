//! A list that grows by chunks: growing moves no element, so it never needs the memory twice.

use std::ops::{Index, IndexMut};

const CHUNK: usize = 4096;

#[derive(Debug)]
pub(super) struct Chunks<T>(Vec<Vec<T>>);

impl<T> Chunks<T> {
    pub(super) fn new() -> Chunks<T> {
        Chunks(Vec::new())
    }

    /// Adds an element; gives its number.
    #[allow(clippy::arithmetic_side_effects, reason = "numbers of elements that are in memory")]
    pub(super) fn push(&mut self, element: T) -> usize {
        let chunks = self.0.len();
        if let Some(last) = self.0.last_mut().filter(|last| last.len() < CHUNK) {
            last.push(element);
            return (chunks - 1) * CHUNK + last.len() - 1;
        }
        // Small arenas are many: the first chunk grows as it is needed.
        let mut chunk = Vec::with_capacity(if chunks == 0 { 64 } else { CHUNK });
        chunk.push(element);
        self.0.push(chunk);
        chunks * CHUNK
    }

    #[allow(clippy::arithmetic_side_effects, reason = "numbers of elements that are in memory")]
    pub(super) fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * CHUNK + last.len())
    }

    pub(super) fn get(&self, number: usize) -> Option<&T> {
        self.0.get(number / CHUNK)?.get(number % CHUNK)
    }

    /// Elements from that number on.
    pub(super) fn iter_mut_from(&mut self, number: usize) -> impl Iterator<Item = &mut T> {
        let chunks = self.0.iter_mut().skip(number / CHUNK);
        chunks.flatten().skip(number % CHUNK)
    }
}

impl<T> Index<usize> for Chunks<T> {
    type Output = T;

    #[allow(clippy::indexing_slicing, reason = "who indexes has a number that `push` gave, and nothing goes")]
    fn index(&self, number: usize) -> &T {
        &self.0[number / CHUNK][number % CHUNK]
    }
}

impl<T> IndexMut<usize> for Chunks<T> {
    #[allow(clippy::indexing_slicing, reason = "as for `index`: `push` gave the number, and nothing goes")]
    fn index_mut(&mut self, number: usize) -> &mut T {
        &mut self.0[number / CHUNK][number % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_on_over_chunks() {
        let mut chunks = Chunks::new();
        assert_eq!((chunks.len(), chunks.get(0)), (0, None));
        for number in 0..2 * CHUNK + 3 {
            assert_eq!(chunks.push(number), number);
        }
        assert_eq!((chunks.len(), chunks.get(CHUNK), chunks[CHUNK - 1]), (2 * CHUNK + 3, Some(&CHUNK), CHUNK - 1));
        assert_eq!(chunks.get(2 * CHUNK + 3), None);
        for number in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 2, 2 * CHUNK + 3, 3 * CHUNK] {
            let rest: Vec<usize> = chunks.iter_mut_from(number).map(|element| *element).collect();
            assert_eq!(rest, (number..2 * CHUNK + 3).collect::<Vec<usize>>());
        }
    }
}
