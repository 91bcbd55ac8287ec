//! Reads any bytes as an event. An event that is read and written reads as the same event again. Text that is not JSON
//! for serde_json must be refused.
#![no_main]

use ag_ui_native::{Code, Event, Profile, from_json, to_json};
use ag_ui_native_fuzz::ways::{PROFILES, both_ways};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for profile in PROFILES {
        let [short, general] = both_ways(bytes, None, profile, Default::default());
        assert_eq!(short, general);
        match from_json::<Event>(bytes, profile) {
            Ok((event, _)) => {
                let text = to_json(&event);
                let (again, warnings) = from_json::<Event>(&text, profile).expect(&text);
                assert_eq!(again, event, "{text}");
                assert!(warnings.is_empty(), "{text}: {warnings:?}");
                assert_eq!(to_json(&again), text);
            }
            Err(error) if profile == Profile::Relay && error.code() == Code::InvalidJson => {
                assert!(serde_json::from_slice::<serde_json::Value>(bytes).is_err(), "{error}");
            }
            Err(_) => {}
        }
    }
});
