"""docs/ag-ui.schema.json accepts the same documents as the strict profile, and both schemas the same as the
specification's, by an independent validator.
"""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import upstream

ROOT = Path(__file__).parents[2]
SCHEMAS = {version: json.loads(path.read_text("utf-8")) for version, path in upstream.OURS.items()}
SCHEMA = SCHEMAS["1.1"]
CASES = json.loads((ROOT / "tests/fixtures/types/documents.json").read_text("utf-8"))
CASES += json.loads((ROOT / "tests/fixtures/types/encrypted_values.json").read_text("utf-8"))["documents"]

# Errors that a schema cannot express: of the text itself, and a rule that spans several members.
UNSEEN = {"invalid_json", "lone_surrogate", "limit_exceeded", "number_out_of_range", "no_part_source", "stray_field"}

# The validator reads patterns with Python's `re`, whose `$` also stands before a last line break; JSON Schema's does not.
PYTHON_PATTERN = ["pointer '\\n'"]

# Types whose members other types include are open in the schema, as in the specification; strict reads such a type as a
# whole.
FRAGMENTS = {"Attributable", "BaseEvent", "BaseMessage"}


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"})


VALIDATORS = {name: validator(name) for name in SCHEMA["$defs"]}


def accepts(case: dict[str, Any]) -> bool:
    return VALIDATORS[case["type"]].is_valid(json.loads(case["json"]))


def codes(case: dict[str, Any]) -> set[str]:
    return {error["code"] for error in case["strict"].get("errors", [])}


def is_seen(case: dict[str, Any]) -> bool:
    """Returns True if a schema can have the verdict of strict."""
    return not codes(case) & UNSEEN and not (case["type"] in FRAGMENTS and codes(case) == {"unknown_field"})


@pytest.mark.parametrize("version", SCHEMAS)
def test_the_schema_is_one(version: str) -> None:
    schema = SCHEMAS[version]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"].endswith(upstream.OURS[version].name) and schema["title"] == f"AG-UI {version}"
    assert all(definition["$anchor"] == name for name, definition in schema["$defs"].items())
    assert {"JsonPatch", "JsonPointer", "Metadata", "State", "SubagentRunId"} <= schema["$defs"].keys()
    holders = [name for name, it in schema["$defs"].items() if "encryptedValueType" in it.get("properties", {})]
    assert len(holders) == {"1.0": 0, "1.1": 9}[version]


@pytest.mark.parametrize("accepted", [True, False])
def test_the_same_verdict(accepted: bool) -> None:
    cases = [case for case in CASES if (not codes(case)) is accepted and is_seen(case)]
    assert len(cases) > 100
    differ = [case["name"] for case in cases if accepts(case) is not accepted]
    # The specification's schema has no null there; strict reads it as absent.
    null_state = [name for name in differ if "state" in name and "null" in name] if accepted else []
    assert differ == (null_state if accepted else PYTHON_PATTERN)


@pytest.mark.parametrize("version", SCHEMAS)
def test_the_specification_has_the_same_verdicts(version: str) -> None:
    said = json.loads(upstream.VERDICTS.read_text("utf-8"))
    assert said["documents"] == upstream.fingerprint(), "other documents: `make test-schema CORPUS=folder` asks anew"
    differ = upstream.differing(said[version], upstream.verdicts(SCHEMAS[version]))
    every = list(upstream.documents())
    assert [every[number] for number in differ] == []


def test_a_difference_would_be_seen() -> None:
    text = json.dumps(SCHEMA).replace('"encryptedValueType"', '"other"')
    said = json.loads(upstream.VERDICTS.read_text("utf-8"))["1.1"]
    assert len(upstream.differing(said, upstream.verdicts(json.loads(text)))) > 100
