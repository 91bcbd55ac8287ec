"""JSON Schemas of tools: the package jsonschema refuses everything that we refuse; where all keywords are checked, the
verdicts are equal.
"""

from __future__ import annotations

import json
import random
from typing import Any

import jsonschema
import pytest

from ag_ui_native.client import rules
from ag_ui_native.limits import Limits

KINDS = ["null", "boolean", "integer", "number", "string", "array", "object"]
NAMES = ["a", "b", "a/b", "~", "é"]
NOT_JUDGED: list[dict[str, Any]] = [
    {"pattern": "^a"},
    {"multipleOf": 2},
    {"uniqueItems": True},
    {"contains": {"type": "string"}},
    {"propertyNames": {"maxLength": 1}},
    {"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False},
    {"if": {"type": "string"}, "then": {"minLength": 2}},
    {"dependentRequired": {"a": ["b"]}},
]


def value(dice: random.Random, depth: int = 0) -> Any:
    leaf = [None, True, False, 0, 1, 1.0, 2, -3.5, 10**20, "", "a", "ab", "é𝒳"]
    kind = dice.randrange(10 if depth < 3 else 8)
    if kind < 8:
        return dice.choice(leaf)
    if kind == 8:
        return [value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {name: value(dice, depth + 1) for name in dice.sample(NAMES, dice.randrange(4))}


def schema(dice: random.Random, knows_all: bool, depth: int = 0) -> Any:
    if dice.random() < 0.05:
        return dice.random() < 0.7
    within = [lambda: schema(dice, knows_all, depth + 1)]
    makes: list[Any] = [
        lambda: {"type": dice.choice(KINDS)},
        lambda: {"type": dice.sample(KINDS, 2)},
        lambda: {"enum": [value(dice) for _ in range(3)]},
        lambda: {"const": value(dice)},
        lambda: {dice.choice(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]): dice.choice([0, 1, 1.5])},
        lambda: {dice.choice(["minLength", "maxLength", "minItems", "maxItems"]): dice.randrange(3)},
        lambda: {dice.choice(["minProperties", "maxProperties"]): dice.randrange(3)},
        lambda: {"required": dice.sample(NAMES, 1)},
        lambda: {"colour": "red", "title": "A title"},
    ]
    if depth < 3:
        makes += [
            lambda: {"properties": {name: within[0]() for name in dice.sample(NAMES, 2)}},
            lambda: {"properties": {"a": within[0]()}, "additionalProperties": within[0]()},
            lambda: {"items": within[0]()},
            lambda: {"prefixItems": [within[0](), within[0]()], "items": within[0]()},
            lambda: {dice.choice(["anyOf", "oneOf", "allOf"]): [within[0]() for _ in range(dice.randint(1, 3))]},
            lambda: {"not": within[0]()},
            lambda: {"$ref": dice.choice(["#/$defs/one", "#/$defs/a~1b"])},
        ]
    if not knows_all:
        makes += [lambda: dice.choice(NOT_JUDGED)] * 3
    made: dict[str, Any] = {}
    for _ in range(dice.randint(1, 3)):
        made |= dice.choice(makes)()
    return made


def is_refused(arguments: Any, by: Any) -> bool:
    try:
        rules.read_arguments(json.dumps(arguments), None, json.dumps(by))
    except ValueError as error:
        assert str(error).startswith("The arguments do not match the schema of the tool. ")
        return True
    return False


@pytest.mark.parametrize("knows_all", [True, False])
def test_random_schemas(knows_all: bool) -> None:
    dice = random.Random(20 + knows_all)
    counts = {True: 0, False: 0}
    for _ in range(3_000):
        # A named schema has no references, so that no schema refers to itself.
        defined = {name: schema(dice, knows_all, 3) for name in ("one", "a/b")}
        whole = {"properties": {"x": schema(dice, knows_all)}, "$defs": defined}
        validator = jsonschema.Draft202012Validator(whole)
        for _ in range(3):
            arguments = {"x": value(dice)}
            wanted, found = not validator.is_valid(arguments), is_refused(arguments, whole)
            counts[found] += 1
            assert found == wanted if knows_all else found <= wanted, (whole, arguments)
    assert min(counts.values()) > 1_000


def test_values_may_be_as_deep_as_json() -> None:
    """The schema is the one that pydantic makes for a recursive model."""
    link = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Link"}, {"type": "null"}]}}}
    whole = {"$defs": {"Link": link}, "$ref": "#/$defs/Link"}
    fits: Any = {"next": None}
    wrong: Any = {"next": 1}
    for _ in range(180):
        fits, wrong = {"next": fits}, {"next": wrong}
    assert not is_refused(fits, whole)
    assert is_refused(wrong, whole)


def test_a_choice_that_has_no_end_is_no_fault_of_another() -> None:
    endless = {"$ref": "#/$defs/endless"}
    whole = {"properties": {"x": {"anyOf": [endless, {"type": "string"}]}}, "$defs": {"endless": endless}}
    assert not is_refused({"x": "a"}, whole)
    with pytest.raises(ValueError, match="takes too many steps"):
        rules.read_arguments('{"x": 1}', None, json.dumps(whole))


@pytest.mark.parametrize("count", [5_000, 50_000])
def test_what_was_not_looked_at_is_not_told_to_be_wrong(count: int) -> None:
    whole = {"properties": {"x": {"items": {"enum": [f"name {number}" for number in range(250)]}}}}
    arguments = json.dumps({"x": ["name 249"] * count})
    if count == 5_000:
        assert rules.read_arguments(arguments, None, json.dumps(whole)) == arguments
        return
    with pytest.raises(ValueError, match="takes too many steps") as refused:
        rules.read_arguments(arguments, None, json.dumps(whole))
    assert "enum" not in str(refused.value)


def test_every_work_is_counted() -> None:
    names = [f"n{number}" for number in range(1_000)]
    for rule in ({"required": names}, {"properties": dict.fromkeys(names, True)}):
        whole = {"properties": {"x": {"items": {"anyOf": [rule, True]}}}}
        with pytest.raises(ValueError, match="takes too many steps"):
            rules.read_arguments(json.dumps({"x": [{}] * 10_000}), None, json.dumps({"allOf": [whole, {"not": whole}]}))


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        ({"type": "OBJECT"}, True),
        ({"type": ["null", "any"]}, True),
        ({"type": "string", "nullable": True}, True),
        ({"type": "string", "enum": ["a"], "nullable": True}, True),
        ({"type": "string", "nullable": False}, False),
        ({"type": ["string"]}, False),
    ],
)
def test_types_that_json_schema_does_not_know_refuse_nothing(rule: dict[str, Any], fits: bool) -> None:
    value = {} if rule["type"] == "OBJECT" else None if "nullable" in rule else 1
    assert is_refused({"x": value}, {"properties": {"x": rule}}) is not fits


def test_what_takes_too_long_is_refused() -> None:
    many: dict[str, Any] = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(60)}
    whole = {"$ref": "#/$defs/d0", "$defs": many | {"d60": {"type": "string"}}}
    with pytest.raises(ValueError, match="takes too many steps"):
        rules.read_arguments("{}", None, json.dumps(whole))


def test_a_long_name_is_shortened_and_little_is_told() -> None:
    arguments = {f"{'n' * 1000}{number}": 1 for number in range(100)}
    with pytest.raises(ValueError) as refused:
        rules.read_arguments(json.dumps(arguments), None, json.dumps({"additionalProperties": False}))
    assert len(str(refused.value)) < 2_000


NUMBERS = [
    *(str(2**power + more) for power in (53, 63, 64) for more in (-2, -1, 0, 1, 2)),
    *(str(-(2**power) + more) for power in (53, 63, 64) for more in (-2, -1, 0, 1, 2)),
    *(f"{float(2**power)!r}" for power in (53, 63, 64, 70)),
    *("9223372036854775808.0", "1.8446744073709552e19", "-1.8446744073709552e19", "0", "-0.0", "0.5", "-0.5", "5e-324"),
    *(
        "9007199254740991.5",
        "1" + "0" * 30,
        "1" + "0" * 29 + "1",
        "1e30",
        "-1e30",
        "1" + "0" * 308,
        "1e308",
        "1" + "0" * 309,
    ),
]
"""Near the borders of 64 bits and of doubles, as JSON has them."""


def test_numbers_are_compared_exactly() -> None:
    """They are compared as Python compares integers and doubles."""
    dice = random.Random(23)
    pairs = [(one, other) for one in NUMBERS for other in dice.sample(NUMBERS, 16)]
    assert len(pairs) > 600
    for number, bound in pairs:
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const"):
            whole = {"properties": {"x": {keyword: json.loads(bound)}}}
            fits = jsonschema.Draft202012Validator(whole).is_valid({"x": json.loads(number)})
            schema = f'{{"properties":{{"x":{{"{keyword}":{bound}}}}}}}'
            try:
                rules.read_arguments(f'{{"x":{number}}}', None, schema)
                assert fits, (number, keyword, bound)
            except ValueError:
                assert not fits, (number, keyword, bound)


@pytest.mark.parametrize(
    ("number", "rule", "fits"),
    [
        ("1e400", '{"type":"integer"}', True),
        ("-1.5e400", '{"type":"integer"}', True),
        ("1e400", '{"minimum":1e399}', True),
        ("1e400", '{"minimum":1e401}', False),
        ("1e400", '{"maximum":1' + "0" * 400 + "}", True),
        ("1e400", '{"exclusiveMaximum":1' + "0" * 400 + "}", False),
        ("-1e400", '{"maximum":-1e399}', True),
        ("18446744073709551616", '{"maximum":18446744073709551615}', False),
        ("18446744073709551615", '{"exclusiveMaximum":18446744073709551616}', True),
    ],
)
def test_numbers_beyond_doubles(number: str, rule: str, fits: bool) -> None:
    """Python reads these numbers as infinite; JSON Schema compares their exact values."""
    schema = f'{{"properties":{{"x":{rule}}}}}'
    if fits:
        rules.read_arguments(f'{{"x":{number}}}', None, schema)
        return
    with pytest.raises(ValueError, match="do not match"):
        rules.read_arguments(f'{{"x":{number}}}', None, schema)


def test_a_schema_is_read_within_the_limits_of_the_agent() -> None:
    whole: dict[str, Any] = {"type": "string"}
    for _ in range(150):
        whole = {"properties": {"x": whole}}
    schema = json.dumps(whole)
    with pytest.raises(ValueError, match=r"^The schema of the tool cannot be read\.$"):
        rules.read_arguments("{}", None, schema)
    assert rules.read_arguments("{}", Limits(depth=400), schema) == "{}"
