//! Native construction: keyword arguments of the plain expected types make an instance. For other arguments
//! it returns `None`, and pydantic validates the original arguments.

use ag_ui_native::types::JsonPointer;
use pyo3::prelude::*;

use crate::c_api::{self, Exclusive, Lent, NoMemory, Owned, Plain};
use crate::model::instance::{self, Extra, Model};
use crate::model::plan::{Family, FieldPlan, Plan, ValueKind};

/// The value to store for an argument.
enum Stored<'py> {
    /// The object given.
    Same,
    /// Another object: a canonical one, or a new container.
    Other(Owned<'py>),
}

/// Makes an instance of the plan's class, if every argument is plain.
#[inline]
pub fn construct<'a, 'py: 'a>(
    py: Python<'py>,
    plan: &Plan,
    arguments: impl Iterator<Item = (Lent<'a, 'py>, Lent<'a, 'py>)>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let dict = plan.template.bind(py).copy()?.into_any();
    // Exclusive access ends here: making the instance may run the garbage collector, which counts new
    // objects.
    let given = fill(&Exclusive::new(py), plan, &dict, arguments);
    let Some(given) = given.map_err(|NoMemory| PyErr::fetch(py))? else { return Ok(None) };
    let fields_set = plan.fields_set(py, given)?;
    match plan.family {
        Family::Own => instance::make(&plan.class, &dict, fields_set, Extra::None),
        Family::Official => instance::make_eagerly(&plan.class, &dict, fields_set, Extra::None),
    }
    .map(Some)
}

/// Stores the arguments, if each is plain. Returns a bit for each argument that is given. If memory runs out, an
/// error is set.
#[inline]
fn fill<'a, 'py: 'a>(
    exclusive: &Exclusive<'py>,
    plan: &Plan,
    dict: &Bound<'py, PyAny>,
    arguments: impl Iterator<Item = (Lent<'a, 'py>, Lent<'a, 'py>)>,
) -> Result<Option<u32>, NoMemory> {
    let mut given = 0u32;
    let mut hint = 0;
    for (name, value) in arguments {
        let Some(index) = field_index(plan, name, hint) else { return Ok(None) };
        hint = index + 1;
        let bit = 1 << index;
        if given & bit != 0 {
            return Ok(None);
        }
        given |= bit;
        let field = &plan.fields[index];
        let Some(stored) = field_value(exclusive, plan.family, field, value) else { return Ok(None) };
        let done = match &stored {
            Stored::Same => c_api::set(dict, &field.name, value),
            Stored::Other(other) => c_api::set(dict, &field.name, other.lent()),
        };
        if !done {
            return Err(NoMemory);
        }
    }
    Ok(Some(given).filter(|given| plan.required & !given == 0))
}

/// Returns the member that a keyword names, in either spelling. Keywords are mostly interned and in order.
#[inline]
fn field_index(plan: &Plan, name: Lent<'_, '_>, hint: usize) -> Option<usize> {
    let pointer = name.as_ptr();
    let is = |field: &FieldPlan| field.name.as_ptr() == pointer || field.alias.as_ptr() == pointer;
    let (before, behind) = plan.fields.split_at(hint.min(plan.fields.len()));
    if let Some(at) = behind.iter().position(is) {
        return Some(before.len() + at);
    }
    if let Some(at) = before.iter().position(is) {
        return Some(at);
    }
    let text = c_api::text(name)?;
    plan.fields.iter().position(|field| field.declares(text))
}

#[inline]
fn field_value<'py>(
    exclusive: &Exclusive<'py>,
    family: Family,
    field: &FieldPlan,
    value: Lent<'_, 'py>,
) -> Option<Stored<'py>> {
    if value.is_none() && field.def.is_optional() {
        return Some(Stored::Same);
    }
    let min_items = field.def.min_items;
    if min_items > 0 && (c_api::plain(value) != Plain::List || c_api::len(value) < min_items) {
        return None;
    }
    stored(exclusive, family, &field.kind, value)
}

fn stored<'py>(
    exclusive: &Exclusive<'py>,
    family: Family,
    kind: &ValueKind,
    value: Lent<'_, 'py>,
) -> Option<Stored<'py>> {
    let same = |plain: bool| plain.then_some(Stored::Same);
    match kind {
        ValueKind::Any => Some(Stored::Same),
        ValueKind::Text => same(c_api::plain(value) == Plain::Text),
        ValueKind::Pointer => same(c_api::text(value).is_some_and(JsonPointer::is_valid)),
        ValueKind::Bool => same(c_api::plain(value) == Plain::Bool),
        ValueKind::Int(min, max) => same(c_api::int(value).is_some_and(|int| (*min..=*max).contains(&int))),
        ValueKind::Dict => {
            if c_api::plain(value) != Plain::Dict {
                return None;
            }
            let has_text_keys = exclusive.members(value).all(|(key, _)| c_api::plain(key) == Plain::Text);
            if has_text_keys { exclusive.copy_dict(value).ok().map(Stored::Other) } else { None }
        }
        ValueKind::Tag(object, text) => {
            let is_tag = value.is(object) || c_api::text(value) == Some(*text);
            is_tag.then(|| Stored::Other(exclusive.share(object)))
        }
        ValueKind::Choice(set, objects) => {
            let at = match c_api::text(value) {
                Some(text) => set.values.iter().position(|known| *known == text),
                None => objects.iter().position(|object| value.is(object)),
            };
            at.map(|at| Stored::Other(exclusive.share(&objects[at])))
        }
        ValueKind::Object(_) | ValueKind::Union(_) => same(is_instance(exclusive, family, kind, value)),
        ValueKind::List(item) => list(exclusive, family, item, value).map(Stored::Other),
        ValueKind::Content(parts) => match c_api::plain(value) {
            Plain::Text => Some(Stored::Same),
            _ => stored(exclusive, family, parts, value),
        },
    }
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

/// Makes a new list of the same items, if each is plain.
fn list<'py>(
    exclusive: &Exclusive<'py>,
    family: Family,
    item: &ValueKind,
    value: Lent<'_, 'py>,
) -> Option<Owned<'py>> {
    if c_api::plain(value) != Plain::List {
        return None;
    }
    let copy = exclusive.copy_list(value).ok()?;
    for (element, at) in exclusive.items(value).zip(0..) {
        if let Stored::Other(other) = stored(exclusive, family, item, element)? {
            exclusive.set_item(&copy, at, other).ok()?;
        }
    }
    Some(copy)
}
