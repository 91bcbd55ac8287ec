//! The changes that hosts receive fit the declaration.

use std::collections::BTreeSet;

use ag_ui_native::bindings::reduce::{ChangeKind, Member, Place};
use ag_ui_native::bindings::schema::{FieldDef, Kind, TypeDef, type_named, union_named};

/// The member that a path leads to.
fn member(ty: &TypeDef, path: &[&str]) -> Option<&'static FieldDef> {
    let (key, rest) = path.split_first()?;
    let field = ty.fields.iter().find(|field| field.wire == *key)?;
    match (rest, &field.kind) {
        ([], _) => Some(field),
        (_, Kind::Object(inner)) => member(inner, rest),
        _ => None,
    }
}

#[test]
fn paths_lead_to_members_of_messages_or_calls() {
    let call = type_named("ToolCall").unwrap();
    let messages = union_named("Message").unwrap().variants;
    for known in Member::ALL {
        let holders = messages.iter().map(|variant| variant.ty).chain([call]);
        assert!(holders.into_iter().any(|ty| member(ty, known.path()).is_some()), "{known:?}");
    }
    let text = member(call, Place::Call(0, 0).text().path()).unwrap();
    assert!(matches!(text.kind, Kind::Text));
    let calls = member(type_named("AssistantMessage").unwrap(), Member::ToolCalls.path()).unwrap();
    assert!(matches!(calls.kind, Kind::List(Kind::Object(ty)) if ty.name == call.name));
}

#[test]
fn kinds_have_different_names() {
    let names: BTreeSet<&str> = ChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(names.len(), ChangeKind::ALL.len());
}
