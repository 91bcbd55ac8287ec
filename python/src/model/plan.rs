//! The plan of a class: the engine's data about it, made once from its declaration and the class.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ag_ui_native::bindings::schema::{EnumDef, FieldDef, Kind, TypeDef, UnionDef};
use ag_ui_native::types::{BinaryInputContent, ContentPart, EventType};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use crate::c_api::{self, Exclusive, Lent, NoMemory, Owned};
use crate::model::names::Names;
use crate::model::slots::ModelClass;

/// The family of a class. Objects of one family contain only objects of the same.
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
    /// The declaration of the type.
    pub ty: &'static TypeDef,
    /// The type as the kind of a value.
    pub kind: &'static Kind,
    /// The class.
    pub class: ModelClass,
    /// The family of the class.
    pub family: Family,
    /// Its members, in order: all declared ones, except those that are newer than the class.
    pub fields: Vec<FieldPlan>,
    /// Their names in both spellings.
    pub names: Names,
    /// The place of each declared member in `fields`; `None` if the class is older than the member, which it then keeps as an
    /// undeclared one.
    places: Vec<Option<usize>>,
    /// True if it has all declared members.
    is_whole: bool,
    /// `__dict__` of an instance that holds only defaults.
    pub template: Py<PyDict>,
    /// A bit for each member without a default.
    pub required: u32,
    /// True if pydantic's own validator validates the class, without a plugin.
    pub validates: bool,
    /// True if instances of a class of the official package are made natively.
    accelerated: AtomicBool,
    /// True if dumps have wire names where `by_alias` is not given.
    pub dumps_by_alias: bool,
    /// Position of the tag.
    pub tag: Option<usize>,
    /// The class methods, bound to the class.
    pub bound: [OnceLock<Py<PyAny>>; BOUND_METHODS],
    sets: OnceLock<Box<FieldsSet>>,
}

/// A member of a registered class.
#[derive(Debug)]
pub struct FieldPlan {
    /// The declaration of the member.
    pub def: &'static FieldDef,
    /// Attribute name.
    pub name: Py<PyString>,
    /// Wire name.
    pub alias: Py<PyString>,
    /// The quoted wire name between comma and colon, and the value if it is fixed.
    pub key: String,
    /// The kind of its value.
    pub kind: ValueKind,
    /// Its default, if it has one.
    pub default: Option<Py<PyAny>>,
    /// True if `None` always means absent. The timestamp of an event may be filled in instead.
    pub none_is_absent: bool,
}

/// The kind of a value, with its Python objects.
#[derive(Debug)]
pub enum ValueKind {
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
    /// A fixed value, with its object.
    Tag(Py<PyAny>, &'static str),
    /// A closed set, with the object of each value.
    Choice(&'static EnumDef, Vec<Py<PyAny>>),
    /// An object of a class.
    Object(&'static TypeDef),
    /// An object of one of several classes.
    Union(&'static UnionDef),
    /// A list.
    List(Box<ValueKind>),
    /// A string or a list of content parts.
    Content(Box<ValueKind>),
}

/// The names of given fields, by their bits.
#[derive(Debug)]
struct FieldsSet {
    bits: u32,
    names: Py<PyAny>,
    next: OnceLock<Box<FieldsSet>>,
}

/// Maximum number of combinations of given fields that are cached per class.
const REMEMBERED_SETS: usize = 16;
/// The number of class methods that are bound to each class.
pub const BOUND_METHODS: usize = 2;

impl Plan {
    /// Makes the plan of a class, if its fields match the declaration or that of the protocol's first version.
    pub fn new(
        class: &Bound<'_, PyType>,
        ty: &'static TypeDef,
        family: Family,
        event_type: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Self>> {
        let Some(model_class) = ModelClass::of(class) else { return Ok(None) };
        let py = class.py();
        let model_fields = class.getattr("model_fields")?.cast_into::<PyDict>()?;
        let mut infos = model_fields.iter().peekable();
        let validator = py.import("pydantic_core")?.getattr("SchemaValidator")?;
        // With a plugin, no class is completed later.
        let is_postponed = family == Family::Own && !class.getattr("__pydantic_complete__")?.is_truthy()?;
        let validates = is_postponed || class.getattr("__pydantic_validator__")?.get_type().is(&validator);
        let config = class.getattr("model_config")?.cast_into::<PyDict>()?;
        let by_alias = config.get_item("serialize_by_alias")?;
        let dumps_by_alias = by_alias.is_some_and(|value| value.is_truthy().unwrap_or_default());
        let template = PyDict::new(py);
        let mut fields: Vec<FieldPlan> = Vec::new();
        let mut names = Names::default();
        let mut places = Vec::new();
        let mut required = 0;
        for def in ty.fields {
            let attribute = if def.name == "from" { "from_" } else { def.name };
            let is_named =
                |name: &Bound<'_, PyAny>| name.extract::<&str>().is_ok_and(|name| name == attribute);
            let Some((name, info)) = infos.next_if(|(name, _)| is_named(name)) else {
                if !def.is_newer() {
                    return Ok(None);
                }
                places.push(None);
                continue;
            };
            let index = fields.len();
            places.push(Some(index));
            let name = name.cast_into::<PyString>()?;
            let alias: String = info.getattr("serialization_alias")?.extract()?;
            if alias != def.wire {
                return Ok(None);
            }
            let is_required: bool = info.call_method0("is_required")?.extract()?;
            let default = if is_required { py.None().into_bound(py) } else { info.getattr("default")? };
            if is_required {
                required |= 1 << index;
            }
            template.set_item(&name, &default)?;
            let kind = ValueKind::new(&def.kind, &default, event_type)?;
            let fixed =
                if let ValueKind::Tag(_, text) = kind { format!("\"{text}\"") } else { String::new() };
            fields.push(FieldPlan {
                def,
                alias: PyString::intern(py, def.wire).unbind(),
                name: name.unbind(),
                key: format!(",\"{}\":{fixed}", def.wire),
                kind,
                default: (!is_required).then(|| default.unbind()),
                none_is_absent: def.is_optional() && def.name != "timestamp",
            });
            let field = &fields[index];
            names.push([attribute, def.wire], [&field.name, &field.alias].map(|name| name.as_ptr().addr()));
        }
        if infos.next().is_some() {
            return Ok(None);
        }
        let tag = fields.iter().position(|field| matches!(field.kind, ValueKind::Tag(..)));
        let (template, class) = (template.unbind(), model_class);
        let kind = Box::leak(Box::new(Kind::Object(ty)));
        let (bound, sets) = (Default::default(), OnceLock::new());
        Ok(Some(Self {
            ty,
            kind,
            class,
            family,
            fields,
            names,
            is_whole: places.iter().all(Option::is_some),
            places,
            template,
            required,
            validates,
            accelerated: AtomicBool::new(false),
            dumps_by_alias,
            tag,
            bound,
            sets,
        }))
    }

    /// True if instances are made natively. A class with its own validator is excluded.
    pub fn constructs(&self) -> bool {
        (self.family == Family::Own || self.accelerated.load(Relaxed))
            && self.validates
            && !std::ptr::eq(self.ty, BinaryInputContent::TYPE)
    }

    /// Switches native instances of a class of the official package on or off.
    pub fn accelerate(&self, on: bool) {
        self.accelerated.store(on, Relaxed);
    }

    /// Returns the place of a declared member among the fields; `None` if the class is older than the
    /// member.
    #[inline]
    pub fn place(&self, index: usize) -> Option<usize> {
        if self.is_whole { Some(index) } else { self.places[index] }
    }

    /// Returns the member that a key of an instance's dictionary names.
    pub fn named(&self, key: Lent<'_, '_>) -> Option<&FieldPlan> {
        let name = c_api::text(key);
        self.fields.iter().find(|field| key.is(&field.name) || name == Some(field.attribute()))
    }

    /// Returns the names of the fields whose bits are set, and of undeclared members.
    #[inline]
    pub fn fields_set<'py>(
        &self,
        exclusive: &Exclusive<'py>,
        bits: u32,
        extra: Option<Lent<'_, 'py>>,
    ) -> Result<Owned<'py>, NoMemory> {
        if let Some(extra) = extra {
            let undeclared = exclusive.members(extra).map(|(name, _)| name);
            return exclusive.names(self.given_names(exclusive, bits).chain(undeclared));
        }
        let mut cell = &self.sets;
        for _ in 0..REMEMBERED_SETS {
            let Some(entry) = cell.get() else {
                let names = exclusive.names(self.given_names(exclusive, bits))?;
                // Another thread may have been faster; then this set is not cached.
                let entry = FieldsSet { bits, names: names.keep(), next: OnceLock::new() };
                let _ = cell.set(Box::new(entry));
                return Ok(names);
            };
            if entry.bits == bits {
                return Ok(exclusive.share(&entry.names));
            }
            cell = &entry.next;
        }
        exclusive.names(self.given_names(exclusive, bits))
    }

    fn given_names<'a, 'py>(
        &'a self,
        exclusive: &'a Exclusive<'py>,
        bits: u32,
    ) -> impl Iterator<Item = Lent<'a, 'py>> {
        let given = self.fields.iter().enumerate().filter(move |(index, _)| bits & (1 << index) != 0);
        given.map(|(_, field)| exclusive.lend(&field.name))
    }
}

impl FieldPlan {
    /// Returns the attribute name: the declared one, unless that is a keyword of Python.
    pub fn attribute(&self) -> &'static str {
        if self.def.name == "from" { "from_" } else { self.def.name }
    }

    /// True if every dump leaves the member out when it is `None`.
    #[inline]
    pub fn is_omitted_as_none(&self) -> bool {
        self.def.is_optional() && !matches!(self.kind, ValueKind::Tag(..))
    }

    /// True if `name` is one of the member's two spellings.
    pub fn declares(&self, name: &str) -> bool {
        self.def.wire == name || self.attribute() == name
    }
}

impl ValueKind {
    /// True if a value of this kind can be an instance of the plan's class.
    #[inline]
    pub fn takes(&self, plan: &Plan) -> bool {
        match self {
            Self::Object(ty) => std::ptr::eq(*ty, plan.ty),
            Self::Union(union) => union.variants.iter().any(|variant| std::ptr::eq(variant.ty, plan.ty)),
            _ => false,
        }
    }

    /// Converts core's kind. `default` is the default value of the member.
    pub fn new(
        kind: &'static Kind,
        default: &Bound<'_, PyAny>,
        event_type: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
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
