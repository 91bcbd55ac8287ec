//! The ends of runs: runs that are left at any point, and code of the application that hangs, panics or never waits.

use std::convert::Infallible;
use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ag_ui_native::client::{
    Agent, AgentStateMutation, AgentSubscriber, AgentSubscriberParams, ClientError, HttpAgent, Payload,
    Response, Retry, RunOutcome, RunParameters, RunRequest, Timeouts, Transport,
};
use ag_ui_native::types::{Event, Message, Tool};
use ag_ui_native::{Code, Error};
use futures_util::stream::{self, StreamExt};
use serde_json::json;
use tokio::time::Instant;

use crate::peer::Peer;
use crate::scripted::{body, calls, finished, frame, says, scripted, started};

const SECOND: Duration = Duration::from_secs(1);

fn timeouts(idle: Option<Duration>, total: Option<Duration>) -> Timeouts {
    let mut timeouts = Timeouts::default();
    (timeouts.idle, timeouts.total) = (idle, total);
    timeouts
}

#[derive(serde::Deserialize)]
struct Arguments {
    id: String,
}

fn tool(name: &str) -> Tool {
    Tool::new(name, "A tool.")
}

/// The answers of tools among messages, each with its error.
fn answers(messages: &[Message]) -> Vec<(String, Option<String>)> {
    let answer = |message: &Message| match message {
        Message::Tool(answer) => Some((answer.tool_call_id.clone(), answer.error.clone())),
        _ => None,
    };
    messages.iter().filter_map(answer).collect()
}

/// Counts the callbacks for the beginning and the end of a run.
#[derive(Default)]
struct Ends {
    told: Mutex<Vec<&'static str>>,
}

impl Ends {
    fn take(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.told.lock().unwrap())
    }
}

impl AgentSubscriber for Ends {
    fn on_run_initialized(&self, _: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
        self.told.lock().unwrap().push("initialized");
        None
    }

    fn on_run_failed(
        &self,
        _: &AgentSubscriberParams<'_>,
        error: &ClientError,
    ) -> Option<AgentStateMutation> {
        assert_eq!(error.code(), Code::RunAborted);
        self.told.lock().unwrap().push("failed");
        None
    }

    fn on_run_finalized(&self, _: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
        self.told.lock().unwrap().push("finalized");
        None
    }
}

#[tokio::test(flavor = "current_thread")]
async fn it_may_be_left_anywhere() {
    let ends = Arc::new(Ends::default());
    let mut events = says("Hello");
    let end = events.pop().unwrap();
    events.extend(calls(&[("c", "look")]).into_iter().skip(1).take(3));
    events.push(end);
    let (agent, _) = scripted(&[&events, &says("Bye")]);
    for taken in 0..=events.len() + 4 {
        for way in ["drop", "abort", "result"] {
            let (script, _) = scripted(&[&events, &says("Bye")]);
            let mut agent =
                script.with_tool(tool("look"), |place: Arguments| async { Ok::<_, Error>(place.id) });
            agent.subscribe(ends.clone());
            let handle = agent.abort_handle();
            let mut run = agent.run(RunParameters::default());
            for _ in 0..taken {
                run.next().await.unwrap().unwrap();
            }
            // Behind the end of a run, its answer may still be open: that changes nothing.
            let is_at_work = taken != events.len() && taken < events.len() + 5;
            match way {
                "drop" => drop(run),
                "abort" => {
                    assert!(handle.abort());
                    assert!(run.next().await.is_none() && run.next().await.is_none());
                    let outcome = run.result().outcome.clone().unwrap();
                    assert_eq!(outcome == RunOutcome::Aborted, is_at_work, "{taken}");
                    drop(run);
                }
                _ => {
                    let outcome = run.into_result().outcome.unwrap();
                    assert_eq!(outcome == RunOutcome::Aborted, is_at_work, "{taken}");
                }
            }
            assert!(!handle.abort(), "nothing goes on");
            let begun = usize::from(taken > 0) + usize::from(taken > events.len());
            let told = ends.take();
            let count = |what| told.iter().filter(|told| **told == what).count();
            assert_eq!((count("initialized"), count("finalized")), (begun, begun), "{way} {taken}: {told:?}");
            assert_eq!(count("failed"), usize::from(is_at_work && begun > 0), "{way} {taken}: {told:?}");

            // The messages that arrived are kept, and the agent can run again.
            let texts = agent.messages().unwrap().len();
            assert_eq!(texts > 0, taken >= 2, "{way} {taken}");
            agent.run_to_end(RunParameters::default()).await.unwrap();
            ends.take();
        }
    }
    drop(agent);
}

#[tokio::test(start_paused = true)]
async fn tools_that_hang_end_with_the_run() {
    let (agent, requests) = scripted(&[&calls(&[("a", "quick"), ("b", "slow"), ("c", "quick")])]);
    let called = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&called);
    let agent = agent
        .with_tool(tool("quick"), move |place: Arguments| {
            counter.fetch_add(1, SeqCst);
            std::future::ready(Ok::<_, Error>(place.id))
        })
        .with_tool(tool("slow"), |_: Arguments| pending::<Result<String, Error>>());
    let begun = Instant::now();
    let mut late = agent.clone().with_timeouts(timeouts(Some(SECOND), Some(5 * SECOND)));
    let error = late.run_to_end(RunParameters::default()).await.unwrap_err();
    assert_eq!((error.code(), error.error().limit), (Code::TimedOut, Some("total_timeout")));
    assert_eq!(
        answers(&error.run().new_messages),
        [("a".to_owned(), None)],
        "what has answered has answered"
    );
    assert_eq!(begun.elapsed().as_secs(), 5);

    let mut aborted = agent.clone();
    let handle = aborted.abort_handle();
    tokio::spawn(async move {
        tokio::time::sleep(3 * SECOND).await;
        handle.abort()
    });
    let run = aborted.run_to_end(RunParameters::default()).await.unwrap();
    assert_eq!((run.outcome, begun.elapsed().as_secs()), (Some(RunOutcome::Aborted), 8));
    assert_eq!(called.load(SeqCst), 2, "no call behind the one that hangs");
    assert_eq!(requests.lock().unwrap().len(), 2, "each was asked once");
}

#[tokio::test(flavor = "current_thread")]
async fn a_tool_may_abort() {
    for names in [["stop", "look"], ["look", "stop"]] {
        let (agent, requests) = scripted(&[&calls(&[("a", names[0]), ("b", names[1])]), &says("Bye")]);
        let looked = Arc::new(AtomicUsize::new(0));
        let (counter, handle) = (Arc::clone(&looked), agent.abort_handle());
        let mut agent = agent
            .with_tool(tool("stop"), move |place: Arguments| {
                handle.abort();
                std::future::ready(Ok::<_, Error>(place.id))
            })
            .with_tool(tool("look"), move |place: Arguments| {
                counter.fetch_add(1, SeqCst);
                std::future::ready(Ok::<_, Error>(place.id))
            });
        let run = agent.run_to_end(RunParameters::default()).await.unwrap();
        assert_eq!(run.outcome, Some(RunOutcome::Aborted), "{names:?}");
        assert_eq!(looked.load(SeqCst), usize::from(names[0] == "look"), "{names:?}");
        assert_eq!(requests.lock().unwrap().len(), 1, "{names:?}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_panic_of_a_tool_is_its_failure() {
    /// Cannot be shown.
    struct Mute;
    impl std::fmt::Display for Mute {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("secret")
        }
    }
    let ids = [("a", "called"), ("b", "polled"), ("c", "shown"), ("d", "fine")];
    let (agent, _) = scripted(&[&calls(&ids), &says("Bye")]);
    let mut agent = agent
        .with_tool(tool("called"), |place: Arguments| {
            assert!(place.id.is_empty(), "secret");
            std::future::ready(Ok::<_, Error>(place.id))
        })
        .with_tool(tool("polled"), |place: Arguments| async move {
            tokio::task::yield_now().await;
            assert!(place.id.is_empty(), "secret");
            Ok::<_, Error>(place.id)
        })
        .with_tool(tool("shown"), |_: Arguments| std::future::ready(Err::<String, _>(Mute)))
        .with_tool(tool("fine"), |place: Arguments| async move { Ok::<_, Error>(place.id) });
    let run = agent.run_to_end(RunParameters::default()).await.unwrap();
    let panicked = || Some("the function of the tool panicked".to_owned());
    let [a, b, c, d] = ["a", "b", "c", "d"].map(str::to_owned);
    assert_eq!(answers(&run.new_messages), [(a, panicked()), (b, panicked()), (c, panicked()), (d, None)]);
    assert!(run.is_success() && run.text() == "Bye");
}

#[tokio::test(flavor = "current_thread")]
async fn an_agent_survives_a_subscriber_that_panics() {
    struct Panics(Mutex<usize>);
    impl AgentSubscriber for Panics {
        fn on_event(&self, _: &AgentSubscriberParams<'_>, _: &Event) -> Option<AgentStateMutation> {
            let mut left = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *left = left.checked_sub(1)?;
            assert!(*left > 0, "on purpose");
            None
        }
    }
    let (mut agent, _) = scripted(&[&says("Hello")]);
    agent.subscribe(Arc::new(Panics(Mutex::new(3))));
    let mut asked = Box::pin(agent.run_to_end(RunParameters::default()));
    let context = &mut std::task::Context::from_waker(std::task::Waker::noop());
    assert!(catch_unwind(AssertUnwindSafe(|| asked.as_mut().poll(context).is_ready())).is_err());
    drop(asked);
    assert!(!agent.abort_handle().abort());
    assert_eq!(agent.run_to_end(RunParameters::default()).await.unwrap().text(), "");
    assert_eq!(agent.messages().unwrap().len(), 1);
}

#[tokio::test(flavor = "current_thread")]
async fn a_subscriber_may_use_other_agents() {
    /// A subscriber that changes another agent at each notification; that agent then notifies this subscriber.
    struct Mirrors<T>(Mutex<Option<Agent<T>>>);
    impl<T: Transport> AgentSubscriber for Mirrors<T> {
        fn on_messages_changed(&self, run: &AgentSubscriberParams<'_>) {
            let messages = run.conversation().messages().unwrap();
            let mirror = self.0.lock().unwrap().take();
            if let Some(mut mirror) = mirror {
                mirror.set_messages(&messages);
                *self.0.lock().unwrap() = Some(mirror);
            }
        }
    }
    let (mut agent, _) = scripted(&[&says("Hello")]);
    let mirrors = Arc::new(Mirrors(Mutex::new(None)));
    agent.subscribe(mirrors.clone());
    *mirrors.0.lock().unwrap() = Some(agent.clone());
    agent.run_to_end(RunParameters::default()).await.unwrap();
    assert_eq!(mirrors.0.lock().unwrap().take().unwrap().messages(), agent.messages());
}

/// Makes an agent whose answer is this body.
fn flows<S>(make: impl Fn() -> S + Send + Sync + 'static) -> Agent<impl Transport>
where
    S: stream::Stream<Item = Result<String, Infallible>> + Send + 'static,
{
    Agent::over(move |_: RunRequest| {
        let answer = Response::new(make());
        async { Ok(answer) }
    })
}

#[tokio::test(start_paused = true)]
async fn behind_the_end_heartbeats_are_no_life() {
    let whole = || stream::iter(says("Hello").iter().map(frame).map(Ok).collect::<Vec<_>>());
    let beats = || {
        stream::unfold((), |()| async {
            tokio::time::sleep(SECOND / 10).await;
            Some((Ok(":\n\n".to_owned()), ()))
        })
    };
    for total in [None, Some(20 * SECOND)] {
        let begun = Instant::now();
        let mut agent = flows(move || whole().chain(beats())).with_timeouts(timeouts(Some(SECOND), total));
        assert!(agent.run_to_end(RunParameters::default()).await.unwrap().is_success());
        assert!(begun.elapsed() < 2 * SECOND);
    }
    // Before it, they are.
    let begun = Instant::now();
    let mut agent = flows(move || stream::iter([Ok(frame(&started()))]).chain(beats().take(100)))
        .with_timeouts(timeouts(Some(SECOND), None));
    let error = agent.run_to_end(RunParameters::default()).await.unwrap_err();
    assert_eq!((error.code(), begun.elapsed().as_secs()), (Code::StreamTruncated, 10));

    // Another run behind the first one has all the time there is.
    let again = || {
        stream::once(async {
            tokio::time::sleep(SECOND / 2).await;
            Ok(frame(&started()))
        })
    };
    let mut agent = flows(move || {
        whole().chain(again()).chain(beats().take(100)).chain(stream::iter([Ok(frame(&finished()))]))
    })
    .with_timeouts(timeouts(Some(SECOND), None));
    let begun = Instant::now();
    assert!(agent.run_to_end(RunParameters::default()).await.unwrap().is_success());
    assert_eq!(begun.elapsed().as_secs(), 10);
}

#[tokio::test(flavor = "current_thread")]
async fn what_never_waits_leaves_time_to_others() {
    type Make = fn() -> stream::BoxStream<'static, Result<String, Infallible>>;
    let nothing: Make = || stream::repeat_with(|| Ok(String::new())).boxed();
    let events: Make = || {
        let raw = frame(&json!({"type": "RAW", "event": 1}));
        stream::iter([Ok(frame(&started()))]).chain(stream::repeat_with(move || Ok(raw.clone()))).boxed()
    };
    let ended: Make = || {
        let whole = stream::iter([Ok(frame(&started())), Ok(frame(&finished()))]);
        whole.chain(stream::repeat_with(|| Ok(":\n\n".to_owned()))).boxed()
    };
    for make in [nothing, events] {
        let agent = flows(make);
        let mut late = agent.clone().with_timeouts(timeouts(None, Some(SECOND / 5)));
        let error = late.run_to_end(RunParameters::default()).await.unwrap_err();
        assert_eq!(error.error().limit, Some("total_timeout"));

        let mut aborted = agent.clone();
        let handle = aborted.abort_handle();
        let other = tokio::spawn(async move {
            tokio::time::sleep(SECOND / 5).await;
            handle.abort()
        });
        let run = aborted.run_to_end(RunParameters::default()).await.unwrap();
        assert!(run.outcome == Some(RunOutcome::Aborted) && other.await.unwrap());
    }
    let mut agent = flows(ended).with_timeouts(timeouts(Some(SECOND / 5), None));
    assert!(agent.run_to_end(RunParameters::default()).await.unwrap().is_success());
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_one_whatever_its_body_does() {
    let stalls = || stream::iter(["Oh"]).chain(stream::pending()).map(Ok::<_, Infallible>).boxed();
    let trickles = || {
        stream::unfold((), |()| async {
            tokio::time::sleep(SECOND / 2).await;
            Some((Ok("O"), ()))
        })
        .boxed()
    };
    let floods = || stream::repeat_with(|| Ok("x".repeat(1 << 16).leak() as &str)).boxed();
    let bodies =
        [stalls as fn() -> stream::BoxStream<'static, Result<&'static str, Infallible>>, trickles, floods];
    for (number, make) in bodies.into_iter().enumerate() {
        for idle in [None, Some(SECOND), Some(60 * SECOND)] {
            let attempts = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&attempts);
            let agent = Agent::over(move |_: RunRequest| {
                counter.fetch_add(1, SeqCst);
                async move { Ok(Response::new(make()).with_status(503)) }
            });
            let mut agent = agent.with_timeouts(timeouts(idle, None));
            let begun = Instant::now();
            let error = agent.run_to_end(RunParameters::default()).await.unwrap_err();
            assert_eq!((error.code(), error.status()), (Code::HttpError, Some(503)), "{number} {idle:?}");
            assert!(begun.elapsed() <= 5 * SECOND, "{number} {idle:?}");
            let Some(Payload::Text(said)) = error.payload() else { panic!("{error:?}") };
            assert!(said.starts_with(if number == 2 { "x" } else { "O" }) && said.len() <= 1 << 16);

            // And it is asked again.
            let retry = Retry { attempts: 2, ..Retry::default() };
            assert_eq!(
                agent.with_retry(retry).run_to_end(RunParameters::default()).await.unwrap_err().status(),
                Some(503)
            );
            assert_eq!(attempts.load(SeqCst), 3);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_waited_for() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let agent = Agent::over(move |_: RunRequest| {
        let is_first = counter.fetch_add(1, SeqCst) == 0;
        async move {
            let mut refused = Response::new(stream::empty::<Result<String, Infallible>>()).with_status(503);
            refused.retry_after = Some("8".to_owned());
            Ok(if is_first { refused } else { body(&says("Hello")) })
        }
    });
    let agent = agent.with_retry(Retry { attempts: 2, ..Retry::default() });
    let begun = Instant::now();
    assert_eq!(agent.clone().run_to_end(RunParameters::default()).await.unwrap().text(), "Hello");
    assert_eq!(begun.elapsed().as_secs(), 8);

    // The pause is no time that cannot be ended.
    asked.store(0, SeqCst);
    let mut late = agent.clone().with_timeouts(timeouts(None, Some(SECOND)));
    assert_eq!(
        late.run_to_end(RunParameters::default()).await.unwrap_err().error().limit,
        Some("total_timeout")
    );
    asked.store(0, SeqCst);
    let mut aborted = agent.clone();
    let handle = aborted.abort_handle();
    let begun = Instant::now();
    tokio::spawn(async move {
        tokio::time::sleep(SECOND).await;
        handle.abort()
    });
    assert_eq!(
        aborted.run_to_end(RunParameters::default()).await.unwrap().outcome,
        Some(RunOutcome::Aborted)
    );
    assert_eq!(begun.elapsed().as_secs(), 1);
}

#[tokio::test(flavor = "current_thread")]
async fn options_may_be_any_numbers() {
    let answer = says("Hello").iter().map(frame).collect::<String>();
    let answer = json!([{"send": format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{answer}")}]);
    let peer = Peer::follow(vec![answer, json!([{"hang": true}])]).await;
    let longest = Some(Duration::MAX);
    let mut most = timeouts(longest, longest);
    most.first_byte = longest;
    let retry = Retry { attempts: u32::MAX, first: Duration::MAX, longest: Duration::MAX, jitter: f64::NAN };
    let agent = HttpAgent::new(format!("http://{}/", peer.address)).with_connect_timeout(longest);
    let mut patient = agent.clone().with_timeouts(most).with_retry(retry).with_max_runs(usize::MAX);
    assert_eq!(patient.run_to_end(RunParameters::default()).await.unwrap().text(), "Hello");

    let mut hasty = agent.with_timeouts(timeouts(Some(Duration::ZERO), Some(Duration::ZERO)));
    assert_eq!(hasty.run_to_end(RunParameters::default()).await.unwrap_err().code(), Code::TimedOut);

    let (agent, requests) = scripted(&[&calls(&[("a", "look")])]);
    let mut agent =
        agent.with_max_runs(0).with_tool(tool("look"), |place: Arguments| async { Ok::<_, Error>(place.id) });
    assert_eq!(agent.run_to_end(RunParameters::default()).await.unwrap_err().error().limit, Some("max_runs"));
    assert_eq!(requests.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "current_thread")]
async fn heads_of_any_size() {
    let many = |count: usize| -> String {
        let names = (0..count).map(|number| number.to_string());
        names.flat_map(|number| ["x-", &number, ": y\r\n"].map(str::to_owned)).collect()
    };
    let events = says("Hello").iter().map(frame).collect::<String>();
    let whole = |headers: String| json!([{"send": format!("HTTP/1.1 200 OK\r\n{headers}connection: close\r\n\r\n{events}")}, {"close": true}]);
    let long = format!("x: {}\r\n", "y".repeat(10 << 20));
    let peer = Peer::follow(vec![
        whole(many(50)),
        whole(many(100_000)),
        whole(long),
        json!([{"repeat": 1_000_000, "send": "x: y\r\n"}]),
    ])
    .await;
    let mut agent = HttpAgent::new(format!("http://{}/", peer.address));
    // It would look for the run for twenty seconds each time.
    #[cfg(feature = "durable")]
    {
        agent = agent.with_reconnect(None);
    }
    assert_eq!(agent.run_to_end(RunParameters::default()).await.unwrap().text(), "Hello");
    for _ in 0..3 {
        let error = agent.run_to_end(RunParameters::default()).await.unwrap_err();
        assert_eq!(error.code(), Code::ConnectionLost);
    }
}

#[test]
fn an_agent_may_change_runtimes() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let lasting = runtime();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    let events = says("Hello").iter().map(frame).collect::<String>();
    let answer =
        json!([{"send": format!("{head}content-length: {}\r\n\r\n{events}", events.len())}, {"hang": true}]);
    // The connection could be used again, but belongs to a runtime that is gone.
    let peer = lasting.block_on(Peer::follow(vec![answer; 3]));
    let mut agent =
        HttpAgent::new(format!("http://{}/", peer.address)).with_timeouts(timeouts(Some(2 * SECOND), None));
    let serving =
        std::thread::spawn(move || lasting.block_on(async { tokio::time::sleep(5 * SECOND).await }));
    for _ in 0..3 {
        let run = runtime().block_on(agent.run_to_end(RunParameters::default())).unwrap();
        assert!(run.is_success());
    }
    drop((peer, serving));
}
