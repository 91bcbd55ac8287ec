//! The plans of the protocol's classes. Those of this package's classes are made when the engine starts, those of the
//! official package's at their first use.

use std::collections::HashMap;
use std::sync::{OnceLock, RwLock};

use ag_ui_native::bindings::schema::{EnumDef, Kind, TypeDef};
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::error::asked;
use crate::model::metaclass::{self, Foreign};
use crate::model::package::require_classes;
use crate::model::plan::{Family, Plan, ValueKind};
use crate::model::slots::ModelClass;

/// The plans of this package's classes.
#[derive(Debug)]
pub struct Registry {
    plans: Vec<&'static Plan>,
    /// The plans in slots by the addresses of their types. A taken slot is followed by the next one.
    by_type: [Option<&'static Plan>; SLOTS],
    /// The class of undeclared events.
    pub unknown_event: ModelClass,
    /// The objects of the values of closed sets.
    choices: Vec<(&'static EnumDef, Vec<Py<PyAny>>)>,
}

/// Number of slots, a power of two: several for each plan.
const SLOTS: usize = 512;

/// Returns the slots in which the plan of a type may be. Types are adjacent in memory, so most plans are in their
/// first slot.
fn slots_of(ty: &'static TypeDef) -> impl Iterator<Item = usize> {
    let first = std::ptr::from_ref(ty).addr() / size_of::<TypeDef>();
    (first..first + SLOTS).map(|slot| slot % SLOTS)
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();

impl Registry {
    /// Makes plans for `classes` and activates them. Nothing is registered if one class does not match its
    /// declaration.
    pub fn start(classes: &Bound<'_, PyDict>, event_type: &Bound<'_, PyAny>) -> PyResult<&'static Self> {
        let mut plans = Vec::new();
        for ty in ag_ui_native::bindings::schema::TYPES {
            let Some(class) = classes.get_item(ty.name)? else { continue };
            let class = class.cast_into::<PyType>()?;
            let Some(plan) = Plan::new(&class, ty, Family::Own, event_type)? else {
                return Err(pyo3::exceptions::PyRuntimeError::new_err(format!(
                    "the class {} does not have the members of its declaration",
                    ty.name
                )));
            };
            plans.push(&*Box::leak(Box::new(plan)));
        }
        let mut by_type = [None; SLOTS];
        for plan in &plans {
            let free =
                slots_of(plan.ty).find(|&slot| by_type[slot].is_none()).expect("more slots than types");
            by_type[free] = Some(*plan);
        }
        let none = classes.py().None().into_bound(classes.py());
        let mut choices = Vec::new();
        for set in ag_ui_native::bindings::schema::ENUMS {
            let kind: &'static Kind = Box::leak(Box::new(Kind::Enum(set)));
            if let ValueKind::Choice(set, objects) = ValueKind::new(kind, &none, event_type)? {
                choices.push((set, objects));
            }
        }
        let unknown_event = classes.as_any().get_item("UnknownEvent")?.cast_into::<PyType>()?;
        let unknown_event = ModelClass::of(&unknown_event)
            .ok_or_else(|| PyTypeError::new_err("UnknownEvent is not a pydantic model"))?;
        Ok(REGISTRY.get_or_init(|| Self { plans, by_type, unknown_event, choices }))
    }

    /// Returns the registry, once the engine runs.
    pub fn get() -> Option<&'static Self> {
        REGISTRY.get()
    }

    /// Returns all plans.
    pub fn plans(&self) -> &[&'static Plan] {
        &self.plans
    }

    /// Returns the plan of this package's class for a type.
    pub fn plan(&self, ty: &'static TypeDef) -> Option<&'static Plan> {
        let mut found = slots_of(ty).map_while(|slot| self.by_type[slot]);
        found.find(|plan| std::ptr::eq(plan.ty, ty))
    }

    /// Returns the object of a closed set's value.
    pub fn choice(&self, set: &'static EnumDef, index: usize) -> Option<&Py<PyAny>> {
        self.choices.iter().find(|(known, _)| std::ptr::eq(*known, set)).map(|(_, objects)| &objects[index])
    }
}

/// Returns the plan for instances of exactly this class, if it exists already. Runs no Python code.
#[inline]
pub fn cached_plan(class: Borrowed<'_, '_, PyType>) -> Option<&'static Plan> {
    match metaclass::own_plan(class) {
        Ok(plan) => plan,
        Err(Foreign) => OFFICIAL
            .read()
            .ok()
            .and_then(|known| known.as_ref()?.by_class.get(&class.as_ptr().addr()).copied()),
    }
}

/// Returns the plan for instances of exactly this class. The plan of a new class is made, which runs Python code.
#[inline]
pub fn plan_of(class: &Bound<'_, PyType>) -> PyResult<Option<&'static Plan>> {
    match metaclass::own_plan(class.as_borrowed()) {
        Ok(plan) => Ok(plan),
        Err(Foreign) => match cached_plan(class.as_borrowed()) {
            Some(plan) => Ok(Some(plan)),
            None => learn(class),
        },
    }
}

/// Plans of the official package's classes. Each plan keeps its class alive.
static OFFICIAL: RwLock<Option<Official>> = RwLock::new(None);

#[derive(Clone, Default)]
struct Official {
    /// By the addresses of the classes.
    by_class: HashMap<usize, &'static Plan>,
    /// Those that were accelerated, by the addresses of the types.
    by_type: HashMap<usize, &'static Plan>,
}

/// Switches native instances of a class of the official package on or off.
pub fn accelerate(plan: &'static Plan, on: bool) {
    plan.accelerate(on);
    if let Ok(mut known) = OFFICIAL.write() {
        known.get_or_insert_default().by_type.insert(std::ptr::from_ref(plan.ty).addr(), plan);
    }
}

/// Returns the plan of the official package's class for a type, if its instances are made natively. Runs no Python code.
pub fn accelerated_plan(ty: &'static TypeDef) -> Option<&'static Plan> {
    let known = OFFICIAL.read().ok()?;
    let plan = known.as_ref()?.by_type.get(&std::ptr::from_ref(ty).addr());
    plan.copied().filter(|plan| plan.constructs())
}

/// Makes and stores the plan of a class, if the class belongs to the official package. A class that raises during the
/// check does not count as one.
pub fn learn(class: &Bound<'_, PyType>) -> PyResult<Option<&'static Plan>> {
    let Some(plan) = asked(class.py(), recognise(class))?.flatten() else { return Ok(None) };
    let plan: &'static Plan = Box::leak(Box::new(plan));
    if let Ok(mut known) = OFFICIAL.write() {
        known.get_or_insert_default().by_class.insert(class.as_ptr().addr(), plan);
    }
    Ok(Some(plan))
}

/// Drops the plans of a class of the official package and of its subclasses. They are made again at the next use.
pub fn forget(class: &Bound<'_, PyType>) {
    // Reading the bases runs Python code, so nothing is locked meanwhile.
    let known = OFFICIAL.read().ok().and_then(|known| Some(known.as_ref()?.clone())).unwrap_or_default();
    for (address, plan) in known.by_class {
        if plan.class.bind(class.py()).is_subclass(class).unwrap_or(true)
            && let Ok(mut known) = OFFICIAL.write()
        {
            let known = known.get_or_insert_default();
            known.by_class.remove(&address);
            known.by_type.retain(|_, other| !std::ptr::eq(*other, plan));
        }
    }
}

/// Makes the plan of a class, if it is an unchanged one of the official package.
fn recognise(class: &Bound<'_, PyType>) -> PyResult<Option<Plan>> {
    let py = class.py();
    let module: String = class.getattr("__module__")?.extract()?;
    if !module.starts_with("ag_ui.") {
        return Ok(None);
    }
    let name = class.name()?;
    let Some(ty) = ag_ui_native::bindings::schema::type_named(name.to_str()?) else { return Ok(None) };
    let base_model = py.import("pydantic")?.getattr("BaseModel")?;
    let same = |name: &str| -> PyResult<bool> { Ok(class.getattr(name)?.is(&base_model.getattr(name)?)) };
    let decorators = class.getattr("__pydantic_decorators__")?;
    let model_serializers: Vec<String> = decorators
        .getattr("model_serializers")?
        .call_method0("keys")?
        .try_iter()?
        .map(|key| key?.extract())
        .collect::<PyResult<_>>()?;
    let plain = same("model_dump_json")?
        && decorators.getattr("field_serializers")?.is_empty()?
        && model_serializers == ["_omit_fields_without_value"];
    if !plain {
        return Ok(None);
    }
    // Instances are read as those of our own classes.
    require_classes(py)?;
    if Registry::get().is_none() {
        return Ok(None);
    }
    let event_type = py.import("ag_ui.core")?.getattr("EventType")?;
    Plan::new(class, ty, Family::Official, &event_type)
}
