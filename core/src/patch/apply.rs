//! Applies a patch as a whole or not at all.

use std::mem::replace;

use super::holder::{Budget, Holder, Key, Purpose, Shape, of_operation};
use super::operation::{Action, Operation, depth, is_within, key_in, split_last, tokens};
use super::value::InPlace;
use crate::Value;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::types::JsonPatchOperation;

/// Applies a patch in place, operation by operation. If one fails, the document is restored, with the order of its members.
///
/// `limits.patch_operations` bounds the operations, `limits.patch_copies` the values that `copy` makes and that `move`
/// takes to a deeper place, `limits.patch_shifts` how far items are moved, `limits.depth` the nesting of the result.
///
/// ```
/// use ag_ui_native::patch::apply;
/// use ag_ui_native::types::{AddOperation, JsonPointer};
/// use ag_ui_native::{Limits, Object, Value};
///
/// let mut state = Value::from(Object::from([("tasks", Value::from(["Buy milk"]))]));
/// let path = JsonPointer::parse("/tasks/-").unwrap();
/// apply(&mut state, &[AddOperation::new(path, "Call Ada").into()], &Limits::default())?;
/// assert_eq!(state.get("tasks").and_then(Value::as_array).map(|tasks| tasks.len()), Some(2));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
///
/// # Errors
/// `patch_invalid`, `patch_target_missing`, `patch_index_invalid`, `patch_test_failed`, `patch_into_itself` or
/// `limit_exceeded`, with the index of the operation.
pub fn apply(document: &mut Value, operations: &[JsonPatchOperation], limits: &Limits) -> Result<(), Error> {
    let operations = operations.iter().map(Operation::try_from);
    apply_to(&mut InPlace, document, operations, limits)
}

/// Applies operations in order, each to the result of the earlier ones (RFC 6902). If one fails, the document is restored, with the order
/// of its members. An operation that could not be read fails when its turn comes.
///
/// `limits.patch_operations` bounds the operations, `limits.patch_copies` the values that `copy` makes and that `move`
/// takes to a deeper place, `limits.patch_shifts` how far items are moved to make room or close a gap, `limits.depth` the nesting
/// of the result.
///
/// # Errors
/// `patch_invalid`, `patch_target_missing`, `patch_index_invalid`, `patch_test_failed`, `patch_into_itself` or
/// `limit_exceeded`, with the index of the operation and, as the path, a pointer into the list of operations; and what
/// the holder itself fails with.
pub fn apply_to<'p, H: Holder>(
    holder: &mut H,
    document: &mut H::Value,
    operations: impl ExactSizeIterator<Item = Result<Operation<'p, H::Operand<'p>>, Error>>,
    limits: &Limits,
) -> Result<(), Error> {
    apply_and(holder, document, operations, limits, |_| Ok(()))
}

/// Applies operations like [`apply_to`], then runs `then`. If `then` fails, the patch is undone, too.
pub fn apply_and<'p, H: Holder>(
    holder: &mut H,
    document: &mut H::Value,
    operations: impl ExactSizeIterator<Item = Result<Operation<'p, H::Operand<'p>>, Error>>,
    limits: &Limits,
    then: impl FnOnce(&mut H) -> Result<(), Error>,
) -> Result<(), Error> {
    if operations.len() > limits.patch_operations {
        return Err(Error::limit("patch_operations", limits.patch_operations));
    }
    let mut patching = Patching {
        holder,
        document,
        limits,
        copies: limits.patch_copies,
        shifts: limits.patch_shifts,
        changes: Vec::new(),
        hand: None,
    };
    for (index, operation) in operations.enumerate() {
        let read = operation.map_err(|error| of_operation(index, error));
        if let Err(failure) = read.and_then(|operation| patching.operation(index, &operation)) {
            return patching.undo().and(Err(failure));
        }
    }
    then(patching.holder).or_else(|failure| patching.undo().and(Err(failure)))
}

/// A patch that is being applied.
struct Patching<'a, 'p, H: Holder> {
    holder: &'a mut H,
    document: &'a mut H::Value,
    limits: &'a Limits,
    /// Number of values that may still be copied.
    copies: usize,
    /// Number of places by which items may still be moved.
    shifts: usize,
    /// The changes so far, for undoing them.
    changes: Vec<Undo<'p, H>>,
    /// The value that an operation has taken from a place, or is about to put at one.
    hand: Option<H::Value>,
}

/// One change, with the data for undoing it.
enum Undo<'p, H: Holder> {
    /// The document was replaced; the value is the former one.
    Root(H::Value),
    /// A value was inserted.
    Inserted(Spot<'p>),
    /// A value was replaced; the value is the former one.
    Replaced(Spot<'p>, H::Value),
    /// A value was moved into `hand`.
    Taken(Spot<'p>, H::Position),
    /// The value in `hand` was dropped.
    Dropped(H::Value),
}

/// A member or item.
struct Spot<'p> {
    /// Pointer to the container.
    parent: &'p str,
    key: Key<'p>,
}

/// Returns the number of items at a place of a list and after it.
fn items_behind(kind: Shape, key: &Key<'_>) -> usize {
    match (kind, key) {
        (Shape::List(length), Key::Item(index)) => length.saturating_sub(*index),
        _ => 0,
    }
}

/// The member of an operation that an error names.
#[derive(Clone, Copy)]
struct Blame {
    operation: usize,
    member: &'static str,
}

impl Blame {
    #[cold]
    fn missing(self, key: &Key<'_>) -> Error {
        match key {
            Key::Member(_) => self.error(Code::PatchTargetMissing),
            Key::Item(_) => self.error(Code::PatchIndexInvalid),
        }
    }

    /// Returns the number of `shifts` left after `moved` of them.
    fn shift(self, shifts: usize, moved: usize, limits: &Limits) -> Result<usize, Error> {
        let left = shifts.checked_sub(moved);
        left.ok_or_else(|| of_operation(self.operation, Error::limit("patch_shifts", limits.patch_shifts)))
    }

    #[cold]
    fn error(self, code: Code) -> Error {
        of_operation(self.operation, Error::at(code, self.member.into(), ""))
    }
}

impl<'p, H: Holder> Patching<'_, 'p, H> {
    fn operation(&mut self, index: usize, operation: &Operation<'p, H::Operand<'p>>) -> Result<(), Error> {
        let path = operation.path;
        let at_path = Blame { operation: index, member: "/path" };
        let at_from = Blame { operation: index, member: "/from" };
        let mut room = Budget::new(self.limits, index, depth(path), usize::MAX);
        match operation.action {
            Action::Add(value) => {
                self.hand = Some(self.holder.adopt(value, &mut room)?);
                self.add(path, at_path)
            }
            Action::Replace(value) => {
                self.hand = Some(self.holder.adopt(value, &mut room)?);
                self.replace(path, at_path)
            }
            Action::Remove if path.is_empty() => {
                self.hand = Some(self.holder.null());
                self.replace(path, at_path)
            }
            Action::Remove => {
                self.take(path, at_path)?;
                self.changes.extend(self.hand.take().map(Undo::Dropped));
                Ok(())
            }
            Action::Move { from } if is_within(path, from) => Err(at_path.error(Code::PatchIntoItself)),
            // The only place within the root that is no error is the root itself.
            Action::Move { from: "" } => Ok(()),
            Action::Move { from } => {
                self.take(from, at_from)?;
                if depth(path) > depth(from) {
                    room = Budget::new(self.limits, index, depth(path), self.copies);
                    self.hand.as_ref().map_or(Ok(()), |value| self.holder.measure(value, &mut room))?;
                    self.copies = room.values();
                }
                self.add(path, at_path)
            }
            Action::Copy { from } => {
                room = Budget::new(self.limits, index, depth(path), self.copies);
                let copy = {
                    let source = walk(self.holder, self.document, from, Purpose::Read, at_from)?;
                    self.holder.copy(&source, &mut room)?
                };
                self.hand = Some(copy);
                self.copies = room.values();
                self.add(path, at_path)
            }
            Action::Test(value) => {
                let found = walk(self.holder, self.document, path, Purpose::Read, at_path)?;
                if self.holder.equals(&found, value, &mut room)? {
                    return Ok(());
                }
                Err(at_path.error(Code::PatchTestFailed))
            }
        }
    }

    /// Puts the value in `hand` at `path`: sets a member, or inserts an item.
    fn add(&mut self, path: &'p str, blame: Blame) -> Result<(), Error> {
        if path.is_empty() {
            return self.replace(path, blame);
        }
        let (at, kind, spot) = target(self.holder, self.document, path, blame)?;
        self.shifts = blame.shift(self.shifts, items_behind(kind, &spot.key), self.limits)?;
        let Some(value) = self.hand.take() else { return Ok(()) };
        let replaced = match kind {
            Shape::Object => self.holder.set(at, &spot.key, value)?,
            _ => self.holder.insert(at, &spot.key, value, None).map(|()| None)?,
        };
        self.changes.push(match replaced {
            Some(old) => Undo::Replaced(spot, old),
            None => Undo::Inserted(spot),
        });
        Ok(())
    }

    /// Replaces the value at `path` by the value in `hand`.
    fn replace(&mut self, path: &'p str, blame: Blame) -> Result<(), Error> {
        if path.is_empty() {
            self.changes.extend(self.hand.take().map(|value| Undo::Root(replace(self.document, value))));
            return Ok(());
        }
        let (at, _, spot) = target(self.holder, self.document, path, blame)?;
        let Some(value) = self.hand.take() else { return Ok(()) };
        let old = self.holder.replace(at, &spot.key, value)?.ok_or_else(|| blame.missing(&spot.key))?;
        self.changes.push(Undo::Replaced(spot, old));
        Ok(())
    }

    /// Moves the value at `path`, which is not the root, into `hand`.
    fn take(&mut self, path: &'p str, blame: Blame) -> Result<(), Error> {
        let (at, kind, spot) = target(self.holder, self.document, path, blame)?;
        let moved = match &spot.key {
            Key::Member(name) => self.holder.members_behind(&at, name),
            key @ Key::Item(_) => items_behind(kind, key),
        };
        self.shifts = blame.shift(self.shifts, moved, self.limits)?;
        let (value, place) = self.holder.remove(at, &spot.key)?.ok_or_else(|| blame.missing(&spot.key))?;
        self.hand = Some(value);
        self.changes.push(Undo::Taken(spot, place));
        Ok(())
    }

    /// Undoes every change, the last one first. If a host fails to undo one, the others are still undone.
    fn undo(&mut self) -> Result<(), Error> {
        let mut undone = Ok(());
        while let Some(change) = self.changes.pop() {
            undone = undone.and(self.undo_change(change));
        }
        undone
    }

    fn undo_change(&mut self, change: Undo<'p, H>) -> Result<(), Error> {
        let (holder, document) = (&mut *self.holder, &mut *self.document);
        let blame = Blame { operation: 0, member: "/path" };
        match change {
            Undo::Root(old) => self.hand = Some(replace(document, old)),
            Undo::Dropped(old) => self.hand = Some(old),
            Undo::Inserted(Spot { parent, key }) => {
                let at = walk(holder, document, parent, Purpose::Write, blame)?;
                self.hand = holder.remove(at, &key)?.map(|(value, _)| value);
            }
            Undo::Replaced(Spot { parent, key }, old) => {
                let at = walk(holder, document, parent, Purpose::Write, blame)?;
                self.hand = holder.replace(at, &key, old)?;
            }
            Undo::Taken(Spot { parent, key }, place) => {
                let at = walk(holder, document, parent, Purpose::Write, blame)?;
                if let Some(value) = self.hand.take() {
                    holder.insert(at, &key, value, Some(place))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the container of `path`, for writing, and the spot in it.
fn target<'v, 'p, H: Holder>(
    holder: &mut H,
    document: &'v mut H::Value,
    path: &'p str,
    blame: Blame,
) -> Result<(H::Location<'v>, Shape, Spot<'p>), Error> {
    let (parent, token) = split_last(path);
    let at = walk(holder, document, parent, Purpose::Write, blame)?;
    let kind = holder.kind(&at)?;
    let key = key_in(kind, token).map_err(|code| blame.error(code))?;
    Ok((at, kind, Spot { parent, key }))
}

/// Returns the place of `pointer`.
fn walk<'v, H: Holder>(
    holder: &mut H,
    document: &'v mut H::Value,
    pointer: &str,
    access: Purpose,
    blame: Blame,
) -> Result<H::Location<'v>, Error> {
    let mut at = holder.enter(document, access)?;
    for token in tokens(pointer) {
        let kind = holder.kind(&at)?;
        let key = key_in(kind, token).map_err(|code| blame.error(code))?;
        at = holder.step(at, &key, access)?.ok_or_else(|| blame.missing(&key))?;
    }
    Ok(at)
}
