//! Keys of the objects of a JSON text: each is made once, guessed by the one before it, and sorted by its bytes.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "numbers of keys that there are, and places of members"
)]

use hashbrown::HashMap;

use crate::source::to_u32;

/// The keys of all objects.
pub(super) struct Keys<K, V> {
    pub(super) all: Vec<Key<K>>,
    numbers: HashMap<Box<str>, u32>,
    /// The key that was read last.
    pub(super) last: u32,
    /// Members that are being put in order.
    moved: Vec<(u32, V)>,
}

pub(super) struct Key<K> {
    pub(super) text: Box<str>,
    pub(super) made: K,
    /// The key that followed this one last time: objects of a list have the same keys in the same order.
    next: u32,
    /// The order of the last object that began with this key and was not sorted: as it is, many others are.
    order: Order,
    /// Whether it is written as it is, so that the text can be compared with it.
    is_plain: bool,
}

/// The keys of an object as they stand in the text, and the places of its members in the order of their keys, equal ones
/// as they stand.
#[derive(Default)]
struct Order {
    keys: Box<[u32]>,
    places: Box<[u32]>,
}

impl<K: Copy, V: Copy> Keys<K, V> {
    pub(super) fn new() -> Keys<K, V> {
        Keys { all: Vec::new(), numbers: HashMap::new(), last: 0, moved: Vec::new() }
    }

    /// The key that is probably next, if it stands at the start of `rest`, with the quote behind it.
    pub(super) fn guess(&self, rest: &[u8]) -> Option<u32> {
        let number = self.all.get(self.last as usize)?.next;
        let key = self.all.get(number as usize)?;
        let is_it = key.is_plain
            && rest.get(key.text.len()) == Some(&b'"')
            && rest.get(..key.text.len()) == Some(key.text.as_bytes());
        is_it.then_some(number)
    }

    /// The number of a key, which `make` makes where it is new.
    pub(super) fn number(&mut self, text: &str, make: impl FnOnce(&str) -> K) -> u32 {
        let number = match self.numbers.get(text) {
            Some(number) => *number,
            None => {
                let number = to_u32(self.all.len());
                let is_plain = !text.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
                self.all.push(Key { text: text.into(), made: make(text), next: 0, order: Order::default(), is_plain });
                self.numbers.insert(text.into(), number);
                number
            }
        };
        if let Some(last) = self.all.get_mut(self.last as usize) {
            last.next = number;
        }
        number
    }

    /// Sorts members by their keys; of those with equal keys the last one is kept. Gives where they end.
    pub(super) fn sort(&mut self, members: &mut [(u32, V)]) -> usize {
        let Some(first) = members.first().map(|member| member.0 as usize) else { return 0 };
        if !self.all[first].order.keys.iter().eq(members.iter().map(|member| &member.0)) {
            let text = |number: u32| self.all[number as usize].text.as_bytes();
            if members.is_sorted_by(|a, b| text(a.0) < text(b.0)) {
                return members.len();
            }
            let keys: Box<[u32]> = members.iter().map(|member| member.0).collect();
            let mut places: Box<[u32]> = (0..to_u32(keys.len())).collect();
            places.sort_by(|a, b| text(keys[*a as usize]).cmp(text(keys[*b as usize])));
            self.all[first].order = Order { keys, places };
        }
        self.moved.clear();
        self.moved.extend(self.all[first].order.places.iter().map(|place| members[*place as usize]));
        members.copy_from_slice(&self.moved);
        let mut end = 0;
        for index in 1..members.len() {
            end += usize::from(members[index].0 != members[end].0);
            members[end] = members[index];
        }
        end + 1
    }
}
