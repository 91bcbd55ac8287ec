//! Single events as protobuf messages, and back.

use ag_ui_native::Error;
use ag_ui_native::bindings::compat::Boundary;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::decoder::Warning;
use ag_ui_native::bindings::protobuf::{Encoded, ProtobufEncoder};

use crate::build::{EventBuild, Piece};
use crate::engine::Engine;
use crate::engine::call::EngineCall;
use crate::engine::output::{Output, to_u32};
use crate::options::ReaderOptions;

/// Encodes events, which are JSON text, to protobuf. JavaScript's flag asks for frames, with the length in front.
#[derive(Debug)]
pub struct Encoder {
    encoder: ProtobufEncoder,
    output: Output,
}

impl Encoder {
    /// An encoder that reads events as the options say.
    pub fn new(options: &ReaderOptions) -> Self {
        Self { encoder: ProtobufEncoder::new(options.rules, options.limits), output: Output::default() }
    }
}

impl Engine for Encoder {
    fn read(&mut self, json: &[u8], host: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        let Self { encoder, output } = self;
        output.buffer.clear();
        encoder.framed = host.flag();
        output.take(encoder.encode(json)?);
        Ok(())
    }

    fn read_strings(
        &mut self,
        place: usize,
        strings: &[&str],
        host: &mut EngineCall<'_, '_>,
    ) -> Option<Result<(), Error>> {
        let Self { encoder, output } = self;
        output.buffer.clear();
        encoder.framed = host.flag();
        Some(encoder.encode_strings(place, strings)?.map(|encoded| output.take(encoded)))
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }
}

impl Output {
    fn take(&mut self, encoded: Encoded<'_>) {
        self.warnings.extend(of_one_event(encoded.warnings));
        // Bytes cross in the marks: their count, then the words that hold them.
        let message = encoded.message.unwrap_or_default();
        let (words, rest) = message.as_chunks();
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        let marks = &mut self.buffer.marks;
        marks.push(to_u32(message.len()));
        marks.extend(
            words.iter().chain((!rest.is_empty()).then_some(&last)).map(|word| u32::from_ne_bytes(*word)),
        );
    }
}

/// Decodes protobuf messages to events, each by itself.
#[derive(Debug)]
pub struct Decoder {
    reader: DocumentReader,
    build: EventBuild,
    pieces: Vec<Piece>,
    output: Output,
}

impl Decoder {
    /// A decoder that reads events as the options say.
    pub fn new(options: &ReaderOptions) -> Self {
        let mut reader = DocumentReader::new(options.profile, options.limits);
        reader.rules = options.rules;
        Self {
            reader,
            build: EventBuild::new(options.rules.replace_invalid_text),
            pieces: Vec::new(),
            output: Output::default(),
        }
    }

    fn decode(&mut self, message: &[u8]) -> Result<(), Error> {
        let Self { reader, build, pieces, output } = self;
        build.clear(pieces);
        output.buffer.clear();
        // Each message is of its own stream, so knowledge about 0.x is not kept.
        reader.boundary = Boundary::default();
        let decoded = reader.message(message, build)?;
        output.warnings.extend(of_one_event(decoded.warnings));
        pieces.extend(decoded.value);
        build.pack(pieces, &mut output.buffer);
        Ok(())
    }
}

impl Engine for Decoder {
    fn read(&mut self, message: &[u8], _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.decode(message)
    }

    fn read_in_place(&mut self, message: &[u8]) -> Option<Result<(), Error>> {
        Some(self.decode(message))
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }
}

fn of_one_event(issues: Vec<ag_ui_native::Issue>) -> impl Iterator<Item = Warning> {
    issues.into_iter().map(|issue| Warning { event_index: 0, issue })
}
