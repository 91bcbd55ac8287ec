//! The Python classes: pydantic models in `python/ag_ui_native/core/`.

mod defaults;
mod examples;
mod names;

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{
    ENUMS, EnumDef, FieldDef, Kind, Module, Role, TYPES, TypeDef, UNIONS, UnionDef,
};
use ag_ui_native::types::{
    BaseEvent, BaseMessage, BinaryInputContent, EventType, JsonPatchOperation, JsonPointer,
};

use crate::File;

/// The longest line of the generated code.
const WIDTH: usize = 100;

/// Returns the files.
pub fn files() -> Vec<File> {
    let file = |name: &str, text: String| (format!("python/ag_ui_native/core/{name}.py"), text);
    vec![
        file("types", types()),
        file("events", events()),
        file("capabilities", capabilities()),
        file("deprecated", deprecated()),
        file("newer", newer()),
        file("__init__", names::package()),
        ("python/ag_ui_native/_defaults.py".into(), defaults::module()),
    ]
}

/// Members that the classes of ag-ui-protocol 1.0.0 do not have.
fn newer() -> String {
    let mut names: Vec<String> = Vec::new();
    for field in TYPES.iter().flat_map(|ty| ty.fields).filter(|field| field.is_newer()) {
        let name = quoted(field.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut out =
        head("Members that the first version of the protocol does not have.", "").trim_end().to_owned();
    out.push_str("\n\n");
    listed(&mut out, "NEWER = frozenset([", &names, "])");
    out += "\"\"\"Their attributes.\"\"\"\n";
    out
}

fn types() -> String {
    let mut out = head(
        "Messages, content, run input, tools and JSON Patch operations.",
        "from typing import Annotated, Any, ClassVar, Dict, List, Literal, Optional, Union\n\n\
         from pydantic import ConfigDict, Field\n\n\
         from ag_ui_native.core.base import GeneratedBaseModel\n\
         from ag_ui_native.core.deprecated import BinaryInputContent\n",
    );
    let pointer = format!("Annotated[str, Field(pattern=r\"{}\")]", JsonPointer::PATTERN);
    for (name, value, about) in [
        ("AGUI_METADATA_KEY", "\"ag-ui\"", "The key of a metadata object that is reserved for the protocol."),
        ("Metadata", "Dict[str, Any]", "Free key-value data."),
        ("SubagentRunId", "str", "Names one invocation of a subagent."),
        ("State", "Any", "The shared state: any JSON value."),
        ("JsonPointer", &pointer, "A place in a JSON document (RFC 6901)."),
    ] {
        named(&mut out, name, value, about);
    }
    module(&mut out, Module::Types);
    out += "\n";
    named(&mut out, "JsonPatch", "List[JsonPatchOperation]", "A JSON Patch (RFC 6902).");
    out += "ConfiguredBaseModel = GeneratedBaseModel\n";
    names::aliases(&mut out, names::TYPE_ALIASES);
    names::all(&mut out, &names::types());
    out
}

/// Writes a constant or a type that is declared by no macro.
fn named(out: &mut String, name: &str, value: &str, about: &str) {
    let _ = writeln!(out, "{name} = {value}\n{}\n", documentation(about, &examples::of_name(name), ""));
}

fn events() -> String {
    let mut out = head(
        "The 31 events, and what only they contain.",
        &format!(
            "from enum import Enum\n\
             from typing import TYPE_CHECKING, Annotated, Any, Dict, List, Literal, Optional, Sequence, Union\n\n\
             from pydantic import Field\n\n\
             from ag_ui_native.core.base import GeneratedBaseModel\n\
             from ag_ui_native.core.base import GeneratedBaseModel as ConfiguredBaseModel\n\
             from ag_ui_native.core.types import (\n    {},\n)\n",
            names::EVENTS_USES.join(",\n    ")
        ),
    );
    out += "if TYPE_CHECKING:\n    from typing import overload  # noqa: TC004\n\n    from typing_extensions import deprecated  # noqa: TC004\n\n    \
            # mypy assumes that it is true.\n    MYPY = False\n\n";
    event_type(&mut out, EventType::ENUM);
    module(&mut out, Module::Events);
    names::all(&mut out, &names::events());
    out
}

fn capabilities() -> String {
    let mut out = head(
        "The capabilities that an agent declares. An absent member is undeclared, which does not mean unsupported.",
        "from typing import Any, Dict, List, Optional\n\n\
         from pydantic import Field\n\n\
         from ag_ui_native.core.base import GeneratedBaseModel\n\
         from ag_ui_native.core.types import Metadata, Tool\n",
    );
    module(&mut out, Module::Capabilities);
    out += "\n";
    names::aliases(&mut out, names::CAPABILITY_ALIASES);
    names::all(&mut out, &names::capabilities());
    out
}

fn deprecated() -> String {
    let mut out = head(
        "Types of AG-UI before 1.0 that programs still import.",
        "from typing import Literal, Optional\n\n\
         from pydantic import model_validator\n\n\
         from ag_ui_native.core.base import GeneratedBaseModel\n",
    );
    module(&mut out, Module::Deprecated);
    names::all(&mut out, &["BinaryInputContent"]);
    out
}

fn head(summary: &str, imports: &str) -> String {
    format!(
        "\"\"\"{summary}\n\nGenerated from the declaration in core/src/types: `make generate`.\n\"\"\"\n\n{imports}\n"
    )
}

/// Everything declared in `module`: closed sets, types, and each union before the first type that holds it.
fn module(out: &mut String, module: Module) {
    for set in ENUMS.iter().filter(|set| set.module == module && set.name != EventType::ENUM.name) {
        let values: Vec<_> = set.values.iter().map(|value| quoted(value)).collect();
        listed(out, &format!("{} = Literal[", set.name), &values, "]");
        let _ = writeln!(out, "{}\n", documentation(set.doc, &examples::of_set(set), ""));
    }
    let mut written: Vec<&str> = Vec::new();
    for ty in TYPES.iter().filter(|ty| ty.module == module) {
        for field in ty.fields {
            if let Some(needed) = union_of(&field.kind).filter(|union| union.module == module) {
                union(out, needed, &mut written);
            }
        }
        class(out, ty);
    }
    for def in UNIONS.iter().filter(|union| union.module == module) {
        union(out, def, &mut written);
    }
}

/// The union that a member of `kind` may hold.
fn union_of(kind: &Kind) -> Option<&'static UnionDef> {
    match kind {
        Kind::Union(union) => Some(union),
        Kind::List(item) => union_of(item),
        Kind::Content => Some(ag_ui_native::types::ContentPart::UNION),
        _ => None,
    }
}

fn union(out: &mut String, union: &'static UnionDef, written: &mut Vec<&'static str>) {
    let name = UNIONS.iter().find(|def| def.name == union.name).map_or("", |def| def.name);
    if written.contains(&name) {
        return;
    }
    written.push(name);
    let _ = writeln!(out, "\n{name} = Annotated[");
    let members: Vec<_> = union.variants.iter().map(|variant| variant.ty.name.to_owned()).collect();
    let one_line = format!("    Union[{}],", members.join(", "));
    if one_line.len() <= WIDTH {
        let _ = writeln!(out, "{one_line}");
    } else {
        let _ = writeln!(out, "    Union[\n        {},\n    ],", members.join(",\n        "));
    }
    let about = documentation(union.doc, &examples::of_union(union), "");
    let _ = writeln!(out, "    Field(discriminator=\"{}\"),\n]\n{about}\n", union.tag);
}

/// Lets pyright compare `event.type == "RAW"`; otherwise it treats the code behind the comparison as unreachable and does not check it.
/// mypy checks that code, and does not narrow a class with an `__eq__`, so this is hidden from mypy.
const TEXT_COMPARISON: &str = r#"
    if TYPE_CHECKING and not MYPY:

        @overload
        def __eq__(self, other: "EventType", /) -> bool: ...
        @overload
        @deprecated("compare with a member of EventType: pyright does not check what follows a comparison with text")
        def __eq__(self, other: str, /) -> bool: ...
        @overload
        def __eq__(self, other: object, /) -> bool: ...
        def __eq__(self, other: object, /) -> bool: ...
        @overload
        def __ne__(self, other: "EventType", /) -> bool: ...
        @overload
        @deprecated("compare with a member of EventType: pyright does not check what follows a comparison with text")
        def __ne__(self, other: str, /) -> bool: ...
        @overload
        def __ne__(self, other: object, /) -> bool: ...
        def __ne__(self, other: object, /) -> bool: ...
        def __hash__(self) -> int: ...
"#;

fn event_type(out: &mut String, set: &EnumDef) {
    let about = documentation(set.doc, &examples::of_set(set), "    ");
    let _ = writeln!(out, "\nclass EventType(str, Enum):\n    {about}\n");
    for value in set.values {
        let _ = writeln!(out, "    {value} = \"{value}\"");
    }
    *out += TEXT_COMPARISON;
    *out += "\n\n";
}

fn class(out: &mut String, ty: &TypeDef) {
    let base = shared(ty).map_or("GeneratedBaseModel", |base| base.name);
    let about = documentation(ty.doc, &examples::of_type(ty), "    ");
    let _ = writeln!(out, "\nclass {}({}):\n    {about}\n", ty.name, base);
    if ty.fields.iter().any(|field| field.name == "from") {
        // `from` is a keyword of Python, so the attribute is `from_`, and dumps must use the alias.
        *out += "    model_config: ClassVar[ConfigDict] = ConfigDict(serialize_by_alias=True)\n\n";
    }
    for field in ty.fields.iter().filter(|field| !is_inherited(ty, field)) {
        let name = if field.name == "from" { "from_" } else { field.name };
        let _ = writeln!(out, "    {name}: {}", annotated(ty, field));
        let _ = writeln!(out, "    \"\"\"{}\"\"\"", prose(field.doc));
    }
    if ty.name == BinaryInputContent::TYPE.name {
        *out += names::BINARY_VALIDATOR;
    }
    if ty.fields.iter().any(|field| is_patch(&field.kind)) {
        constructor(out, ty);
    }
    *out += "\n";
}

/// True if a member holds a JSON Patch.
fn is_patch(kind: &Kind) -> bool {
    matches!(kind, Kind::List(Kind::Union(union)) if union.name == JsonPatchOperation::UNION.name)
}

/// Writes the constructor for type checkers: a patch may have dictionaries as operations, as `diff` makes them.
fn constructor(out: &mut String, ty: &TypeDef) {
    *out += "\n    if TYPE_CHECKING:\n\n        def __init__(\n            self,\n            *,\n";
    for field in ty.fields.iter().filter(|field| !matches!(field.kind, Kind::Literal(_))) {
        let plain = annotation(field, &field.kind);
        let _ = match (is_patch(&field.kind), field.is_optional()) {
            (true, _) => writeln!(
                out,
                "            {}: Sequence[Union[JsonPatchOperation, Dict[str, Any]]],",
                field.name
            ),
            (_, true) => writeln!(out, "            {}: Optional[{plain}] = None,", field.name),
            (_, false) => writeln!(out, "            {}: {plain},", field.name),
        };
    }
    *out += "            **undeclared: Any,\n        ) -> None: ...\n";
}

/// The type with the members that a type repeats, whose class is then the base.
fn shared(ty: &TypeDef) -> Option<&'static TypeDef> {
    let shared = match ty.role {
        Role::Event { .. } => BaseEvent::TYPE,
        Role::Message => BaseMessage::TYPE,
        _ => return None,
    };
    shared.fields.iter().all(|field| ty.field_named(field.name).is_some()).then_some(shared)
}

/// True if the class has the member from its base. Inherited members come first.
fn is_inherited(ty: &TypeDef, field: &FieldDef) -> bool {
    shared(ty).is_some_and(|base| {
        base.fields.iter().zip(ty.fields).all(|(one, other)| one.name == other.name)
            && base
                .fields
                .iter()
                .find(|same| same.name == field.name)
                .is_some_and(|same| annotated(base, same) == annotated(ty, field))
    })
}

/// Annotation, default and constraints of a member.
fn annotated(ty: &TypeDef, field: &FieldDef) -> String {
    if let Kind::Literal(tag) = field.kind {
        let value = if ty.is_event() { format!("EventType.{tag}") } else { quoted(tag) };
        return format!("Literal[{value}] = {value}");
    }
    if let (Kind::Enum(EnumDef { values: [only], .. }), false) = (field.kind, field.is_optional()) {
        return format!("Literal[{0}] = {0}", quoted(only));
    }
    let plain = annotation(field, &field.kind);
    let annotation = if field.is_optional() { format!("Optional[{plain}]") } else { plain };
    let mut settings = Vec::new();
    if field.is_optional() {
        settings.push("default=None".to_owned());
    }
    if field.name == "from" {
        settings.push("alias=\"from\"".to_owned());
    }
    if field.min_items > 0 {
        settings.push(format!("min_length={}", field.min_items));
    }
    let max = ag_ui_native::bindings::json::MAX_SAFE_INTEGER;
    match field.kind {
        Kind::Int53 => settings.push(format!("ge=-{max}, le={max}")),
        Kind::UInt53 => settings.push(format!("ge=0, le={max}")),
        _ => {}
    }
    match settings.as_slice() {
        [] => annotation,
        // A default alone is quicker to define than a `Field`.
        [only] if only == "default=None" => format!("{annotation} = None"),
        settings => format!("{annotation} = Field({})", settings.join(", ")),
    }
}

fn annotation(field: &FieldDef, kind: &Kind) -> String {
    match kind {
        Kind::Text if field.name == "subagent_run_id" => "SubagentRunId".into(),
        Kind::Text => "str".into(),
        Kind::Pointer => "JsonPointer".into(),
        Kind::Bool => "bool".into(),
        Kind::Int53 | Kind::UInt53 => "int".into(),
        Kind::Any if matches!(field.name, "state" | "snapshot") => "State".into(),
        Kind::Any => "Any".into(),
        Kind::Dict if field.name == "metadata" => "Metadata".into(),
        Kind::Dict => "Dict[str, Any]".into(),
        Kind::Literal(value) => format!("Literal[{}]", quoted(value)),
        Kind::Enum(set) => set.name.into(),
        Kind::Object(ty) => ty.name.into(),
        Kind::Union(union) => union.name.into(),
        Kind::List(item) => format!("List[{}]", annotation(field, item)),
        Kind::Content => "Union[str, List[ContentPart]]".into(),
    }
}

/// `open`, the items and `close`, on one line if they fit.
fn listed(out: &mut String, open: &str, items: &[String], close: &str) {
    let one_line = format!("{open}{}{close}", items.join(", "));
    if one_line.len() <= WIDTH {
        let _ = writeln!(out, "{one_line}");
    } else {
        let _ = writeln!(out, "{open}\n    {},\n{close}", items.join(",\n    "));
    }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// A doc comment and an example, as a docstring at an indent.
fn documentation(doc: &str, example: &str, indent: &str) -> String {
    let example = example.replace('\n', &format!("\n{indent}"));
    format!("\"\"\"{}\n\n{indent}{example}\n{indent}\"\"\"", prose(doc))
}

/// A doc comment as the text of a docstring.
fn prose(doc: &str) -> String {
    let lines: Vec<_> = doc.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n    ")
}
