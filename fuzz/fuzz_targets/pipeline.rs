//! Runs a stream of fixture events, spelled differently, through a pipeline. The result must not depend on the cuts of
//! the stream, and must equal that of the single stages, which read every event in full.
#![no_main]

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decoder::{EventReader, ReadEvent};
use ag_ui_native::bindings::expand::{ChunkExpander, Expansion};
use ag_ui_native::bindings::pipeline::{OutputKind, Pipeline, PipelineOptions, Stages};
use ag_ui_native::bindings::reduce::Reducer;
use ag_ui_native::bindings::schema::{FieldType, Validated};
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::bindings::verify::EventVerifier;
use ag_ui_native::{Error, Event, Limits};
use ag_ui_native_fuzz::spelling::{Dice, damage, spell};
use ag_ui_native_fuzz::{EVENTS, one_of, profile};
use libfuzzer_sys::fuzz_target;

type Outcome = (Vec<(usize, String)>, Vec<String>, Result<(), Error>);

fn piped<'b>(pieces: impl IntoIterator<Item = &'b [u8]>, rules: Rules, stages: Stages) -> Outcome {
    let options = PipelineOptions { rules, stages, ..PipelineOptions::default() };
    let mut pipeline = Pipeline::new(None, options, &[]).expect("no media type");
    let mut outputs = Vec::new();
    let fed = pieces.into_iter().try_for_each(|piece| {
        pipeline.feed(
            piece,
            &mut TypedBuild,
            &mut |output: ag_ui_native::bindings::pipeline::Output<Validated>, _: &mut Reducer| {
                outputs.push(match output.kind {
                    OutputKind::Passed(slot) => {
                        (output.index, format!("{:?}", Event::from_validated(Some(slot))))
                    }
                    OutputKind::Made(event) => (output.index, format!("{event:?}")),
                    kind @ (OutputKind::Reduced(_) | OutputKind::Appended(..)) => {
                        (output.index, format!("{:?}", kind.into_reduction().expect("what it changes")))
                    }
                });
                Ok(())
            },
        )
    });
    let warnings = pipeline.take_warnings().iter().map(|warning| format!("{warning:?}")).collect();
    (outputs, warnings, fed)
}

/// Runs the stages one by one.
fn staged(events: &[String], rules: Rules, stages: Stages) -> (Vec<(usize, String)>, Result<(), Error>) {
    let mut reader = EventReader::enforcing(rules, Limits::default());
    let (mut expander, mut verifier) =
        (ChunkExpander::default(), EventVerifier::default().with_profile(rules.profile()));
    let mut reducer = Reducer::new(&[]).with_profile(rules.profile());
    let mut outputs = Vec::new();
    let each = events.iter().try_for_each(|json| {
        let Some(ReadEvent { event, index, incomplete, .. }) = reader.read(json.as_bytes())? else {
            return Ok(());
        };
        let expansion = if stages.expand {
            expander.expand(event).map_err(|error| error.of_event(index))?
        } else {
            Expansion { made: Vec::new(), passed: Some(event) }
        };
        for event in expansion.made.into_iter().chain(expansion.passed) {
            if stages.verify {
                verifier.check(&event).map_err(|error| error.of_event(index))?;
            }
            outputs.push(if stages.reduce {
                let mut reduction =
                    reducer.apply(event, incomplete).map_err(|error| error.of_event(index))?;
                // The pipeline reports these warnings itself.
                reduction.warnings.clear();
                (index, format!("{reduction:?}"))
            } else {
                (index, format!("{event:?}"))
            });
        }
        Ok(())
    });
    (outputs, each)
}

fuzz_target!(|bytes: &[u8]| {
    let mut dice = Dice(bytes);
    let rules = Rules::of(profile(&mut dice));
    let stages = Stages { expand: !dice.once_in(4), verify: dice.once_in(2), reduce: dice.once_in(2) };
    let mut events = vec![r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned()];
    for _ in 0..dice.below(8) {
        let text = spell(one_of(&EVENTS, &mut dice), &mut dice);
        // A line of a stream contains no line ends.
        events.push(
            damage(text, &mut dice).replace(['\n', '\r'], " ").trim_start_matches('\u{feff}').to_owned(),
        );
    }
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let whole = piped([stream.as_bytes()], rules, stages);
    assert_eq!(piped(stream.as_bytes().chunks(1 + dice.below(40)), rules, stages), whole);
    // An empty data line is no event for a stream that ends with it.
    if events.iter().all(|event| !event.is_empty()) {
        let (outputs, result) = staged(&events, rules, stages);
        assert_eq!((&whole.0, &whole.2), (&outputs, &result), "{stream}");
    }
});
