//! Native encoding: writes an instance of a known class as JSON. If anything is unusual, pydantic writes the whole
//! object.

use std::cell::Cell;

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::json::Writer;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::c_api::{self, Exclusive, Lent, Obj, Owned, Plain};
use crate::model::instance::{self, Model};
use crate::model::plan::{Family, FieldPlan, ValueKind};
use crate::model::registry::learn;
use crate::model::written_keys::WrittenKeys;
use crate::stats;

/// A value that only pydantic can write or refuse.
#[derive(Debug)]
pub struct Unusual;

type Written = Result<(), Unusual>;

/// The deepest nesting that is written natively.
pub const MAX_DEPTH: usize = 200;
/// The largest buffer that is kept for the next object.
const KEPT_BYTES: usize = 1 << 20;

thread_local! {
    static WRITER: Cell<Option<Box<(Writer, WrittenKeys)>>> = const { Cell::new(None) };
}

/// Writes `object` as JSON between `before` and `after`, and passes the text to `take`; `None` if pydantic has to
/// write it. `now` replaces an event's missing timestamp. The object cannot change while it is written.
#[inline]
pub fn encode<T>(
    object: Obj<'_, '_>,
    now: Option<i64>,
    before: &str,
    after: &str,
    take: impl FnOnce(&str) -> T,
) -> PyResult<Option<T>> {
    let py = object.py();
    let Some(model) = Model::of(object)? else { return Ok(None) };
    let mut kept =
        WRITER.take().unwrap_or_else(|| Box::new((Writer::new(number_style(py)), WrittenKeys::default())));
    let (writer, keys) = &mut *kept;
    let written = loop {
        writer.out.clear();
        writer.out.push_str(before);
        let exclusive = Exclusive::new(py);
        keys.clear(&exclusive);
        let mut walk = Walk {
            writer,
            keys,
            exclusive: &exclusive,
            family: model.plan().family,
            depth: 0,
            now,
            unknown: None,
        };
        let (written, unknown) = (walk.model(model), walk.unknown);
        drop(exclusive);
        match unknown.map(|object| object.release(py).get_type()) {
            Some(class) if learn(&class)?.is_some() => {}
            _ => break written,
        }
    };
    writer.out.push_str(after);
    let taken = written.is_ok().then(|| {
        stats::ENCODED.add();
        take(&writer.out)
    });
    if writer.out.capacity() <= KEPT_BYTES {
        WRITER.set(Some(kept));
    }
    Ok(taken)
}

/// Returns the spelling of doubles of the installed pydantic: with a plus in the exponent from 2.13 on.
pub fn number_style(py: Python<'_>) -> NumberStyle {
    static STYLE: PyOnceLock<NumberStyle> = PyOnceLock::new();
    *STYLE.get_or_init(py, || {
        let spelled = py
            .import("pydantic_core")
            .and_then(|core| core.call_method1("to_json", (1e16,)))
            .and_then(|json| json.extract::<Vec<u8>>());
        if spelled.is_ok_and(|json| json == b"1e16") {
            NumberStyle::PythonBarePlus
        } else {
            NumberStyle::Python
        }
    })
}

struct Walk<'w, 'py> {
    writer: &'w mut Writer,
    keys: &'w mut WrittenKeys,
    exclusive: &'w Exclusive<'py>,
    /// The family of the outermost object.
    family: Family,
    depth: usize,
    now: Option<i64>,
    /// An object whose class has no plan yet. Making the plan runs Python code, so that is done later.
    unknown: Option<Owned<'py>>,
}

impl<'py> Walk<'_, 'py> {
    fn model(&mut self, model: Model<'_, 'py>) -> Written {
        let plan = model.plan();
        let dict = instance::dict(model.object()).ok_or(Unusual)?;
        self.enter()?;
        self.writer.out.push('{');
        let mut empty = true;
        let exclusive = self.exclusive;
        let members = exclusive.members(dict.lent());
        if members.len() != plan.fields.len() {
            return Err(Unusual);
        }
        // There are as many members as declared, and no duplicates, so each is written once in any
        // order.
        for (expected, (key, value)) in plan.fields.iter().zip(members) {
            let is_expected = key.is(&expected.name);
            if is_expected && value.is_none() && expected.none_is_absent {
                continue;
            }
            let field = if is_expected { expected } else { plan.named(key).ok_or(Unusual)? };
            self.field(field, value, &mut empty)?;
        }
        self.extra(model, empty)?;
        self.writer.out.push('}');
        self.depth -= 1;
        Ok(())
    }

    #[inline]
    fn field(&mut self, field: &FieldPlan, value: Lent<'_, 'py>, empty: &mut bool) -> Written {
        if value.is_none() && field.def.is_optional() {
            if let Some(now) = self.now
                && self.depth == 1
                && field.def.name == "timestamp"
            {
                self.key(field, empty);
                self.writer.int(now);
            }
            return Ok(());
        }
        if field.def.is_optional() && c_api::plain(value) == Plain::Float && !c_api::float(value).is_finite()
        {
            // It would be `null` in JSON, but pydantic drops such a member.
            return Err(Unusual);
        }
        self.key(field, empty);
        self.value(&field.kind, value)
    }

    #[inline]
    fn key(&mut self, field: &FieldPlan, empty: &mut bool) {
        let skipped = usize::from(std::mem::take(empty));
        self.writer.out.push_str(&field.key[skipped..]);
    }

    #[inline]
    fn value(&mut self, kind: &ValueKind, value: Lent<'_, 'py>) -> Written {
        match kind {
            ValueKind::Text => self.writer.text(c_api::text(value).ok_or(Unusual)?),
            // The key's text contains the value.
            ValueKind::Tag(object, _) if value.is(object) => {}
            _ => return self.other(kind, value),
        }
        Ok(())
    }

    /// Writes the rarer kinds. They are separate, so that the frequent ones are inlined.
    #[inline(never)]
    fn other(&mut self, kind: &ValueKind, value: Lent<'_, 'py>) -> Written {
        match kind {
            ValueKind::Pointer => self.writer.text(c_api::text(value).ok_or(Unusual)?),
            ValueKind::Bool if c_api::plain(value) == Plain::Bool => self.writer.bool(c_api::is_true(value)),
            ValueKind::Int(..) => self.writer.int(c_api::int(value).ok_or(Unusual)?),
            ValueKind::Any => self.free(value)?,
            ValueKind::Dict if c_api::plain(value) == Plain::Dict => self.free(value)?,
            ValueKind::Choice(set, objects) => {
                let at = objects.iter().position(|object| value.is(object));
                let text = c_api::text(value);
                let at = at.or_else(|| set.values.iter().position(|known| text == Some(*known)));
                self.quoted(set.values[at.ok_or(Unusual)?]);
            }
            ValueKind::Object(_) | ValueKind::Union(_) => {
                let inner = self.inner(value)?;
                if !kind.takes(inner.plan()) {
                    return Err(Unusual);
                }
                self.model(inner)?;
            }
            ValueKind::List(item) if c_api::plain(value) == Plain::List => {
                self.list(value, |walk, element| walk.value(item, element))?;
            }
            ValueKind::Content(parts) => match c_api::text(value) {
                Some(text) => self.writer.text(text),
                None => self.value(parts, value)?,
            },
            _ => return Err(Unusual),
        }
        Ok(())
    }

    /// Writes text that needs no escapes.
    #[inline]
    fn quoted(&mut self, text: &str) {
        self.writer.out.push('"');
        self.writer.out.push_str(text);
        self.writer.out.push('"');
    }

    /// Returns an inner object, if it is of the same family as the outermost.
    #[inline]
    fn inner<'a>(&mut self, value: Lent<'a, 'py>) -> Result<Model<'a, 'py>, Unusual>
    where
        'py: 'a,
    {
        match Model::cached(value) {
            Some(model) if model.plan().family == self.family => Ok(model),
            None if self.family == Family::Official => {
                self.unknown = Some(self.exclusive.own(value));
                Err(Unusual)
            }
            _ => Err(Unusual),
        }
    }

    /// Writes undeclared members. pydantic writes the object if one is named like a declared
    /// member.
    #[inline]
    fn extra(&mut self, model: Model<'_, 'py>, mut empty: bool) -> Written {
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
            if !std::mem::take(&mut empty) {
                self.writer.out.push(',');
            }
            self.writer.text(name);
            self.writer.out.push(':');
            self.free(value)?;
        }
        Ok(())
    }

    /// Writes a free value.
    fn free(&mut self, value: Lent<'_, 'py>) -> Written {
        match c_api::plain(value) {
            Plain::Text => self.writer.text(c_api::text(value).ok_or(Unusual)?),
            Plain::Int => match c_api::int(value) {
                Some(int) => self.writer.int(int),
                None => self.big_int(value)?,
            },
            Plain::Float => self.writer.float(c_api::float(value)),
            Plain::Bool => self.writer.bool(c_api::is_true(value)),
            Plain::None => self.writer.null(),
            Plain::List => self.list(value, Self::free)?,
            Plain::Dict => {
                self.enter()?;
                self.writer.out.push('{');
                let mut empty = true;
                for (key, member) in self.exclusive.members(value) {
                    if !std::mem::take(&mut empty) {
                        self.writer.out.push(',');
                    }
                    self.free_key(key)?;
                    self.free(member)?;
                }
                self.writer.out.push('}');
                self.depth -= 1;
            }
            Plain::Other => return Err(Unusual),
        }
        Ok(())
    }

    /// Writes a key of a free dictionary, and a colon.
    #[inline]
    fn free_key(&mut self, key: Lent<'_, 'py>) -> Written {
        if let Some(place) = self.keys.place(key) {
            self.writer.out.extend_from_within(place);
            return Ok(());
        }
        let start = self.writer.out.len();
        self.writer.text(c_api::text(key).ok_or(Unusual)?);
        self.writer.out.push(':');
        self.keys.wrote(key, start..self.writer.out.len());
        Ok(())
    }

    fn list(
        &mut self,
        list: Lent<'_, 'py>,
        mut write: impl FnMut(&mut Self, Lent<'_, 'py>) -> Written,
    ) -> Written {
        self.enter()?;
        self.writer.out.push('[');
        let mut empty = true;
        for item in self.exclusive.items(list) {
            if !std::mem::take(&mut empty) {
                self.writer.out.push(',');
            }
            write(self, item)?;
        }
        self.writer.out.push(']');
        self.depth -= 1;
        Ok(())
    }

    /// Writes an integer beyond 64 bits by its decimal digits.
    fn big_int(&mut self, value: Lent<'_, '_>) -> Written {
        self.writer.out.push_str(&c_api::decimal(value).ok_or(Unusual)?);
        Ok(())
    }

    #[inline]
    fn enter(&mut self) -> Written {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Unusual) } else { Ok(()) }
    }
}
