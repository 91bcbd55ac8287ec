//! Compares the fast path through documents with the general one, on documents of the fixtures that are spelled
//! differently and damaged.
#![no_main]

use ag_ui_native::Limits;
use ag_ui_native_fuzz::spelling::{Dice, damage, spell};
use ag_ui_native_fuzz::ways::both_ways;
use ag_ui_native_fuzz::{DOCUMENTS, one_of, profile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut dice = Dice(bytes);
    let (kind, value) = one_of(&DOCUMENTS, &mut dice);
    let profile = profile(&mut dice);
    let limits = Limits::default().with_depth(dice.of(&[200, 200, 4, 3, 2, 1, 0]));
    let kind = (!dice.once_in(4)).then_some(*kind);
    let text = damage(spell(value, &mut dice), &mut dice);
    let [short, general] = both_ways(text.as_bytes(), kind, profile, limits);
    assert_eq!(short, general, "{text}");
});
