//! The advice of error messages, in each place in which a fault can occur.

use crate::support;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::decoder::{Arrival, Decoder};
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::{Error, Issue};
use ag_ui_native::{Limits, Profile};
use support::fixture;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    profile: Option<String>,
    json: Option<String>,
    stream: Option<String>,
    content_type: Option<String>,
    advice: Vec<String>,
}

fn issues(case: &Case) -> Vec<Issue> {
    let profile = case.profile.as_deref().and_then(Profile::parse).unwrap_or_default();
    let outcome: Result<Vec<Issue>, Error> = if let Some(json) = &case.json {
        let read = DocumentReader::new(profile, Limits::default()).event(json.as_bytes(), &mut TypedBuild);
        read.map(|decoded| decoded.warnings)
    } else {
        let content_type = case.content_type.as_deref();
        let mut decoder = Decoder::new(content_type, Rules::of(profile), Limits::default()).unwrap();
        let mut take = |_: Arrival<'_, _>| Ok(());
        let stream = case.stream.as_deref().unwrap_or_default();
        let fed = decoder.feed(stream.as_bytes(), &mut TypedBuild, &mut take);
        let closed = fed.and_then(|()| decoder.close(&mut TypedBuild, &mut take));
        closed.map(|()| decoder.take_warnings().into_iter().map(|warning| warning.issue).collect())
    };
    outcome.unwrap_or_else(|error| error.issues)
}

#[test]
fn every_message_says_what_to_do_where_the_fault_is() {
    for case in fixture::<Vec<Case>>("advice") {
        let messages: Vec<String> = issues(&case).iter().map(Issue::message).collect();
        assert_eq!(messages.len(), case.advice.len(), "{}: {messages:?}", case.name);
        for (message, advice) in messages.iter().zip(&case.advice) {
            assert!(message.ends_with(&format!("; {advice}")), "{}: {message}", case.name);
            let breaks = |c: char| c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c);
            assert!(!message.contains(breaks), "{}: {message:?}", case.name);
        }
    }
}
