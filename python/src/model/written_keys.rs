//! Keys of free dictionaries that were written already. Dictionaries of one document share the objects of their keys, so a key that
//! comes again is copied from the text, without a look at its characters.

use std::ops::Range;

use crate::c_api::{Exclusive, Lent};

/// Number of slots. A key in a taken slot replaces the one before.
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 6;
const EMPTY: [(usize, Range<usize>); SLOTS] = [const { (0, 0..0) }; SLOTS];

/// Where in the text keys are. An address names the same object only as long as access is exclusive.
#[derive(Debug)]
pub struct WrittenKeys {
    /// The address of a key, and the place of its text.
    slots: [(usize, Range<usize>); SLOTS],
    is_used: bool,
}

impl Default for WrittenKeys {
    fn default() -> Self {
        Self { slots: EMPTY, is_used: false }
    }
}

impl WrittenKeys {
    /// Forgets the keys of an earlier text.
    #[inline]
    pub fn clear(&mut self, _: &Exclusive<'_>) {
        if std::mem::take(&mut self.is_used) {
            self.slots = EMPTY;
        }
    }

    /// Returns the place of a key that was written.
    #[inline]
    pub fn place(&self, key: Lent<'_, '_>) -> Option<Range<usize>> {
        let address = key.as_ptr().addr();
        let (known, place) = &self.slots[slot(address)];
        (*known == address).then(|| place.clone())
    }

    /// Stores the place of a key.
    #[inline]
    pub fn wrote(&mut self, key: Lent<'_, '_>, place: Range<usize>) {
        let address = key.as_ptr().addr();
        self.slots[slot(address)] = (address, place);
        self.is_used = true;
    }
}

/// Returns the slot of an address. Addresses are multiples of the sizes of objects, so all their bits count.
#[inline]
fn slot(address: usize) -> usize {
    // The fraction of the golden ratio spreads adjacent numbers widely.
    let spread = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOT_BITS);
    usize::try_from(spread).unwrap_or_default()
}
