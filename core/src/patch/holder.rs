//! The interface between patching and the holder of a document.

use std::borrow::Cow;

use crate::error::Error;
use crate::limits::Limits;

/// The holder of a document: core's own tree, or a host with its objects.
///
/// The holder either changes containers in place, or copies each of them once, along the paths of the operations,
/// so that the original stays unchanged. Failures of a host are errors like any other.
pub trait Holder {
    /// An owned value: the document, or a new part of it.
    type Value;
    /// The value of an operation.
    type Operand<'p>: Copy;
    /// A place reached within the document.
    type Location<'v>;
    /// The place of a removed member among its neighbours.
    type Position;

    /// Makes `null`.
    fn null(&mut self) -> Self::Value;

    /// Returns the root of the document.
    fn enter<'v>(
        &mut self,
        document: &'v mut Self::Value,
        access: Purpose,
    ) -> Result<Self::Location<'v>, Error>;

    /// Returns the shape of the value at a place.
    fn kind(&mut self, at: &Self::Location<'_>) -> Result<Shape, Error>;

    /// Returns the place one step further, if it exists. The key fits the kind of the container.
    fn step<'v>(
        &mut self,
        at: Self::Location<'v>,
        key: &Key<'_>,
        access: Purpose,
    ) -> Result<Option<Self::Location<'v>>, Error>;

    /// Inserts an item into a list, before the one at the index; or a new member into an object, at `place` or
    /// after the others.
    fn insert(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
        place: Option<Self::Position>,
    ) -> Result<(), Error>;

    /// Sets a member, and returns the former value. A new member goes after the others.
    fn set(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error>;

    /// Replaces the value of a member or item, and returns the former one. If it does not exist, nothing
    /// happens.
    fn replace(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error>;

    /// Returns the number of places by which other members move if one is removed from an object; 0 if the holder
    /// does not keep them in a row.
    fn members_behind(&self, _at: &Self::Location<'_>, _name: &str) -> usize {
        0
    }

    /// Removes a member or item, if it exists. The others keep their order.
    fn remove(&mut self, at: Self::Location<'_>, key: &Key<'_>) -> Result<Option<Removed<Self>>, Error>;

    /// Returns a deep copy of the value at a place.
    fn copy(&mut self, at: &Self::Location<'_>, room: &mut Budget) -> Result<Self::Value, Error>;

    /// Returns a deep copy of an operation's value.
    fn adopt(&mut self, given: Self::Operand<'_>, room: &mut Budget) -> Result<Self::Value, Error>;

    /// Checks that a value fits the budget.
    fn measure(&mut self, value: &Self::Value, room: &mut Budget) -> Result<(), Error>;

    /// True if two values are the same JSON: members in any order, numbers by value.
    fn equals(
        &mut self,
        at: &Self::Location<'_>,
        given: Self::Operand<'_>,
        room: &mut Budget,
    ) -> Result<bool, Error>;
}

/// A removed value, with its former place.
pub type Removed<H> = (<H as Holder>::Value, <H as Holder>::Position);

/// The purpose of reaching a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To read the value.
    Read,
    /// To change the value.
    Write,
}

/// The shape of a value, as pointers need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An object.
    Object,
    /// A list with this many items.
    List(usize),
    /// Anything else.
    Scalar,
}

/// One step of a pointer, read for a container of a known shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key<'k> {
    /// Name of a member.
    Member(Cow<'k, str>),
    /// Index of an item, or of the place after the last one.
    Item(usize),
}

/// The room for a value at its place.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Levels of containers.
    levels: usize,
    /// Values, containers included.
    values: usize,
    limits: Limits,
    operation: Option<usize>,
}

impl Budget {
    /// Returns the budget for `values` values, below `above` containers.
    pub(super) fn new(limits: &Limits, operation: usize, above: usize, values: usize) -> Self {
        let levels = limits.effective_depth().saturating_sub(above);
        Self { levels, values, limits: *limits, operation: Some(operation) }
    }

    /// Returns the budget for a separate document.
    pub fn whole(limits: &Limits) -> Self {
        Self { levels: limits.effective_depth(), values: usize::MAX, limits: *limits, operation: None }
    }

    /// Returns the number of levels of containers that are left.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// Returns the number of values that are left.
    pub fn values(&self) -> usize {
        self.values
    }

    /// Takes room for `values` values. Fails if not enough is left.
    #[inline]
    pub fn take(&mut self, values: usize) -> Result<(), Error> {
        self.values = self.values.checked_sub(values).ok_or_else(|| self.too_many())?;
        Ok(())
    }

    /// Enters a container.
    #[inline]
    pub fn open(&mut self) -> Result<(), Error> {
        self.levels = self.levels.checked_sub(1).ok_or_else(|| self.too_deep())?;
        Ok(())
    }

    /// Leaves a container.
    #[inline]
    pub fn close(&mut self) {
        self.levels += 1;
    }

    /// Returns the error for a value with too many values inside.
    #[cold]
    pub fn too_many(&self) -> Error {
        limit_exceeded("patch_copies", self.limits.patch_copies, self.operation)
    }

    /// Returns the error for a value that nests too deeply.
    #[cold]
    pub fn too_deep(&self) -> Error {
        limit_exceeded("depth", self.limits.effective_depth(), self.operation)
    }
}

fn limit_exceeded(name: &'static str, value: usize, operation: Option<usize>) -> Error {
    let error = Error::limit(name, value);
    match operation {
        Some(index) => of_operation(index, error),
        None => error,
    }
}

/// Returns the error with the index of its operation. Its path becomes a pointer into the list of
/// operations.
pub(super) fn of_operation(index: usize, mut error: Error) -> Error {
    error.operation = Some(index);
    for issue in &mut error.issues {
        issue.path.insert_str(0, &format!("/{index}"));
    }
    error
}
