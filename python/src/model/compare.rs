//! Native `==` of two instances: compares plain values without calling Python. Anything else Python compares, by pydantic's
//! rule.

use std::cmp::Ordering;

use pyo3::ffi::PyTypeObject;
use pyo3::intern;
use pyo3::prelude::*;

use crate::c_api::{self, Exclusive, Lent, Obj, Plain};
use crate::model::encode::MAX_DEPTH;
use crate::model::instance::{self, Instance, Model};

/// Values whose comparison may run Python code.
struct Unknown;

/// True or false if it is certain; otherwise Python compares.
type Compared = Result<bool, Unknown>;

/// Compares two instances of usual classes; `None` if pydantic has to. They cannot change meanwhile.
pub fn equal(one: Obj<'_, '_>, other: Obj<'_, '_>) -> Option<bool> {
    let declared = match Model::cached(one) {
        Some(_) => None,
        None => Some(one.get_type().getattr(intern!(one.py(), "__pydantic_fields__")).ok()?),
    };
    let exclusive = Exclusive::new(one.py());
    let declared =
        declared.as_ref().map(Lent::from).filter(|declared| c_api::plain(*declared) == Plain::Dict);
    let walk = Walk { exclusive: &exclusive, class: c_api::class_of(one), declared, depth: 0 };
    { walk }.instances(Instance::usual(one)?, Instance::usual(other)?).ok()
}

struct Walk<'w, 'py> {
    exclusive: &'w Exclusive<'py>,
    /// The class of the outermost instance.
    class: *mut PyTypeObject,
    /// Its declared members, by their names, if it has no plan.
    declared: Option<Lent<'w, 'py>>,
    depth: usize,
}

impl<'py> Walk<'_, 'py> {
    fn instances(&mut self, one: Instance<'_, 'py>, other: Instance<'_, 'py>) -> Compared {
        if c_api::class_of(one.object()) != c_api::class_of(other.object()) {
            // A generic class equals its variants. Those with plans are not generic.
            let have_plans = [one, other].into_iter().all(|one| Model::cached(one.object()).is_some());
            return if have_plans { Ok(false) } else { Err(Unknown) };
        }
        let exclusive = self.exclusive;
        let private = (one.private(exclusive), other.private(exclusive));
        let (Some(private), Some(other_private)) = private else { return Err(Unknown) };
        let extras = (one.extra(exclusive), other.extra(exclusive));
        let (Some(extra), Some(other_extra)) = extras else { return Err(Unknown) };
        if !self.values(private, other_private)? || !self.extras(extra, other_extra)? {
            return Ok(false);
        }
        let dicts = (instance::dict(one.object()), instance::dict(other.object()));
        let (Some(dict), Some(other_dict)) = dicts else { return Err(Unknown) };
        if self.values(dict.lent(), other_dict.lent())? {
            return Ok(true);
        }
        // pydantic disregards what is no member.
        let are_members = self.are_members(one, dict.lent()) && self.are_members(one, other_dict.lent());
        if are_members { Ok(false) } else { Err(Unknown) }
    }

    /// True if a dictionary holds only declared members of an instance.
    fn are_members(&self, one: Instance<'_, 'py>, dict: Lent<'_, 'py>) -> bool {
        let plan = Model::cached(one.object()).map(Model::plan);
        let declared = self.declared.filter(|_| c_api::class_of(one.object()) == self.class);
        let is_declared = |key: Lent<'_, 'py>| match (plan, declared) {
            (Some(plan), _) => plan.named(key).is_some(),
            (None, Some(declared)) => {
                self.exclusive.members(declared).any(|(name, _)| is_same_key(key, name))
            }
            (None, None) => false,
        };
        let mut expected = declared.map(|declared| self.exclusive.members(declared));
        self.exclusive.members(dict).all(|(key, _)| {
            // Mostly all are there, in order.
            let next = expected.as_mut().and_then(Iterator::next);
            let is_next = next.is_some_and(|(name, _)| name.as_ptr() == key.as_ptr());
            c_api::plain(key) == Plain::Text && (is_next || is_declared(key))
        })
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
            (Plain::Other, Plain::Other) => match (Instance::usual(one), Instance::usual(other)) {
                (Some(one), Some(other)) => self.instances(one, other),
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
            if c_api::plain(key) != Plain::Text || !is_same_key(key, other_key) {
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

/// True if a string and another key are of the same text.
#[inline]
fn is_same_key(key: Lent<'_, '_>, other: Lent<'_, '_>) -> bool {
    key.as_ptr() == other.as_ptr() || c_api::plain(other) == Plain::Text && c_api::same_text(key, other)
}
