//! Native construction: a whole tree of instances from dictionaries and lists of the plain expected types. For other
//! arguments the functions return `None`, and pydantic validates the original arguments.

use ag_ui_native::bindings::schema::{TypeDef, UnionDef};
use ag_ui_native::types::JsonPointer;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::c_api::{self, Exclusive, Lent, NoMemory, Obj, Owned, Plain};
use crate::model::instance::{self, Extra, Model};
use crate::model::metaclass;
use crate::model::plan::{Family, FieldPlan, Plan, ValueKind};
use crate::model::registry::{Registry, accelerated_plan};

/// The value to store for an argument.
enum Stored<'py> {
    /// The object given.
    Same,
    /// The default, which the template holds.
    Default,
    /// Another object: a canonical one, a new container or a new instance.
    Other(Owned<'py>),
}

/// The parts of an instance.
struct Draft<'py> {
    dict: Owned<'py>,
    /// A bit for each declared member that is given.
    given: u32,
    /// The undeclared members, if there are any.
    extra: Option<Owned<'py>>,
}

impl<'py> Draft<'py> {
    /// Returns the names of the given members.
    #[inline]
    fn fields_set(&self, exclusive: &Exclusive<'py>, plan: &Plan) -> Result<Owned<'py>, NoMemory> {
        plan.fields_set(exclusive, self.given, self.extra.as_ref().map(Owned::lent))
    }
}

/// Makes an instance of the plan's class, if every argument is plain.
#[inline]
pub fn construct<'a, 'py: 'a>(
    py: Python<'py>,
    plan: &Plan,
    arguments: impl Iterator<Item = (Lent<'a, 'py>, Lent<'a, 'py>)>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    build(py, plan, |builder| builder.draft(plan, arguments))
}

/// Makes an instance of the plan's class from a plain `dict`. An instance of this class is returned as it is.
#[inline]
pub fn validate<'py>(plan: &Plan, value: Obj<'_, 'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if c_api::plain(value) == Plain::Dict {
        return build(value.py(), plan, |builder| {
            builder.draft(plan, builder.exclusive.members(value.into()))
        });
    }
    let is_instance = Model::cached(value).is_some_and(|model| std::ptr::eq(model.plan(), plan));
    Ok(is_instance.then(|| value.to_owned()))
}

/// Makes an instance of a union from a plain `dict`. An instance of one of its classes is returned as it is.
#[inline]
pub fn validate_variant<'py>(
    union: &'static UnionDef,
    value: Obj<'_, 'py>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let exclusive = Exclusive::new(value.py());
    if c_api::plain(value) != Plain::Dict {
        let is_instance = is_instance(&exclusive, Family::Own, &ValueKind::Union(union), value.into());
        return Ok(is_instance.then(|| value.to_owned()));
    }
    let ty = variant(&exclusive, union, value.into());
    drop(exclusive);
    let plan = ty.and_then(|ty| Registry::get()?.plan(ty));
    match plan.filter(|plan| metaclass::is_attached(&plan.class)) {
        Some(plan) => validate(plan, value),
        None => Ok(None),
    }
}

/// Returns the parts of an instance, as pydantic's validator of the members does: `__dict__`, the undeclared members, and the
/// names of those given. pydantic puts them into the slots of a new instance, which may hold markers.
pub fn members<'py>(plan: &Plan, value: Obj<'_, 'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    if c_api::plain(value) != Plain::Dict || !plan.constructs() {
        return Ok(None);
    }
    let parts = draft(py, plan, |builder| builder.draft(plan, builder.exclusive.members(value.into())));
    let Some((fields_set, Draft { dict, extra, .. })) = parts else { return Ok(None) };
    let extra = extra.map_or(Extra::None, |extra| Extra::Some(extra.release(py)));
    let (fields_set, extra) = instance::slot_values(fields_set.release(py), extra)?;
    Ok(Some(PyTuple::new(py, [dict.release(py), extra, fields_set])?.into_any()))
}

/// Makes the outermost instance from the draft that `collect` returns.
#[inline]
fn build<'py>(
    py: Python<'py>,
    plan: &Plan,
    collect: impl FnOnce(&mut Builder<'_, 'py>) -> Option<Draft<'py>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !plan.constructs() {
        return Ok(None);
    }
    let Some((fields_set, Draft { dict, extra, .. })) = draft(py, plan, collect) else { return Ok(None) };
    let extra = extra.map_or(Extra::None, |extra| Extra::Some(extra.release(py)));
    let make = match plan.family {
        Family::Own => instance::make,
        Family::Official => instance::make_eagerly,
    };
    make(&plan.class, &dict.release(py), fields_set.release(py), extra).map(Some)
}

/// Returns the draft of the outermost instance, and the names of its given members. Exclusive access has ended then, so the
/// garbage collector, which counts new objects, may run.
#[inline]
fn draft<'py>(
    py: Python<'py>,
    plan: &Plan,
    collect: impl FnOnce(&mut Builder<'_, 'py>) -> Option<Draft<'py>>,
) -> Option<(Owned<'py>, Draft<'py>)> {
    let mut unfinished = Vec::new();
    let exclusive = Exclusive::new(py);
    let mut builder = Builder { exclusive: &exclusive, family: plan.family, unfinished: &mut unfinished };
    let draft =
        collect(&mut builder).and_then(|draft| Some((draft.fields_set(&exclusive, plan).ok()?, draft)));
    drop(exclusive);
    draft
}

/// Builds a tree of instances during exclusive access.
struct Builder<'e, 'py> {
    exclusive: &'e Exclusive<'py>,
    /// The family of the outermost instance.
    family: Family,
    /// Containers that are given up. They may hold instances, which are freed, and finalized, after exclusive access.
    unfinished: &'e mut Vec<Owned<'py>>,
}

impl<'e, 'py: 'e> Builder<'e, 'py> {
    /// Collects the parts of an instance, if every member is plain.
    #[inline]
    fn draft<'a>(
        &mut self,
        plan: &Plan,
        members: impl Iterator<Item = (Lent<'a, 'py>, Lent<'a, 'py>)>,
    ) -> Option<Draft<'py>>
    where
        'py: 'a,
    {
        let dict = self.exclusive.copy_dict(self.exclusive.lend(&plan.template)).ok()?;
        let mut draft = Draft { dict, given: 0, extra: None };
        if self.fill(plan, &mut draft, members).is_some() && plan.required & !draft.given == 0 {
            return Some(draft);
        }
        self.unfinished.push(draft.dict);
        None
    }

    #[inline]
    fn fill<'a>(
        &mut self,
        plan: &Plan,
        draft: &mut Draft<'py>,
        members: impl Iterator<Item = (Lent<'a, 'py>, Lent<'a, 'py>)>,
    ) -> Option<()>
    where
        'py: 'a,
    {
        let exclusive = self.exclusive;
        let mut hint = 0;
        for (name, value) in members {
            let Some(index) = plan.names.index(name, hint) else {
                self.undeclared(draft, name, value)?;
                continue;
            };
            hint = index + 1;
            let bit = 1 << index;
            if draft.given & bit != 0 {
                // Both spellings are given: pydantic keeps one as an undeclared member.
                return None;
            }
            draft.given |= bit;
            let field = &plan.fields[index];
            let key = exclusive.lend(&field.name);
            match self.field_value(field, value)? {
                Stored::Default => {}
                Stored::Same => exclusive.set(&draft.dict, key, value).ok()?,
                Stored::Other(other) => {
                    if exclusive.set(&draft.dict, key, other.lent()).is_err() {
                        self.unfinished.push(other);
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// Stores a member that the class does not declare.
    fn undeclared(&self, draft: &mut Draft<'py>, name: Lent<'_, 'py>, value: Lent<'_, 'py>) -> Option<()> {
        c_api::text(name)?;
        if draft.extra.is_none() {
            draft.extra = Some(self.exclusive.dict().ok()?);
        }
        self.exclusive.set(draft.extra.as_ref()?, name, value).ok()
    }

    #[inline]
    fn field_value(&mut self, field: &FieldPlan, value: Lent<'_, 'py>) -> Option<Stored<'py>> {
        if value.is_none() && field.def.is_optional() {
            return Some(Stored::Same);
        }
        let min_items = field.def.min_items;
        if min_items > 0 && (c_api::plain(value) != Plain::List || c_api::len(value) < min_items) {
            return None;
        }
        self.value(&field.kind, value)
    }

    fn value(&mut self, kind: &ValueKind, value: Lent<'_, 'py>) -> Option<Stored<'py>> {
        let exclusive = self.exclusive;
        let same = |plain: bool| plain.then_some(Stored::Same);
        match kind {
            ValueKind::Any => Some(Stored::Same),
            ValueKind::Text => same(c_api::plain(value) == Plain::Text),
            ValueKind::Pointer => same(c_api::text(value).is_some_and(JsonPointer::is_valid)),
            ValueKind::Bool => same(c_api::plain(value) == Plain::Bool),
            ValueKind::Int(min, max) => {
                same(c_api::int(value).is_some_and(|int| (*min..=*max).contains(&int)))
            }
            ValueKind::Dict => {
                if c_api::plain(value) != Plain::Dict {
                    return None;
                }
                let has_text_keys = exclusive.members(value).all(|(key, _)| c_api::plain(key) == Plain::Text);
                if has_text_keys { exclusive.copy_dict(value).ok().map(Stored::Other) } else { None }
            }
            ValueKind::Tag(object, text) => {
                let is_tag = value.is(object) || c_api::text(value) == Some(*text);
                is_tag.then_some(Stored::Default)
            }
            ValueKind::Choice(set, objects) => {
                let at = match c_api::text(value) {
                    Some(text) => set.values.iter().position(|known| *known == text),
                    None => objects.iter().position(|object| value.is(object)),
                };
                at.map(|at| Stored::Other(exclusive.share(&objects[at])))
            }
            ValueKind::Object(ty) => match c_api::plain(value) {
                Plain::Dict => self.instance(ty, value).map(Stored::Other),
                _ => same(is_instance(exclusive, self.family, kind, value)),
            },
            ValueKind::Union(union) => match c_api::plain(value) {
                Plain::Dict => {
                    let ty = variant(exclusive, union, value)?;
                    self.instance(ty, value).map(Stored::Other)
                }
                _ => same(is_instance(exclusive, self.family, kind, value)),
            },
            ValueKind::List(item) => self.list(item, value).map(Stored::Other),
            ValueKind::Content(parts) => match c_api::plain(value) {
                Plain::Text => Some(Stored::Same),
                _ => self.value(parts, value),
            },
        }
    }

    /// Makes an instance of a type from a `dict`.
    fn instance(&mut self, ty: &'static TypeDef, value: Lent<'_, 'py>) -> Option<Owned<'py>> {
        let exclusive = self.exclusive;
        let plan = match self.family {
            Family::Own => Registry::get()?.plan(ty).filter(|plan| metaclass::is_attached(&plan.class)),
            Family::Official => accelerated_plan(ty),
        };
        let plan = plan.filter(|plan| plan.constructs())?;
        let draft = self.draft(plan, exclusive.members(value))?;
        let made = draft.fields_set(exclusive, plan).and_then(|fields_set| {
            instance::make_exclusively(exclusive, plan, &draft.dict, fields_set, draft.extra)
        });
        if made.is_err() {
            self.unfinished.push(draft.dict);
        }
        made.ok()
    }

    /// Makes a new list of the same items, if each is plain.
    fn list(&mut self, item: &ValueKind, value: Lent<'_, 'py>) -> Option<Owned<'py>> {
        if c_api::plain(value) != Plain::List {
            return None;
        }
        let exclusive = self.exclusive;
        let copy = exclusive.copy_list(value).ok()?;
        for (element, at) in exclusive.items(value).zip(0..) {
            match self.value(item, element) {
                Some(Stored::Same | Stored::Default) => {}
                Some(Stored::Other(other)) => exclusive.set_item(&copy, at, other).ok()?,
                None => {
                    self.unfinished.push(copy);
                    return None;
                }
            }
        }
        Some(copy)
    }
}

/// Returns the type of a union that the tag in a `dict` names.
fn variant<'py>(
    exclusive: &Exclusive<'py>,
    union: &'static UnionDef,
    value: Lent<'_, 'py>,
) -> Option<&'static TypeDef> {
    let (_, tag) = exclusive.members(value).find(|(key, _)| c_api::text(*key) == Some(union.tag))?;
    let tag = c_api::text(tag)?;
    union.variants.iter().find(|variant| variant.tag == tag).map(|variant| variant.ty)
}

/// True if the value is an instance of exactly the fitting class of the family.
fn is_instance<'py>(
    exclusive: &Exclusive<'py>,
    family: Family,
    kind: &ValueKind,
    value: Lent<'_, 'py>,
) -> bool {
    let known = Model::cached(value).map(Model::plan);
    let Some(plan) = known.filter(|plan| plan.family == family && plan.constructs()) else {
        return false;
    };
    match kind {
        ValueKind::Object(ty) => std::ptr::eq(*ty, plan.ty),
        ValueKind::Union(union) => {
            union.variants.iter().any(|variant| std::ptr::eq(variant.ty, plan.ty))
                && has_own_tag(exclusive, plan, value)
        }
        _ => false,
    }
}

/// True if the instance still has the tag of its class, since pydantic goes by the tag. It is looked up at the place of
/// the template: a lookup by name would compare it with other keys.
fn has_own_tag<'py>(exclusive: &Exclusive<'py>, plan: &Plan, value: Lent<'_, 'py>) -> bool {
    let Some((at, field)) = plan.tag.map(|tag| (tag, &plan.fields[tag])) else { return false };
    let Some(dict) = instance::dict(value) else { return false };
    match (exclusive.members(dict.lent()).from(at).next(), &field.kind) {
        (Some((key, tag)), ValueKind::Tag(object, _)) => key.is(&field.name) && tag.is(object),
        _ => false,
    }
}
