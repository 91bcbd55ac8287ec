//! The names of a class's members in both spellings, as a dictionary's keys are looked up in them. Keys of a parsed document are
//! new strings each time, so that most are told by their text: two words of eight bytes each, without calling a comparison.

use crate::c_api::{self, Lent};

/// The names, in the order of the members.
#[derive(Debug, Default)]
pub struct Names {
    /// The addresses of their interned strings.
    addresses: Vec<[usize; 2]>,
    words: Vec<[Words; 2]>,
    texts: Vec<[&'static str; 2]>,
}

/// The length of a text, and its first and last bytes. Texts of up to [`Words::WHOLE`] bytes are the same if these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Words {
    len: usize,
    first: u64,
    last: u64,
}

impl Words {
    const WHOLE: usize = 16;

    #[inline]
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let long =
            || Some((u64::from_ne_bytes(*bytes.first_chunk()?), u64::from_ne_bytes(*bytes.last_chunk()?)));
        let short = || {
            let ends = (u32::from_ne_bytes(*bytes.first_chunk()?), u32::from_ne_bytes(*bytes.last_chunk()?));
            Some((u64::from(ends.0), u64::from(ends.1)))
        };
        let each = || (bytes.iter().fold(0, |all, &byte| all << 8 | u64::from(byte)), 0);
        let (first, last) = long().or_else(short).unwrap_or_else(each);
        Self { len: bytes.len(), first, last }
    }
}

impl Names {
    /// Adds the next member: the texts of both spellings, with the addresses of their interned strings.
    pub fn push(&mut self, texts: [&'static str; 2], addresses: [usize; 2]) {
        self.addresses.push(addresses);
        self.words.push(texts.map(Words::of));
        self.texts.push(texts);
    }

    /// Returns the member that a key names. Keys are mostly in the order of the members: `hint` is where it is looked for first.
    #[inline]
    pub fn index(&self, key: Lent<'_, '_>, hint: usize) -> Option<usize> {
        let hint = hint.min(self.addresses.len());
        let address = key.as_ptr().addr();
        if let Some(at) = self.addresses[hint..].iter().position(|known| known.contains(&address)) {
            return Some(hint + at);
        }
        let text = c_api::text(key)?;
        let words = Words::of(text);
        let (before, behind) = self.words.split_at(hint);
        let is = |known: &[Words; 2]| known.contains(&words);
        let found = behind.iter().position(is).map(|at| hint + at).or_else(|| before.iter().position(is));
        if words.len <= Words::WHOLE {
            return found;
        }
        self.texts.iter().position(|known| known.contains(&text))
    }
}
