//! The names that the modules of the official package export, and those they carried before 1.0.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{Module, TYPES, UNIONS};

/// Earlier names of types.
pub const TYPE_ALIASES: &[(&str, &str)] = &[
    ("InputContent", "ContentPart"),
    ("InputContentPart", "ContentPart"),
    ("TextInputContent", "TextPart"),
    ("ImageInputContent", "ImagePart"),
    ("AudioInputContent", "AudioPart"),
    ("VideoInputContent", "VideoPart"),
    ("DocumentInputContent", "DocumentPart"),
    ("ImageInputPart", "ImagePart"),
    ("AudioInputPart", "AudioPart"),
    ("VideoInputPart", "VideoPart"),
    ("DocumentInputPart", "DocumentPart"),
    ("InputContentSource", "PartSource"),
    ("InputContentDataSource", "DataSource"),
    ("InputContentUrlSource", "UrlSource"),
];

/// Earlier names of capabilities.
pub const CAPABILITY_ALIASES: &[(&str, &str)] = &[("SubAgentInfo", "SubagentInfo")];

/// The names that the module of events imports from the module of types.
pub const EVENTS_USES: &[&str] = &[
    "ContentPart",
    "Interrupt",
    "JsonPatchOperation",
    "Message",
    "Metadata",
    "Role",
    "RunAgentInput",
    "State",
    "SubagentRunId",
];

/// The validator of the retired binary part. It equals the official class's, because users see its message.
pub const BINARY_VALIDATOR: &str = r#"
    @model_validator(mode="after")
    def validate_source(self) -> "BinaryInputContent":
        """Refuses a part whose `id`, `url` and `data` are all empty."""
        if not any([self.id, self.url, self.data]):
            raise ValueError("BinaryInputContent requires id, url, or data to be provided.")
        return self
"#;

/// Names that `core.types` exports besides the types.
const TYPE_EXTRAS: &[&str] =
    &["AGUI_METADATA_KEY", "Metadata", "SubagentRunId", "ConfiguredBaseModel", "GeneratedBaseModel", "State"];

/// Types that the official modules do not export.
const UNLISTED: &[&str] = &[
    "AddOperation",
    "RemoveOperation",
    "ReplaceOperation",
    "MoveOperation",
    "CopyOperation",
    "TestOperation",
    "JsonPatchOperation",
];

/// Names that `core.types` exports and `core` does not.
const NOT_IN_PACKAGE: &[&str] =
    &["SubagentRunId", "ConfiguredBaseModel", "GeneratedBaseModel", "Attributable"];

/// Names that programs take from `core` to write types with; the official package has them elsewhere, so they are not in `__all__`.
const FOR_TYPES: &[(&str, &[&str])] = &[
    ("events", &["TextMessageRole", "ToolCallResultRole"]),
    (
        "types",
        &[
            "AddOperation",
            "Attributable",
            "CopyOperation",
            "JsonPatch",
            "JsonPatchOperation",
            "JsonPointer",
            "MoveOperation",
            "RemoveOperation",
            "ReplaceOperation",
            "SubagentRunId",
            "TestOperation",
        ],
    ),
];

/// Types and unions of a module, in declaration order.
fn declared(module: Module) -> Vec<&'static str> {
    let types = TYPES.iter().filter(|ty| ty.module == module).map(|ty| ty.name);
    let unions = UNIONS.iter().filter(|union| union.module == module).map(|union| union.name);
    types.chain(unions).filter(|name| !UNLISTED.contains(name)).collect()
}

/// `core.types.__all__`
pub fn types() -> Vec<&'static str> {
    let aliases = TYPE_ALIASES.iter().map(|(alias, _)| *alias);
    let mut names: Vec<_> = TYPE_EXTRAS.to_vec();
    names.extend(["Role", "ResumeStatus"]);
    names.extend(declared(Module::Types));
    names.extend(aliases);
    names.push("BinaryInputContent");
    names
}

/// `core.events.__all__`
pub fn events() -> Vec<&'static str> {
    let mut names =
        vec!["EventType", "TextMessageRole", "ReasoningMessageRole", "ReasoningEncryptedValueSubtype"];
    names.extend(declared(Module::Events));
    names.extend(["ConfiguredBaseModel", "Interrupt", "Message", "Role", "RunAgentInput", "State"]);
    names
}

/// `core.capabilities.__all__`
pub fn capabilities() -> Vec<&'static str> {
    let mut names = declared(Module::Capabilities);
    names.extend(CAPABILITY_ALIASES.iter().map(|(alias, _)| *alias));
    names
}

/// Writes the package `core`, which exports all names of its modules.
pub fn package() -> String {
    let shared =
        ["ConfiguredBaseModel", "Interrupt", "Message", "Role", "RunAgentInput", "State", "TextMessageRole"];
    let events: Vec<_> = events().into_iter().filter(|name| !shared.contains(name)).collect();
    let types: Vec<_> = types().into_iter().filter(|name| !NOT_IN_PACKAGE.contains(name)).collect();
    let usage = ["aggregate_token_usage", "token_usage_from_langchain_metadata"];
    let modules: [(&str, &[&str]); 5] = [
        ("capabilities", &capabilities()),
        ("events", &events),
        ("token_usage", &usage),
        ("types", &types),
        ("version", &["PROTOCOL_VERSION"]),
    ];
    let mut out = String::from(
        "\"\"\"The events and types of AG-UI 1.0, as pydantic models with a native engine.\n\n\
         Generated from the declaration in core/src/types: `make generate`.\n\"\"\"\n\n\
         from ag_ui_native.core import engine as _engine\n",
    );
    for (module, names) in modules {
        let mut sorted = names.to_vec();
        sorted.sort_by_key(|name| order(name));
        let one_line = format!("from ag_ui_native.core.{module} import {}", sorted.join(", "));
        if one_line.len() <= super::WIDTH {
            let _ = writeln!(out, "{one_line}");
        } else {
            let _ =
                writeln!(out, "from ag_ui_native.core.{module} import (\n    {},\n)", sorted.join(",\n    "));
        }
        for name in FOR_TYPES.iter().filter(|(of, _)| *of == module).flat_map(|(_, names)| *names) {
            let _ = writeln!(out, "from ag_ui_native.core.{module} import {name} as {name}");
        }
    }
    out += "\n_engine.start_engine()\n";
    all(&mut out, &modules.iter().flat_map(|(_, names)| names.iter().copied()).collect::<Vec<_>>());
    out
}

/// Import order as linters have it: constants, classes, the rest.
fn order(name: &str) -> (u8, String) {
    let constant = name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    let class = name.starts_with(|letter: char| letter.is_ascii_uppercase());
    (
        if constant {
            0
        } else if class {
            1
        } else {
            2
        },
        name.to_owned(),
    )
}

/// `Alias = Name` lines.
pub fn aliases(out: &mut String, aliases: &[(&str, &str)]) {
    for (alias, name) in aliases {
        let _ = writeln!(out, "{alias} = {name}");
    }
}

/// The list of exported names.
pub fn all(out: &mut String, names: &[&str]) {
    *out += "\n__all__ = [\n";
    for name in names {
        let _ = writeln!(out, "    \"{name}\",");
    }
    *out += "]\n";
}
