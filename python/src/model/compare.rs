//! Native `==` of two instances: compares plain values without calling Python. Anything else Python compares, by pydantic's
//! rule.

use std::cmp::Ordering;

use crate::c_api::{self, Exclusive, Lent, Obj, Plain};
use crate::model::encode::MAX_DEPTH;
use crate::model::instance::{self, Model};
use crate::model::plan::Family;

/// Values whose comparison may run Python code.
struct Unknown;

/// True or false if it is certain; otherwise Python compares.
type Compared = Result<bool, Unknown>;

/// Compares two instances of one class; `None` if pydantic has to. They cannot change meanwhile.
pub fn equal(one: Obj<'_, '_>, other: Obj<'_, '_>) -> Option<bool> {
    let exclusive = Exclusive::new(one.py());
    let is_own = |model: &Model<'_, '_>| model.plan().family == Family::Own;
    let one = Model::cached(one).filter(is_own)?;
    let other = Model::cached(other).filter(is_own)?;
    Walk { exclusive: &exclusive, depth: 0 }.models(one, other).ok()
}

struct Walk<'w, 'py> {
    exclusive: &'w Exclusive<'py>,
    depth: usize,
}

impl<'py> Walk<'_, 'py> {
    fn models(&mut self, one: Model<'_, 'py>, other: Model<'_, 'py>) -> Compared {
        if !std::ptr::eq(one.plan(), other.plan()) {
            return Ok(false);
        }
        let exclusive = self.exclusive;
        let has_private =
            |model: Model<'_, 'py>| model.private(exclusive).is_none_or(|private| !private.is_none());
        if has_private(one) || has_private(other) {
            return Err(Unknown);
        }
        self.enter()?;
        let extras = (one.extra(self.exclusive), other.extra(self.exclusive));
        let (Some(extra), Some(other_extra)) = extras else { return Err(Unknown) };
        if !self.extras(extra, other_extra)? {
            return Ok(false);
        }
        let dicts = (instance::dict(one.object()), instance::dict(other.object()));
        let (Some(dict), Some(other_dict)) = dicts else { return Err(Unknown) };
        let fields = &one.plan().fields;
        let (members, other_members) =
            (self.exclusive.members(dict.lent()), self.exclusive.members(other_dict.lent()));
        if members.len() != fields.len() || other_members.len() != fields.len() {
            return Err(Unknown);
        }
        for (field, ((key, value), (other_key, other_value))) in fields.iter().zip(members.zip(other_members))
        {
            if !key.is(&field.name) || !other_key.is(&field.name) {
                return Err(Unknown);
            }
            if !self.values(value, other_value)? {
                return Ok(false);
            }
        }
        self.depth -= 1;
        Ok(true)
    }

    /// Compares undeclared members, of which there may be none.
    #[inline]
    fn extras(&mut self, one: Lent<'_, 'py>, other: Lent<'_, 'py>) -> Compared {
        let is_empty = |extra: Lent<'_, 'py>| {
            extra.is_none() || instance::is_no_extra(extra) || self.exclusive.members(extra).len() == 0
        };
        let is_known = |extra| is_empty(extra) || c_api::plain(extra) == Plain::Dict;
        if !is_known(one) || !is_known(other) {
            return Err(Unknown);
        }
        match (is_empty(one), is_empty(other)) {
            (false, false) => self.values(one, other),
            (one, other) => Ok(one == other),
        }
    }

    /// Compares two values. Python too takes an object for equal to itself.
    #[inline]
    fn values(&mut self, one: Lent<'_, 'py>, other: Lent<'_, 'py>) -> Compared {
        if one.as_ptr() == other.as_ptr() {
            return Ok(true);
        }
        match (c_api::plain(one), c_api::plain(other)) {
            (Plain::Text, Plain::Text) => Ok(c_api::same_text(one, other)),
            (Plain::Int, Plain::Int) => match (c_api::int(one), c_api::int(other)) {
                (Some(one), Some(other)) => Ok(one == other),
                _ => Err(Unknown),
            },
            (Plain::Float, Plain::Float) => {
                // The same number, as Python compares.
                Ok(c_api::float(one).partial_cmp(&c_api::float(other)).is_some_and(Ordering::is_eq))
            }
            (Plain::Bool, Plain::Bool) => Ok(false),
            (Plain::List, Plain::List) => self.lists(one, other),
            (Plain::Dict, Plain::Dict) => self.dicts(one, other),
            (Plain::Other, Plain::Other) => match (Model::cached(one), Model::cached(other)) {
                (Some(one), Some(other)) => self.models(one, other),
                _ => Err(Unknown),
            },
            _ => Err(Unknown),
        }
    }

    fn lists(&mut self, one: Lent<'_, 'py>, other: Lent<'_, 'py>) -> Compared {
        let (items, other_items) = (self.exclusive.items(one), self.exclusive.items(other));
        if items.len() != other_items.len() {
            return Ok(false);
        }
        self.enter()?;
        for (item, other_item) in items.zip(other_items) {
            if !self.values(item, other_item)? {
                return Ok(false);
            }
        }
        self.depth -= 1;
        Ok(true)
    }

    /// Compares dictionaries of the same order.
    fn dicts(&mut self, one: Lent<'_, 'py>, other: Lent<'_, 'py>) -> Compared {
        let (members, other_members) = (self.exclusive.members(one), self.exclusive.members(other));
        if members.len() != other_members.len() {
            return Ok(false);
        }
        self.enter()?;
        for ((key, value), (other_key, other_value)) in members.zip(other_members) {
            let are_text = c_api::plain(key) == Plain::Text && c_api::plain(other_key) == Plain::Text;
            if !are_text || !self.values(key, other_key)? {
                return Err(Unknown);
            }
            if !self.values(value, other_value)? {
                return Ok(false);
            }
        }
        self.depth -= 1;
        Ok(true)
    }

    #[inline]
    fn enter(&mut self) -> Result<(), Unknown> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Unknown) } else { Ok(()) }
    }
}
