//! tests/fixtures/stream/identity.json, producers.json: verdicts about ids by profile; shared_ids.json: the results of
//! messages that share an id.

use crate::support;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::pipeline::{Output, Pipeline, PipelineOptions, Stages};
use ag_ui_native::bindings::reduce::Reducer;
use ag_ui_native::bindings::schema::Validated;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::stream::{EventPipeline, EventVerifier};
use ag_ui_native::types::{Message, RunFinishedEvent, RunStartedEvent};
use ag_ui_native::{Error, Event, Limits, Profile, from_json, to_json};
use serde_json::Value;
use support::fixture;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    events: Vec<Value>,
    asked: Option<(String, String)>,
    strict: Option<Failed>,
    tolerant: Vec<(usize, String, String)>,
    tolerant_error: Option<Failed>,
}

/// A failure: the event (none at the end of the stream), the rule, and the path.
#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Failed {
    at: Option<usize>,
    rule: String,
    path: String,
}

impl Failed {
    fn of(error: &Error, at: Option<usize>) -> Self {
        Self { at, rule: error.rule().expect("a rule").to_string(), path: error.path().to_owned() }
    }
}

type Outcome = (Option<Failed>, Vec<(usize, String, String)>);

impl Case {
    /// The expected outcome with a profile.
    fn expected(self, profile: Profile) -> Outcome {
        match profile {
            Profile::Strict => (self.strict, Vec::new()),
            Profile::Tolerant => (self.tolerant_error, self.tolerant),
            Profile::Relay => (self.tolerant_error, Vec::new()),
        }
    }

    fn verified(&self, profile: Profile) -> Outcome {
        let mut verifier = EventVerifier::new(Limits::default()).with_profile(profile);
        if let Some((thread_id, run_id)) = &self.asked {
            verifier = verifier.for_run(thread_id, run_id);
        }
        let mut warnings = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            let (event, _) = from_json::<Event>(event.to_string(), Profile::Strict).unwrap();
            if let Err(error) = verifier.check(&event) {
                return (Some(Failed::of(&error, Some(index))), warnings);
            }
            for issue in verifier.take_warnings() {
                warnings.push((index, issue.rule.unwrap().to_string(), issue.path));
            }
        }
        if let Err(error) = verifier.finish() {
            return (Some(Failed::of(&error, None)), warnings);
        }
        let end = verifier.end_warning().into_iter();
        warnings.extend(end.map(|issue| (self.events.len(), issue.rule.unwrap().to_string(), issue.path)));
        (None, warnings)
    }

    fn piped(&self, profile: Profile) -> Outcome {
        let rules = Rules::of(profile);
        let stages = Stages { verify: true, ..Stages::of(profile) };
        let options = PipelineOptions { rules, stages, ..PipelineOptions::default() };
        let mut pipeline = Pipeline::new(None, options, &[]).unwrap();
        if let Some((thread_id, run_id)) = &self.asked {
            pipeline.ask(thread_id, run_id);
        }
        let frames: Vec<_> = self.events.iter().map(|event| format!("data: {event}\n\n")).collect();
        let mut take = |_: Output<'_, Validated>, _: &mut Reducer| Ok(());
        let fed = pipeline.feed(frames.concat().as_bytes(), &mut TypedBuild, &mut take);
        let ended = fed.and_then(|()| pipeline.close(&mut TypedBuild, &mut take));
        let failed = ended.err().map(|error| Failed::of(&error, error.event_index));
        // Reduction warns, too.
        let warnings = pipeline.take_warnings().into_iter().filter(|w| w.issue.rule.is_some());
        let told = warnings.map(|w| (w.event_index, w.issue.rule.unwrap().to_string(), w.issue.path));
        (failed, told.collect())
    }
}

#[test]
fn ids_are_judged_by_profile() {
    for profile in [Profile::Strict, Profile::Tolerant, Profile::Relay] {
        let cases = ["identity", "producers"].map(fixture::<Vec<Case>>);
        for case in cases.into_iter().flatten() {
            let (name, verified, piped) = (case.name.clone(), case.verified(profile), case.piped(profile));
            let expected = case.expected(profile);
            assert_eq!(verified, expected, "{name}, {profile}");
            assert_eq!(piped, expected, "{name}, {profile}, in a pipeline");
        }
    }
}

/// A verifier keeps a bounded number of run ids of a stream, and a long stream does not fail because of that.
#[test]
fn ids_beyond_limits_are_forgotten() {
    let limits = Limits::default().with_run_entities(2).with_id_bytes(3);
    let mut verifier = EventVerifier::new(limits).with_profile(Profile::Strict);
    let mut run = |id: &str| {
        let begun = verifier.check(&RunStartedEvent::new("t", id).into());
        begun.and_then(|()| verifier.check(&RunFinishedEvent::new("t", id).into()))
    };
    for id in ["long", "1", "2", "3", "4", "long", "3"] {
        run(id).unwrap_or_else(|error| panic!("{id}: {error}"));
    }
    assert_eq!(run("2").unwrap_err().rule().unwrap().as_str(), "V43");
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    name: String,
    events: Vec<Value>,
    #[serde(default)]
    start: Vec<Value>,
    tolerant: Left,
    relay: Left,
}

/// The messages of a conversation, and the warnings: event and code.
#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Left {
    messages: Vec<Value>,
    #[serde(default)]
    warnings: Vec<(usize, String)>,
}

#[test]
fn an_answer_and_a_thought_with_one_id_are_told_apart() {
    for case in fixture::<Vec<Shared>>("shared_ids") {
        let start: Vec<Message> = case
            .start
            .iter()
            .map(|message| from_json(message.to_string(), Profile::Strict).unwrap().0)
            .collect();
        for (profile, expected) in [(Profile::Tolerant, &case.tolerant), (Profile::Relay, &case.relay)] {
            let mut pipeline = EventPipeline::new().with_profile(profile).with_messages(&start);
            for event in &case.events {
                pipeline.feed(format!("data: {event}\n\n").as_bytes()).try_for_each(|e| e.map(drop)).unwrap();
            }
            let warnings = pipeline.take_warnings().into_iter();
            let warnings = warnings.map(|w| (w.event_index, w.issue.code.to_string())).collect();
            let messages = pipeline.into_conversation().messages().unwrap();
            let messages = messages.iter().map(|m| serde_json::from_str(&to_json(m)).unwrap()).collect();
            assert_eq!(&Left { messages, warnings }, expected, "{}, {profile}", case.name);
        }
    }
}
