//! The builder that makes nothing.

use super::build::Build;
use super::cursor::FreeText;
use crate::json::Input;
use crate::schema::{EnumDef, TypeDef};

/// Makes nothing: for callers that need only the verdict.
#[derive(Debug)]
pub struct Nothing;

impl Build for Nothing {
    type Value = ();
    type Object = ();

    fn text(&mut self, _: &str) {}
    fn bool(&mut self, _: bool) {}
    fn int(&mut self, _: i64) {}
    fn choice(&mut self, _: &'static EnumDef, _: usize) {}
    fn json<'a, I: Input<'a>>(&mut self, _: I) {}
    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<()> {
        text.source().map(drop)
    }
    fn unknown<'a, I: Input<'a>>(&mut self, _: I) {}
    fn list(&mut self, _: Vec<()>) {}
    fn object(&mut self, _: &'static TypeDef) {}
    fn member(&mut self, (): &mut (), _: usize, (): ()) {}
    fn extra<'a, I: Input<'a>>(&mut self, (): &mut (), _: &str, _: I) {}
    fn end(&mut self, (): ()) {}
}
