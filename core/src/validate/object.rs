//! Objects of the declared types, and their members.

use super::build::Build;
use super::describe::{REQUIRED, describe};
use super::exceptions::{go_name, is_empty};
use super::validator::{Validator, ValueVerdict, note};
use crate::error::Code;
use crate::json::{Input, View};
use crate::path::{Path, PathStep};
use crate::profile::Undeclared;
use crate::schema::{FieldDef, Kind, OnRead, TypeDef};
use crate::types::BinaryInputContent;

/// The maximum number of members of a declared type.
pub(crate) const MAX_FIELDS: usize = 12;

impl<B: Build> Validator<'_, B> {
    pub(super) fn object<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        input: I,
        ty: &'static TypeDef,
    ) -> ValueVerdict<B::Value> {
        let View::Object(members) = input.view() else {
            return self.wrong_type(at, &Kind::Dict, &input.view());
        };
        let errors_before = self.errors.len();
        let warnings_before = self.warnings.len();
        let mut found: [Option<I>; MAX_FIELDS] = [None; MAX_FIELDS];
        let mut hint = 0;
        let mut undeclared = false;
        for (key, value) in members {
            if let Some(index) = ty.field_index(key, hint) {
                // If a key occurs several times, the last member counts.
                found[index] = Some(value);
                hint = index + 1;
            } else {
                undeclared = true;
            }
        }
        let renamed = if undeclared { self.undeclared(at, input, ty, &mut found) } else { Vec::new() };
        let mut object = self.build.object(ty);
        let may_fill = self.rules.fill_lists;
        let mut is_recognised = true;
        let is_there = |index: usize| found[index].is_some_and(|value| !value.is_null());
        for (index, (field, value)) in ty.fields.iter().zip(found).enumerate() {
            if value.is_none() && field.is_optional() && !may_fill {
                continue;
            }
            let at = &at.then(PathStep::Key(field.wire));
            if field.about.is_some()
                && is_there(index)
                && !is_there(index - 1)
                && self.is_stray(at, ty, index)
            {
                continue;
            }
            let read = match value {
                Some(value) => self.field(at, value, ty, field, &mut object),
                None => self.absent(at, field),
            };
            match read {
                Some(ValueVerdict::Value(value)) => self.build.member(&mut object, index, value),
                Some(ValueVerdict::Unrecognised(_)) if self.rules.variants == Undeclared::Keep => {
                    is_recognised = false;
                    if let Some(value) = value {
                        self.build.extra(&mut object, field.wire, value);
                    }
                }
                Some(unrecognised @ ValueVerdict::Unrecognised(_)) => {
                    // Issues inside an object of unknown type are meaningless.
                    self.errors.truncate(errors_before);
                    self.warnings.truncate(warnings_before);
                    return unrecognised;
                }
                Some(ValueVerdict::Bad) | None => {}
            }
        }
        let keep = undeclared && (ty.open || self.rules.members == Undeclared::Keep);
        if keep && let View::Object(members) = input.view() {
            let is_extra = |key: &str| ty.field_index(key, 0).is_none() && !renamed.contains(&key);
            for (key, value) in members.filter(|(key, _)| is_extra(key)) {
                self.build.extra(&mut object, key, value);
                self.note_lost_numbers(&at.then(PathStep::Key(key)), value);
            }
        }
        if self.rules.non_empty {
            self.check_chunk(at, ty, &found);
        }
        if std::ptr::eq(ty, BinaryInputContent::TYPE) {
            self.check_payload(at, ty, &found);
        }
        if self.errors.len() > errors_before {
            if is_recognised || !ty.is_event() {
                return ValueVerdict::Bad;
            }
            self.errors.truncate(errors_before);
            self.warnings.truncate(warnings_before);
            ValueVerdict::Unrecognised(None)
        } else {
            ValueVerdict::Value(self.build.end(object))
        }
    }

    /// Reads a declared member that is present.
    fn field<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        value: I,
        ty: &'static TypeDef,
        field: &'static FieldDef,
        object: &mut B::Object,
    ) -> Option<ValueVerdict<B::Value>> {
        let is_null = value.is_null();
        if is_null && field.is_optional() {
            return self.null(at, value, field, object);
        }
        if is_null && !matches!(field.kind, Kind::Any) {
            let detail = format!("expected {}", describe(&field.kind));
            return Some(self.bad_but(at, Code::NullNotAllowed, detail, REQUIRED));
        }
        if self.rules.non_empty && is_empty(value, ty, field) {
            return Some(self.bad(at, Code::EmptyValue, ""));
        }
        if field.min_items > 0
            && let View::List(mut items) = value.view()
            && items.nth(field.min_items - 1).is_none()
        {
            return Some(self.bad(at, Code::TooFewItems, format!("expected at least {}", field.min_items)));
        }
        match self.kind(at, value, &field.kind) {
            ValueVerdict::Unrecognised(why) if field.is_optional() => {
                if self.rules.variants == Undeclared::Keep {
                    self.build.extra(object, field.wire, value);
                    return None;
                }
                self.leave_out(at, why, describe(&field.kind));
                None
            }
            read => Some(read),
        }
    }

    /// Reports a member whose companion member is absent. Returns true if the rules drop it.
    fn is_stray(&mut self, at: &Path<'_>, ty: &TypeDef, index: usize) -> bool {
        let detail = format!("expected only beside {}", ty.fields[index - 1].wire);
        match self.rules.members {
            Undeclared::Keep => return false,
            Undeclared::Drop => self.warn(at, Code::StrayField, detail),
            Undeclared::Refuse => self.error(at, Code::StrayField, detail),
        }
        true
    }

    /// Reads `null` in an optional member.
    fn null<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        value: I,
        field: &'static FieldDef,
        object: &mut B::Object,
    ) -> Option<ValueVerdict<B::Value>> {
        if self.rules.null_state && field.on_read == OnRead::NullIsAbsent {
            self.altered = true;
            self.build.null(object, field);
            return None;
        }
        match (self.rules.nulls, field.kind) {
            (Undeclared::Keep, Kind::Any) => Some(ValueVerdict::Value(self.build.json(value))),
            (Undeclared::Keep, _) => {
                self.build.extra(object, field.wire, value);
                None
            }
            (Undeclared::Drop, _) => {
                self.build.null(object, field);
                self.warn(at, Code::NullNotAllowed, "read as absent");
                None
            }
            (Undeclared::Refuse, _) => Some(self.bad(at, Code::NullNotAllowed, "")),
        }
    }

    /// Reads a declared member that is absent.
    fn absent(&mut self, at: &Path<'_>, field: &'static FieldDef) -> Option<ValueVerdict<B::Value>> {
        if field.is_optional() {
            let fill = self.rules.fill_lists && field.on_read == OnRead::AbsentIsEmpty;
            self.altered |= fill;
            return fill.then(|| ValueVerdict::Value(self.build.list(Vec::new())));
        }
        let fixed = match field.kind {
            Kind::Literal(literal) => Some(literal),
            Kind::Enum(set) if set.values.len() == 1 => Some(set.values[0]),
            _ => None,
        };
        match (fixed, field.kind) {
            (Some(literal), kind) if self.rules.repair => {
                self.warn(at, Code::FilledField, literal);
                Some(ValueVerdict::Value(match kind {
                    Kind::Enum(set) => self.build.choice(set, 0),
                    _ => self.build.literal(literal),
                }))
            }
            _ => Some(self.bad(at, Code::MissingField, format!("expected {}", describe(&field.kind)))),
        }
    }

    /// Refuses, drops or keeps the members that `ty` does not declare, by the rules. Finds declared members under other spellings, and
    /// returns those spellings.
    fn undeclared<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        input: I,
        ty: &'static TypeDef,
        found: &mut [Option<I>; MAX_FIELDS],
    ) -> Vec<&'a str> {
        let mut renamed = Vec::new();
        let View::Object(members) = input.view() else { return renamed };
        for (key, value) in members.filter(|(key, _)| ty.field_index(key, 0).is_none()) {
            let other = self.other_spelling(ty, key);
            if let Some(index) = other.filter(|&index| found[index].is_none()) {
                found[index] = Some(value);
                renamed.push(key);
                let expected = format!("expected {}", ty.fields[index].wire);
                note(&mut self.warnings, at, Code::RenamedField, Some(key), expected);
            } else if !ty.open && self.rules.members != Undeclared::Keep {
                let refused = self.rules.members == Undeclared::Refuse;
                let issues = if refused { &mut self.errors } else { &mut self.warnings };
                note(issues, at, Code::UnknownField, Some(key), "");
            }
        }
        renamed
    }

    fn other_spelling(&self, ty: &TypeDef, key: &str) -> Option<usize> {
        let attribute = match key {
            "from_" => "from",
            // The name in 0.x.
            "subAgents" | "sub_agents" => "subagents",
            _ => key,
        };
        let attribute = if self.rules.repair { ty.field_named(attribute) } else { None };
        attribute.or_else(|| if self.rules.go_member_names { go_name(ty, key) } else { None })
    }

    /// Refuses a chunk without a member of its own, if the rules require non-empty values.
    fn check_chunk<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        ty: &TypeDef,
        found: &[Option<I>; MAX_FIELDS],
    ) {
        const COMMON: [&str; 5] = ["type", "timestamp", "rawEvent", "metadata", "subagentRunId"];
        let own = || ty.fields.iter().zip(found).filter(|(field, _)| !COMMON.contains(&field.wire));
        let is_chunk = ty.is_event() && own().all(|(field, _)| field.is_optional());
        if is_chunk && own().all(|(_, value)| value.is_none()) {
            self.error(at, Code::EmptyValue, "a chunk needs at least one member of its own");
        }
    }

    /// Refuses a retired binary part if its `id`, `url` and `data` are all empty.
    fn check_payload<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        ty: &TypeDef,
        found: &[Option<I>; MAX_FIELDS],
    ) {
        let says_something = ["id", "url", "data"].into_iter().any(|key| {
            let value = ty.field_index(key, 0).and_then(|index| found[index]);
            matches!(value.map(I::view), Some(View::Text(text)) if !text.is_empty())
        });
        if !says_something {
            self.error(at, Code::NoPartSource, "");
        }
    }
}
