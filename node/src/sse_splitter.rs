//! The frames of a text stream, for callers that parse the data themselves.

use ag_ui_native::bindings::decoder::{done_marker, not_an_event_stream};
use ag_ui_native::bindings::sse::{Frame, SseReader};
use ag_ui_native::{Code, Error, Event, Limits, Profile, Warning, from_json};

use crate::engine::Engine;
use crate::engine::call::EngineCall;
use crate::engine::output::Output;

/// Splits a text stream. It writes a mark for each frame: the end of its data.
#[derive(Debug)]
pub struct SseSplitter {
    reader: SseReader,
    count: usize,
    /// The last frame before those of this call.
    last: String,
    failed: bool,
    output: Output,
}

impl SseSplitter {
    /// A splitter for a new stream.
    pub fn new(limits: &Limits) -> Self {
        let reader = SseReader::new(limits);
        Self { reader, count: 0, last: String::new(), failed: false, output: Output::default() }
    }

    fn run(&mut self, chunk: Option<&[u8]>) -> Result<(), Error> {
        let Self { reader, count, last, failed, output: Output { buffer, warnings, .. } } = self;
        buffer.clear();
        if *failed {
            return Err(Error::new(Code::DecoderFailed, ""));
        }
        let mut start = 0;
        let mut take = |frame: Frame<'_>| {
            if frame.data == b"[DONE]" {
                let before = if buffer.marks.is_empty() { last.as_str() } else { &buffer.text.out[start..] };
                let issue = done_marker(ends_run(before)).map_err(|error| error.of_event(*count))?;
                warnings.push(Warning { event_index: *count, issue });
                return Ok(());
            }
            let text = std::str::from_utf8(frame.data)
                .map_err(|_| Error::new(Code::InvalidUtf8, "").of_event(*count))?;
            start = buffer.text.out.len();
            buffer.text.out.push_str(text);
            buffer.end_piece();
            *count += 1;
            Ok(())
        };
        let result = match chunk {
            Some(chunk) => reader.feed(chunk, &mut take),
            None => reader
                .finish(&mut take)
                .and_then(|()| if reader.is_foreign() { Err(not_an_event_stream()) } else { Ok(()) }),
        };
        *failed = result.is_err();
        if !buffer.marks.is_empty() {
            buffer.text.out[start..].clone_into(last);
        }
        buffer.finish();
        result
    }
}

/// True if the document is the end of a run.
fn ends_run(document: &str) -> bool {
    let event = from_json::<Event>(document, Profile::Tolerant);
    matches!(event, Ok((Event::RunFinished(_) | Event::RunError(_), _)))
}

impl Engine for SseSplitter {
    fn read(&mut self, chunk: &[u8], _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.run(Some(chunk))
    }

    fn read_in_place(&mut self, chunk: &[u8]) -> Option<Result<(), Error>> {
        Some(self.run(Some(chunk)))
    }

    fn close(&mut self, _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.run(None)
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }
}
