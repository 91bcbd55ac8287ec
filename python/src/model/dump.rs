//! Native `model_dump`: makes dictionaries of an instance of a known class. If anything is unusual, pydantic dumps the
//! whole object.

use pyo3::prelude::*;

use crate::c_api::{self, Exclusive, Lent, NoMemory, Obj, Owned, Plain};
use crate::model::encode::{MAX_DEPTH, Unusual};
use crate::model::instance::{self, Model};
use crate::model::plan::{Family, FieldPlan, Plan, ValueKind};

/// The form of a dump: pydantic's options of these names.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)] // Each is an option of its own.
pub struct Form<'a, 'py> {
    /// Members have their wire names. If it is not given, the class decides.
    pub by_alias: Option<bool>,
    /// Members that are `None` are left out, also required and undeclared ones.
    pub exclude_none: bool,
    /// Members that were not given are left out.
    pub exclude_unset: bool,
    /// Members that are equal to their defaults are left out.
    pub exclude_defaults: bool,
    /// All values have a JSON form: `mode="json"`.
    pub json: bool,
    /// The set of names outside of which the outermost object has no members.
    pub include: Option<Lent<'a, 'py>>,
    /// The set of names of members that the outermost object does not have.
    pub exclude: Option<Lent<'a, 'py>>,
}

/// The value of a dump; `None` for the original object.
type Dumped<'py> = Result<Option<Owned<'py>>, Unusual>;

impl From<NoMemory> for Unusual {
    fn from(_: NoMemory) -> Self {
        Self
    }
}

/// Makes a dictionary of an object; `None` if pydantic has to do it. The object cannot change meanwhile.
pub fn dump<'py>(object: Obj<'_, 'py>, form: Form<'_, 'py>) -> Option<Bound<'py, PyAny>> {
    let exclusive = Exclusive::new(object.py());
    let model = Model::cached(object).filter(|model| model.plan().family == Family::Own)?;
    let filter = |set: Option<Lent<'_, 'py>>| set.map(|set| filter(&exclusive, set)).transpose();
    let (include, exclude) = (filter(form.include).ok()?, filter(form.exclude).ok()?);
    let mut walk = Walk { exclusive: &exclusive, form, include, exclude, depth: 0 };
    let dumped = walk.model(model).ok()?;
    drop(walk);
    drop(exclusive);
    Some(dumped.release(object.py()))
}

struct Walk<'w, 'py> {
    exclusive: &'w Exclusive<'py>,
    form: Form<'w, 'py>,
    include: Option<Vec<Owned<'py>>>,
    exclude: Option<Vec<Owned<'py>>>,
    depth: usize,
}

impl<'py> Walk<'_, 'py> {
    fn model(&mut self, model: Model<'_, 'py>) -> Result<Owned<'py>, Unusual> {
        let (plan, exclusive) = (model.plan(), self.exclusive);
        let given = if self.form.exclude_unset { Some(given(exclusive, model)?) } else { None };
        let dict = instance::dict(model.object()).ok_or(Unusual)?;
        let members = exclusive.members(dict.lent());
        if members.len() != plan.fields.len() {
            return Err(Unusual);
        }
        self.enter()?;
        let by_alias = self.form.by_alias.unwrap_or(plan.dumps_by_alias);
        let dumped = exclusive.dict()?;
        for (expected, (key, value)) in plan.fields.iter().zip(members) {
            let is_expected = key.is(&expected.name);
            let field = if is_expected { expected } else { plan.named(key).ok_or(Unusual)? };
            let own_name = exclusive.lend(&field.name);
            let is_unset = given.as_ref().is_some_and(|given| !contains(given, own_name));
            if is_unset || self.is_filtered(own_name) || self.is_default(field, value)? {
                continue;
            }
            if value.is_none() && (self.form.exclude_none || field.is_omitted_as_none()) {
                continue;
            }
            let other = self.value(&field.kind, value)?;
            let name = if by_alias { exclusive.lend(&field.alias) } else { own_name };
            exclusive.set(&dumped, name, other.as_ref().map_or(value, Owned::lent))?;
        }
        self.extra(model, &dumped)?;
        self.depth -= 1;
        Ok(dumped)
    }

    /// True if the caller does not want a member of the outermost object.
    #[inline]
    fn is_filtered(&self, name: Lent<'_, 'py>) -> bool {
        let has = |names: &Option<Vec<Owned<'py>>>| names.as_ref().map(|names| contains(names, name));
        self.depth == 1 && (has(&self.include) == Some(false) || has(&self.exclude) == Some(true))
    }

    /// True if a member is left out since it has its default.
    #[inline]
    fn is_default(&self, field: &FieldPlan, value: Lent<'_, 'py>) -> Result<bool, Unusual> {
        let Some(default) = field.default.as_ref().filter(|_| self.form.exclude_defaults) else {
            return Ok(false);
        };
        let known = self.exclusive.lend(default);
        match (c_api::plain(known), c_api::plain(value)) {
            _ if value.is(default) => Ok(true),
            (Plain::None, _) => Ok(false),
            (Plain::Text, Plain::Text) => Ok(c_api::same_text(known, value)),
            _ => Err(Unusual),
        }
    }

    /// Adds undeclared members. pydantic dumps the object if one is named like a declared member.
    #[inline]
    fn extra(&mut self, model: Model<'_, 'py>, dumped: &Owned<'py>) -> Result<(), Unusual> {
        let (plan, extra) = (model.plan(), model.extra(self.exclusive).ok_or(Unusual)?);
        if extra.is_none() || instance::is_no_extra(extra) {
            return Ok(());
        }
        if c_api::plain(extra) != Plain::Dict {
            return Err(Unusual);
        }
        for (key, value) in self.exclusive.members(extra) {
            let name = c_api::text(key).ok_or(Unusual)?;
            if plan.fields.iter().any(|field| field.declares(name)) {
                return Err(Unusual);
            }
            if value.is_none() && self.form.exclude_none || self.is_filtered(key) {
                continue;
            }
            let other = self.free(value)?;
            self.exclusive.set(dumped, key, other.as_ref().map_or(value, Owned::lent))?;
        }
        Ok(())
    }

    #[inline]
    fn value(&mut self, kind: &ValueKind, value: Lent<'_, 'py>) -> Dumped<'py> {
        let plain = c_api::plain(value);
        match kind {
            ValueKind::Text | ValueKind::Pointer | ValueKind::Content(_) if plain == Plain::Text => Ok(None),
            ValueKind::Bool if plain == Plain::Bool => Ok(None),
            ValueKind::Int(..) if plain == Plain::Int => Ok(None),
            ValueKind::Any => self.free(value),
            ValueKind::Dict if plain == Plain::Dict => self.free(value),
            ValueKind::Tag(object, _) => self.fixed(std::slice::from_ref(object), value),
            ValueKind::Choice(_, objects) => self.fixed(objects, value),
            ValueKind::Object(_) | ValueKind::Union(_) => {
                let inner = Model::cached(value).map(|model| (model, model.plan()));
                let fits = |(_, plan): &(_, &Plan)| plan.family == Family::Own && kind.takes(plan);
                self.model(inner.filter(fits).ok_or(Unusual)?.0).map(Some)
            }
            ValueKind::List(item) if plain == Plain::List => {
                self.list(value, |walk, element| walk.value(item, element))
            }
            ValueKind::Content(parts) => self.value(parts, value),
            _ => Err(Unusual),
        }
    }

    /// Dumps one of fixed values: the object itself, or a string equal to it. An event's type becomes a string in JSON.
    fn fixed(&self, objects: &[Py<PyAny>], value: Lent<'_, 'py>) -> Dumped<'py> {
        let is_text = c_api::plain(value) == Plain::Text;
        let is_known = |object: &Py<PyAny>| {
            let known = self.exclusive.lend(object);
            let is_same_text = || c_api::plain(known) == Plain::Text && c_api::same_text(known, value);
            value.is(object) || is_text && is_same_text()
        };
        if !objects.iter().any(is_known) {
            return Err(Unusual);
        }
        Ok(if self.form.json && !is_text { Some(self.exclusive.text(value)?) } else { None })
    }

    /// Dumps a free value.
    fn free(&mut self, value: Lent<'_, 'py>) -> Dumped<'py> {
        match c_api::plain(value) {
            // JSON has no such numbers.
            Plain::Float if self.form.json && !c_api::float(value).is_finite() => Err(Unusual),
            Plain::Text | Plain::Int | Plain::Bool | Plain::None | Plain::Float => Ok(None),
            Plain::List => self.list(value, Self::free),
            Plain::Dict => {
                self.enter()?;
                let copy = self.exclusive.copy_dict(value)?;
                for (key, member) in self.exclusive.members(value) {
                    let is_usual = if self.form.json {
                        c_api::text(key).is_some()
                    } else {
                        c_api::plain(key) == Plain::Text
                    };
                    if !is_usual {
                        return Err(Unusual);
                    }
                    if let Some(other) = self.free(member)? {
                        self.exclusive.set(&copy, key, other.lent())?;
                    }
                }
                self.depth -= 1;
                Ok(Some(copy))
            }
            Plain::Other => Err(Unusual),
        }
    }

    fn list(
        &mut self,
        list: Lent<'_, 'py>,
        mut dump: impl FnMut(&mut Self, Lent<'_, 'py>) -> Dumped<'py>,
    ) -> Dumped<'py> {
        self.enter()?;
        let copy = self.exclusive.copy_list(list)?;
        for (element, at) in self.exclusive.items(list).zip(0..) {
            if let Some(other) = dump(self, element)? {
                self.exclusive.set_item(&copy, at, other)?;
            }
        }
        self.depth -= 1;
        Ok(Some(copy))
    }

    #[inline]
    fn enter(&mut self) -> Result<(), Unusual> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Unusual) } else { Ok(()) }
    }
}

/// Returns the names of the members that were given.
fn given<'py>(exclusive: &Exclusive<'py>, model: Model<'_, 'py>) -> Result<Vec<Owned<'py>>, Unusual> {
    names(exclusive, model.fields_set(exclusive).ok_or(Unusual)?)
}

/// Returns the names in a set of strings.
fn names<'py>(exclusive: &Exclusive<'py>, set: Lent<'_, 'py>) -> Result<Vec<Owned<'py>>, Unusual> {
    let names = exclusive.elements(set).ok_or(Unusual)?;
    let are_text = names.iter().all(|name| c_api::plain(name.lent()) == Plain::Text);
    if are_text { Ok(names) } else { Err(Unusual) }
}

/// Returns the names in a set of members. pydantic reads one that stands for all members.
fn filter<'py>(exclusive: &Exclusive<'py>, set: Lent<'_, 'py>) -> Result<Vec<Owned<'py>>, Unusual> {
    let names = names(exclusive, set)?;
    let is_all = names.iter().any(|name| c_api::text(name.lent()) == Some("__all__"));
    if is_all { Err(Unusual) } else { Ok(names) }
}

fn contains(names: &[Owned<'_>], name: Lent<'_, '_>) -> bool {
    names.iter().any(|other| {
        let other = other.lent();
        other.as_ptr() == name.as_ptr() || c_api::same_text(other, name)
    })
}
