//! Values about which nothing is declared, made of whatever holds them.

use super::{Input, Number, View};

/// Makes a host's own values of JSON.
pub trait Assemble {
    /// A finished value.
    type Value;
    /// An object being made.
    type Object;

    /// `null`
    fn null(&mut self) -> Self::Value;
    /// `true` or `false`
    fn bool(&mut self, value: bool) -> Self::Value;
    /// A number of any size.
    fn number(&mut self, number: Number) -> Self::Value;
    /// A string.
    fn text(&mut self, text: &str) -> Self::Value;
    /// A list.
    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value;
    /// Starts an object.
    fn object(&mut self) -> Self::Object;
    /// Sets a member; a later one of the same key takes the place of an earlier one.
    fn member(&mut self, object: &mut Self::Object, key: &str, value: Self::Value);
    /// Finishes an object.
    fn end(&mut self, object: Self::Object) -> Self::Value;

    /// The value that `input` holds.
    fn assemble<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        match input.view() {
            View::Null => self.null(),
            View::Bool(value) => self.bool(value),
            View::Number => self.number(input.number()),
            View::Text(text) => self.text(text),
            View::List(items) => {
                let items = items.map(|item| self.assemble(item)).collect();
                self.list(items)
            }
            View::Object(members) => {
                let mut object = self.object();
                for (key, member) in members {
                    let value = self.assemble(member);
                    self.member(&mut object, key, value);
                }
                self.end(object)
            }
        }
    }
}
