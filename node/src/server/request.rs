//! Requests for a run, and refusals, as JSON text.

use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::bindings::server::{
    Accepted, Close, Cors, Handshake, PlainResponse, Refusal, RequestHead, WireFormat, messages,
};
use ag_ui_native::{Code, Error, Object, Value};

use crate::error;
use crate::options::ReaderOptions;

/// Checks the head of a request. Returns the wire format, the headers of a stream, and those about origins under `cors`; or the whole
/// `answer`.
pub fn negotiate(head: &str, options: &str) -> Result<String, Error> {
    let options = ReaderOptions::parse(options)?;
    let head = Head::parse(head)?;
    let mut negotiated = Object::default();
    match head.request().accept(head.cors().as_ref(), head.accept_wildcards(), &options.limits) {
        Ok(Accepted { wire_format, cors }) => {
            negotiated.insert("wireFormat", name(wire_format));
            negotiated.insert("headers", Object::from_iter(wire_format.headers()));
            negotiated.insert("cors", Object::from_iter(cors));
        }
        Err(answer) => {
            negotiated.insert("answer", of_answer(answer));
        }
    }
    Ok(error::text(&negotiated.into()))
}

/// The head of a request, with the options that decide about it.
pub struct Head(Object);

impl Head {
    /// Reads a head, which is JSON text.
    pub fn parse(head: &str) -> Result<Self, Error> {
        parsed(head).map(Self)
    }

    /// A text of it.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// The parts that every server reads.
    pub fn request(&self) -> RequestHead<'_> {
        RequestHead {
            method: self.text("method").unwrap_or_default(),
            content_type: self.text("contentType"),
            accept: self.text("accept"),
            content_length: self.text("contentLength"),
            origin: self.text("origin"),
            requested_method: self.text("requestMethod"),
            requested_headers: self.text("requestHeaders"),
        }
    }

    /// The origins of pages that may send requests.
    pub fn cors(&self) -> Option<Cors> {
        self.0.get("cors").and_then(cors)
    }

    /// True if protobuf is sent to clients that accept any type.
    pub fn accept_wildcards(&self) -> bool {
        accept_wildcards(&self.0)
    }
}

/// Checks the head of a request for a WebSocket. Returns the wire format, the subprotocol and the limit of the input; or the refusal.
pub fn negotiate_socket(head: &str, options: &str) -> Result<String, Error> {
    let limits = ReaderOptions::parse(options)?.limits;
    let head = parsed(head)?;
    let text = |name| head.get(name).and_then(Value::as_str);
    let handshake = Handshake {
        origin: text("origin"),
        host: text("host"),
        accept: text("accept"),
        protocols: text("protocols"),
    };
    Ok(match handshake.agree(head.get("cors").and_then(cors).as_ref(), accept_wildcards(&head)) {
        Ok(agreed) => {
            let mut answer = Object::from_iter([("wireFormat", name(agreed.wire_format))]);
            answer.insert("protocol", agreed.protocol.map_or(Value::Null, Value::from));
            answer.insert("inputBytes", i64::try_from(limits.input_bytes).unwrap_or(i64::MAX));
            error::text(&answer.into())
        }
        Err(refused) => refusal(refused),
    })
}

/// Returns the start and the end of each WebSocket message in frames of a run.
#[allow(clippy::cast_possible_truncation)] // So much never waits.
pub fn socket_messages(frames: &[u8], is_binary: bool) -> Vec<u32> {
    let wire_format = if is_binary { WireFormat::Binary } else { WireFormat::Text };
    messages(wire_format, frames)
        .into_iter()
        .flat_map(|place| [place.start as u32, place.end as u32])
        .collect()
}

/// A head, which is JSON text.
fn parsed(head: &str) -> Result<Object, Error> {
    let mut tape = Tape::default();
    let parsed = tape.parse(head, ParseOptions { depth: 4, replace_invalid_text: true });
    let parsed = parsed.map_err(|syntax| Error::new(syntax.code, "head"))?.to_value();
    let Value::Object(head) = parsed else { return Err(Error::new(Code::NotAnObject, "head")) };
    Ok(head)
}

/// Reads the option of this name.
fn accept_wildcards(head: &Object) -> bool {
    matches!(head.get("acceptWildcards"), Some(Value::Bool(true)))
}

/// Reads the option of this name.
fn cors(given: &Value) -> Option<Cors> {
    let origins = match given {
        Value::String(_) => return Some(Cors::Any),
        Value::Array(origins) => origins,
        _ => return None,
    };
    Some(Cors::Origins(origins.iter().filter_map(Value::as_str).map(str::to_owned).collect()))
}

/// Writes the answer to a refused request, under `refusal`.
pub fn refusal(refused: impl Into<Refusal>) -> String {
    error::text(&Object::from_iter([("refusal", described(&refused.into()))]).into())
}

fn described(refused: &Refusal) -> Object {
    let mut answer = of_answer(refused.response(Vec::new()));
    let Close { code, reason } = refused.into();
    answer.insert("closeCode", i64::from(code));
    answer.insert("closeReason", reason);
    answer
}

/// A response as an object.
pub fn of_answer(answer: PlainResponse) -> Object {
    let mut described = Object::default();
    described.insert("status", i64::from(answer.status));
    described.insert("headers", Object::from_iter(answer.headers));
    described.insert("body", answer.body);
    described
}

/// The name of a wire format.
pub fn name(wire_format: WireFormat) -> &'static str {
    match wire_format {
        WireFormat::Binary => "binary",
        _ => "text",
    }
}
