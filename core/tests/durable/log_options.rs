//! The options of servers: which of them need a log. Hosts check the kinds of their values.

use ag_ui_native::bindings::durable::*;
use serde_json::Value;

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

#[test]
fn options_of_runs_with_a_log_need_one_in_every_spelling() {
    let fixture: Value =
        serde_json::from_str(include_str!("../../../tests/fixtures/durable/log_options.json")).unwrap();
    for case in fixture.as_array().unwrap() {
        for spelled in [str::to_owned, camel_case] {
            let given = case["options"].as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
            let names: Vec<String> = given.map(|(name, _)| spelled(name)).collect();
            let found = check_given(&names).err();
            let wanted = case["code"].as_str().filter(|code| *code != "wrong_type");
            assert_eq!(found.as_ref().map(|error| error.code().as_str()), wanted, "{case}");
            let Some(error) = found else { continue };
            assert_eq!(error.path(), spelled(case["path"].as_str().unwrap()));
            if let Some(message) = case["message"].as_str() {
                assert_eq!(error.to_string(), message);
            }
        }
    }
}

#[test]
fn the_bytes_of_a_log_are_a_number_of_every_language() {
    let options = LogOptions { max_bytes: usize::MAX, ..LogOptions::default() };
    assert_eq!(options.policy(true).max_bytes, (1 << 53) - 1);
}
