//! The beginning of a run, compacted: together with the later frames it gives the same conversation as all frames.

use ag_ui_native::bindings::durable::*;
use ag_ui_native::server::WireFormat;
use ag_ui_native::stream::EventPipeline;
use ag_ui_native::{Profile, Value};
use proptest::prelude::*;

use crate::random_runs::{call, ending, write};
use crate::store::{SECOND, create, key};

/// The frames of a run, as its server writes them.
pub fn frames(bytes: &[u8]) -> Vec<Frame> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.split("\n\n").filter_map(|block| block.strip_prefix("data: ")).map(Frame::from).collect()
}

/// Reads a log to its end, or to the number of its frames so far; each page has few bytes. Returns the frames of the
/// prefix, the other frames, and the prefix.
fn read(store: &mut MemoryStore, kept: Option<Prefix>) -> (Vec<Frame>, Vec<Frame>, Option<Prefix>) {
    let options = ReaderOptions { max_bytes: 300, ..ReaderOptions::default() };
    let mut reader = Reader::join(key("r"), kept, options);
    let (mut first, mut rest, mut prefix) = (vec![], vec![], None);
    while let Some(command) = reader.poll(SECOND) {
        match command {
            ReaderCommand::Send { ticket, operation } => {
                let reply = store.execute(SECOND, operation).reply;
                reader.reply(SECOND, ticket, Ok(reply));
            }
            ReaderCommand::Opened { after, prefix } => {
                assert_eq!((after.number, prefix.is_some()), (0, true));
            }
            ReaderCommand::Prefix(made) => {
                assert!(rest.is_empty() && prefix.is_none());
                assert_eq!(reader.cursor(), Some(made.through()));
                first = made.frames();
                prefix = Some(*made);
            }
            ReaderCommand::Frames { frames, .. } => rest.extend(frames),
            ReaderCommand::End(end) => assert_eq!(end, ReaderEnd::Closed),
        }
    }
    (first, rest, prefix)
}

fn store_with(frames: &[Frame]) -> MemoryStore {
    let mut store = MemoryStore::default();
    store.execute(SECOND, Operation::Create(create(key("r")).into()));
    append(&mut store, 1, frames, false);
    store
}

fn append(store: &mut MemoryStore, first: u64, frames: &[Frame], is_end: bool) {
    if frames.is_empty() {
        return;
    }
    let end = is_end.then(RunEnd::default);
    let append = Append { key: key("r"), epoch: 1, first, frames: frames.to_vec(), end };
    let reply = store.execute(SECOND, Operation::Append(append)).reply;
    assert_eq!(reply, Reply::Appended { next: first + frames.len() as u64 });
}

/// Messages and state of a client that gets these frames; `None` if it refuses them.
pub fn reduce(frames: &[Frame]) -> Option<(Vec<Value>, Value)> {
    let mut pipeline = EventPipeline::new().with_profile(Profile::Strict);
    let blocks: Vec<_> = frames.iter().map(|frame| format!("data: {}\n\n", frame.as_str())).collect();
    let text = blocks.concat();
    if pipeline.feed(text.as_bytes()).any(|event| event.is_err())
        || pipeline.close().any(|event| event.is_err())
    {
        return None;
    }
    let conversation = pipeline.into_conversation();
    Some((conversation.message_values().cloned().collect(), conversation.state.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        max_global_rejects: 20_000,
        ..ProptestConfig::with_cases(2_000)
    })]

    #[test]
    fn a_prefix_and_what_follows_give_what_all_frames_give(
        calls in proptest::collection::vec(call(), 0..40), ending in ending(), cut in any::<(u16, u16)>(),
    ) {
        let all = frames(&write(&calls, &ending, WireFormat::Text).0);
        let wanted = reduce(&all);
        // The server lets a reasoning message have the id of a message of the input; clients do not.
        prop_assume!(wanted.is_some());
        let (first, second) = (usize::from(cut.0) % all.len(), usize::from(cut.1) % all.len());
        let (first, second) = (first.min(second), first.max(second));

        let mut store = store_with(&all[..first]);
        let (prefix, rest, kept) = read(&mut store, None);
        prop_assert!(rest.is_empty() && prefix.len() <= first);
        prop_assert_eq!(&reduce(&[&prefix, &all[first..]].concat()), &wanted);

        // The next client that joins reads on behind the prefix that was kept.
        append(&mut store, first as u64 + 1, &all[first..second], false);
        let (prefix, _, _) = read(&mut store, kept);
        prop_assert_eq!(&reduce(&[&prefix, &all[second..]].concat()), &wanted);

        append(&mut store, second as u64 + 1, &all[second..], true);
        let (prefix, rest, _) = read(&mut store, None);
        prop_assert!(rest.is_empty());
        prop_assert_eq!(&reduce(&prefix), &wanted);
    }
}

#[test]
fn a_prefix_of_a_log_that_was_replaced_is_forgotten() {
    let frame =
        |run: &str| Frame::from(format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"{run}"}}"#));
    let mut store = store_with(&[frame("old")]);
    let (_, _, kept) = read(&mut store, None);
    let mut store = MemoryStore::default();
    let other = Create { incarnation: Incarnation::from_bytes([8; 16]), ..create(key("r")) };
    store.execute(SECOND, Operation::Create(other.into()));
    append(&mut store, 1, &[frame("new")], false);
    assert_eq!(read(&mut store, kept).0, [frame("new")]);
}

#[test]
fn a_frame_that_is_no_event_ends_a_join() {
    let mut store = store_with(&["nothing".into()]);
    let mut reader = Reader::join(key("r"), None, ReaderOptions::default());
    let Some(ReaderCommand::Send { ticket, operation }) = reader.poll(SECOND) else { panic!() };
    reader.reply(SECOND, ticket, Ok(store.execute(SECOND, operation).reply));
    assert_eq!(reader.poll(SECOND), Some(ReaderCommand::End(ReaderEnd::Damaged)));
}

#[test]
fn deltas_are_joined_as_they_are() {
    let event = |kind: &str, members: &str| format!(r#"{{"type":"{kind}",{members}}}"#);
    let begin = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned(),
        event("TEXT_MESSAGE_START", r#""messageId":"m","role":"assistant""#),
        event("TOOL_CALL_START", r#""toolCallId":"c","toolCallName":"f""#),
    ];
    let texts = [
        r#""delta":"a""#,
        r#""delta":"\\\"b\n""#,
        r#""delta":"\u00e9""#,
        r#""delta":"\"}""#,
        r#""delta":"\\""#,
        r#""delta":"ü","metadata":{"k":"v"}"#,
        r#""delta":"d","timestamp":1"#,
        r#""delta":"\"delta\":\"""#,
        r#""delta":"e""#,
    ];
    let texts = texts.iter().flat_map(|text| {
        let text_of = |id| event("TEXT_MESSAGE_CONTENT", &format!(r#""messageId":"{id}",{text}"#));
        let call = event("TOOL_CALL_ARGS", &format!(r#""toolCallId":"c",{text}"#));
        [text_of("m"), text_of("m"), call.clone(), call]
    });
    let end = [
        event("TEXT_MESSAGE_END", r#""messageId":"m""#),
        event("TOOL_CALL_END", r#""toolCallId":"c""#),
        event("RUN_FINISHED", r#""threadId":"t","runId":"r""#),
    ];
    let all: Vec<_> = begin.into_iter().chain(texts).chain(end).map(Frame::from).collect();
    let wanted = reduce(&all);
    assert!(wanted.is_some());
    for count in 1..=all.len() {
        let (prefix, _, _) = read(&mut store_with(&all[..count]), None);
        assert_eq!(reduce(&[&prefix, &all[count..]].concat()), wanted, "{count}");
    }
    for damaged in [r#""delta":"a"b""#, r#""delta":"a\""#, r#""delta":"a","b""#] {
        let frame = event("TEXT_MESSAGE_CONTENT", &format!(r#""messageId":"m",{damaged}"#));
        let mut store = store_with(&[&all[..4], &[frame.as_str().into()]].concat());
        let mut reader = Reader::join(key("r"), None, ReaderOptions::default());
        let Some(ReaderCommand::Send { ticket, operation }) = reader.poll(SECOND) else { panic!() };
        reader.reply(SECOND, ticket, Ok(store.execute(SECOND, operation).reply));
        assert_eq!(reader.poll(SECOND), Some(ReaderCommand::End(ReaderEnd::Damaged)), "{frame}");
    }
}

#[test]
fn a_joined_run_is_small_and_its_work_is_linear() {
    let delta = |number: usize| {
        Frame::from(format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{number:03} "}}"#))
    };
    let begin = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.into(),
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#.into(),
    ];
    let deltas: Vec<_> = begin.into_iter().chain((0..10_000).map(|number| delta(number % 1_000))).collect();
    let raw: usize = deltas.iter().map(Frame::len).sum();
    let (prefix, _, _) = read(&mut store_with(&deltas), None);
    let joined: usize = prefix.iter().map(Frame::len).sum();
    assert_eq!(prefix.len(), 3);
    assert!(joined * 10 < raw, "{joined} of {raw} bytes");
}

/// Messages, calls and states of more than a mebibyte, without the end of the run.
fn long_run() -> Vec<Frame> {
    let mut texts = vec![r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned()];
    for part in 0..90 {
        texts.push(format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m{part}","role":"assistant"}}"#));
        for delta in 0..60 {
            let text = format!("{delta} ").repeat(60);
            texts
                .push(format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m{part}","delta":"{text}"}}"#));
        }
        texts.extend([
            format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"m{part}"}}"#),
            format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"c{part}","toolCallName":"look"}}"#),
            format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"c{part}","delta":"{{\"at\":"}}"#),
            format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"c{part}","delta":"{part}}}"}}"#),
            format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"c{part}"}}"#),
            format!(
                r#"{{"type":"TOOL_CALL_RESULT","messageId":"a{part}","toolCallId":"c{part}","content":"seen"}}"#
            ),
            format!(r#"{{"type":"STATE_DELTA","delta":[{{"op":"add","path":"/part","value":{part}}}]}}"#),
        ]);
    }
    texts.into_iter().map(Frame::from).collect()
}

#[test]
fn the_law_holds_across_checkpoints() {
    let frames = long_run();
    let all = [&frames[..], &[r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.into()]].concat();
    assert!(all.iter().map(Frame::len).sum::<usize>() > 1 << 20, "four checkpoints");
    let wanted = reduce(&all);
    assert!(wanted.is_some());
    let mut kept = None;
    let mut store = store_with(&all[..1]);
    for (from, to) in [(1, 37), (37, 1_700), (1_700, 2_222), (2_222, all.len())] {
        // At once, and behind the prefix that an earlier client has made.
        let (prefix, _, _) = read(&mut store_with(&all[..to]), None);
        assert_eq!(reduce(&[&prefix, &all[to..]].concat()), wanted, "{to}");
        append(&mut store, from as u64 + 1, &all[from..to], to == all.len());
        let (prefix, _, made) = read(&mut store, kept);
        assert_eq!(reduce(&[&prefix, &all[to..]].concat()), wanted, "{to}");
        kept = made;
    }
}

#[test]
fn the_cache_keeps_what_was_used_last() {
    let prefix = |run: &str| {
        let mut store =
            store_with(&[format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"{run}"}}"#).into()]);
        read(&mut store, None).2.unwrap()
    };
    let bytes = prefix("a").frames()[0].len();
    let cache = PrefixCache::new(2 * bytes);
    for run in ["a", "b"] {
        cache.put(key(run), prefix(run));
    }
    assert!(cache.get(&key("a")).is_some());
    cache.put(key("c"), prefix("c"));
    assert_eq!(cache.get(&key("a")), Some(prefix("a")));
    assert_eq!(cache.get(&key("b")), None);
    cache.put(key("c"), prefix("d"));
    assert_eq!(cache.get(&key("c")), Some(prefix("d")));
    cache.remove(&key("c"));
    assert_eq!(cache.get(&key("c")), None);
    let small = PrefixCache::new(bytes - 1);
    small.put(key("a"), prefix("a"));
    assert_eq!(small.get(&key("a")), None);
}
