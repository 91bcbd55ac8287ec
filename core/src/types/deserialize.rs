//! Reading protocol types by serde, as [`from_json`](crate::from_json) reads them in the default
//! profile.

use serde::de::{Deserialize, Deserializer, Error};

use crate::Value;
use crate::decode::{DeclaredType, DocumentReader};
#[allow(clippy::wildcard_imports)] // All of them.
use crate::types::*;
use crate::validate::TypedBuild;

fn deserialize<'de, T: DeclaredType, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let document = Value::deserialize(deserializer)?;
    let decoded = DocumentReader::default().tree(&document, T::DECLARED_KIND, &mut TypedBuild);
    decoded.map(|decoded| T::from_validated(decoded.value)).map_err(D::Error::custom)
}

macro_rules! implement {
    (types: $($ty:ident)+; enums: $($set:ident)+; unions: $($union:ident)+;) => {
        implement! { $($ty)+ $($set)+ $($union)+ Content JsonPointer }
    };
    ($($ty:ident)+) => {
        $(impl<'de> Deserialize<'de> for $ty {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserialize(deserializer)
            }
        })+
    };
}

declared!(implement);
