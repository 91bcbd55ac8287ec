//! Middleware between an application and its agent.

use crate::scripted;

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ag_ui_native::client::{
    Agent, ClientError, Events, Next, Payload, Response, RunOutcome, RunParameters, RunRequest, Timeouts,
    ToolCallFilter,
};
use ag_ui_native::types::{
    CustomEvent, Message, RawEvent, RunAgentInput, RunFinishedEvent, RunStartedEvent, TextMessageChunkEvent,
    UserMessage,
};
use ag_ui_native::{Code, Event, ProtocolVersion, Rule};
use futures_util::stream::{self, StreamExt};
use scripted::{body, calls, finished, frame, says, scripted, started};
use serde_json::{Value, json};

/// Records the events that pass, under a name.
fn watch(
    name: &'static str,
    log: &Arc<Mutex<Vec<String>>>,
) -> impl Fn(RunAgentInput, Next) -> Events + Send + Sync + use<> {
    let log = Arc::clone(log);
    move |mut input, next| {
        log.lock().unwrap().push(format!("{name} asked with {} messages", input.messages.len()));
        input.messages.push(UserMessage::new(name, "More").into());
        let log = Arc::clone(&log);
        Events::new(next.run(input).inspect(move |event| {
            let tag = event.as_ref().unwrap().tag().to_owned();
            log.lock().unwrap().push(format!("{name} sees {tag}"));
        }))
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_first_is_the_outermost() {
    let log = Arc::default();
    let (agent, requests) = scripted(&[&[started(), finished()]]);
    let mut agent = agent.with_middleware(watch("outer", &log)).with_middleware(watch("inner", &log));
    assert!(agent.run_to_end(RunParameters::default()).await.unwrap().is_success());
    assert_eq!(
        *log.lock().unwrap(),
        [
            "outer asked with 0 messages",
            "inner asked with 1 messages",
            "inner sees RUN_STARTED",
            "outer sees RUN_STARTED",
            "inner sees RUN_FINISHED",
            "outer sees RUN_FINISHED",
        ]
    );
    let ids: Vec<_> =
        requests.lock().unwrap()[0]["messages"].as_array().unwrap().iter().map(|m| m["id"].clone()).collect();
    assert_eq!(ids, ["outer", "inner"], "what is asked is the innermost's");
    assert!(agent.messages().unwrap().is_empty(), "and the conversation is the agent's");
}

#[tokio::test(flavor = "current_thread")]
async fn events_are_as_they_arrive_and_verified_behind() {
    let chunk = |delta: &str| json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": delta});
    let events = [started(), chunk("Hel"), json!({"type": "RAW", "event": 1}), chunk("lo"), finished()];
    let (agent, _) = scripted(&[&events]);
    let shout = |input: RunAgentInput, next: Next| {
        Events::generate(|sink| async move {
            let mut events = next.run(input);
            while let Some(event) = events.next().await {
                match event? {
                    Event::Raw(RawEvent { .. }) => {}
                    Event::TextMessageChunk(mut chunk) => {
                        chunk.delta = chunk.delta.map(|delta| delta.to_uppercase());
                        sink.send(chunk.into()).await;
                    }
                    other => sink.send(other).await,
                }
            }
            Ok(())
        })
    };
    let mut agent = agent.with_middleware(shout);
    let mut run = agent.run(RunParameters::default());
    let mut tags = Vec::new();
    while let Some(event) = run.next().await {
        tags.push(event.unwrap().tag().to_owned());
    }
    assert_eq!(run.into_result().text(), "HELLO");
    let message = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"];
    assert_eq!(tags, [&["RUN_STARTED"][..], &message, &["RUN_FINISHED"]].concat());

    // The events that middleware yields are verified: without the start of the message, the fourth event is wrong;
    // without the end, the end of the run is.
    let leaves_out = |tag: &'static str| {
        move |input: RunAgentInput, next: Next| {
            next.run(input)
                .filter(move |event| {
                    let is_kept = event.as_ref().unwrap().tag() != tag;
                    async move { is_kept }
                })
                .boxed()
        }
    };
    for (tag, code, rule) in [
        ("TEXT_MESSAGE_START", Code::SequenceBroken, Some(Rule::V13)),
        ("RUN_STARTED", Code::SequenceBroken, Some(Rule::V03)),
        ("TEXT_MESSAGE_END", Code::SequenceBroken, Some(Rule::V35)),
        ("RUN_FINISHED", Code::StreamTruncated, None),
    ] {
        let (agent, _) = scripted(&[&says("Hello")]);
        let mut agent = agent.with_middleware(leaves_out(tag));
        let error = agent.run_to_end(RunParameters::default()).await.unwrap_err();
        assert_eq!((error.code(), error.error().rule()), (code, rule), "{tag}");
        assert_eq!(
            error.run().text(),
            if tag.starts_with("RUN_S") || tag.ends_with("_START") { "" } else { "Hello" }
        );
    }
}

#[tokio::test(flavor = "current_thread")]
async fn it_may_answer_itself() {
    let (agent, requests) = scripted(&[&[]]);
    let cached = |input: RunAgentInput, _: Next| {
        let RunAgentInput { thread_id, run_id, .. } = input;
        let events: [Event; 3] = [
            RunStartedEvent::new(&thread_id, &run_id).into(),
            TextMessageChunkEvent::new().with_message_id("m").with_delta("From the cache").into(),
            RunFinishedEvent::new(thread_id, run_id).into(),
        ];
        stream::iter(events.map(Ok))
    };
    let mut agent = agent.with_middleware(cached);
    assert_eq!(agent.ask("Hello?").await.unwrap().text(), "From the cache");
    assert!(requests.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "current_thread")]
async fn it_may_ask_again_and_sees_refusals() {
    let tokens = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&tokens);
    let agent = Agent::over(move |request: RunRequest| {
        let token = request.input.forwarded_props.clone().unwrap().as_object().unwrap().get("token").cloned();
        let is_fresh = token.is_some();
        seen.lock().unwrap().push(token);
        async move {
            Ok(if is_fresh {
                body(&says("Welcome"))
            } else {
                Response::new(stream::iter([Ok::<_, std::io::Error>("Who?")])).with_status(401)
            })
        }
    });
    let signs_in = |mut input: RunAgentInput, next: Next| {
        Events::generate(|sink| async move {
            let mut events = next.run(input.clone());
            while let Some(event) = events.next().await {
                match event {
                    Err(error) if error.status() == Some(401) => {
                        input.forwarded_props = Some(ag_ui_native::Object::from([("token", "fresh")]).into());
                        events = next.run(input.clone());
                    }
                    other => sink.send(other?).await,
                }
            }
            Ok(())
        })
    };
    let mut signed_in = agent.clone().with_middleware(signs_in);
    assert_eq!(signed_in.ask("Hello?").await.unwrap().text(), "Welcome");
    assert_eq!(*tokens.lock().unwrap(), [None, Some("fresh".into())]);

    // A failure that no callback handles is returned with all its data.
    let passes = |input: RunAgentInput, next: Next| next.run(input);
    let error = agent.with_middleware(passes).ask("Hello?").await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Code::HttpError, Some(401)));
    assert_eq!(error.payload(), Some(&Payload::Text("Who?".to_owned())));
}

#[tokio::test(flavor = "current_thread")]
async fn calls_of_some_tools_only() {
    let tagged = |mut event: Value, tag: &str| {
        event["subagentRunId"] = tag.into();
        event
    };
    let chunk = |id: Option<&str>, name: Option<&str>, delta: &str| {
        let mut chunk = json!({"type": "TOOL_CALL_CHUNK", "delta": delta});
        if let Some(id) = id {
            chunk["toolCallId"] = id.into();
        }
        if let Some(name) = name {
            chunk["toolCallName"] = name.into();
        }
        chunk
    };
    let mut events = calls(&[("a", "look"), ("b", "delete")]);
    let end = events.pop().unwrap();
    let result = |id: &str| json!({"type": "TOOL_CALL_RESULT", "messageId": format!("of {id}"), "toolCallId": id, "content": id});
    events.extend([result("a"), result("b")]);
    // Two lanes take turns, and a chunk without an id continues the call of its own lane.
    events.extend([
        chunk(Some("c"), Some("delete"), "{"),
        tagged(chunk(Some("d"), Some("look"), "["), "sub"),
        chunk(None, None, "}"),
        tagged(chunk(None, None, "]"), "sub"),
        // The id is free again behind its result.
        json!({"type": "TOOL_CALL_START", "toolCallId": "b", "toolCallName": "look"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "b"}),
        end,
    ]);
    for filter in [ToolCallFilter::deny(["delete"]), ToolCallFilter::allow(["look", "other"])] {
        let (agent, _) = scripted(&[&events]);
        let mut agent = agent.with_middleware(filter);
        // Each run begins anew.
        for _ in 0..2 {
            agent.set_messages(&[]);
            let run = agent.run_to_end(RunParameters::default()).await.unwrap();
            let mut found: Vec<_> = run.new_messages.iter().flat_map(Message::tool_calls).collect();
            found.sort_by_key(|call| call.id.clone());
            let found: Vec<_> =
                found.iter().map(|call| (call.id.as_str(), call.function.arguments.as_str())).collect();
            assert_eq!(found, [("a", r#"{"id":"a"}"#), ("b", ""), ("d", "[]")]);
            let results = run.new_messages.iter().filter(|message| matches!(message, Message::Tool(_)));
            assert_eq!(results.map(Message::id).collect::<Vec<_>>(), ["of a"]);
            assert_eq!(run.pending_tool_call_ids(), ["d", "b"]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_hangs_ends_with_the_run() {
    /// Records that it is dropped.
    struct Told(Arc<Mutex<usize>>);
    impl Drop for Told {
        fn drop(&mut self) {
            *self.0.lock().unwrap() += 1;
        }
    }
    let (agent, _) = scripted(&[&says("Hello")]);
    for after in 0..5 {
        let dropped = Arc::new(Mutex::new(0));
        let counter = Arc::clone(&dropped);
        let hangs = move |input: RunAgentInput, next: Next| {
            let told = Told(Arc::clone(&counter));
            Events::generate(move |sink| async move {
                let _told = told;
                let mut events = next.run(input);
                for _ in 0..after {
                    let Some(event) = events.next().await else { break };
                    sink.send(event?).await;
                }
                pending().await
            })
        };
        let hanging = agent.clone().with_middleware(hangs);
        let mut timeouts = Timeouts::default();
        timeouts.total = Some(Duration::from_secs(5));
        let error =
            hanging.clone().with_timeouts(timeouts).run_to_end(RunParameters::default()).await.unwrap_err();
        assert_eq!((error.code(), error.error().limit), (Code::TimedOut, Some("total_timeout")));

        let mut aborted = hanging.clone();
        let handle = aborted.abort_handle();
        let later = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            handle.abort()
        });
        let run = aborted.run_to_end(RunParameters::default()).await.unwrap();
        assert!(later.await.unwrap());
        assert_eq!(run.outcome, Some(RunOutcome::Aborted));
        assert_eq!(run.text(), if after >= 3 { "Hello" } else { "" });
        assert_eq!(*dropped.lock().unwrap(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn behind_the_end_only_the_total_timeout_ends_it() {
    let (agent, _) = scripted(&[&says("Hello")]);
    let mut timeouts = Timeouts::default();
    timeouts.total = Some(Duration::from_secs(5));
    let never_ends = |input: RunAgentInput, next: Next| next.run(input).chain(stream::pending()).boxed();
    let mut agent = agent.with_middleware(never_ends).with_timeouts(timeouts);
    assert!(agent.run_to_end(RunParameters::default()).await.unwrap().is_success());
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_said_beside_the_events_is_there() {
    let mut with_color = started();
    with_color["color"] = "red".into();
    let pieces = [frame(&with_color), format!("id: 7\n{}", frame(&finished()))];
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let mut agent = Agent::over(move |_: RunRequest| {
        let pieces = pieces.clone().map(Ok::<_, std::io::Error>);
        async { Ok(Response::new(stream::iter(pieces))) }
    })
    .with_thread_id("t")
    .with_peer(ProtocolVersion::parse("0.0.39").unwrap())
    .with_on_warning(move |warning| log.lock().unwrap().push(warning.clone()));
    let options = RunParameters::default().with_parent_run_id("before").with_run_id("r");
    let straight = agent.run_to_end(options.clone()).await.unwrap();
    assert_eq!(straight.warnings[0].issue.code, Code::UnknownField);
    assert_eq!(straight.last_event_id.as_deref(), Some("7"));
    assert_eq!(*heard.lock().unwrap(), straight.warnings);

    // Middleware that changes nothing has no effect; members that it adds to the input are adapted to the peer.
    let asks = |mut input: RunAgentInput, next: Next| {
        input.parent_run_id = Some("another".to_owned());
        next.run(input)
    };
    let through = agent.with_middleware(asks).run_to_end(options).await.unwrap();
    assert_eq!((&through.warnings, &through.last_event_id), (&straight.warnings, &straight.last_event_id));
    // One more says that there was a run of this id already.
    assert_eq!(through.input_warnings.len(), straight.input_warnings.len() * 2 + 1);
    assert!(through.input_warnings.iter().any(|warning| warning.path == "/runId"));
}

#[tokio::test(flavor = "current_thread")]
async fn generated_events_wait_for_their_reader() {
    let made = Arc::new(Mutex::new(0));
    let counter = Arc::clone(&made);
    let mut events = Events::generate(move |sink| async move {
        for number in 0..100 {
            *counter.lock().unwrap() += 1;
            sink.send(RunStartedEvent::new("t", number.to_string()).into()).await;
        }
        Err::<(), ClientError>(ag_ui_native::Error::new(Code::ConnectionLost, "").into())
    });
    for _ in 0..10 {
        events.next().await.unwrap().unwrap();
    }
    assert!(*made.lock().unwrap() < 15);
    let mut left = 0;
    let error = loop {
        match events.next().await.unwrap() {
            Ok(_) => left += 1,
            Err(error) => break error,
        }
    };
    assert_eq!((left, error.code()), (90, Code::ConnectionLost), "the failure is the last item");
    assert!(events.next().await.is_none());

    // Another task may send, too.
    let mut events = Events::generate(|sink| async move {
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            sink.send(RunStartedEvent::new("t", "r").into()).await;
        });
        Ok(())
    });
    assert_eq!(events.next().await.unwrap().unwrap().tag(), "RUN_STARTED");
    assert!(events.next().await.is_none());
}

#[tokio::test(flavor = "current_thread")]
async fn an_agent_survives_what_panics() {
    let panics = || -> bool { std::panic::panic_any("on purpose") };
    let mut colored = started();
    colored["color"] = "red".into();
    let events = [colored, finished()];
    let (agent, _) = scripted(&[&events]);
    let is_bad = Arc::new(Mutex::new(true));
    let bad = move |is_bad: &Mutex<bool>| {
        let is_now = std::mem::take(&mut *is_bad.lock().unwrap());
        is_now && panics()
    };
    let (first, second, third) = (Arc::clone(&is_bad), Arc::clone(&is_bad), Arc::clone(&is_bad));
    let at_once = agent.clone().with_middleware(move |input: RunAgentInput, next: Next| {
        bad(&first);
        next.run(input)
    });
    let amid = agent.clone().with_middleware(move |input: RunAgentInput, next: Next| {
        let second = Arc::clone(&second);
        next.run(input).inspect(move |_| _ = bad(&second)).boxed()
    });
    let warned = agent.with_on_warning(move |_| _ = bad(&third));
    for (number, mut agent) in [at_once, amid, warned].into_iter().enumerate() {
        *is_bad.lock().unwrap() = true;
        let mut asked = Box::pin(agent.run_to_end(RunParameters::default()));
        let context = &mut std::task::Context::from_waker(std::task::Waker::noop());
        let polled = std::panic::AssertUnwindSafe(|| asked.as_mut().poll(context).is_ready());
        assert!(std::panic::catch_unwind(polled).is_err(), "{number}");
        drop(asked);
        assert!(!agent.abort_handle().abort());
        assert!(agent.run_to_end(RunParameters::default()).await.unwrap().is_success(), "{number}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_function_goes_on_when_the_next_event_is_asked_for() {
    let at = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&at);
    let mut events = Events::generate(|sink| async move {
        for number in 1..=3 {
            at.store(number, Ordering::Relaxed);
            sink.send(CustomEvent::new("c", 1).into()).await;
        }
        Ok(())
    });
    for number in 1..=3 {
        assert!(events.next().await.is_some());
        assert_eq!(seen.load(Ordering::Relaxed), number);
    }
    assert!(events.next().await.is_none());
}
