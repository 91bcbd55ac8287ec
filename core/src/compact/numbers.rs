//! Strings as numbers.

use crate::collections::HashMap;

/// A string of a list of events, by its number.
pub type Number = u32;

/// The number of an absent member.
pub const NONE: Number = 0;

macro_rules! known_strings {
    ($($name:ident = $number:literal $word:literal;)+) => {
        /// The strings with a meaning of their own, which have the first numbers.
        pub const KNOWN_STRINGS: &[&str] = &[$($word),+];

        $(#[doc = concat!("The number of `", $word, "`.")]
        pub const $name: Number = $number;)+
    };
}

known_strings! {
    EMPTY = 1 "";
    ASSISTANT = 2 "assistant";
    REASONING = 3 "reasoning";
    ACTIVITY = 4 "activity";
}

/// The numbers of strings, in the order of their first use.
#[derive(Debug)]
pub struct Numbers<'e> {
    numbers: HashMap<&'e str, Number>,
    /// The last string and its number, since the next one is usually the same.
    last: (&'e str, Number),
}

impl Default for Numbers<'_> {
    fn default() -> Self {
        let numbers = KNOWN_STRINGS.iter().zip(EMPTY..).map(|(word, number)| (*word, number)).collect();
        Self { numbers, last: ("", EMPTY) }
    }
}

impl<'e> Numbers<'e> {
    /// Returns the number of a string.
    pub fn of(&mut self, text: &'e str) -> Number {
        if self.last.0 == text {
            return self.last.1;
        }
        let next = Number::try_from(self.count()).unwrap_or(Number::MAX);
        self.last = (text, *self.numbers.entry(text).or_insert(next));
        self.last.1
    }

    /// Returns how many numbers are in use.
    pub fn count(&self) -> usize {
        self.numbers.len() + 1
    }
}
