//! The event-stream reader against the algorithm written down plainly, on random streams cut at random places.

use ag_ui_native::Limits;
use ag_ui_native::bindings::sse::{Frame, SseReader, frame};
use proptest::collection::vec;
use proptest::prelude::*;

/// A frame that owns its contents.
#[derive(Debug, PartialEq, Eq)]
struct Owned {
    data: Vec<u8>,
    event: Vec<u8>,
    id: Vec<u8>,
}

impl From<Frame<'_>> for Owned {
    fn from(frame: Frame<'_>) -> Self {
        Self { data: frame.data.to_vec(), event: frame.event.to_vec(), id: frame.id.to_vec() }
    }
}

/// The result of a stream: frames, the id to resume from, the time to wait.
type Outcome = (Vec<Owned>, Vec<u8>, Option<u64>);

fn read(chunks: &[&[u8]]) -> Outcome {
    let mut reader = SseReader::new(&Limits::default());
    let mut frames = Vec::new();
    let mut take = |frame: Frame<'_>| {
        frames.push(Owned::from(frame));
        Ok(())
    };
    for chunk in chunks {
        reader.feed(chunk, &mut take).unwrap();
    }
    reader.finish(&mut take).unwrap();
    (frames, reader.last_event_id().to_vec(), reader.retry())
}

/// The HTML standard's algorithm on the whole stream at once. One thing is added: a last frame that lacks only its
/// blank line counts.
fn plainly(stream: &[u8]) -> Outcome {
    let text = stream.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stream);
    let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
    let mut bytes = text.iter().peekable();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\n' => lines.push(Vec::new()),
            b'\r' => {
                bytes.next_if(|&&next| next == b'\n');
                lines.push(Vec::new());
            }
            other => lines.last_mut().unwrap().push(other),
        }
    }
    let last = lines.pop().unwrap();
    let unfinished = (!last.is_empty()).then_some(last);
    let (mut frames, mut data, mut event, mut id) =
        (Vec::new(), Vec::<Vec<u8>>::new(), Vec::new(), Vec::new());
    let (mut last_id, mut retry) = (Vec::new(), None);
    let end = [Vec::new()];
    let blank_at_the_end = lines.len() + usize::from(unfinished.is_some());
    for (index, line) in lines.iter().chain(&unfinished).chain(&end).enumerate() {
        if line.is_empty() {
            if !data.is_empty() {
                frames.push(Owned { data: data.join(&b'\n'), event: event.clone(), id: id.clone() });
            } else if index == blank_at_the_end {
                continue;
            }
            last_id.clone_from(&id);
            data.clear();
            event.clear();
            continue;
        }
        let colon = line.iter().position(|&byte| byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value).to_vec();
        match name {
            b"data" => data.push(value),
            b"event" => event = value,
            b"id" if !value.contains(&0) => id = value,
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                retry = String::from_utf8(value).unwrap().parse().ok().or(retry);
            }
            _ => {}
        }
    }
    (frames, last_id, retry)
}

/// Pieces that make and break frames.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\r\r",
    "\r\n\r\n",
    "data: {}\n\n",
    "data: a\r\n\r\n",
    "data:",
    "data: x",
    "data",
    "data:  two",
    "id: 1",
    "id:2\n",
    "id\n",
    "id: \u{0}\n",
    "event: e",
    "event\n",
    "retry: 10\n",
    "retry: x\n",
    "retry: 99999999999999999999\n",
    ": comment",
    ":",
    " ",
    "é😀",
    "\u{feff}",
    "dat",
    "a: b",
    "{\"a\":1}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_cut_gives_the_frames_of_the_plain_algorithm(
        pieces in vec(prop::sample::select(PIECES), 0..30),
        with_mark in any::<bool>(),
        cuts in vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mark = if with_mark { "\u{feff}" } else { "" };
        let stream = format!("{mark}{}", pieces.concat()).into_bytes();
        let wanted = plainly(&stream);
        prop_assert_eq!(&read(&[&stream]), &wanted);
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut from = 0;
        for cut in cuts {
            chunks.push(&stream[from..cut]);
            from = cut;
        }
        chunks.push(&stream[from..]);
        prop_assert_eq!(&read(&chunks), &wanted);
        let bytes: Vec<_> = stream.chunks(1).collect();
        prop_assert_eq!(&read(&bytes), &wanted);
    }

    #[test]
    fn any_bytes_give_the_frames_of_the_plain_algorithm(stream in vec(any::<u8>(), 0..200), size in 1usize..9) {
        let wanted = plainly(&stream);
        prop_assert_eq!(&read(&[&stream]), &wanted);
        let chunks: Vec<_> = stream.chunks(size).collect();
        prop_assert_eq!(&read(&chunks), &wanted);
    }

    #[test]
    fn what_is_framed_is_read_back(texts in vec(vec(prop::char::range(' ', '~'), 1..30).prop_map(String::from_iter), 0..10)) {
        let stream: String = texts.iter().map(|text| frame(text)).collect();
        let (frames, ..) = read(&[stream.as_bytes()]);
        let data: Vec<_> = frames.into_iter().map(|frame| String::from_utf8(frame.data).unwrap()).collect();
        prop_assert_eq!(data, texts);
    }
}
