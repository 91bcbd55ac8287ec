//! Reads a stream of any bytes, once as a whole and once in pieces: frames, id, retry time and verdict must be equal.
#![no_main]

use ag_ui_native::bindings::sse::{Frame, SseReader};
use ag_ui_native::{Error, Limits};
use ag_ui_native_fuzz::spelling::Dice;
use libfuzzer_sys::fuzz_target;

type Outcome = (Vec<[Vec<u8>; 3]>, Vec<u8>, Option<u64>, Result<(), Error>);

fn read<'b>(pieces: impl IntoIterator<Item = &'b [u8]>) -> Outcome {
    let mut reader = SseReader::new(&Limits::default().with_event_bytes(64).with_id_bytes(8));
    let mut frames = Vec::new();
    let mut take = |frame: Frame<'_>| {
        frames.push([frame.data.to_vec(), frame.event.to_vec(), frame.id.to_vec()]);
        Ok(())
    };
    let fed = pieces.into_iter().try_for_each(|piece| reader.feed(piece, &mut take));
    let ended = fed.and_then(|()| reader.finish(&mut take));
    (frames, reader.last_event_id().to_vec(), reader.retry(), ended)
}

fuzz_target!(|bytes: &[u8]| {
    let (head, stream) = bytes.split_at(bytes.len().min(8));
    let mut dice = Dice(head);
    let whole = read([stream]);
    assert_eq!(read(stream.chunks(1)), whole);
    let mut rest = stream;
    let mut pieces = Vec::new();
    for _ in 0..8 {
        let (piece, behind) = rest.split_at(dice.below(256).min(rest.len()));
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(rest);
    assert_eq!(read(pieces), whole);
});
