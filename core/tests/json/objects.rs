//! Objects of few and of many members, against a list that is searched.

use ag_ui_native::{Object, Profile, Value, from_json, to_json};
use proptest::prelude::*;

/// Every third key is too long to be kept without memory of its own.
fn key(number: usize) -> String {
    if number.is_multiple_of(3) {
        format!("a key of more than twenty-three bytes, {number}")
    } else {
        number.to_string()
    }
}

/// Sets or removes the value under `key`. Returns the earlier one.
fn change(members: &mut Vec<(String, i64)>, key: String, value: Option<i64>) -> Option<i64> {
    let place = members.iter().position(|(other, _)| *other == key);
    match (place, value) {
        (Some(place), Some(value)) => Some(std::mem::replace(&mut members[place].1, value)),
        (Some(place), None) => Some(members.remove(place).1),
        (None, Some(value)) => {
            members.push((key, value));
            None
        }
        (None, None) => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn members_keep_their_order(changes in prop::collection::vec((0..14usize, prop::option::of(any::<i64>())), 0..60)) {
        let (mut object, mut members) = (Object::default(), Vec::new());
        for (number, value) in changes {
            let key = key(number);
            let old = match value {
                Some(value) => object.insert(&key, value),
                None => object.remove(&key),
            };
            prop_assert_eq!(old, change(&mut members, key.clone(), value).map(Value::from));
            prop_assert_eq!(object.get(&key).and_then(Value::as_i64), value);
            prop_assert_eq!(object.get_mut(&key).is_some(), value.is_some());
            prop_assert_eq!(object.len(), members.len());
            let found: Vec<_> = object.iter().map(|(key, value)| (key.to_owned(), value.as_i64())).collect();
            let expected: Vec<_> = members.iter().map(|(key, value)| (key.clone(), Some(*value))).collect();
            prop_assert_eq!(found, expected);
        }
        let reversed: Object = members.iter().rev().cloned().collect();
        prop_assert_eq!(&object, &reversed);
        let (read, _) = from_json::<Value>(to_json(&Value::from(object.clone())), Profile::Strict).unwrap();
        prop_assert_eq!(read, Value::from(object.clone()));
        let expected: Vec<_> = members.into_iter().map(|(key, value)| (key, Value::from(value))).collect();
        prop_assert_eq!(object.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_last_value_of_a_key_counts(keys in prop::collection::vec(0..12usize, 0..24)) {
        let mut members = Vec::new();
        let mut json = Vec::new();
        for (number, value) in keys.into_iter().zip(0..) {
            json.push(format!(r#""{}":{value}"#, key(number)));
            change(&mut members, key(number), Some(value));
        }
        let (read, _) = from_json::<Value>(format!("{{{}}}", json.join(",")), Profile::Strict).unwrap();
        let expected: Vec<_> = members.iter().map(|(key, value)| format!(r#""{key}":{value}"#)).collect();
        prop_assert_eq!(to_json(&read), format!("{{{}}}", expected.join(",")));
    }
}
