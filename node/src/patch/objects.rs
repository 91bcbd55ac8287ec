//! JavaScript's objects and lists as the holder of a document.

use ag_ui_native::Error;
use ag_ui_native::bindings::patch::{Budget, Holder, Key, Purpose, Shape};

use super::call::PatchCall;
use crate::border::{PatchFunction, TOO_DEEP};
use crate::node_api::Handle;

/// Patches JavaScript values.
pub struct Objects<'o, 'h, 'c> {
    host: &'o mut PatchCall<'h, 'c>,
    /// The JavaScript context of the patch: the containers that may be changed, and whether values are copied.
    context: Handle<'c>,
}

impl<'o, 'h, 'c> Objects<'o, 'h, 'c> {
    /// The objects of one patch.
    pub fn new(host: &'o mut PatchCall<'h, 'c>, context: Handle<'c>) -> Self {
        Self { host, context }
    }

    /// Calls the function after the patch, if there is one.
    pub fn follow_up(&mut self, then: Handle<'c>) -> Result<(), Error> {
        if self.host.call.is_undefined(then) { Ok(()) } else { self.host.call_given(then) }
    }

    fn key(&self, key: &Key<'_>) -> Handle<'c> {
        match key {
            Key::Member(name) => self.host.string(name),
            Key::Item(index) => self.host.call.number(*index),
        }
    }

    /// Returns the value that a function found, if any.
    fn found(
        &mut self,
        function: PatchFunction,
        arguments: &[Handle<'c>],
    ) -> Result<Option<Handle<'c>>, Error> {
        let value = self.host.run(function, arguments)?;
        Ok(if self.host.call.is_undefined(value) { None } else { Some(value) })
    }

    /// Takes room in the budget for the values that a function has counted.
    fn take(&self, answer: Handle<'c>, room: &mut Budget) -> Result<(), Error> {
        match self.host.call.int(answer) {
            Some(TOO_DEEP) => Err(room.too_deep()),
            Some(counted) => room.take(usize::try_from(counted).map_err(|_| room.too_many())?),
            None => Err(room.too_many()),
        }
    }

    /// A deep copy. Scalars need none.
    fn copied(
        &mut self,
        value: Handle<'c>,
        room: &mut Budget,
        context: &[Handle<'c>],
    ) -> Result<Handle<'c>, Error> {
        if !self.host.call.is_object(value) {
            room.take(1)?;
            return Ok(value);
        }
        let (levels, values) = (self.host.call.number(room.levels()), self.host.call.number(room.values()));
        let answer = self.host.run(PatchFunction::Copy, &[&[value, levels, values], context].concat())?;
        if self.host.call.length(answer).is_none() {
            self.take(answer, room)?;
        }
        let counted = self.host.item(answer, 1);
        self.take(counted, room)?;
        Ok(self.host.item(answer, 0))
    }
}

impl<'c> Holder for Objects<'_, '_, 'c> {
    type Value = Handle<'c>;
    type Operand<'p> = Handle<'c>;
    type Location<'v> = Handle<'c>;
    /// The names of the object before the first removal, in order.
    type Position = Handle<'c>;

    fn null(&mut self) -> Handle<'c> {
        self.host.call.null()
    }

    fn enter<'v>(
        &mut self,
        document: &'v mut Handle<'c>,
        access: Purpose,
    ) -> Result<Self::Location<'v>, Error> {
        if access == Purpose::Write && self.host.call.is_object(*document) {
            *document = self.host.run(PatchFunction::Own, &[*document, self.context])?;
        }
        Ok(*document)
    }

    fn kind(&mut self, at: &Handle<'c>) -> Result<Shape, Error> {
        self.host.kind(*at)
    }

    fn step<'v>(
        &mut self,
        at: Self::Location<'v>,
        key: &Key<'_>,
        access: Purpose,
    ) -> Result<Option<Self::Location<'v>>, Error> {
        match access {
            Purpose::Read => self.found(PatchFunction::Get, &[at, self.key(key)]),
            Purpose::Write => self.found(PatchFunction::Reach, &[at, self.key(key), self.context]),
        }
    }

    fn insert(
        &mut self,
        at: Handle<'c>,
        key: &Key<'_>,
        value: Handle<'c>,
        place: Option<Handle<'c>>,
    ) -> Result<(), Error> {
        let arguments = [at, self.key(key), value, place.unwrap_or_else(|| self.host.call.null())];
        self.host.run(PatchFunction::Insert, &arguments).map(drop)
    }

    fn set(&mut self, at: Handle<'c>, key: &Key<'_>, value: Handle<'c>) -> Result<Option<Handle<'c>>, Error> {
        self.found(PatchFunction::Set, &[at, self.key(key), value])
    }

    fn replace(
        &mut self,
        at: Handle<'c>,
        key: &Key<'_>,
        value: Handle<'c>,
    ) -> Result<Option<Handle<'c>>, Error> {
        self.found(PatchFunction::Replace, &[at, self.key(key), value])
    }

    fn remove(&mut self, at: Handle<'c>, key: &Key<'_>) -> Result<Option<(Handle<'c>, Handle<'c>)>, Error> {
        let removed = self.found(PatchFunction::Remove, &[at, self.key(key), self.context])?;
        Ok(removed.map(|pair| (self.host.item(pair, 0), self.host.item(pair, 1))))
    }

    fn copy(&mut self, at: &Handle<'c>, room: &mut Budget) -> Result<Handle<'c>, Error> {
        self.copied(*at, room, &[])
    }

    fn adopt(&mut self, given: Handle<'c>, room: &mut Budget) -> Result<Handle<'c>, Error> {
        self.copied(given, room, &[self.context])
    }

    fn measure(&mut self, value: &Handle<'c>, room: &mut Budget) -> Result<(), Error> {
        let (levels, values) = (self.host.call.number(room.levels()), self.host.call.number(room.values()));
        let answer = self.host.run(PatchFunction::Measure, &[*value, levels, values])?;
        self.take(answer, room)
    }

    fn equals(&mut self, at: &Handle<'c>, given: Handle<'c>, room: &mut Budget) -> Result<bool, Error> {
        let answer =
            self.host.run(PatchFunction::Equal, &[*at, given, self.host.call.number(room.levels())])?;
        match self.host.call.int(answer) {
            Some(TOO_DEEP) => Err(room.too_deep()),
            answer => Ok(answer == Some(1)),
        }
    }
}
