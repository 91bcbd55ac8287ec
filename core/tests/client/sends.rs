//! Values that an application gives a client to send are checked strictly: `tests/fixtures/client/client_sends.json`.

use crate::scripted;

use ag_ui_native::bindings::schema::DeclaredType;
use ag_ui_native::client::{ClientError, Events, Next, Reply, RunParameters};
use ag_ui_native::types::{
    Context, CustomEvent, Event, Interrupt, Message, ResumeEntry, RunAgentInput, Tool, UserMessage,
};
use ag_ui_native::{Code, Error, Object, Profile, from_json};
use futures_util::stream;
use scripted::{says, scripted};
use serde_json::{Value, json};

fn cases(group: &str) -> Vec<Value> {
    let fixture = include_str!("../../../tests/fixtures/client/client_sends.json");
    let cases: Value = serde_json::from_str(fixture).unwrap();
    let cases = cases[group].as_array().unwrap().iter();
    cases.filter(|case| case["hosts"] != true).cloned().collect()
}

/// Returns a value of a program: the profile `relay` keeps undeclared members if it can.
fn made<T: DeclaredType>(given: &Value) -> Result<T, Error> {
    from_json(given.to_string(), Profile::Relay).map(|(made, _)| made)
}

fn listed<T: DeclaredType>(given: &Value) -> Result<Vec<T>, Error> {
    given.as_array().unwrap().iter().map(made).collect()
}

/// Gives a client the values of a case. Returns the result and the number of requests; `None` if a Rust program cannot
/// make such values.
async fn send(case: &Value) -> Option<(Result<Reply, ClientError>, usize, usize)> {
    let (agent, requests) = scripted(&[&says("Hello")]);
    let (given, options) = (&case["given"], RunParameters::default());
    let way = case["way"].as_str().unwrap();
    let mut agent = match way {
        "resume" => agent.with_pending_interrupts(vec![Interrupt::new("i", "ask")]),
        _ => agent,
    };
    let before = agent.messages().unwrap().len();
    let content = match way {
        "ask" => {
            let Message::User(said) = made(&json!({"id": "u", "role": "user", "content": given})).ok()?
            else {
                panic!("a user says it")
            };
            said.content
        }
        _ => "Hi".into(),
    };
    let options = match way {
        "messages" | "set_messages" => {
            agent.set_messages(&listed::<Message>(given).ok()?);
            options
        }
        "add_message" => {
            agent.add_message(made::<Message>(given).ok()?);
            options
        }
        "set_state" => {
            agent.set_state(given.clone());
            options
        }
        "tools" => options.with_tools(listed::<Tool>(given).ok()?),
        "context" => options.with_context(listed::<Context>(given).ok()?),
        "forwarded_props" => options.with_forwarded_props(given.clone()),
        "resume" => options.with_resume(listed::<ResumeEntry>(given).ok()?),
        _ => options,
    };
    let known = agent.messages().unwrap().len();
    assert!(known >= before);
    let reply = agent.ask_with(content, options).await;
    let asked = requests.lock().unwrap().len();
    Some((reply, asked, agent.messages().unwrap().len() - known))
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_refused() {
    let mut refused = 0;
    for case in cases("refused") {
        // Answers are put in order by their types here, which judge them when the run is asked for.
        let Some((reply, asked, said)) = send(&case).await.filter(|_| case["way"] != "build_resume") else {
            continue;
        };
        refused += 1;
        let error = reply.unwrap_err();
        assert_eq!(
            (error.code().as_str(), error.error().path()),
            (case["code"].as_str().unwrap(), case["path"].as_str().unwrap()),
            "{case}"
        );
        assert_eq!((asked, said), (0, 0), "nothing of it is sent or stays: {case}");
    }
    assert!(refused > 10, "{refused}");
}

/// The cases of the table whose numbers are made here, because JSON does not have them.
#[tokio::test(flavor = "current_thread")]
async fn numbers_that_json_does_not_have_are_refused() {
    let odd = |key: &str, number: f64| Object::from([(key, vec![1.0, number])]);
    let said = UserMessage::new("u", "Hi").with_metadata(odd("n", f64::INFINITY));
    let tool = Tool::new("look", "").with_metadata(odd("n", f64::NAN));
    let mut answer = ag_ui_native::client::approve("i");
    answer.payload = Some(odd("n", f64::NEG_INFINITY).into());
    let asks = || Interrupt::new("i", "ask");
    for (path, options) in [
        ("/messages/0/metadata/n/1", RunParameters::default()),
        ("/state/n/1", RunParameters::default()),
        ("/tools/0/metadata/n/1", RunParameters::default().with_tools(vec![tool])),
        ("/forwardedProps/n/1", RunParameters::default().with_forwarded_props(odd("n", f64::INFINITY))),
        ("/resume/0/payload/n/1", RunParameters::default().with_resume(vec![answer])),
    ] {
        let (agent, requests) = scripted(&[&says("Hello")]);
        let mut agent =
            if path.starts_with("/resume") { agent.with_pending_interrupts(vec![asks()]) } else { agent };
        match path {
            "/messages/0/metadata/n/1" => agent.add_message(said.clone()),
            "/state/n/1" => agent.set_state(odd("n", f64::NAN)),
            _ => {}
        }
        let error = agent.run_to_end(options).await.unwrap_err();
        assert_eq!((error.code(), error.error().path()), (Code::WrongType, path));
        assert!(requests.lock().unwrap().is_empty());
    }
}

/// The events of middleware are checked in the same way.
#[tokio::test(flavor = "current_thread")]
async fn numbers_that_json_does_not_have_are_refused_of_middleware() {
    let (agent, _) = scripted(&[&says("Hello")]);
    let mut agent = agent.with_middleware(|_: RunAgentInput, _: Next| {
        Events::new(stream::iter([Ok(Event::from(CustomEvent::new("c", f64::INFINITY)))]))
    });
    let error = agent.ask("Hi").await.unwrap_err();
    assert_eq!((error.code(), error.error().path()), (Code::WrongType, "/value"));
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_sent() {
    for case in cases("taken") {
        let (reply, asked, _) = send(&case).await.unwrap();
        assert_eq!((reply.unwrap().text().as_str(), asked), ("Hello", 1), "{case}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_relay_sends_on_what_it_was_told() {
    let message = json!({"id": "u", "role": "user", "content": "Hi", "likes": 3});
    let (agent, requests) = scripted(&[&says("Hello")]);
    let mut agent = agent.with_profile(Profile::Relay).with_messages(&[made(&message).unwrap()]);
    agent.ask("And?").await.unwrap();
    assert_eq!(requests.lock().unwrap()[0]["messages"][0], message);
}

#[tokio::test(flavor = "current_thread")]
async fn middleware_sends_nothing_undeclared_either() {
    let (agent, requests) = scripted(&[&says("Hello")]);
    let mut agent = agent.with_middleware(|mut input: RunAgentInput, next: Next| {
        input.extra.insert("colour", "red");
        next.run(input)
    });
    let error = agent.ask("Hi").await.unwrap_err();
    assert_eq!((error.code(), error.error().path()), (Code::UnknownField, "/colour"));
    assert!(requests.lock().unwrap().is_empty());
}
