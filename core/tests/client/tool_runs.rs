//! Runs that follow tool calls: the events and the result of each.

use crate::scripted;

use std::sync::{Arc, Mutex};

use std::time::Duration;

use ag_ui_native::client::{
    AgentStateMutation, AgentSubscriber, AgentSubscriberParams, Next, RunOutcome, RunParameters, RunResult,
    Timeouts,
};
use ag_ui_native::types::{Event, Interrupt, Message, RunAgentInput, Tool, ToolCallArgsEvent, UserMessage};
use ag_ui_native::{Code, Error, Limits, Profile, from_json};
use scripted::{calls, finished, says, scripted, started};
use serde_json::{Value, json};

#[derive(serde::Deserialize)]
struct Arguments {
    id: String,
}

fn tool(name: &str) -> Tool {
    Tool::new(name, "A tool.")
}

/// Returns the number of answers of tools.
fn answers(messages: &[Message]) -> usize {
    messages.iter().filter(|message| matches!(message, Message::Tool(_))).count()
}

/// Records the changes of the messages.
#[derive(Default)]
struct Hears(Mutex<Vec<String>>);
impl AgentSubscriber for Hears {
    fn on_new_message(&self, _: &AgentSubscriberParams<'_>, message: &Message) {
        self.0.lock().unwrap().push(format!("{:?}", message.role().unwrap()));
    }

    fn on_messages_changed(&self, run: &AgentSubscriberParams<'_>) {
        self.0.lock().unwrap().push(format!("{} messages", run.conversation().messages().unwrap().len()));
    }

    fn on_run_initialized(&self, _: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
        self.0.lock().unwrap().push("begins".to_owned());
        None
    }
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_refused_has_not_been_said() {
    let interrupt =
        from_json::<Interrupt>(r#"{"id":"i","reason":"confirmation"}"#, Profile::Strict).unwrap().0;
    let (agent, requests) = scripted(&[&says("Hello")]);
    let mut agent = agent.with_pending_interrupts(vec![interrupt]);
    let error = agent.ask("Hello?").await.unwrap_err();
    assert_eq!(error.error().rule().unwrap().as_str(), "L01");
    assert!(agent.messages().unwrap().is_empty() && error.run().new_messages.is_empty());
    drop(agent.ask_stream("Hello?"));
    assert!(agent.messages().unwrap().is_empty() && requests.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "current_thread")]
async fn a_reply_is_what_the_assistant_says() {
    /// Keeps secrets.
    struct Discreet;
    impl AgentSubscriber for Discreet {
        fn on_event(&self, _: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
            let Event::TextMessageContent(event) = event else { return None };
            event.delta.contains("secret").then(AgentStateMutation::stop)
        }
    }
    let mut events = says("Hello");
    let end = events.pop().unwrap();
    events
        .splice(2..2, [json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "Hello", "delta": "A secret!"})]);
    events.extend([
        json!({"type": "TEXT_MESSAGE_START", "messageId": "u", "role": "user"}),
        json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "u", "delta": "Not mine"}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": "u"}),
        end,
    ]);
    let (mut agent, requests) = scripted(&[&events]);
    agent.subscribe(Arc::new(Discreet));
    let options = RunParameters::default().with_parent_run_id("before");
    let mut stream = agent.ask_stream_with("Hello?", options.clone());
    let mut text = String::new();
    while let Some(piece) = stream.next().await {
        text += &piece.unwrap();
    }
    assert_eq!((text.as_str(), stream.into_reply().text()), ("Hello", "Hello".to_owned()));
    agent.ask_with("And?", options).await.unwrap();
    assert!(requests.lock().unwrap().iter().all(|request| request["parentRunId"] == "before"));
}

#[tokio::test(flavor = "current_thread")]
async fn each_run_has_a_result() {
    let usage = |tokens: u32| json!([{"model": "m", "inputTokens": tokens}]);
    let mut first = calls(&[("a", "look")]);
    first[0]["color"] = "red".into();
    first.last_mut().unwrap()["usage"] = usage(1);
    let mut second = says("Bye");
    second.last_mut().unwrap()["usage"] = usage(2);
    let (agent, requests) = scripted(&[&first, &second]);
    let mut agent = agent
        .with_agent_id("mine")
        .with_description("Looks.")
        .with_tool(tool("look"), |place: Arguments| async { Ok::<_, Error>(place.id) });
    let told = Arc::new(Hears::default());
    let run = agent.run_to_end(RunParameters::default().with_subscriber(told.clone())).await.unwrap();
    assert_eq!(
        std::mem::take(&mut *told.0.lock().unwrap()).iter().filter(|heard| *heard == "begins").count(),
        2
    );
    let ids: Vec<Value> = requests.lock().unwrap().iter().map(|request| request["runId"].clone()).collect();
    let [first, second] = run.runs() else { panic!("{run:?}") };
    assert_eq!([&first.run_id, &second.run_id], [&ids[0], &ids[1]]);
    assert_eq!((&run.run_id, &run.outcome), (&second.run_id, &second.outcome));
    assert_eq!(
        (first.new_messages.len(), answers(&first.new_messages), second.text()),
        (2, 1, "Bye".to_owned())
    );
    assert_eq!(run.new_messages, [&first.new_messages[..], &second.new_messages].concat());
    assert_eq!((first.warnings.len(), second.warnings.len(), run.warnings.len()), (1, 0, 1));
    let tokens = |run: &RunResult| run.usage.iter().map(|usage| usage.input_tokens).collect::<Vec<_>>();
    assert_eq!(
        format!("{:?} {:?} {:?}", tokens(first), tokens(second), tokens(&run)),
        "[Some(1)] [Some(2)] [Some(3)]"
    );
    assert!(first.is_success() && first.pending_tool_call_ids().is_empty());
    assert_eq!((first.runs(), second.runs()), (std::slice::from_ref(first), std::slice::from_ref(second)));

    // The subscriber was one of that run alone; copies have the names.
    agent.run_to_end(RunParameters::default()).await.unwrap();
    assert!(told.0.lock().unwrap().is_empty());
    let copy = agent.clone();
    assert_eq!((copy.agent_id(), copy.description()), ("mine", "Looks."));
    let (other, _) = scripted(&[&[]]);
    assert!(other.agent_id().starts_with("agent-") && other.description().is_empty());
}

#[tokio::test(flavor = "current_thread")]
async fn tool_answers_are_told_of() {
    let listener = Arc::new(Hears::default());
    let (agent, _) = scripted(&[&calls(&[("a", "look")]), &[started(), finished()]]);
    let mut agent = agent.with_tool(tool("look"), |place: Arguments| async { Ok::<_, Error>(place.id) });
    let mut run = agent.run(RunParameters::default().with_subscriber(listener.clone()));
    while let Some(event) = run.next().await {
        event.unwrap();
    }
    let heard = listener.0.lock().unwrap().clone();
    let place = heard.iter().position(|heard| heard == "Tool").unwrap();
    assert_eq!(heard[place + 1..], ["2 messages", "begins"]);
}

#[tokio::test(flavor = "current_thread")]
async fn arguments_are_there_while_they_arrive() {
    #[derive(Default)]
    struct Watches(Mutex<Vec<String>>);
    impl AgentSubscriber for Watches {
        fn on_tool_call_args_event(
            &self,
            run: &AgentSubscriberParams<'_>,
            event: &ToolCallArgsEvent,
        ) -> Option<AgentStateMutation> {
            let value = run.partial_arguments(&event.tool_call_id).unwrap();
            self.0.lock().unwrap().push(ag_ui_native::to_json(&value));
            None
        }
    }
    let watches = Arc::new(Watches::default());
    let delta = |delta: &str| json!({"type": "TOOL_CALL_ARGS", "toolCallId": "a", "delta": delta});
    let mut events = calls(&[("a", "look")]);
    events.splice(2..3, [delta("{\"to"), delta("wn\":\"Ba"), delta("th\",\"x\":[1,"), delta("2]}")]);
    let (agent, _) = scripted(&[&events]);
    let mut agent = agent;
    agent.run_to_end(RunParameters::default().with_subscriber(watches.clone())).await.unwrap();
    assert_eq!(*watches.0.lock().unwrap(), ["{}", "{}", r#"{"town":"Ba"}"#, r#"{"town":"Bath","x":[1]}"#]);
}

#[tokio::test(start_paused = true)]
async fn the_total_timeout_is_for_all_runs() {
    let (agent, requests) =
        scripted(&[&calls(&[("a", "look")]), &calls(&[("b", "look")]), &calls(&[("c", "look")])]);
    let mut timeouts = Timeouts::default();
    timeouts.total = Some(Duration::from_secs(5));
    let mut agent = agent.with_timeouts(timeouts).with_tool(tool("look"), |place: Arguments| async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok::<_, Error>(place.id)
    });
    let error = agent.run_to_end(RunParameters::default()).await.unwrap_err();
    assert_eq!(error.error().limit, Some("total_timeout"));
    assert_eq!((requests.lock().unwrap().len(), error.run().runs().len()), (3, 3));
    assert!(error.run().outcome.is_none() && error.run().runs()[2].outcome.is_none());
    assert!(error.run().runs()[0].is_success());
}

#[tokio::test(flavor = "current_thread")]
async fn copies_run_in_tasks_at_the_same_time() {
    let (mut agent, _) = scripted(&[&says("Hello")]);
    let listener = Arc::new(Hears::default());
    agent.subscribe(listener.clone());
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let mut copy = agent.clone().with_thread_id(number.to_string());
            tokio::spawn(async move {
                let reply = copy.ask("Hello?").await.unwrap();
                (reply.thread_id().to_owned(), reply.text(), copy.messages().unwrap().len())
            })
        })
        .collect();
    for (number, task) in tasks.into_iter().enumerate() {
        assert_eq!(task.await.unwrap(), (number.to_string(), "Hello".to_owned(), 2));
    }
    let heard = listener.0.lock().unwrap();
    assert_eq!(heard.iter().filter(|heard| *heard == "begins").count(), 50);
    assert!(agent.messages().unwrap().is_empty());
}

#[tokio::test(flavor = "current_thread")]
async fn what_subscribers_change_is_what_is_asked_and_what_comes_of_it() {
    /// Says more before and after.
    struct Talks;
    impl Talks {
        fn add(run: &AgentSubscriberParams<'_>, id: &str) -> AgentStateMutation {
            let mut messages = run.conversation().messages().unwrap();
            messages.push(UserMessage::new(id, id).into());
            AgentStateMutation::default().with_messages(messages)
        }
    }
    impl AgentSubscriber for Talks {
        fn on_run_initialized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
            Some(Self::add(run, "before"))
        }

        fn on_run_finalized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
            Some(Self::add(run, "after"))
        }
    }
    let (mut agent, requests) = scripted(&[&says("Hello")]);
    agent.subscribe(Arc::new(Talks));
    // An empty id counts as absent: one id is made, once.
    let run = agent.run_to_end(RunParameters::default().with_run_id("")).await.unwrap();
    let asked = requests.lock().unwrap()[0].clone();
    assert_eq!(
        (asked["runId"].as_str(), &asked["messages"][0]["id"]),
        (Some(run.run_id.as_str()), &json!("before"))
    );
    assert!(run.run_id.starts_with("run-"));
    let ids: Vec<_> = run.new_messages.iter().map(Message::id).collect();
    assert_eq!(ids, ["before", "Hello", "after"]);
    // Dropped, it is over, too.
    drop(agent.run(RunParameters::default()));
    assert_eq!(agent.messages().unwrap().len(), 3, "it had not begun");
    agent.run(RunParameters::default()).next().await.unwrap().unwrap();
    assert_eq!(agent.messages().unwrap().len(), 5);
}

#[tokio::test(flavor = "current_thread")]
async fn unknown_events_are_kept_in_relay_but_a_cut_run_still_fails() {
    let news = json!({"type": "NEWS", "value": 1});
    for through in [false, true] {
        let (agent, _) = scripted(&[&[started(), news.clone(), finished()], &[started(), news.clone()]]);
        let mut agent = agent.with_profile(Profile::Relay);
        if through {
            agent = agent.with_middleware(|input: RunAgentInput, next: Next| next.run(input));
        }
        let mut run = agent.run(RunParameters::default());
        let mut tags = Vec::new();
        while let Some(event) = run.next().await {
            tags.push(event.unwrap().tag().to_owned());
        }
        assert_eq!(tags, ["RUN_STARTED", "NEWS", "RUN_FINISHED"]);
        assert!(run.into_result().is_success());
        let error = agent.run_to_end(RunParameters::default()).await.unwrap_err();
        assert_eq!(error.code(), Code::StreamTruncated, "{through}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn failing_patches_have_so_many_warnings_and_one_that_says_so() {
    let fails = json!({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/none"}]});
    let mut events = vec![fails; 11];
    (events[0], events[10]) = (started(), finished());
    let agent = scripted(&[&events]).0;
    let mut agent = agent.with_limits(Limits::default().with_warnings(3));
    let run = agent.run_to_end(RunParameters::default()).await.unwrap();
    let codes: Vec<_> = run.warnings.iter().map(|warning| warning.issue.code).collect();
    assert_eq!(codes, [[Code::PatchFailed; 3].as_slice(), &[Code::LimitExceeded]].concat());
}

#[tokio::test(flavor = "current_thread")]
async fn what_a_tool_fails_with_that_has_aborted_is_no_answer() {
    for answer in [Ok("gone"), Err("gone")] {
        let (agent, _) = scripted(&[&calls(&[("a", "stop")])]);
        let handle = agent.abort_handle();
        let mut agent = agent.with_tool(tool("stop"), move |_: Value| {
            handle.abort();
            std::future::ready(answer)
        });
        let run = agent.run_to_end(RunParameters::default()).await.unwrap();
        assert_eq!(run.outcome, Some(RunOutcome::Aborted));
        assert_eq!(answers(&run.new_messages), usize::from(answer.is_ok()));
    }
}
