//! The Rust side of `tests/interop`: reads a JSON request per line and writes a JSON answer per line, in the form of
//! `tests/interop/peer.mjs`.
#![allow(clippy::print_stdout)] // It is a command.

use std::io::{self, BufRead, Write};

use ag_ui_native::stream::EventDecoder;
use ag_ui_native::{Error, Event, Profile, from_json, protobuf, to_json, to_sse};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Request {
    /// `encode`, or `recode`.
    r#do: String,
    /// The input to decode: text, or frames in hexadecimal digits.
    #[serde(default)]
    stream: String,
    /// The input to encode: the JSON text of a list.
    #[serde(default)]
    events: String,
    #[serde(default)]
    binary: bool,
    profile: Option<String>,
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let reply = match answer(&request) {
            Ok(stream) => json!({ "stream": stream }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(request: &Request) -> Result<String, Box<dyn std::error::Error>> {
    let relays = request.profile.as_deref() == Some("relay");
    let events = if request.r#do == "encode" { given(&request.events)? } else { decoded(request, relays)? };
    if request.binary {
        return Ok(digits(&events.iter().map(protobuf::to_frame).collect::<Result<Vec<_>, _>>()?.concat()));
    }
    // An encoder leaves out optional nulls; a relay passes them on.
    let write = |event: &Event| if relays { format!("data: {}\n\n", to_json(event)) } else { to_sse(event) };
    Ok(events.iter().map(write).collect())
}

/// Reads events one by one, each as its author wrote it.
fn given(events: &str) -> Result<Vec<Event>, Box<dyn std::error::Error>> {
    let texts: Vec<Box<RawValue>> = serde_json::from_str(events)?;
    let read = |text: &str| Ok::<_, Error>(from_json(text, Profile::Strict)?.0);
    Ok(texts.iter().map(|text| read(text.get())).collect::<Result<_, _>>()?)
}

/// Decodes the events of a stream that arrives in two pieces.
fn decoded(request: &Request, relays: bool) -> Result<Vec<Event>, Error> {
    let (content_type, bytes) = if request.binary {
        (protobuf::MEDIA_TYPE, bytes(&request.stream))
    } else {
        ("text/event-stream", request.stream.clone().into_bytes())
    };
    let profile = if relays { Profile::Relay } else { Profile::Strict };
    let mut decoder = EventDecoder::for_content_type(content_type)?.with_profile(profile);
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let events = decoder.feed(first).chain(decoder.feed(second)).collect::<Result<Vec<_>, _>>()?;
    events.into_iter().map(Ok).chain(decoder.close()).collect()
}

fn digits(bytes: &[u8]) -> String {
    let digit = |half| char::from_digit(u32::from(half), 16);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).flatten().collect()
}

fn bytes(digits: &str) -> Vec<u8> {
    let pair = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits of bytes");
    (0..digits.len()).step_by(2).map(pair).collect()
}
