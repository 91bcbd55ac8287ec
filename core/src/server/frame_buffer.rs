//! Events as frames of a wire format, collected until they are taken.

use super::wire_format::WireFormat;
use crate::encode::{to_json, try_to_json};
use crate::error::Error;
use crate::json::write_text;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::protobuf::ProtobufEncoder;
use crate::sse;
use crate::types::Event;

/// Frames that wait to be sent.
#[derive(Debug)]
pub(super) struct FrameBuffer {
    form: Form,
    /// True if the client has gone: new frames are dropped.
    pub dropped: bool,
}

#[derive(Debug)]
enum Form {
    Text { waiting: String },
    Binary { waiting: Vec<u8>, encoder: Box<ProtobufEncoder> },
}

/// The size of the buffer that is kept after its frames are taken.
const KEPT: usize = 64 * 1024;

impl FrameBuffer {
    pub fn new(wire_format: WireFormat, limits: Limits) -> Self {
        let form = match wire_format {
            WireFormat::Text => Form::Text { waiting: String::new() },
            WireFormat::Binary => {
                let mut encoder = ProtobufEncoder::new(Rules::of(Profile::Strict), limits.for_writing());
                encoder.framed = true;
                Form::Binary { waiting: Vec::new(), encoder: Box::new(encoder) }
            }
        };
        Self { form, dropped: false }
    }

    pub fn wire_format(&self) -> WireFormat {
        match self.form {
            Form::Text { .. } => WireFormat::Text,
            Form::Binary { .. } => WireFormat::Binary,
        }
    }

    /// Adds an event. An event that the wire format cannot encode is refused and adds nothing.
    pub fn event(&mut self, event: &Event) -> Result<(), Error> {
        let json = try_to_json(event)?;
        match &mut self.form {
            Form::Text { waiting } => waiting.extend([sse::BEFORE, &json, sse::AFTER]),
            Form::Binary { waiting, encoder } => write_binary(waiting, encoder, &json)?,
        }
        self.drop_unwanted();
        Ok(())
    }

    /// Adds the event of `template`, with `delta`.
    #[inline]
    pub fn delta(&mut self, template: &Template, delta: &str) -> Result<(), Error> {
        match &mut self.form {
            Form::Text { waiting } => template.write(waiting, delta),
            Form::Binary { waiting, encoder } => {
                let mut frame = String::new();
                template.write(&mut frame, delta);
                write_binary(waiting, encoder, &frame[sse::BEFORE.len()..frame.len() - sse::AFTER.len()])?;
            }
        }
        self.drop_unwanted();
        Ok(())
    }

    /// Adds the comment that keeps a silent connection alive.
    pub fn comment(&mut self) {
        if let Form::Text { waiting } = &mut self.form {
            waiting.push_str(WireFormat::Text.heartbeat().unwrap_or_default());
        }
        self.drop_unwanted();
    }

    /// The waiting bytes.
    #[inline]
    pub fn waiting(&self) -> &[u8] {
        match &self.form {
            Form::Text { waiting } => waiting.as_bytes(),
            Form::Binary { waiting, .. } => waiting,
        }
    }

    /// Drops the waiting bytes after this length: whole frames.
    pub fn truncate(&mut self, length: usize) {
        match &mut self.form {
            Form::Text { waiting } => waiting.truncate(length),
            Form::Binary { waiting, .. } => waiting.truncate(length),
        }
    }

    /// Moves the waiting frames from the position `from` on to the earlier position `to`.
    pub fn move_back(&mut self, from: usize, to: usize) {
        match &mut self.form {
            Form::Text { waiting } if to < from && from < waiting.len() => {
                let moved = waiting.split_off(from);
                waiting.insert_str(to, &moved);
            }
            Form::Binary { waiting, .. } if to < from && from < waiting.len() => {
                waiting[to..].rotate_left(from - to);
            }
            _ => {}
        }
    }

    /// Drops the waiting bytes, which are sent or have no reader.
    pub fn clear(&mut self) {
        match &mut self.form {
            Form::Text { waiting } => {
                waiting.clear();
                waiting.shrink_to(KEPT);
            }
            Form::Binary { waiting, .. } => {
                waiting.clear();
                waiting.shrink_to(KEPT);
            }
        }
    }

    #[inline]
    fn drop_unwanted(&mut self) {
        if self.dropped {
            self.clear();
        }
    }
}

fn write_binary(waiting: &mut Vec<u8>, encoder: &mut ProtobufEncoder, json: &str) -> Result<(), Error> {
    let frame = encoder.encode(json.as_bytes())?.message;
    waiting.extend_from_slice(frame.unwrap_or_default());
    Ok(())
}

/// The frame of an event that is sent repeatedly with another `delta`: the text around the delta.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// The text before the delta.
    head: Box<str>,
    /// The text after it.
    tail: Box<str>,
}

impl Template {
    /// The template of an event whose delta is empty.
    pub fn of(event: &Event) -> Self {
        let json = to_json(event);
        // A string value cannot contain this text, because its quotes are escaped; these events have no free values.
        let (head, tail) = json.rsplit_once("\"delta\":\"\"").unwrap_or((&json, ""));
        let (head, tail) = (format!("{}{head}\"delta\":", sse::BEFORE), format!("{tail}{}", sse::AFTER));
        Self { head: head.into(), tail: tail.into() }
    }

    #[inline]
    fn write(&self, out: &mut String, delta: &str) {
        out.push_str(&self.head);
        write_text(out, delta);
        out.push_str(&self.tail);
    }
}
