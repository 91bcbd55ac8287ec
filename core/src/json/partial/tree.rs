//! Core's own tree for a document that grows.

use std::mem::take;

use super::growth::Growth;
use crate::json::{Number, Object, Value};

/// A value that grows at its end. While it grows, open lists and objects are kept in a separate list, so a step
/// has the same cost at any depth. Otherwise each is at its place in the tree.
#[derive(Debug)]
pub struct GrowingValue {
    root: Value,
    open: Vec<OpenContainer>,
}

/// An open list or object, the outermost first.
#[derive(Debug)]
struct OpenContainer {
    /// `null` while the tree is folded.
    value: Value,
    /// The key of an object's last member.
    key: String,
}

impl GrowingValue {
    /// Creates a tree with the value `root` until a value begins.
    pub fn new(root: Value) -> Self {
        Self { root, open: Vec::new() }
    }

    /// Returns the value of a folded tree.
    pub fn value(&self) -> &Value {
        &self.root
    }

    /// Returns the value of a folded tree.
    pub fn into_value(self) -> Value {
        self.root
    }

    /// Applies one step to an unfolded tree.
    pub fn grow(&mut self, growth: Growth<'_>) {
        match growth {
            Growth::Key(key) => {
                if let Some(open) = self.open.last_mut() {
                    key.clone_into(&mut open.key);
                }
            }
            Growth::Object => self.begin(Value::Object(Object::default())),
            Growth::List => self.begin(Value::Array(Vec::new())),
            Growth::Text(text) => self.put(text.into()),
            Growth::Append(text) => {
                if let Some(Value::String(known)) = self.last() {
                    known.push_str(text);
                }
            }
            Growth::Null => self.put(Value::Null),
            Growth::Bool(value) => self.put(value.into()),
            Growth::Number(text) => self.put(Number::parse(text).into()),
            Growth::Close => self.end(),
            Growth::Complete(_) => {}
        }
    }

    /// Takes the open lists and objects out of the tree.
    pub fn unfold(&mut self) {
        let mut holder: Option<&mut OpenContainer> = None;
        for open in &mut self.open {
            open.value = match holder {
                Some(holder) => holder.last().map(take).unwrap_or_default(),
                None => take(&mut self.root),
            };
            holder = Some(open);
        }
    }

    /// Puts the open lists and objects back into the tree.
    pub fn fold(&mut self) {
        for depth in (0..self.open.len()).rev() {
            let value = take(&mut self.open[depth].value);
            let place = match depth.checked_sub(1) {
                Some(holder) => self.open[holder].last(),
                None => Some(&mut self.root),
            };
            if let Some(place) = place {
                *place = value;
            }
        }
    }

    /// Begins a list or object. `null` takes its place in the tree.
    fn begin(&mut self, value: Value) {
        self.put(Value::Null);
        self.open.push(OpenContainer { value, key: String::new() });
    }

    fn end(&mut self) {
        if let Some(open) = self.open.pop()
            && let Some(place) = self.last()
        {
            *place = open.value;
        }
    }

    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.root = value,
            Some(OpenContainer { value: Value::Array(items), .. }) => items.push(value),
            Some(OpenContainer { value: Value::Object(members), key }) => {
                _ = members.insert(key.as_str(), value);
            }
            Some(_) => {}
        }
    }

    /// Returns the value put last.
    fn last(&mut self) -> Option<&mut Value> {
        match self.open.last_mut() {
            Some(open) => open.last(),
            None => Some(&mut self.root),
        }
    }
}

impl OpenContainer {
    /// Returns the value put last.
    fn last(&mut self) -> Option<&mut Value> {
        match &mut self.value {
            Value::Array(items) => items.last_mut(),
            Value::Object(members) => members.get_mut(&self.key),
            _ => None,
        }
    }
}
