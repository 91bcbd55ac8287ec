//! What patching asks of the holder of a document.

use std::borrow::Cow;

use crate::error::Error;
use crate::limits::Limits;

/// The holder of a document: core's own tree, a host with its objects.
///
/// The holder decides whether containers are changed where they are, or copied first (each once, along the paths that
/// operations take) so that the original stays as it was. A holder with nothing to protect changes in place. What goes
/// wrong in a host is an error like any other.
pub trait Holder {
    /// A value, owned: the document, or what is about to become part of it.
    type Value;
    /// A value as an operation brings it.
    type Operand<'p>: Copy;
    /// A place reached within the document.
    type Location<'v>;
    /// Where among its neighbours a member stood.
    type Position;

    /// `null`
    fn null(&mut self) -> Self::Value;

    /// The root of the document.
    fn enter<'v>(
        &mut self,
        document: &'v mut Self::Value,
        access: Purpose,
    ) -> Result<Self::Location<'v>, Error>;

    /// What is at a place.
    fn kind(&mut self, at: &Self::Location<'_>) -> Result<Shape, Error>;

    /// The place one step further, if there is one. The key fits the kind of the container.
    fn step<'v>(
        &mut self,
        at: Self::Location<'v>,
        key: &Key<'_>,
        access: Purpose,
    ) -> Result<Option<Self::Location<'v>>, Error>;

    /// Inserts an item into a list, before the one at the index; or a member that is not there into an object, where
    /// `place` says or behind the others.
    fn insert(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
        place: Option<Self::Position>,
    ) -> Result<(), Error>;

    /// Sets a member, and returns what was there. A member that was not there goes behind the others.
    fn set(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error>;

    /// Puts a value in the place of a member or item and returns that; if there is none, nothing happens.
    fn replace(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error>;

    /// By how many places other members move when one is taken out of an object; none where they are not kept in a row.
    fn members_behind(&self, _at: &Self::Location<'_>, _name: &str) -> usize {
        0
    }

    /// Takes out a member or item, if it is there. The others keep their order.
    fn remove(&mut self, at: Self::Location<'_>, key: &Key<'_>) -> Result<Option<Removed<Self>>, Error>;

    /// A deep copy of what is at a place.
    fn copy(&mut self, at: &Self::Location<'_>, room: &mut Budget) -> Result<Self::Value, Error>;

    /// A deep copy of an operation's value.
    fn adopt(&mut self, given: Self::Operand<'_>, room: &mut Budget) -> Result<Self::Value, Error>;

    /// Walks through a value, to see that there is room for it.
    fn measure(&mut self, value: &Self::Value, room: &mut Budget) -> Result<(), Error>;

    /// Whether two values are the same JSON: members in any order, numbers by their value.
    fn equals(
        &mut self,
        at: &Self::Location<'_>,
        given: Self::Operand<'_>,
        room: &mut Budget,
    ) -> Result<bool, Error>;
}

/// What was taken out, and where it stood.
pub type Removed<H> = (<H as Holder>::Value, <H as Holder>::Position);

/// What a place is reached for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To look at it.
    Read,
    /// To change it.
    Write,
}

/// What a value is, as far as pointers care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An object.
    Object,
    /// A list, and how many items it has.
    List(usize),
    /// Anything else.
    Scalar,
}

/// One step of a pointer, in the container that it was read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key<'k> {
    /// Name of a member.
    Member(Cow<'k, str>),
    /// Index of an item, or of the place behind the last one.
    Item(usize),
}

/// How much a value may hold at the place where it is to stand.
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
    /// Budget below `above` containers for `values` values.
    pub(super) fn new(limits: &Limits, operation: usize, above: usize, values: usize) -> Self {
        let levels = limits.effective_depth().saturating_sub(above);
        Self { levels, values, limits: *limits, operation: Some(operation) }
    }

    /// Budget for a document of its own.
    pub fn whole(limits: &Limits) -> Self {
        Self { levels: limits.effective_depth(), values: usize::MAX, limits: *limits, operation: None }
    }

    /// How many levels of containers there is room for.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// How many values there is room for.
    pub fn values(&self) -> usize {
        self.values
    }

    /// Takes room for values.
    #[inline]
    pub fn take(&mut self, values: usize) -> Result<(), Error> {
        self.values = self.values.checked_sub(values).ok_or_else(|| self.too_many())?;
        Ok(())
    }

    /// Goes into a container.
    #[inline]
    pub fn open(&mut self) -> Result<(), Error> {
        self.levels = self.levels.checked_sub(1).ok_or_else(|| self.too_deep())?;
        Ok(())
    }

    /// Comes out of it.
    #[inline]
    pub fn close(&mut self) {
        self.levels += 1;
    }

    /// The error of a value with too many others in it.
    #[cold]
    pub fn too_many(&self) -> Error {
        limit_exceeded("patch_copies", self.limits.patch_copies, self.operation)
    }

    /// The error of a value that is too deep.
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

/// The error, as that of an operation: its path becomes a pointer into the list of operations.
pub(super) fn of_operation(index: usize, mut error: Error) -> Error {
    error.operation = Some(index);
    for issue in &mut error.issues {
        issue.path.insert_str(0, &format!("/{index}"));
    }
    error
}
