//! The inverse of applying: computes a small patch that turns one document into another.

mod align;
mod compare;
mod edit;
mod moves;
mod size;

use std::borrow::Cow;

use align::{Origin, align};
pub use compare::equal_values;
use compare::{equal, same_number};
pub use edit::{Edit, json, operations};
use moves::{ListEdit, steps};
use size::Scale;
pub use size::is_within;

use crate::Value;
use crate::collections::{HashMap, HashSet};
use crate::json::{Input, View};
use crate::types::JsonPatchOperation;

/// Returns a patch that turns `old` into `new`: empty if they are equal, never longer as JSON than one that replaces the whole
/// document.
///
/// The order of members does not matter. The kind of a number does: `1` and `1.0` differ, so an integer of `new` is an integer after
/// the patch.
///
/// ```
/// use ag_ui_native::patch::diff;
/// use ag_ui_native::{Object, Value, to_json};
///
/// let (old, new) = (Object::from([("done", false)]), Object::from([("done", true)]));
/// let patch = diff(&Value::from(old), &Value::from(new));
/// assert_eq!(to_json(&patch[0]), r#"{"op":"replace","path":"/done","value":true}"#);
/// ```
pub fn diff(old: &Value, new: &Value) -> Vec<JsonPatchOperation> {
    operations(changes("", old, new))
}

/// Does the work of [`diff`] for values of any holder that are at the pointer `place` of their documents. Values that
/// both share in memory are skipped. No object may have two members of one name.
pub fn changes<'a, I: Input<'a>>(place: &str, old: I, new: I) -> Vec<Edit<I>> {
    let mut diff = Diff::at(place);
    diff.node(old, new);
    diff.edits
}

/// A place at which two documents differ.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p, I> {
    /// The pointer to the place.
    pub pointer: &'p str,
    /// The value at the place in the old document.
    pub old: I,
    /// The value at the place in the new document.
    pub new: I,
    /// Set if the common parts are left out of `old` and `new`: for lists the number of items at the start and at the end, for objects the
    /// number of members.
    pub left_out: Option<(usize, usize)>,
}

/// Does the work of [`changes`] for documents that differ at these places only, none of which is within another. Returns `None` if
/// the patch would move too many items of lists; then a value around them has to be replaced.
pub fn changes_at<'a, I: Input<'a>>(places: &[Place<'_, I>]) -> Option<Vec<Edit<I>>> {
    let mut diff = Diff::at("");
    for place in places {
        place.pointer.clone_into(&mut diff.path);
        match place.left_out {
            None => diff.node(place.old, place.new),
            Some(around) => diff.inside(place.old, place.new, around),
        }
    }
    (diff.shifts <= MAX_SHIFTS).then_some(diff.edits)
}

/// Maximum number of values that may be visited without a result: in comparing values that turn out to be different, and in
/// the search for the best alignment. Beyond it, lists that differ are replaced. Documents without nested lists stay
/// below it at any size.
const EFFORT: usize = 4_000_000;

/// Maximum number of places by which the edits may move the items of lists. It is well below the limit for applying
/// them.
const MAX_SHIFTS: usize = 100_000_000;

struct Diff<I> {
    /// Pointer to the current place.
    path: String,
    edits: Vec<Edit<I>>,
    /// Number of bytes of the edits as JSON.
    size: usize,
    /// Number of places by which the edits move the items of lists.
    shifts: usize,
    scale: Scale,
    effort: usize,
}

impl<'a, I: Input<'a>> Diff<I> {
    fn at(place: &str) -> Self {
        let path = place.to_owned();
        Self { path, edits: Vec::new(), size: 0, shifts: 0, scale: Scale::default(), effort: EFFORT }
    }

    /// Appends the edits that turn `old` into `new`.
    fn node(&mut self, old: I, new: I) {
        if old.is_same_place(new) {
            return;
        }
        let (edits, size, shifts) = (self.edits.len(), self.size, self.shifts);
        self.inside(old, new, (0, 0));
        let is_costly = self.shifts > MAX_SHIFTS;
        if self.edits.len() > edits && (is_costly || self.scale.is_shorter(&self.path, new, self.size - size))
        {
            self.edits.truncate(edits);
            (self.size, self.shifts) = (size, shifts);
            self.replace(new);
        }
    }

    /// Appends the edits for the content of two lists or objects, without replacing them as a whole. `around` counts the items of
    /// lists that are left out.
    fn inside(&mut self, old: I, new: I, around: (usize, usize)) {
        for (key, old, new) in self.level(old, new, around) {
            let length = self.enter(&key);
            self.node(old, new);
            self.path.truncate(length);
        }
    }

    /// Appends the edits that turn `old` into `new`, except for the content of the pairs that it
    /// returns.
    fn level(&mut self, old: I, new: I, around: (usize, usize)) -> Vec<(Cow<'a, str>, I, I)> {
        match (old.view(), new.view()) {
            (View::Object(_), View::Object(_)) => return self.objects(old, new),
            (View::List(old), View::List(new)) => {
                return self.lists(&old.collect::<Vec<_>>(), &new.collect::<Vec<_>>(), around);
            }
            (View::Null, View::Null) => {}
            (View::Bool(old), View::Bool(new)) if old == new => {}
            (View::Text(old), View::Text(new)) if old == new => {}
            (View::Number, View::Number) if same_number(&old.number(), &new.number()) => {}
            _ => self.replace(new),
        }
        Vec::new()
    }

    fn objects(&mut self, old: I, new: I) -> Vec<(Cow<'a, str>, I, I)> {
        let pair = |(key, old), new| (Cow::Borrowed(key), old, new);
        if keys(old).eq(keys(new)) {
            return members(old).zip(members(new)).map(|(old, (_, new))| pair(old, new)).collect();
        }
        let afters: HashMap<&str, I> = members(new).collect();
        let befores: HashSet<&str> = keys(old).collect();
        for key in keys(old).filter(|key| !afters.contains_key(key)) {
            self.within(key, Self::remove);
        }
        for (key, new) in members(new).filter(|(key, _)| !befores.contains(key)) {
            self.within(key, |diff| diff.add(new));
        }
        members(old).filter_map(|member| afters.get(member.0).map(|new| pair(member, *new))).collect()
    }

    fn lists(&mut self, old: &[I], new: &[I], (before, after): (usize, usize)) -> Vec<(Cow<'a, str>, I, I)> {
        let mut is_equal = |(old, new): &(&I, &I)| equal(**old, **new, &mut self.effort);
        let head = old.iter().zip(new).take_while(&mut is_equal).count();
        let (old, new) = (&old[head..], &new[head..]);
        let tail = old.iter().rev().zip(new.iter().rev()).take_while(&mut is_equal).count();
        let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
        let (head, tail) = (before + head, after + tail);
        let sources = align(old, new, &mut self.effort);
        for step in steps(old.len(), &sources) {
            let (ListEdit::Remove(at) | ListEdit::Add(at, _) | ListEdit::Move(_, at)) = step;
            self.shifts = self.shifts.saturating_add(old.len().max(new.len()).saturating_sub(at) + tail);
            match step {
                ListEdit::Remove(at) => self.within(&(head + at).to_string(), Self::remove),
                ListEdit::Add(at, index) => {
                    self.within(&(head + at).to_string(), |diff| diff.add(new[index]));
                }
                ListEdit::Move(from, at) => self.move_item(head + from, head + at),
            }
        }
        let kept = |(at, (source, new)): (usize, (&Origin, &I))| {
            source.index().map(|index| (Cow::Owned((head + at).to_string()), old[index], *new))
        };
        sources.iter().zip(new).enumerate().filter_map(kept).collect()
    }

    fn replace(&mut self, new: I) {
        self.size += self.scale.valued("replace", &self.path, new);
        self.edits.push(Edit::Replace(self.path.clone(), new));
    }

    fn add(&mut self, new: I) {
        self.size += self.scale.valued("add", &self.path, new);
        self.edits.push(Edit::Add(self.path.clone(), new));
    }

    fn remove(&mut self) {
        self.size += self.scale.bare(&self.path);
        self.edits.push(Edit::Remove(self.path.clone()));
    }

    fn move_item(&mut self, from: usize, to: usize) {
        let (from, to) = (format!("{}/{from}", self.path), format!("{}/{to}", self.path));
        self.size += self.scale.moved(&from, &to);
        self.edits.push(Edit::Move(from, to));
    }

    /// Runs `work` on a member or item.
    fn within(&mut self, key: &str, work: impl FnOnce(&mut Self)) {
        let length = self.enter(key);
        work(self);
        self.path.truncate(length);
    }

    /// Appends a token to the path. Returns the former length of the path.
    fn enter(&mut self, key: &str) -> usize {
        let length = self.path.len();
        self.path.push('/');
        if key.contains(['~', '/']) {
            self.path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        } else {
            self.path.push_str(key);
        }
        length
    }
}

fn members<'a, I: Input<'a>>(object: I) -> impl Iterator<Item = (&'a str, I)> {
    match object.view() {
        View::Object(members) => Some(members),
        _ => None,
    }
    .into_iter()
    .flatten()
}

fn keys<'a, I: Input<'a>>(object: I) -> impl Iterator<Item = &'a str> {
    members(object).map(|(key, _)| key)
}
