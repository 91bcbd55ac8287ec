//! Errors and warnings as JSON text, from which JavaScript makes class instances.

use ag_ui_native::bindings::decoder::Warning;
use ag_ui_native::bindings::json::Writer;
use ag_ui_native::bindings::{NumberStyle, documentation};
use ag_ui_native::{Code, Error, Issue, Limits, Object, Value};
use napi_derive::napi;

/// Describes an error as JSON text.
pub fn describe(error: &Error) -> String {
    text(&described(error).into())
}

/// Describes an error as an object.
pub fn described(error: &Error) -> Object {
    let mut object = Object::default();
    object.insert("category", error.code().category().as_str());
    object.insert("message", error.to_string());
    object.insert("code", error.code().as_str());
    object.insert("path", error.path());
    object.insert("issues", error.issues.iter().map(issue).collect::<Vec<Object>>());
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            object.insert(name, value);
        }
    };
    put("eventIndex", error.event_index.map(number));
    put("eventType", error.event_type.map(Value::from));
    put("rule", error.rule().map(|rule| rule.as_str().into()));
    put("operation", error.operation.map(number));
    put("offset", error.offset.map(number));
    put("limit", error.limit.map(|name| Value::from(camel_case(name))));
    object
}

/// The address of the documentation of a broken rule or of a code; `None` if the code is not of this package.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn documentation_of(code: String, rule: Option<String>) -> Option<String> {
    documentation::documentation_of(&code, rule.as_deref())
}

/// Describes an error that JavaScript finds, as JSON text.
pub fn describe_javascript_error(code: &str, detail: String, limit: Option<&str>) -> String {
    describe(&javascript_error(code, detail, limit))
}

/// An error that JavaScript finds, with the names of JavaScript.
pub fn javascript_error(code: &str, detail: String, limit: Option<&str>) -> Error {
    let known = Code::ALL.iter().find(|known| known.as_str() == code);
    let mut error = Error::new(*known.unwrap_or(&Code::Internal), detail);
    if error.code() == Code::UnknownField {
        // JavaScript itself only checks the names of options.
        error = error.advise("use an existing name, or leave it out");
    }
    error.limit = Limits::ALL.iter().map(|limit| limit.0).find(|name| Some(&*camel_case(name)) == limit);
    error
}

/// The warnings of a stream.
pub fn warnings(warnings: &[Warning]) -> String {
    let list: Vec<Object> = warnings
        .iter()
        .map(|warning| {
            let mut object = issue(&warning.issue);
            object.insert("eventIndex", number(warning.event_index));
            if let Some(rule) = warning.issue.rule {
                object.insert("rule", rule.as_str());
            }
            object
        })
        .collect();
    text(&list.into())
}

/// A value as JSON text.
pub fn text(value: &Value) -> String {
    let mut writer = Writer::new(NumberStyle::JavaScript);
    writer.value(value);
    writer.out
}

fn issue(issue: &Issue) -> Object {
    let members = [
        ("code", issue.code.as_str().to_owned()),
        ("path", issue.path.clone()),
        ("message", issue.message()),
    ];
    members.into_iter().collect()
}

/// Counts of things in memory are far below the largest integer of JSON.
pub fn number(count: usize) -> Value {
    Value::from(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Limits are settings, and settings are spelled as JavaScript spells them.
pub fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        name + &head.to_uppercase() + tail
    })
}
