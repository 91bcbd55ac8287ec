//! JavaScript's objects and lists as the holder of a document.

use ag_ui_native::Error;
use ag_ui_native::host::patch::{Access, Holder, Key, Kind, Room};

use super::host::{Hand, Handle, Host};

/// Patches JavaScript values.
pub struct Objects<'h, 'c> {
    host: &'h Host<'c>,
    /// What JavaScript knows about the patch: which containers may be changed, and whether values are copied.
    context: Handle,
}

/// What a function of JavaScript answers when a value is too deep. Another negative number says that it holds too many.
const TOO_DEEP: i64 = -1;

impl<'h, 'c> Objects<'h, 'c> {
    /// The holder for one patch.
    pub fn new(host: &'h Host<'c>, context: Handle) -> Self {
        Self { host, context }
    }

    fn key(&self, key: &Key<'_>) -> Handle {
        match key {
            Key::Member(name) => self.host.string(name),
            Key::Item(index) => self.host.number(*index),
        }
    }

    /// What a function found, if it did.
    fn found(&self, hand: Hand, arguments: &[Handle]) -> Result<Option<Handle>, Error> {
        let value = self.host.call(hand, arguments)?;
        Ok(if self.host.is_undefined(value) { None } else { Some(value) })
    }

    /// Takes room for as many values as a function has counted.
    fn take(&self, answer: Handle, room: &mut Room) -> Result<(), Error> {
        match self.host.int(answer) {
            Some(TOO_DEEP) => Err(room.too_deep()),
            Some(counted) => room.take(usize::try_from(counted).map_err(|_| room.too_many())?),
            None => Err(room.too_many()),
        }
    }

    /// A deep copy. Scalars need none.
    fn copied(&self, value: Handle, room: &mut Room, context: &[Handle]) -> Result<Handle, Error> {
        if !self.host.is_object(value) {
            room.take(1)?;
            return Ok(value);
        }
        let (levels, values) = (self.host.number(room.levels()), self.host.number(room.values()));
        let answer = self.host.call(Hand::Copy, &[&[value, levels, values], context].concat())?;
        if self.host.length(answer).is_none() {
            self.take(answer, room)?;
        }
        self.take(self.host.item(answer, 1), room)?;
        Ok(self.host.item(answer, 0))
    }
}

impl Holder for Objects<'_, '_> {
    type Value = Handle;
    type Given<'p> = Handle;
    type At<'v> = Handle;
    /// The names of the object before the first removal, in order.
    type Place = Handle;

    fn null(&mut self) -> Handle {
        self.host.null()
    }

    fn enter<'v>(&mut self, document: &'v mut Handle, access: Access) -> Result<Self::At<'v>, Error> {
        if access == Access::Write && self.host.is_object(*document) {
            *document = self.host.call(Hand::Own, &[*document, self.context])?;
        }
        Ok(*document)
    }

    fn kind(&mut self, at: &Handle) -> Result<Kind, Error> {
        self.host.kind(*at)
    }

    fn step<'v>(
        &mut self,
        at: Self::At<'v>,
        key: &Key<'_>,
        access: Access,
    ) -> Result<Option<Self::At<'v>>, Error> {
        match access {
            Access::Read => self.found(Hand::Look, &[at, self.key(key)]),
            Access::Write => self.found(Hand::Reach, &[at, self.key(key), self.context]),
        }
    }

    fn insert(
        &mut self,
        at: Handle,
        key: &Key<'_>,
        value: Handle,
        place: Option<Handle>,
    ) -> Result<(), Error> {
        let arguments = [at, self.key(key), value, place.unwrap_or_else(|| self.host.null())];
        self.host.call(Hand::Insert, &arguments).map(drop)
    }

    fn set(&mut self, at: Handle, key: &Key<'_>, value: Handle) -> Result<Option<Handle>, Error> {
        self.found(Hand::Set, &[at, self.key(key), value])
    }

    fn replace(&mut self, at: Handle, key: &Key<'_>, value: Handle) -> Result<Option<Handle>, Error> {
        self.found(Hand::Replace, &[at, self.key(key), value])
    }

    fn remove(&mut self, at: Handle, key: &Key<'_>) -> Result<Option<(Handle, Handle)>, Error> {
        let removed = self.found(Hand::Remove, &[at, self.key(key), self.context])?;
        Ok(removed.map(|pair| (self.host.item(pair, 0), self.host.item(pair, 1))))
    }

    fn copy(&mut self, at: &Handle, room: &mut Room) -> Result<Handle, Error> {
        self.copied(*at, room, &[])
    }

    fn adopt(&mut self, given: Handle, room: &mut Room) -> Result<Handle, Error> {
        self.copied(given, room, &[self.context])
    }

    fn measure(&mut self, value: &Handle, room: &mut Room) -> Result<(), Error> {
        let (levels, values) = (self.host.number(room.levels()), self.host.number(room.values()));
        let answer = self.host.call(Hand::Measure, &[*value, levels, values])?;
        self.take(answer, room)
    }

    fn equals(&mut self, at: &Handle, given: Handle, room: &mut Room) -> Result<bool, Error> {
        let answer = self.host.call(Hand::Equal, &[*at, given, self.host.number(room.levels())])?;
        match self.host.int(answer) {
            Some(TOO_DEEP) => Err(room.too_deep()),
            answer => Ok(answer == Some(1)),
        }
    }
}
