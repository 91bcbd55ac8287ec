//! Builds instances of the protocol classes from validated documents.

use ag_ui_native::bindings::json::{Assemble, Input, View};
use ag_ui_native::bindings::schema::{EnumDef, FieldDef, TypeDef};
use ag_ui_native::bindings::validate::{Build, FreeText};
use ag_ui_native::types::BaseEvent;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::build::Values;
use crate::c_api::{self, Exclusive, Lent};
use crate::keys::Keys;
use crate::model::instance::{self, Extra};
use crate::model::metaclass;
use crate::model::plan::Plan;
use crate::model::registry::Registry;

/// Builds instances of the protocol classes.
pub struct Models<'py, 'k> {
    values: Values<'py, 'k>,
    registry: &'static Registry,
    /// True if a member has an attribute's name.
    attribute_names: bool,
    /// True if the outermost object is an event. Its ids occur again in the next event.
    repeats_ids: bool,
}

/// An instance under construction.
pub struct Draft<'py> {
    plan: &'static Plan,
    dict: Bound<'py, PyAny>,
    given: u32,
    extra: Option<Bound<'py, PyDict>>,
}

impl<'py, 'k> Models<'py, 'k> {
    /// Creates a builder of instances; `None` if the engine does not run.
    pub fn new(py: Python<'py>, keys: &'k mut Keys) -> Option<Self> {
        let registry = Registry::get().filter(|_| metaclass::is_engaged())?;
        Some(Self { values: Values::new(py, keys), registry, attribute_names: false, repeats_ids: false })
    }

    /// True if the documents held a part that pydantic reads differently.
    pub fn unlike_pydantic(&self) -> bool {
        self.attribute_names || self.values.too_many_digits
    }
}

impl<'py> Models<'py, '_> {
    /// Stores a member that the class does not declare.
    fn undeclared(&mut self, draft: &mut Draft<'py>, key: &str, value: Bound<'py, PyAny>) {
        let extra = draft.extra.get_or_insert_with(|| PyDict::new(self.values.py));
        self.values.member(extra, key, value);
    }

    /// Calls `make` with the parts of a draft, and returns the instance.
    #[inline]
    fn instance(
        &self,
        draft: Draft<'py>,
        make: impl FnOnce(&Bound<'py, PyAny>, Bound<'py, PyAny>, Extra<'py>) -> PyResult<Bound<'py, PyAny>>,
    ) -> Bound<'py, PyAny> {
        let Draft { plan, dict, given, extra } = draft;
        let undeclared = extra.as_ref().map(Lent::from);
        // pydantic counts undeclared members as given.
        let fields_set = plan.fields_set(&Exclusive::new(self.values.py), given, undeclared);
        let fields_set = fields_set.expect("memory").release(self.values.py);
        let extra = extra.map_or(Extra::None, |extra| Extra::Some(extra.into_any()));
        make(&dict, fields_set, extra).expect("memory")
    }
}

impl<'py> Build for Models<'py, '_> {
    type Value = Bound<'py, PyAny>;
    type Object = Draft<'py>;

    #[inline]
    fn text(&mut self, text: &str) -> Self::Value {
        let Values { py, keys, .. } = &mut self.values;
        if self.repeats_ids { keys.text(*py, text) } else { c_api::string(*py, text) }
    }

    #[inline]
    fn literal(&mut self, _text: &'static str) -> Self::Value {
        // The template of the instance holds it already.
        self.values.py.None().into_bound(self.values.py)
    }

    fn bool(&mut self, value: bool) -> Self::Value {
        self.values.bool(value)
    }

    fn int(&mut self, value: i64) -> Self::Value {
        self.values.int(value)
    }

    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Self::Value {
        match self.registry.choice(set, index) {
            Some(object) => object.bind(self.values.py).clone(),
            None => c_api::string(self.values.py, set.values[index]),
        }
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        input.assemble(&mut self.values)
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Self::Value> {
        text.assemble(&mut self.values)
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        input.assemble(&mut self.values)
    }

    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value {
        self.values.list(items)
    }

    fn unknown_event<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        let class = &self.registry.unknown_event;
        // An unknown event has the members of every event.
        let mut draft = self.object(BaseEvent::TYPE);
        if let View::Object(members) = input.view() {
            members.for_each(|(key, member)| self.extra(&mut draft, key, member));
        }
        self.instance(draft, |dict, fields_set, extra| instance::make_eagerly(class, dict, fields_set, extra))
    }

    #[inline]
    fn object(&mut self, ty: &'static TypeDef) -> Draft<'py> {
        self.repeats_ids = ty.is_event();
        let plan = self.registry.plan(ty).expect("every type has a class");
        let dict = plan.template.bind(self.values.py).copy().expect("memory").into_any();
        Draft { plan, dict, given: 0, extra: None }
    }

    #[inline]
    fn member(&mut self, draft: &mut Draft<'py>, index: usize, value: Self::Value) {
        let Some(index) = draft.plan.place(index) else {
            return self.undeclared(draft, draft.plan.ty.fields[index].wire, value);
        };
        draft.given |= 1 << index;
        if draft.plan.tag != Some(index) {
            assert!(c_api::set(&draft.dict, &draft.plan.fields[index].name, value.as_borrowed()), "memory");
        }
    }

    fn null(&mut self, draft: &mut Draft<'py>, field: &'static FieldDef) {
        // The value is the default, None. pydantic also records that the key was given.
        if let Some(index) = draft.plan.ty.fields.iter().position(|known| std::ptr::eq(known, field)) {
            draft.given |= draft.plan.place(index).map_or(0, |index| 1 << index);
        }
    }

    fn extra<'a, I: Input<'a>>(&mut self, draft: &mut Draft<'py>, key: &str, input: I) {
        let value = input.assemble(&mut self.values);
        let fields = &draft.plan.fields;
        if let Some(index) = fields.iter().position(|field| field.def.wire == key) {
            // The member is declared, but its value is an undeclared string of a closed set.
            draft.given |= 1 << index;
            assert!(c_api::set(&draft.dict, &fields[index].name, value.as_borrowed()), "memory");
            return;
        }
        // pydantic accepts an attribute's name for the attribute, and validates the value itself.
        self.attribute_names |= fields.iter().any(|field| field.declares(key));
        self.undeclared(draft, key, value);
    }

    #[inline]
    fn end(&mut self, draft: Draft<'py>) -> Self::Value {
        let class = &draft.plan.class;
        self.instance(draft, |dict, fields_set, extra| instance::make(class, dict, fields_set, extra))
    }
}

/// Makes an instance from one of our dictionaries by pydantic, if the engine does not run.
pub fn by_pydantic<'py>(type_name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static FROM_WIRE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FROM_WIRE.import(value.py(), "ag_ui_native.core.engine", "from_wire")?.call1((type_name, value))
}
