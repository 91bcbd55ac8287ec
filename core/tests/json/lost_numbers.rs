//! tests/fixtures/wire/lost_numbers.json: numbers that languages read as infinite are warned of at their places, everywhere the same.

use crate::support;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::pipeline::{Output, Pipeline, PipelineOptions, Stages};
use ag_ui_native::bindings::reduce::Reducer;
use ag_ui_native::bindings::schema::Validated;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::stream::EventDecoder;
use ag_ui_native::{Code, Profile, Warning};
use support::fixture;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    json: String,
    paths: Vec<String>,
    profiles: Option<Vec<String>>,
}

/// The warnings about the same event twice.
fn decoded(frames: &str, profile: Profile) -> Vec<Warning> {
    let mut decoder = EventDecoder::new().with_profile(profile);
    assert_eq!(decoder.feed(frames.as_bytes()).flatten().count(), 2);
    decoder.take_warnings()
}

fn piped(frames: &str, profile: Profile, reduce: bool) -> Vec<Warning> {
    let stages = Stages { verify: false, reduce, ..Stages::of(profile) };
    let options = PipelineOptions { rules: Rules::of(profile), stages, ..PipelineOptions::default() };
    let mut pipeline = Pipeline::new(None, options, &[]).unwrap();
    let mut take = |_: Output<'_, Validated>, _: &mut Reducer| Ok(());
    pipeline.feed(frames.as_bytes(), &mut TypedBuild, &mut take).unwrap();
    pipeline.take_warnings()
}

#[test]
fn lost_numbers_are_warned_of_at_their_places() {
    for Case { name, json, mut paths, profiles } in fixture::<Vec<Case>>("lost_numbers") {
        let frames = format!("data: {json}\n\n").repeat(2);
        paths.sort();
        for profile in [Profile::Strict, Profile::Tolerant, Profile::Relay] {
            if profiles.as_ref().is_some_and(|profiles| !profiles.contains(&profile.to_string())) {
                continue;
            }
            let found =
                [decoded(&frames, profile), piped(&frames, profile, false), piped(&frames, profile, true)];
            for warnings in found {
                let lost = warnings.iter().filter(|warning| warning.issue.code == Code::NumberOutOfRange);
                for index in [0, 1] {
                    let told = lost.clone().filter(|warning| warning.event_index == index);
                    let mut told: Vec<_> = told.map(|warning| &*warning.issue.path).collect();
                    told.sort_unstable();
                    assert_eq!(told, paths, "{name}, {profile}");
                }
            }
        }
    }
}
