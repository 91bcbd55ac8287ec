//! Values of unions.

use std::borrow::Cow;

use super::found::Found;
use super::reading::{Reading, Result, invalid};
use crate::error::{Code, Issue};
use crate::path::{Path, PathStep};
use crate::protobuf::message::{Arms, Message, Union, WireField, WireKind};
use crate::protobuf::wire::{Fields, Payload, enumerated};
use crate::schema::UnionDef;

impl Reading<'_, '_> {
    /// Writes a variant of a union whose variants share a message.
    pub(super) fn union(&mut self, union: &'static Union, bytes: &[u8], path: &Path<'_>) -> Result<()> {
        let mut found = Found::of(bytes);
        self.find(&mut found, &union.members, path)?;
        let tag_place = path.then(PathStep::Key(union.def.tag));
        let tag = union.members.iter().find(|member| member.def.is_tag());
        let tag: Cow<'_, str> = match tag {
            Some(WireField { number, holds: WireKind::TagNumber(_), .. }) => {
                let number = enumerated(found.varint(*number).unwrap_or_default());
                let known = usize::try_from(number).ok().and_then(|number| union.def.variants.get(number));
                known.map_or_else(|| number.to_string().into(), |variant| variant.tag.into())
            }
            Some(member) => self.utf8(found.bytes(member.number).unwrap_or_default(), &tag_place)?,
            None => Cow::Borrowed(""),
        };
        let variant = union.def.variant(&tag).map(|(index, _)| union.variants[index]);
        Self::check_forms(union, variant, &found, path)?;
        self.json.out.push('{');
        let mut written = 0u32;
        if let Some(variant) = variant {
            self.members(variant, None, &found, path)?;
            written = variant.members.iter().fold(0, |bits, member| bits | 1 << member.number);
        } else {
            self.key_of(union.def.tag);
            self.json.text(&tag);
        }
        for member in union.members.iter().filter(|member| written & 1 << member.number == 0) {
            if !member.def.is_tag() && found.is_there(member.number) {
                self.member(member, false, &found, &path.then(PathStep::Key(member.def.wire)))?;
            }
        }
        self.json.out.push('}');
        Ok(())
    }

    /// Checks the forms of a member. A member can have several forms with a field for each; only one may be present,
    /// and the variant must have it.
    pub(super) fn check_forms(
        union: &Union,
        variant: Option<&Message>,
        found: &Found<'_>,
        path: &Path<'_>,
    ) -> Result<()> {
        let members = union.forms.iter().map(|index| &union.members[*index]);
        let mut forms = members.filter(|member| found.is_there(member.number));
        let Some(form) = forms.next() else { return Ok(()) };
        let is_known =
            variant.is_none_or(|variant| variant.members.iter().any(|own| own.number == form.number));
        if is_known && forms.next().is_none() {
            return Ok(());
        }
        Err(invalid(&path.then(PathStep::Key(form.def.wire)), "the member belongs to another variant"))
    }

    /// Writes the variant of a union that has a field for each; writes a warning instead if none is known.
    pub(super) fn arms(&mut self, arms: &'static Arms, bytes: &[u8], path: &Path<'_>) -> Result<bool> {
        let mut arm: Option<(usize, Cow<'_, [u8]>)> = None;
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, path))?;
            let Payload::Bytes(inner) = field.payload else { continue };
            let index = field.number as usize - 1;
            match &mut arm {
                _ if index >= arms.variants.len() => {}
                None => arm = Some((index, inner.into())),
                Some((known, merged)) if *known == index => self.join(merged, inner, path)?,
                Some(_) => return Err(invalid(path, "the value has two variants")),
            }
        }
        let Some((index, bytes)) = arm else {
            let detail = format!("expected a known variant of {}", arms.def.name);
            self.issues.push(Issue::new(Code::UnknownVariant, path.pointer(), detail));
            return Ok(false);
        };
        let message = arms.variants[index];
        let mut found = Found::of(&bytes);
        self.find(&mut found, &message.members, path)?;
        // A variant with an unknown variant inside is dropped as a whole.
        for member in &message.members {
            if let WireKind::Arms(inner) = member.holds
                && let Some(bytes) = self.merged(&found, member.number, path)?
                && !self.has_arm(inner, &bytes, &path.then(PathStep::Key(member.def.wire)))?
            {
                let at = path.then(PathStep::Key(member.def.wire));
                let detail = format!("no known {}", inner.def.name);
                self.issues.push(Issue::new(Code::UnknownVariant, at.pointer(), detail));
                return Ok(false);
            }
        }
        self.json.out.push('{');
        self.members(message, None, &found, path)?;
        self.json.out.push('}');
        Ok(true)
    }

    pub(super) fn has_arm(&self, arms: &Arms, bytes: &[u8], path: &Path<'_>) -> Result<bool> {
        let mut there = false;
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, path))?;
            there |=
                matches!(field.payload, Payload::Bytes(_)) && field.number as usize <= arms.variants.len();
        }
        Ok(there)
    }

    /// Writes an object whose tag and members are fields of the type that contains it.
    pub(super) fn outcome(
        &mut self,
        union: &'static UnionDef,
        tag: &WireField,
        members: &'static [WireField],
        found: &Found<'_>,
        path: &Path<'_>,
    ) -> Result<()> {
        let name = self.utf8(found.bytes(tag.number).unwrap_or_default(), path)?.into_owned();
        let variant = union.variants.iter().position(|variant| variant.tag == name);
        // Without a tag, they become members of the type itself, which does not declare them.
        if !name.is_empty() {
            self.key(tag.def.key);
            self.json.out.push('{');
            self.key_of(union.tag);
            self.json.text(&name);
        }
        for member in members {
            let Some((of_variant, _)) = member.part else { continue };
            let is_required = !member.def.is_optional() && variant == Some(of_variant);
            if is_required || found.is_there(member.number) {
                let field = WireField { explicit: !is_required, ..member.clone() };
                self.member(&field, false, found, &path.then(PathStep::Key(member.def.wire)))?;
            }
        }
        if !name.is_empty() {
            self.json.out.push('}');
        }
        Ok(())
    }
}
