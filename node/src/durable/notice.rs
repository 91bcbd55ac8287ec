//! The notices of a server with a log.

use ag_ui_native::Object;
use ag_ui_native::bindings::durable::LogNotice;

use crate::error;

/// A notice as JSON text: its name, and its fields.
pub fn notice_text(notice: &LogNotice) -> String {
    let fields = notice.fields().into_iter().map(|(_, name, value)| (name, value));
    let mut text = Object::from_iter([("fields", ag_ui_native::Value::from(fields.collect::<Object>()))]);
    text.insert("name", notice.name.as_str());
    error::text(&text.into())
}
