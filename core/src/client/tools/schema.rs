//! Validates the arguments of a call by the JSON Schema of its tool. Unknown keywords are ignored, as the specification says, and so are
//! some known ones (`pattern` for example).

use std::cmp::Ordering;

use crate::json::{Number, Object, Value};

/// The maximum number of schemas that nest at one place, by references or as parts.
const MAX_CHAIN: usize = 64;
/// The maximum number of schemas that nest in all.
const MAX_DEPTH: usize = 640;
/// The maximum number of steps of one validation: schemas, values, names, pieces of texts.
const MAX_STEPS: usize = 5_000_000;
/// The bytes of a text that count as one step.
const TEXT_STEP: usize = 64;
/// The maximum number of faults that are reported.
const MAX_FAULTS: usize = 16;
/// The maximum number of characters of a member's name in a report.
const MAX_NAME: usize = 64;

/// Returns the places where a schema does not allow the arguments, each with the keyword. Empty if the arguments are valid, or not provably
/// invalid.
pub(in crate::client) fn misfits(schema: &Value, arguments: &Value) -> Vec<(String, String)> {
    let mut judge = Judge {
        root: schema,
        steps: MAX_STEPS,
        chain: 0,
        depth: 0,
        moved: 0,
        silent: 0,
        faults: Vec::new(),
        is_over: false,
    };
    let fit = judge.fits(schema, arguments, &mut Vec::new(), "false");
    if fit == Fit::Maybe && judge.is_over {
        judge.faults.push((
            String::new(),
            "the check of the arguments against the schema takes too many steps".to_owned(),
        ));
    }
    judge.faults
}

/// The verdict of a schema on a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    No,
    /// It has rules that are not checked here.
    Maybe,
    Yes,
}

impl Fit {
    fn of(is_satisfied: bool) -> Self {
        if is_satisfied { Self::Yes } else { Self::No }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Maybe,
        }
    }
}

struct Judge<'s> {
    root: &'s Value,
    steps: usize,
    chain: usize,
    depth: usize,
    /// The number of enclosing schemas that have another base for references.
    moved: usize,
    /// The number of enclosing schemas that are alternatives: their faults are not reported.
    silent: usize,
    faults: Vec<(String, String)>,
    /// A limit was exceeded: the result is unknown.
    is_over: bool,
}

impl<'s> Judge<'s> {
    /// Validates a value by a schema. `by` is the keyword to which the schema belongs.
    fn fits(&mut self, schema: &'s Value, value: &Value, path: &mut Vec<String>, by: &str) -> Fit {
        if !self.spend(1) || self.chain >= MAX_CHAIN || self.depth >= MAX_DEPTH {
            self.is_over = true;
            return Fit::Maybe;
        }
        match schema {
            Value::Bool(false) => self.refuse(path, by),
            Value::Object(rules) => {
                let is_moved = !std::ptr::eq(schema, self.root) && rules.get("$id").is_some();
                self.moved += usize::from(is_moved);
                self.chain += 1;
                self.depth += 1;
                let mut fit = Fit::Yes;
                for (keyword, rule) in rules {
                    fit = fit.and(self.keyword(keyword, rule, rules, value, path));
                }
                self.depth -= 1;
                self.chain -= 1;
                self.moved -= usize::from(is_moved);
                fit
            }
            _ => Fit::Yes,
        }
    }

    /// Spends steps. Returns false if too few are left.
    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.is_over |= self.steps == 0;
        self.steps > 0
    }

    fn refuse(&mut self, path: &[String], keyword: &str) -> Fit {
        if self.silent == 0 && self.faults.len() < MAX_FAULTS {
            self.faults.push((path.join("."), format!("`{keyword}` is not met")));
        }
        Fit::No
    }

    fn keyword(
        &mut self,
        keyword: &str,
        rule: &'s Value,
        rules: &'s Object,
        value: &Value,
        path: &mut Vec<String>,
    ) -> Fit {
        if !self.spend(cost(keyword, rule, value)) {
            return Fit::Maybe;
        }
        let is_satisfied = match (keyword, rule, value) {
            ("$ref", Value::String(target), _) => {
                return match self.resolve(target) {
                    Some(schema) => self.fits(schema, value, path, keyword),
                    None => Fit::Maybe,
                };
            }
            // OpenAPI's.
            ("type" | "enum", _, Value::Null) if rules.get("nullable") == Some(&Value::Bool(true)) => {
                return Fit::Maybe;
            }
            ("type", names, _) => match typed(names, value) {
                Fit::No => false,
                fit => return fit,
            },
            ("enum", Value::Array(choices), _) => choices.iter().any(|choice| self.equals(choice, value)),
            ("const", constant, _) => self.equals(constant, value),
            ("allOf", Value::Array(all), _) => {
                return all
                    .iter()
                    .fold(Fit::Yes, |fit, schema| fit.and(self.fits(schema, value, path, keyword)));
            }
            ("anyOf" | "oneOf", Value::Array(choices), _) => {
                let fit = self.one_of(choices, value, path, keyword == "oneOf");
                return if fit == Fit::No { self.refuse(path, keyword) } else { fit };
            }
            ("not", schema, _) => {
                return match self.fits_unreported(schema, value, path) {
                    Fit::Yes => self.refuse(path, keyword),
                    Fit::Maybe => Fit::Maybe,
                    Fit::No => Fit::Yes,
                };
            }
            ("properties", Value::Object(schemas), Value::Object(members)) => {
                let known =
                    schemas.iter().filter_map(|(name, schema)| Some((name, schema, members.get(name)?)));
                return known.fold(Fit::Yes, |fit, (name, schema, member)| {
                    fit.and(self.within(name, schema, member, path, keyword))
                });
            }
            ("additionalProperties", schema, Value::Object(members))
                if rules.get("patternProperties").is_none() =>
            {
                let known = rules.get("properties").and_then(Value::as_object);
                let others =
                    members.iter().filter(|(name, _)| known.is_none_or(|known| known.get(name).is_none()));
                return others.fold(Fit::Yes, |fit, (name, member)| {
                    fit.and(self.within(name, schema, member, path, keyword))
                });
            }
            ("additionalProperties", _, Value::Object(_)) => return Fit::Maybe,
            ("required", Value::Array(names), Value::Object(members)) => {
                let missing =
                    names.iter().filter_map(Value::as_str).filter(|name| members.get(name).is_none());
                return missing.fold(Fit::Yes, |_, name| {
                    path.push(shortened(name));
                    self.refuse(path, keyword);
                    path.pop();
                    Fit::No
                });
            }
            ("prefixItems" | "items", Value::Array(schemas), Value::Array(items)) => {
                return schemas.iter().zip(items).enumerate().fold(Fit::Yes, |fit, (at, (schema, item))| {
                    fit.and(self.within(&at.to_string(), schema, item, path, keyword))
                });
            }
            ("items", schema, Value::Array(items)) => {
                let first = rules.get("prefixItems").and_then(Value::as_array).map_or(0, <[Value]>::len);
                return items.iter().enumerate().skip(first).fold(Fit::Yes, |fit, (at, item)| {
                    fit.and(self.within(&at.to_string(), schema, item, path, keyword))
                });
            }
            ("minimum", Value::Number(least), Value::Number(number)) => match number.compare(least) {
                Ordering::Equal => rules.get("exclusiveMinimum") != Some(&Value::Bool(true)),
                order => order == Ordering::Greater,
            },
            ("maximum", Value::Number(most), Value::Number(number)) => match number.compare(most) {
                Ordering::Equal => rules.get("exclusiveMaximum") != Some(&Value::Bool(true)),
                order => order == Ordering::Less,
            },
            ("exclusiveMinimum", Value::Number(least), Value::Number(number)) => {
                number.compare(least) == Ordering::Greater
            }
            ("exclusiveMaximum", Value::Number(most), Value::Number(number)) => {
                number.compare(most) == Ordering::Less
            }
            (_, Value::Number(bound), _) if LENGTHS.contains(&keyword) => {
                let Some(length) = length(&keyword[3..], value) else { return Fit::Yes };
                let order = counted(length).compare(bound);
                if keyword.starts_with("min") { order.is_ge() } else { order.is_le() }
            }
            _ => return if NOT_JUDGED.contains(&keyword) { Fit::Maybe } else { Fit::Yes },
        };
        match is_satisfied {
            true => Fit::Yes,
            false if self.steps == 0 => Fit::Maybe,
            false => self.refuse(path, keyword),
        }
    }

    fn within(
        &mut self,
        name: &str,
        schema: &'s Value,
        value: &Value,
        path: &mut Vec<String>,
        by: &str,
    ) -> Fit {
        path.push(shortened(name));
        let around = std::mem::take(&mut self.chain);
        let fit = self.fits(schema, value, path, by);
        self.chain = around;
        path.pop();
        fit
    }

    fn fits_unreported(&mut self, schema: &'s Value, value: &Value, path: &mut Vec<String>) -> Fit {
        self.silent += 1;
        let fit = self.fits(schema, value, path, "");
        self.silent -= 1;
        fit
    }

    fn one_of(
        &mut self,
        choices: &'s [Value],
        value: &Value,
        path: &mut Vec<String>,
        is_single: bool,
    ) -> Fit {
        let fits: Vec<Fit> = choices.iter().map(|schema| self.fits_unreported(schema, value, path)).collect();
        let certain = fits.iter().filter(|fit| **fit == Fit::Yes).count();
        let has_maybe = fits.contains(&Fit::Maybe);
        match certain {
            0 if has_maybe => Fit::Maybe,
            0 => Fit::No,
            1 if is_single && has_maybe => Fit::Maybe,
            1 => Fit::Yes,
            _ => Fit::of(!is_single),
        }
    }

    /// The schema that a reference within the document names.
    fn resolve(&self, target: &str) -> Option<&'s Value> {
        let pointer = target.strip_prefix('#').filter(|_| self.moved == 0)?;
        let mut schema = self.root;
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            schema = match schema {
                Value::Object(members) if std::ptr::eq(schema, self.root) || members.get("$id").is_none() => {
                    members.get(&token)?
                }
                Value::Array(items) => items.get(token.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        (pointer.is_empty() || pointer.starts_with('/')).then_some(schema)
    }

    /// True if two values are equal in JSON: numbers by value, objects in any order.
    fn equals(&mut self, one: &Value, other: &Value) -> bool {
        self.spend(1)
            && match (one, other) {
                (Value::Number(one), Value::Number(other)) => one.same_value(other),
                (Value::Array(one), Value::Array(other)) => {
                    one.len() == other.len()
                        && one.iter().zip(other).all(|(one, other)| self.equals(one, other))
                }
                (Value::Object(one), Value::Object(other)) => {
                    let mut pairs = one.iter().map(|(name, value)| (value, other.get(name)));
                    one.len() == other.len()
                        && pairs.all(|(one, other)| other.is_some_and(|other| self.equals(one, other)))
                }
                (one, other) => one == other,
            }
    }
}

const LENGTHS: &[&str] =
    &["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

/// The length of a value, if it is of the kind that has `Length`, `Items` or `Properties`.
fn length(of: &str, value: &Value) -> Option<usize> {
    match (of, value) {
        ("Length", Value::String(text)) => Some(text.chars().count()),
        ("Items", Value::Array(items)) => Some(items.len()),
        ("Properties", Value::Object(members)) => Some(members.len()),
        _ => None,
    }
}

/// Keywords of JSON Schema, of this version or an older one, that are not checked.
const NOT_JUDGED: &[&str] = &[
    "$dynamicRef",
    "$recursiveRef",
    "additionalItems",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "format",
    "if",
    "maxContains",
    "minContains",
    "multipleOf",
    "pattern",
    "patternProperties",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// The types of JSON Schema. Other names have no known meaning.
const TYPES: &[&str] = &["null", "boolean", "number", "integer", "string", "array", "object"];

/// Checks if a value is of one of the types in `names`, a text or a list of texts.
fn typed(names: &Value, value: &Value) -> Fit {
    let names = match names {
        Value::String(_) => std::slice::from_ref(names),
        names => names.as_array().unwrap_or_default(),
    };
    let mut fit = if names.is_empty() { Fit::Yes } else { Fit::No };
    for name in names.iter().filter_map(Value::as_str) {
        if is_of(name, value) {
            return Fit::Yes;
        }
        if !TYPES.contains(&name) {
            fit = Fit::Maybe;
        }
    }
    fit
}

/// The steps of a keyword, besides schemas and values.
fn cost(keyword: &str, rule: &Value, value: &Value) -> usize {
    match (keyword, rule, value) {
        ("required", Value::Array(names), _) => names.len(),
        ("properties", Value::Object(schemas), _) => schemas.len(),
        ("additionalProperties", _, Value::Object(members)) => members.len(),
        ("minLength" | "maxLength", _, Value::String(text)) => text.len() / TEXT_STEP,
        _ => 0,
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || name == "integer" && number.is_whole(),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// The length of a text or list always fits an integer.
fn counted(count: usize) -> Number {
    Number::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

fn shortened(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}
