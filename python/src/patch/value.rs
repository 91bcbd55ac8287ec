//! JSON values that are Python objects: copies, measures and compares them.

use std::collections::HashMap;

use ag_ui_native::bindings::patch::Budget;
use ag_ui_native::bindings::server::within_token;
use ag_ui_native::{Code, Error, Number};

use crate::c_api::{self, Exclusive, Lent, NoMemory, Owned, Plain};

/// The shape of a JSON value in Python.
enum Shape<'s, 'py> {
    Null,
    Bool(bool),
    Number,
    Text,
    List(c_api::Items<'s, 'py>),
    Dict(c_api::Members<'s, 'py>),
}

fn shape<'s, 'py>(exclusive: &'s Exclusive<'py>, value: Lent<'s, 'py>) -> Result<Shape<'s, 'py>, Error> {
    Ok(match value.json() {
        Plain::Text => Shape::Text,
        Plain::Dict => Shape::Dict(exclusive.members(value)),
        Plain::List => Shape::List(exclusive.items(value)),
        Plain::Bool => Shape::Bool(c_api::is_true(value)),
        Plain::Int | Plain::Float => Shape::Number,
        Plain::None => Shape::Null,
        Plain::Other => return Err(no_json(value)),
    })
}

/// Returns a deep copy of the containers; other values cannot be changed. The keys of the copy are exactly `str`. The
/// value cannot change while it is copied.
pub fn copied<'py>(
    exclusive: &Exclusive<'py>,
    value: Lent<'_, 'py>,
    room: &mut Budget,
) -> Result<Owned<'py>, Error> {
    room.take(1)?;
    match shape(exclusive, value)? {
        Shape::Dict(members) => {
            room.open()?;
            let copy = exclusive.dict().map_err(no_memory)?;
            for (key, member) in members {
                let key = exclusive.text(name(key)?).map_err(no_memory)?;
                let member = copied(exclusive, member, room)?;
                exclusive.set(&copy, key.lent(), member.lent()).map_err(no_memory)?;
            }
            room.close();
            Ok(copy)
        }
        Shape::List(items) => {
            room.open()?;
            let items = items.map(|item| copied(exclusive, item, room)).collect::<Result<Vec<_>, _>>()?;
            room.close();
            exclusive.list(items).map_err(no_memory)
        }
        _ => Ok(exclusive.own(value)),
    }
}

/// Takes the size of a value from `room`.
pub fn measured<'py>(
    exclusive: &Exclusive<'py>,
    value: Lent<'_, 'py>,
    room: &mut Budget,
) -> Result<(), Error> {
    room.take(1)?;
    match shape(exclusive, value)? {
        Shape::Dict(mut members) => {
            room.open()?;
            members.try_for_each(|(_, member)| measured(exclusive, member, room))?;
            room.close();
        }
        Shape::List(mut items) => {
            room.open()?;
            items.try_for_each(|item| measured(exclusive, item, room))?;
            room.close();
        }
        _ => {}
    }
    Ok(())
}

/// Refuses values without a JSON form: lone surrogates, NaN and infinities, with the pointer to the first; for a key with
/// a lone surrogate, to its container.
pub fn check_whole<'py>(exclusive: &Exclusive<'py>, value: Lent<'_, 'py>) -> Result<(), Error> {
    match shape(exclusive, value)? {
        Shape::Text if c_api::utf8(value).is_none() => Err(Error::new(Code::LoneSurrogate, "")),
        Shape::Number if value.json() == Plain::Float && !c_api::float(value).is_finite() => {
            Err(no_json(value))
        }
        Shape::Dict(mut members) => members.try_for_each(|(key, member)| {
            let key = text(key)?;
            check_whole(exclusive, member).map_err(|error| within_token(key, error))
        }),
        Shape::List(items) => items.enumerate().try_for_each(|(index, item)| {
            check_whole(exclusive, item).map_err(|error| within_token(&index.to_string(), error))
        }),
        _ => Ok(()),
    }
}

/// True if two values are the same JSON.
pub fn equal<'py>(
    exclusive: &Exclusive<'py>,
    one: Lent<'_, 'py>,
    other: Lent<'_, 'py>,
    room: &mut Budget,
) -> Result<bool, Error> {
    match (shape(exclusive, one)?, shape(exclusive, other)?) {
        (Shape::Dict(ones), Shape::Dict(others)) if ones.len() == others.len() => {
            room.open()?;
            let is_equal = equal_members(exclusive, ones, others, room)?;
            room.close();
            Ok(is_equal)
        }
        (Shape::List(ones), Shape::List(others)) if ones.len() == others.len() => {
            room.open()?;
            for (one, other) in ones.zip(others) {
                if !equal(exclusive, one, other, room)? {
                    return Ok(false);
                }
            }
            room.close();
            Ok(true)
        }
        (Shape::Null, Shape::Null) => Ok(true),
        (Shape::Bool(one), Shape::Bool(other)) => Ok(one == other),
        (Shape::Number, Shape::Number) => Ok(number(one).same_value(&number(other))),
        (Shape::Text, Shape::Text) => Ok(c_api::same_text(one, other)),
        _ => Ok(false),
    }
}

/// True if the members have the same names and values. They are mostly in the same order.
fn equal_members<'a, 'py>(
    exclusive: &'a Exclusive<'py>,
    mut ones: c_api::Members<'a, 'py>,
    mut others: c_api::Members<'a, 'py>,
    room: &mut Budget,
) -> Result<bool, Error> {
    let (mut left, mut right) = (Vec::new(), HashMap::new());
    while let (Some(one), Some(other)) = (ones.next(), others.next()) {
        if left.is_empty() && c_api::same_text(name(one.0)?, name(other.0)?) {
            if !equal(exclusive, one.1, other.1, room)? {
                return Ok(false);
            }
        } else {
            left.push((text(one.0)?, one.1));
            right.insert(text(other.0)?, other.1);
        }
    }
    for (name, one) in left {
        match right.remove(name) {
            Some(other) if equal(exclusive, one, other, room)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Returns the key if it is a string; otherwise fails.
fn name<'a, 'py>(key: Lent<'a, 'py>) -> Result<Lent<'a, 'py>, Error> {
    if key.is_text() { Ok(key) } else { Err(no_json(key)) }
}

fn text<'a, 'py: 'a>(key: Lent<'a, 'py>) -> Result<&'a str, Error> {
    c_api::utf8(name(key)?).ok_or_else(|| Error::new(Code::LoneSurrogate, "in a key"))
}

/// Returns the value of an `int` or `float` of any class.
pub fn number(object: Lent<'_, '_>) -> Number {
    if object.json() == Plain::Float {
        return Number::Float(c_api::float(object));
    }
    if let Some(int) = c_api::int64(object) {
        return Number::Int(int);
    }
    // Beyond 64 bits. For comparing very long ones octal digits are enough, and they look like a number.
    let digits = c_api::decimal(object).or_else(|| c_api::digits(object, 8));
    Number::Literal(digits.unwrap_or_default().into())
}

/// Returns the error for a value without a JSON form, with the name of its class.
pub fn no_json(value: Lent<'_, '_>) -> Error {
    Error::new(Code::WrongType, format!("expected a JSON value, not {}", c_api::class_name(value)))
}

fn no_memory(_: NoMemory) -> Error {
    Error::new(Code::Internal, "no memory")
}
