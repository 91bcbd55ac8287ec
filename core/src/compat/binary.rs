//! Reads the retired binary part of messages as the media part that replaced it.

use super::note;
use crate::collections::HashSet;
use crate::error::{Code, Issue};
use crate::json::{Input, View};
use crate::{Object, Value};

/// Turns the binary parts in the messages of a run input (a JSON object) into media parts. Returns an issue for each.
/// It works on free JSON, since typed messages cannot hold a binary part. Invalid binary parts are left for
/// validation.
pub fn upgrade_input(input: &mut Value) -> Vec<Issue> {
    let mut issues = Vec::new();
    if let Value::Object(members) = input {
        upgrade_messages(members, "", &mut issues);
    }
    issues
}

/// Turns the binary parts in `messages` of any object. `path` is the place of the object.
pub fn upgrade_messages(holder: &mut Object, path: &str, issues: &mut Vec<Issue>) {
    let Some(Value::Array(messages)) = holder.get_mut("messages") else { return };
    for (index, message) in messages.iter_mut().enumerate() {
        if let Value::Object(message) = message {
            upgrade_content(message, &format!("{path}/messages/{index}"), issues);
        }
    }
}

/// Turns the binary parts of one message.
pub fn upgrade_content(message: &mut Object, path: &str, issues: &mut Vec<Issue>) {
    if let Some(Value::Array(parts)) = message.get_mut("content") {
        upgrade_parts(parts, &format!("{path}/content"), issues);
    }
}

/// Turns a single part.
pub fn upgrade_part(part: &mut Value, issues: &mut Vec<Issue>) {
    if let Some(binary) = Binary::of(part) {
        let upgraded = binary.upgraded();
        note(issues, binary.issue(String::new(), false));
        *part = upgraded;
    }
}

/// True if the messages of `holder` have a binary part.
pub fn is_in_messages<'a, I: Input<'a>>(holder: I) -> bool {
    items(holder.member("messages")).any(is_in_content)
}

/// True if a message has a binary part.
pub fn is_in_content<'a, I: Input<'a>>(message: I) -> bool {
    items(message.member("content")).any(is_part)
}

/// True if this is a binary part.
pub fn is_part<'a, I: Input<'a>>(part: I) -> bool {
    matches!(part.member("type").map(I::view), Some(View::Text("binary")))
}

fn items<'a, I: Input<'a>>(list: Option<I>) -> impl Iterator<Item = I> {
    let items = match list.map(I::view) {
        Some(View::List(items)) => Some(items),
        _ => None,
    };
    items.into_iter().flatten()
}

/// A binary part with a source of its bytes.
struct Binary<'a> {
    mime_type: &'a str,
    source: &'static str,
    value: &'a str,
    filename: Option<&'a str>,
}

/// The members that make two media parts equal: kind, kind of source, value, MIME type, and the file name if it
/// counts.
type Identity<'a> = (&'a str, &'a str, &'a str, &'a str, Option<&'a str>);

fn upgrade_parts(parts: &mut Vec<Value>, path: &str, issues: &mut Vec<Issue>) {
    let old = std::mem::take(parts);
    // Producers in transition sent a picture in both forms.
    let modern: HashSet<Identity<'_>> = old.iter().flat_map(identities).collect();
    let fates: Vec<Option<Option<Value>>> = old
        .iter()
        .enumerate()
        .map(|(index, part)| {
            let binary = Binary::of(part)?;
            let is_mirror = modern.contains(&binary.identity());
            note(issues, binary.issue(format!("{path}/{index}"), is_mirror));
            Some((!is_mirror).then(|| binary.upgraded()))
        })
        .collect();
    drop(modern);
    parts.extend(old.into_iter().zip(fates).filter_map(|(part, fate)| fate.unwrap_or(Some(part))));
}

/// Returns the identities of a media part: with and without its file name.
fn identities(part: &Value) -> impl Iterator<Item = Identity<'_>> {
    let identity = || {
        let part = part.as_object()?;
        let source = part.get("source")?.as_object()?;
        let filename =
            part.get("metadata").and_then(Value::as_object).and_then(|data| text(data, "filename"));
        let mime_type = text(source, "mimeType").unwrap_or_default();
        let of = |filename| {
            Some((text(part, "type")?, text(source, "type")?, text(source, "value")?, mime_type, filename))
        };
        Some([of(None), filename.and_then(|_| of(filename))])
    };
    identity().into_iter().flatten().flatten()
}

impl<'a> Binary<'a> {
    fn of(part: &'a Value) -> Option<Self> {
        let part = part.as_object()?;
        if text(part, "type") != Some("binary") {
            return None;
        }
        let some_text = |key| text(part, key).filter(|text| !text.is_empty());
        let (source, value) = match (some_text("data"), some_text("url")) {
            (Some(data), _) => ("data", data),
            (None, Some(url)) => ("url", url),
            (None, None) => return None,
        };
        Some(Self { mime_type: text(part, "mimeType")?, source, value, filename: some_text("filename") })
    }

    fn kind(&self) -> &'static str {
        ["image", "audio", "video"]
            .into_iter()
            .find(|kind| self.mime_type.strip_prefix(kind).is_some_and(|rest| rest.starts_with('/')))
            .unwrap_or("document")
    }

    fn identity(&self) -> Identity<'a> {
        (self.kind(), self.source, self.value, self.mime_type, self.filename)
    }

    fn issue(&self, path: String, is_mirror: bool) -> Issue {
        let kind = self.kind();
        let detail = if is_mirror {
            format!("the binary part has the same content as the {kind} part beside it, so it is left out")
        } else {
            format!("the binary part is now a part of type {kind}")
        };
        Issue::new(Code::LegacyShape, path, detail)
    }

    fn upgraded(&self) -> Value {
        let source =
            Object::from_iter([("type", self.source), ("value", self.value), ("mimeType", self.mime_type)]);
        let mut part = Object::from_iter([("type", Value::from(self.kind())), ("source", source.into())]);
        if let Some(filename) = self.filename {
            part.insert("metadata", Object::from_iter([("filename", filename)]));
        }
        part.into()
    }
}

fn text<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}
