//! Pairs the items of an old list with those of a new one.

use std::ops::Range;

use super::compare::{Sketch, digest, sketch};
use crate::json::Input;

/// The origin of an item of the new list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The old item of this index. It keeps its order among the other kept items, and may have changes inside.
    Kept(usize),
    /// The old item of this index, moved from another place.
    Moved(usize),
    /// A new item, which the old list does not have.
    New,
}

impl Origin {
    /// Returns the index of the old item.
    pub fn index(self) -> Option<usize> {
        match self {
            Self::Kept(index) | Self::Moved(index) => Some(index),
            Self::New => None,
        }
    }
}

/// Maximum number of items that are moved in one list. Each move costs a walk over the others.
const MOVES: usize = 1_000;
/// Maximum number of pairs of items between two fixed points that are compared with each other.
const PAIRS: usize = 10_000;

/// Returns the origin of every new item.
///
/// Equal items are found by their digests. The longest run of them that keeps its order stays, and the others move. The items left
/// between two that stay are paired by likeness and changed inside. Two different items with one digest do no harm, since paired
/// items are still compared.
pub fn align<'a, I: Input<'a>>(old: &[I], new: &[I], effort: &mut usize) -> Vec<Origin> {
    let mut sources = vec![Origin::New; new.len()];
    if old.len().max(new.len()) < 2 || *effort == 0 {
        keep_in_order(&mut sources, 0..old.len(), 0..new.len());
        return sources;
    }
    let mut visited = 0;
    let mut digests =
        |items: &[I]| -> Vec<u64> { items.iter().map(|item| digest(*item, &mut visited)).collect() };
    let (before, after) = (digests(old), digests(new));
    *effort = effort.saturating_sub(visited);
    let gaps = keep_longest_run(&mut sources, &before, &after);
    let mut taken = vec![false; old.len()];
    for old in sources.iter().filter_map(|source| source.index()) {
        taken[old] = true;
    }
    let left = before.iter().copied().zip(0..).filter(|(_, old)| !taken[*old]).collect();
    let inserted = after.iter().copied().zip(0..).filter(|(_, new)| sources[*new] == Origin::New).collect();
    for (old, new) in equal_pairs(left, inserted).into_iter().take(MOVES) {
        sources[new] = Origin::Moved(old);
        taken[old] = true;
    }
    for (olds, news) in gaps {
        let olds: Vec<usize> = olds.filter(|old| !taken[*old]).collect();
        let news: Vec<usize> = news.filter(|new| sources[*new] == Origin::New).collect();
        keep_alike(&mut sources, (old, &olds), (new, &news), effort);
    }
    sources
}

/// Keeps the longest run of equal items that have the same order in both lists. Returns the gaps between them: ranges of old and
/// new items that have no partner yet.
fn keep_longest_run(
    sources: &mut [Origin],
    before: &[u64],
    after: &[u64],
) -> Vec<(Range<usize>, Range<usize>)> {
    let numbered = |digests: &[u64]| digests.iter().copied().zip(0..).collect();
    let run = longest_increasing(&equal_pairs(numbered(before), numbered(after)));
    let mut gaps = Vec::with_capacity(run.len() + 1);
    let (mut from, mut to) = (0, 0);
    for (old, new) in run.into_iter().chain([(before.len(), after.len())]) {
        // If a digest occurs often, the run need not be the longest: its neighbours may be equal as
        // well.
        let head = common(before[from..old].iter(), after[to..new].iter());
        keep_in_order(sources, from..from + head, to..to + head);
        (from, to) = (from + head, to + head);
        let tail = common(before[from..old].iter().rev(), after[to..new].iter().rev());
        keep_in_order(sources, old - tail..old, new - tail..new);
        gaps.push((from..old - tail, to..new - tail));
        keep_in_order(sources, old..old + 1, new..(new + 1).min(after.len()));
        (from, to) = (old + 1, new + 1);
    }
    gaps
}

/// Pairs each new item with the old one of the same rank.
fn keep_in_order(sources: &mut [Origin], old: Range<usize>, new: Range<usize>) {
    for (old, new) in old.zip(new) {
        sources[new] = Origin::Kept(old);
    }
}

fn common<'d>(one: impl Iterator<Item = &'d u64>, other: impl Iterator<Item = &'d u64>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// Returns the indexes of equal items, in the order of the old index: the first with a digest is paired with the
/// first, the second with the second.
fn equal_pairs(mut old: Vec<(u64, usize)>, mut new: Vec<(u64, usize)>) -> Vec<(usize, usize)> {
    old.sort_unstable();
    new.sort_unstable();
    let mut pairs = Vec::new();
    let (mut ones, mut others) = (old.iter().peekable(), new.iter().peekable());
    while let (Some((one, from)), Some((other, to))) = (ones.peek(), others.peek()) {
        if one == other {
            pairs.push((*from, *to));
        }
        let (one, other) = (*one, *other);
        ones.next_if(|_| one <= other);
        others.next_if(|_| other <= one);
    }
    pairs.sort_unstable();
    pairs
}

/// Returns the longest run of pairs whose second indexes increase too.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends` has for each length the pair with the smallest second index that ends a run of it, `previous` for each
    // pair the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous = Vec::with_capacity(pairs.len());
    for (index, (_, to)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *to);
        previous.push(length.checked_sub(1).map(|before| ends[before]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(index) = at {
        run.push(pairs[index]);
        at = previous[index];
    }
    run.reverse();
    run
}

/// Pairs the items of a gap, in order, so that the total likeness is greatest.
fn keep_alike<'a, I: Input<'a>>(
    sources: &mut [Origin],
    (old, old_left): (&[I], &[usize]),
    (new, new_left): (&[I], &[usize]),
    effort: &mut usize,
) {
    let width = new_left.len() + 1;
    let table_size = old_left.len() * new_left.len();
    let mut visited = table_size;
    if table_size > PAIRS || *effort == 0 {
        for (old, new) in old_left.iter().zip(new_left) {
            sources[*new] = Origin::Kept(*old);
        }
        return;
    }
    let mut sketches = |items: &[I], left: &[usize]| -> Vec<Sketch> {
        left.iter().map(|index| sketch(items[*index], &mut visited)).collect()
    };
    let (befores, afters) = (sketches(old, old_left), sketches(new, new_left));
    *effort = effort.saturating_sub(visited);
    // The greatest total likeness of the items from each pair on.
    let mut best = vec![0; (old_left.len() + 1) * width];
    for (row, before) in befores.iter().enumerate().rev() {
        for (column, after) in afters.iter().enumerate().rev() {
            let at = row * width + column;
            let paired = best[at + width + 1] + before.likeness(after);
            best[at] = paired.max(best[at + width]).max(best[at + 1]);
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < befores.len() && column < afters.len() {
        let at = row * width + column;
        if best[at] == best[at + width + 1] + befores[row].likeness(&afters[column]) {
            sources[new_left[column]] = Origin::Kept(old_left[row]);
            (row, column) = (row + 1, column + 1);
        } else if best[at] == best[at + width] {
            row += 1;
        } else {
            column += 1;
        }
    }
}
