//! Requests for a run, and refusals, as JSON text.

use ag_ui_native::host::json::{Input, ParseOptions, Tape};
use ag_ui_native::host::server::{Close, Cors, Handshake, Refusal, Request, Transport, messages};
use ag_ui_native::{Code, Error, Object, Value};

use crate::error;
use crate::options::Options;

/// Returns the answer to a request with this head: the transport, or the refusal; with the headers for origins under `cors`. A preflight of
/// a page that may ask is `preflight`.
pub fn negotiate(head: &str, options: &str) -> Result<String, Error> {
    let options = Options::parse(options)?;
    let head = parsed(head)?;
    let text = |name| head.get(name).and_then(Value::as_str);
    let request = Request {
        method: text("method").unwrap_or_default(),
        content_type: text("contentType"),
        accept: text("accept"),
        content_length: text("contentLength"),
    };
    let mut answer = Object::default();
    if let Some(cors) = head.get("cors").and_then(cors) {
        let header = |name: &str| match name {
            "origin" => text("origin"),
            "access-control-request-method" => text("requestMethod"),
            "access-control-request-headers" => text("requestHeaders"),
            _ => None,
        };
        let preflight = cors.preflight(request.method, header);
        answer.insert("preflight", preflight.is_some());
        answer.insert("cors", Object::from_iter(preflight.unwrap_or_else(|| cors.headers(text("origin")))));
    }
    match request.transport(wildcards(&head), &options.limits) {
        Ok(transport) => {
            answer.insert("transport", name(transport));
            answer.insert("headers", Object::from_iter(transport.headers()));
        }
        Err(refused) => {
            answer.insert("refusal", described(&refused));
        }
    }
    Ok(error::text(&answer.into()))
}

/// Returns the answer to a WebSocket request with this head: the transport, the subprotocol, and the longest input; or the refusal.
pub fn negotiate_socket(head: &str, options: &str) -> Result<String, Error> {
    let limits = Options::parse(options)?.limits;
    let head = parsed(head)?;
    let text = |name| head.get(name).and_then(Value::as_str);
    let handshake = Handshake {
        origin: text("origin"),
        host: text("host"),
        accept: text("accept"),
        protocols: text("protocols"),
    };
    Ok(match handshake.agree(head.get("cors").and_then(cors).as_ref(), wildcards(&head)) {
        Ok(agreed) => {
            let mut answer = Object::from_iter([("transport", name(agreed.transport))]);
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
    let transport = if is_binary { Transport::Binary } else { Transport::Text };
    messages(transport, frames).into_iter().flat_map(|place| [place.start as u32, place.end as u32]).collect()
}

/// A head, which is JSON text.
fn parsed(head: &str) -> Result<Object, Error> {
    let mut tape = Tape::default();
    let parsed = tape.parse(head, ParseOptions { depth: 4, lossy: true });
    let parsed = parsed.map_err(|syntax| Error::new(syntax.code, "head"))?.to_value();
    let Value::Object(head) = parsed else { return Err(Error::new(Code::NotAnObject, "head")) };
    Ok(head)
}

/// The option of that name.
fn wildcards(head: &Object) -> bool {
    matches!(head.get("wildcards"), Some(Value::Bool(true)))
}

/// The option of that name.
fn cors(given: &Value) -> Option<Cors> {
    let origins = match given {
        Value::String(_) => return Some(Cors::Any),
        Value::Array(origins) => origins,
        _ => return None,
    };
    Some(Cors::Origins(origins.iter().filter_map(Value::as_str).map(str::to_owned).collect()))
}

/// The answer to a request that is refused, under `refusal`.
pub fn refusal(refused: impl Into<Refusal>) -> String {
    error::text(&Object::from_iter([("refusal", described(&refused.into()))]).into())
}

fn described(refused: &Refusal) -> Object {
    let mut answer = Object::default();
    answer.insert("status", i64::from(refused.status()));
    answer.insert("allow", refused.allow().map_or(Value::Null, Value::from));
    answer.insert("body", refused.body());
    let Close { code, reason } = refused.into();
    answer.insert("closeCode", i64::from(code));
    answer.insert("closeReason", reason);
    answer
}

fn name(transport: Transport) -> &'static str {
    match transport {
        Transport::Binary => "binary",
        _ => "text",
    }
}
