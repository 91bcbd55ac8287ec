//! What the engine knows about a class: one plan per registered class, made once from declaration and class.

use std::collections::HashMap;
use std::sync::{OnceLock, RwLock};

use ag_ui_native::schema::{EnumDef, FieldDef, Kind, TypeDef, UnionDef};
use ag_ui_native::types::{BinaryInputContent, ContentPart, EventType};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyString, PyType};

use crate::error::asked;
use crate::metaclass;

/// Whose class it is. Objects of one family hold objects of the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// This package's.
    Own,
    /// The official package's.
    Official,
}

/// A registered class.
#[derive(Debug)]
pub struct Plan {
    /// What the protocol declares.
    pub ty: &'static TypeDef,
    /// The same, as the kind of a value.
    pub kind: &'static Kind,
    /// The class.
    pub class: Py<PyType>,
    /// Whose it is.
    pub family: Family,
    /// Its members, in order.
    pub fields: Vec<FieldPlan>,
    /// `__dict__` of an instance that holds only defaults.
    pub template: Py<PyDict>,
    /// The members without default, a bit each.
    pub required: u32,
    /// Whether pydantic's validator stands behind the class, and no plugin's.
    pub validates: bool,
    /// Position of the tag.
    pub tag: Option<usize>,
    /// `model_validate_json`, bound to the class.
    pub validate_json: OnceLock<Py<PyAny>>,
    sets: OnceLock<Box<FieldsSet>>,
}

/// A member of a registered class.
#[derive(Debug)]
pub struct FieldPlan {
    /// What the protocol declares.
    pub def: &'static FieldDef,
    /// Attribute name.
    pub name: Py<PyString>,
    /// Wire name.
    pub alias: Py<PyString>,
    /// The quoted wire name between comma and colon, and the value behind it if that is fixed.
    pub key: String,
    /// What it holds.
    pub holds: Holds,
}

/// What a member holds, with the Python objects that go with it.
#[derive(Debug)]
pub enum Holds {
    /// A string.
    Text,
    /// A string that is a JSON Pointer.
    Pointer,
    /// A boolean.
    Bool,
    /// An integer within a range.
    Int(i64, i64),
    /// Anything.
    Any,
    /// A dictionary with strings as keys.
    Dict,
    /// A fixed value: the object that stands for it.
    Tag(Py<PyAny>, &'static str),
    /// One of a closed set: the objects that stand for the values.
    Choice(&'static EnumDef, Vec<Py<PyAny>>),
    /// An object of a class.
    Object(&'static TypeDef),
    /// An object of one of several classes.
    Union(&'static UnionDef),
    /// A list.
    List(Box<Holds>),
    /// A string or a list of content parts.
    Content(Box<Holds>),
}

/// The names of the fields that were given, by the bits that stand for them.
#[derive(Debug)]
struct FieldsSet {
    bits: u32,
    names: Py<PyFrozenSet>,
    next: OnceLock<Box<FieldsSet>>,
}

/// Most combinations of given fields that are remembered per class.
const REMEMBERED_SETS: usize = 16;

impl Plan {
    /// Makes the plan of a class, if its fields are what the protocol declares.
    pub fn new(
        class: &Bound<'_, PyType>,
        ty: &'static TypeDef,
        family: Family,
        event_type: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Self>> {
        let py = class.py();
        let model_fields = class.getattr("model_fields")?.cast_into::<PyDict>()?;
        if model_fields.len() != ty.fields.len() {
            return Ok(None);
        }
        let validator = py.import("pydantic_core")?.getattr("SchemaValidator")?;
        let validates = class.getattr("__pydantic_validator__")?.get_type().is(&validator);
        let template = PyDict::new(py);
        let mut fields = Vec::new();
        let mut required = 0;
        for (index, (def, (name, info))) in ty.fields.iter().zip(model_fields.iter()).enumerate() {
            let name = name.cast_into::<PyString>()?;
            let attribute = if def.name == "from" { "from_" } else { def.name };
            let alias: String = info.getattr("serialization_alias")?.extract()?;
            if name.to_str()? != attribute || alias != def.wire {
                return Ok(None);
            }
            let is_required: bool = info.call_method0("is_required")?.extract()?;
            let default = if is_required { py.None().into_bound(py) } else { info.getattr("default")? };
            if is_required {
                required |= 1 << index;
            }
            template.set_item(&name, &default)?;
            let holds = Holds::new(&def.kind, &default, event_type)?;
            let fixed = if let Holds::Tag(_, text) = holds { format!("\"{text}\"") } else { String::new() };
            fields.push(FieldPlan {
                def,
                alias: PyString::intern(py, def.wire).unbind(),
                name: name.unbind(),
                key: format!(",\"{}\":{fixed}", def.wire),
                holds,
            });
        }
        let tag = fields.iter().position(|field| matches!(field.holds, Holds::Tag(..)));
        let (template, class) = (template.unbind(), class.clone().unbind());
        let kind = Box::leak(Box::new(Kind::Object(ty)));
        let (validate_json, sets) = (OnceLock::new(), OnceLock::new());
        Ok(Some(Self {
            ty,
            kind,
            class,
            family,
            fields,
            template,
            required,
            validates,
            tag,
            validate_json,
            sets,
        }))
    }

    /// Whether instances are made natively: not where the class has a validator of its own.
    pub fn constructs(&self) -> bool {
        self.family == Family::Own && self.validates && !std::ptr::eq(self.ty, BinaryInputContent::TYPE)
    }

    /// The names of the fields whose bits are set.
    pub fn fields_set<'py>(&self, py: Python<'py>, bits: u32) -> PyResult<Bound<'py, PyFrozenSet>> {
        let mut cell = &self.sets;
        for _ in 0..REMEMBERED_SETS {
            let Some(entry) = cell.get() else {
                let names = self.name_set(py, bits)?;
                // Somebody else may have been faster; then this set simply is not remembered.
                let entry = FieldsSet { bits, names: names.clone().unbind(), next: OnceLock::new() };
                let _ = cell.set(Box::new(entry));
                return Ok(names);
            };
            if entry.bits == bits {
                return Ok(entry.names.bind(py).clone());
            }
            cell = &entry.next;
        }
        self.name_set(py, bits)
    }

    fn name_set<'py>(&self, py: Python<'py>, bits: u32) -> PyResult<Bound<'py, PyFrozenSet>> {
        let given = self.fields.iter().enumerate().filter(|(index, _)| bits & (1 << index) != 0);
        PyFrozenSet::new(py, given.map(|(_, field)| field.name.bind(py)))
    }
}

impl FieldPlan {
    /// Attribute name: the declared one, unless that is a word of Python.
    pub fn attribute(&self) -> &'static str {
        if self.def.name == "from" { "from_" } else { self.def.name }
    }

    /// Whether `name` is one of the member's two spellings.
    pub fn declares(&self, name: &str) -> bool {
        self.def.wire == name || self.attribute() == name
    }
}

impl Holds {
    fn new(kind: &'static Kind, default: &Bound<'_, PyAny>, event_type: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = default.py();
        Ok(match kind {
            Kind::Text => Self::Text,
            Kind::Pointer => Self::Pointer,
            Kind::Bool => Self::Bool,
            Kind::Int53 | Kind::UInt53 => {
                let range = kind.integer_range();
                Self::Int(*range.start(), *range.end())
            }
            Kind::Any => Self::Any,
            Kind::Dict => Self::Dict,
            Kind::Literal(text) => Self::Tag(default.clone().unbind(), text),
            Kind::Enum(set) => {
                let is_event_type = std::ptr::eq(*set, EventType::ENUM);
                let object = |value: &&'static str| {
                    if is_event_type {
                        event_type.call1((*value,)).map(Bound::unbind)
                    } else {
                        Ok(PyString::intern(py, value).into_any().unbind())
                    }
                };
                Self::Choice(set, set.values.iter().map(object).collect::<PyResult<_>>()?)
            }
            Kind::Object(ty) => Self::Object(ty),
            Kind::Union(union) => Self::Union(union),
            Kind::List(item) => Self::List(Box::new(Self::new(item, default, event_type)?)),
            Kind::Content => Self::Content(Box::new(Self::List(Box::new(Self::Union(ContentPart::UNION))))),
        })
    }
}

/// The plans of this package's classes.
#[derive(Debug)]
pub struct Registry {
    plans: Vec<&'static Plan>,
    /// The same in slots that the addresses of their types say; behind one that is taken comes the next.
    by_type: [Option<&'static Plan>; SLOTS],
    /// The objects that stand for the values of closed sets.
    choices: Vec<(&'static EnumDef, Vec<Py<PyAny>>)>,
}

/// Slots for plans, a power of two: several for each.
const SLOTS: usize = 512;

/// The slots where the plan of a type may stand. Types lie one behind the other, so that most stand in the first.
fn slots_of(ty: &'static TypeDef) -> impl Iterator<Item = usize> {
    let first = std::ptr::from_ref(ty).addr() / size_of::<TypeDef>();
    (first..first + SLOTS).map(|slot| slot % SLOTS)
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();

impl Registry {
    /// Makes plans for `classes` and puts them in force. Nothing is registered if one class is not as declared.
    pub fn start(classes: &Bound<'_, PyDict>, event_type: &Bound<'_, PyAny>) -> PyResult<&'static Self> {
        let mut plans = Vec::new();
        for ty in ag_ui_native::schema::TYPES {
            let Some(class) = classes.get_item(ty.name)? else { continue };
            let class = class.cast_into::<PyType>()?;
            let Some(plan) = Plan::new(&class, ty, Family::Own, event_type)? else {
                return Err(pyo3::exceptions::PyRuntimeError::new_err(format!(
                    "{} is not as declared",
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
        for set in ag_ui_native::schema::ENUMS {
            let kind: &'static Kind = Box::leak(Box::new(Kind::Enum(set)));
            if let Holds::Choice(set, objects) = Holds::new(kind, &none, event_type)? {
                choices.push((set, objects));
            }
        }
        Ok(REGISTRY.get_or_init(|| Self { plans, by_type, choices }))
    }

    /// The registry, once the engine runs.
    pub fn get() -> Option<&'static Self> {
        REGISTRY.get()
    }

    /// All plans.
    pub fn plans(&self) -> &[&'static Plan] {
        &self.plans
    }

    /// The plan of this package's class for a type.
    pub fn plan(&self, ty: &'static TypeDef) -> Option<&'static Plan> {
        let mut found = slots_of(ty).map_while(|slot| self.by_type[slot]);
        found.find(|plan| std::ptr::eq(plan.ty, ty))
    }

    /// The object that stands for a value of a closed set.
    pub fn choice(&self, set: &'static EnumDef, index: usize) -> Option<&Py<PyAny>> {
        self.choices.iter().find(|(known, _)| std::ptr::eq(*known, set)).map(|(_, objects)| &objects[index])
    }
}

/// The plan for instances of exactly the class at `class`, if it is known already. Runs no Python code.
#[inline]
pub fn known_plan(class: *mut ffi::PyTypeObject) -> Option<&'static Plan> {
    match metaclass::plan_of_own(class) {
        metaclass::Known::Plan(plan) => plan,
        metaclass::Known::Foreign => {
            OFFICIAL.read().ok().and_then(|known| known.as_ref()?.get(&class.addr()).copied())
        }
    }
}

/// The plan for instances of exactly the class at `class`. One not known yet is looked at, which runs Python code.
#[inline]
pub fn plan_of(py: Python<'_>, class: *mut ffi::PyTypeObject) -> PyResult<Option<&'static Plan>> {
    match metaclass::plan_of_own(class) {
        metaclass::Known::Plan(plan) => Ok(plan),
        metaclass::Known::Foreign => match known_plan(class) {
            Some(plan) => Ok(Some(plan)),
            None => learn(&metaclass::as_type(py, class)),
        },
    }
}

/// Plans of the official package's classes, by the addresses of these; each plan keeps its class alive.
static OFFICIAL: RwLock<Option<HashMap<usize, &'static Plan>>> = RwLock::new(None);

/// Looks whether a class is the official package's. One that fails at being looked at is not.
pub fn learn(class: &Bound<'_, PyType>) -> PyResult<Option<&'static Plan>> {
    let Some(plan) = asked(class.py(), recognise(class))?.flatten() else { return Ok(None) };
    let plan: &'static Plan = Box::leak(Box::new(plan));
    if let Ok(mut known) = OFFICIAL.write() {
        known.get_or_insert_default().insert(class.as_ptr().addr(), plan);
    }
    Ok(Some(plan))
}

/// Makes the plan of a class of the official package, if it is one, unchanged.
fn recognise(class: &Bound<'_, PyType>) -> PyResult<Option<Plan>> {
    let py = class.py();
    let module: String = class.getattr("__module__")?.extract()?;
    if !module.starts_with("ag_ui.") {
        return Ok(None);
    }
    let name = class.name()?;
    let Some(ty) = ag_ui_native::schema::type_named(name.to_str()?) else { return Ok(None) };
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
    let event_type = py.import("ag_ui.core")?.getattr("EventType")?;
    Plan::new(class, ty, Family::Official, &event_type)
}
