//! The memory that an agent needs for its earlier runs is bounded.

use crate::scripted;

use ag_ui_native::bindings::client::Runs;
use ag_ui_native::bindings::defaults::REMEMBERED_RUNS;
use ag_ui_native::client::RunParameters;

#[tokio::test(flavor = "current_thread")]
async fn an_id_that_was_used_long_ago_is_forgotten() {
    let (mut agent, _) = scripted::scripted(&[&[scripted::started(), scripted::finished()]]);
    for number in 0..=REMEMBERED_RUNS {
        let options = RunParameters::default().with_run_id(format!("run {number}"));
        assert_eq!(agent.run_to_end(options).await.unwrap().input_warnings, []);
    }
    for (run_id, is_known) in [("run 1", true), ("run 0", false), ("run 1", false)] {
        let run = agent.run_to_end(RunParameters::default().with_run_id(run_id)).await.unwrap();
        assert_eq!(!run.input_warnings.is_empty(), is_known, "{run_id}: {:?}", run.input_warnings);
    }
}

#[test]
fn a_copy_has_what_is_remembered() {
    let ids = (0..REMEMBERED_RUNS + 3).map(|number| ("t".to_owned(), number.to_string()));
    let (known, left) = Runs::with_past(ids, vec!["c".to_owned()]).copy().past();
    assert_eq!((known.len(), known[0].1.as_str()), (REMEMBERED_RUNS, "3"));
    assert_eq!((known[REMEMBERED_RUNS - 1].1.as_str(), left), ("1002", vec!["c".to_owned()]));
}
