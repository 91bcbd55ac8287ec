//! Examples of the declared types: one document each, and the code that makes its value in each language.

use std::sync::LazyLock;

use ag_ui_native::bindings::schema::{FieldDef, Kind, TypeDef};
use ag_ui_native::types::ContentPart;
use serde_json::{Map, Value};

static DOCUMENTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../src/types/examples.json")).expect("the examples are JSON")
});

/// Returns the example of a type or a union: a document as it is on the wire.
pub fn document(name: &str) -> &'static Value {
    DOCUMENTS.get(name).unwrap_or_else(|| panic!("core/src/types/examples.json has no example of {name}"))
}

/// Returns the example as compact JSON.
pub fn json(name: &str) -> String {
    document(name).to_string()
}

/// Returns the members of a document that a program gives, and their values: all but the tag.
pub fn given<'a>(ty: &TypeDef, document: &'a Value) -> Vec<(&'static FieldDef, &'a Value)> {
    let fields = ty.fields.iter().filter(|field| !field.is_tag());
    fields.filter_map(|field| Some((field, document.get(field.wire)?))).collect()
}

/// Returns the type of the value of a member: `document` tells a union's variant.
pub fn type_of(kind: &Kind, document: &Value) -> Option<&'static TypeDef> {
    match kind {
        Kind::Object(ty) => Some(ty),
        Kind::Union(union) => union.variant(document[union.tag].as_str()?).map(|(_, ty)| ty),
        Kind::Content => type_of(&Kind::Union(ContentPart::UNION), document),
        _ => None,
    }
}

/// Returns the last word of a type's name, as the name of a variable: `event` for `TextMessageEndEvent`.
pub fn variable(name: &str) -> String {
    let start = name.rfind(|letter: char| letter.is_ascii_uppercase()).unwrap_or(0);
    name[start..].to_ascii_lowercase()
}

/// An expression of any of the languages.
pub struct Code {
    open: String,
    parts: Vec<Code>,
    close: &'static str,
    /// Calls on the value: `.with_name("Ada")`.
    calls: Vec<Code>,
}

impl Code {
    /// An expression that stays on one line.
    pub fn text(text: impl Into<String>) -> Self {
        Self { open: text.into(), parts: Vec::new(), close: "", calls: Vec::new() }
    }

    /// Parts between two texts.
    pub fn list(open: impl Into<String>, parts: Vec<Self>, close: &'static str) -> Self {
        Self { open: open.into(), parts, close, calls: Vec::new() }
    }

    /// The expression after a text, as `name=` or `const event = `.
    pub fn after(mut self, text: &str) -> Self {
        self.open.insert_str(0, text);
        self
    }

    /// The value that these calls return.
    pub fn calling(mut self, calls: Vec<Self>) -> Self {
        self.calls.extend(calls);
        self
    }

    /// Returns the expression in lines of at most `width` characters, if it can be broken so.
    pub fn lines(&self, width: usize, end: &str) -> Vec<String> {
        let mut lines = Vec::new();
        self.lay_out(width, 0, end, &mut lines);
        lines
    }

    fn lay_out(&self, width: usize, indent: usize, end: &str, lines: &mut Vec<String>) {
        let (pad, flat) = (" ".repeat(indent), self.flat());
        if indent + flat.len() + end.len() <= width || self.parts.is_empty() && self.calls.is_empty() {
            lines.push(format!("{pad}{flat}{end}"));
        } else if let [before @ .., last] = self.calls.as_slice() {
            let value =
                Self { open: self.open.clone(), parts: Vec::new(), close: self.close, calls: Vec::new() };
            lines.push(format!("{pad}{}", value.flat_with(&self.parts)));
            for call in before {
                call.lay_out(width, indent + 4, "", lines);
            }
            last.lay_out(width, indent + 4, end, lines);
        } else {
            lines.push(format!("{pad}{}", self.open));
            for part in &self.parts {
                part.lay_out(width, indent + if self.close == "}" { 2 } else { 4 }, ",", lines);
            }
            lines.push(format!("{pad}{}{end}", self.close));
        }
    }

    fn flat(&self) -> String {
        self.flat_with(&self.parts) + &self.calls.iter().map(Self::flat).collect::<String>()
    }

    fn flat_with(&self, parts: &[Self]) -> String {
        let parts: Vec<_> = parts.iter().map(Self::flat).collect();
        let space = if self.close == "}" && !parts.is_empty() { " " } else { "" };
        format!("{}{space}{}{space}{}", self.open, parts.join(", "), self.close)
    }
}
