//! Free values and text.

use std::borrow::Cow;

use super::reading::{Reading, Result};
use crate::error::{Code, Error, Issue};
use crate::path::{Path, PathStep};
use crate::protobuf::value::{BOOL, ITEMS, LIST, NULL, NUMBER, STRUCT, TEXT, whole};
use crate::protobuf::wire::{Fields, Payload};

impl Reading<'_, '_> {
    /// Writes a free value. Returns whether there is one.
    pub(super) fn value(&mut self, bytes: &[u8], depth: usize, path: &Path<'_>) -> Result<bool> {
        let mut kind = None;
        let mut merged: Cow<'_, [u8]> = Cow::Borrowed(&[]);
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, path))?;
            let is_known = match (field.number, field.payload) {
                (NULL | BOOL, Payload::Varint(_))
                | (NUMBER, Payload::Fixed64(_))
                | (TEXT, Payload::Bytes(_)) => true,
                (STRUCT | LIST, Payload::Bytes(inner)) => {
                    let again = kind.is_some_and(|(number, _)| number == field.number);
                    if again {
                        self.join(&mut merged, inner, path)?;
                    } else {
                        merged = inner.into();
                    }
                    true
                }
                _ => false,
            };
            if is_known {
                kind = Some((field.number, field.payload));
            }
        }
        match kind {
            None => return Ok(false),
            Some((STRUCT, _)) => self.object(&merged, depth, path)?,
            Some((LIST, _)) => self.items(&merged, depth, path)?,
            Some((_, Payload::Bytes(text))) => self.text(text, path)?,
            Some((BOOL, Payload::Varint(value))) => self.json.bool(value != 0),
            Some((_, Payload::Fixed64(bits))) => self.number(f64::from_bits(bits), path),
            Some(_) => self.json.null(),
        }
        Ok(true)
    }

    pub(super) fn number(&mut self, double: f64, path: &Path<'_>) {
        if let Some(int) = whole(double) {
            return self.json.int(int);
        }
        if !double.is_finite() {
            let issue =
                Issue::new(Code::NumberOutOfRange, path.pointer(), "JSON has no infinite numbers and no NaN")
                    .advise("send a finite number, or a string");
            self.issues.push(issue);
        }
        self.json.float(double);
    }

    pub(super) fn items(&mut self, bytes: &[u8], depth: usize, path: &Path<'_>) -> Result<()> {
        let depth = self.inside(depth, path)?;
        self.json.out.push('[');
        let mut index = 0;
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, path))?;
            let (ITEMS, Payload::Bytes(item)) = (field.number, field.payload) else { continue };
            if index > 0 {
                self.json.out.push(',');
            }
            if !self.value(item, depth, &path.then(PathStep::Index(index)))? {
                self.json.null();
            }
            index += 1;
        }
        self.json.out.push(']');
        Ok(())
    }

    pub(super) fn object(&mut self, bytes: &[u8], depth: usize, path: &Path<'_>) -> Result<()> {
        let depth = self.inside(depth, path)?;
        self.json.out.push('{');
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, path))?;
            let (ITEMS, Payload::Bytes(entry)) = (field.number, field.payload) else { continue };
            let (key, value) = self.entry(entry, path)?;
            let key = self.utf8(key, path)?;
            let at = path.then(PathStep::Key(&key));
            let start = self.json.out.len();
            self.comma();
            self.json.text(&key);
            self.json.out.push(':');
            if !self.value(&value, depth, &at)? {
                self.json.out.truncate(start);
            }
        }
        self.json.out.push('}');
        Ok(())
    }

    pub(super) fn inside(&self, depth: usize, path: &Path<'_>) -> Result<usize> {
        depth.checked_sub(1).ok_or_else(|| {
            let mut error = Error::limit("depth", self.options.depth);
            error.issues[0].path = path.pointer();
            error
        })
    }

    pub(super) fn text(&mut self, bytes: &[u8], path: &Path<'_>) -> Result<()> {
        let text = self.utf8(bytes, path)?;
        self.json.text(&text);
        Ok(())
    }

    #[inline]
    pub(super) fn utf8<'b>(&mut self, bytes: &'b [u8], path: &Path<'_>) -> Result<Cow<'b, str>> {
        match simdutf8::compat::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(error) => self.no_utf8(bytes, error.valid_up_to(), path).map(Cow::Owned),
        }
    }

    #[cold]
    fn no_utf8(&mut self, bytes: &[u8], valid_up_to: usize, path: &Path<'_>) -> Result<String> {
        if self.options.replace_invalid_text {
            self.issues.push(Issue::new(Code::ReplacedText, path.pointer(), "not UTF-8"));
            return Ok(String::from_utf8_lossy(bytes).into_owned());
        }
        let offset = self.offset_of(bytes).map(|start| start + valid_up_to);
        Err(Error { offset, ..Error::at(Code::InvalidUtf8, path.pointer(), "") })
    }
}
