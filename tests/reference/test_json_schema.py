"""docs/ag-ui.schema.json accepts what the strict profile accepts, as an independent validator reads it."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/ag-ui.schema.json").read_text("utf-8"))
CASES = json.loads((ROOT / "tests/fixtures/documents.json").read_text("utf-8"))

# What a schema cannot see: the text itself, and a rule that spans several members.
UNSEEN = {"invalid_json", "lone_surrogate", "limit_exceeded", "number_out_of_range", "no_part_source"}

# The validator reads patterns with Python's `re`, whose `$` also stands before a last line break; JSON Schema's does not.
PYTHON_PATTERN = ["pointer '\\n'"]


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"})


VALIDATORS = {name: validator(name) for name in SCHEMA["$defs"]}


def accepts(case: dict[str, Any]) -> bool:
    return VALIDATORS[case["type"]].is_valid(json.loads(case["json"]))


def codes(case: dict[str, Any]) -> set[str]:
    return {error["code"] for error in case["strict"].get("errors", [])}


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("accepted", [True, False])
def test_the_same_verdict(accepted: bool) -> None:
    cases = [case for case in CASES if (not codes(case)) is accepted and not codes(case) & UNSEEN]
    assert len(cases) > 100
    differ = [case["name"] for case in cases if accepts(case) is not accepted]
    assert differ == ([] if accepted else PYTHON_PATTERN)
