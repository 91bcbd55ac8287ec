//! Builds free-form values in the form of their host.

use super::Number;

/// Builds a host's own values from JSON.
pub trait Assemble {
    /// A finished value.
    type Value;
    /// An unfinished object.
    type Object;

    /// Makes `null`.
    fn null(&mut self) -> Self::Value;
    /// Makes `true` or `false`.
    fn bool(&mut self, value: bool) -> Self::Value;
    /// Makes a number of any size.
    fn number(&mut self, number: Number) -> Self::Value;
    /// Makes a string.
    fn text(&mut self, text: &str) -> Self::Value;
    /// Makes a list.
    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value;
    /// Starts an object.
    fn object(&mut self) -> Self::Object;
    /// Sets a member; a later member of the same key replaces an earlier one.
    fn member(&mut self, object: &mut Self::Object, key: &str, value: Self::Value);
    /// Finishes an object.
    fn end(&mut self, object: Self::Object) -> Self::Value;
}

/// Builds nothing: for values that are only checked.
pub struct NoValue;

impl Assemble for NoValue {
    type Value = ();
    type Object = ();

    fn null(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn number(&mut self, _: Number) {}
    fn text(&mut self, _: &str) {}
    fn list(&mut self, _: Vec<()>) {}
    fn object(&mut self) {}
    fn member(&mut self, (): &mut (), _: &str, (): ()) {}
    fn end(&mut self, (): ()) {}
}
