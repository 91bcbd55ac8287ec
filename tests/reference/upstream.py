"""The JSON Schemas beside those of the specification: the same verdict on changed documents.

    python tests/reference/upstream.py CHECKOUT

CHECKOUT is one of github.com/ag-ui-protocol/ag-ui, of which `docs/spec/*/schema.json` is read. Its verdicts are
written to `tests/fixtures/types/schema-verdicts.json`, which the tests compare with; differences are printed, and
are a failure.
"""

from __future__ import annotations

import copy
import hashlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema

ROOT = Path(__file__).parents[2]
OURS = {"1.0": ROOT / "docs/ag-ui-1.0.schema.json", "1.1": ROOT / "docs/ag-ui.schema.json"}
VERDICTS = ROOT / "tests/fixtures/types/schema-verdicts.json"
COUNT = 10_000

sys.path.insert(0, str(ROOT / "tests/fixtures/generate"))
from samples import SAMPLES

STRANGE: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    2**53,
    2**53 - 1,
    "",
    "x",
    "/a~1b",
    "a",
    "success",
    "text",
    [],
    {},
    [None],
    {"a": None},
]
"""Values to put in the place of others."""
TYPE = {"encryptedValueType": "p.t"}


def strange(draw: random.Random) -> Any:
    """Returns a copy of one of these values."""
    return copy.deepcopy(draw.choice(STRANGE))


def documents() -> Iterator[tuple[str, Any]]:
    """Names of definitions, and documents: full ones of each type, changed in one place or several. Always the same ones."""
    draw = random.Random(1)
    names = sorted(SAMPLES.keys() - {"BinaryInputContent"})
    for index in range(COUNT):
        name = names[index % len(names)]
        document = typed(copy.deepcopy(SAMPLES[name][1]), draw)
        for _ in range(draw.choice([0, 1, 1, 1, 2, 3])):
            document = changed(document, draw)
        yield name, document


def typed(value: Any, draw: random.Random) -> Any:
    """Returns the document with types: beside some encrypted values, and some without a value."""
    if isinstance(value, list):
        return [typed(item, draw) for item in value]
    if not isinstance(value, dict):
        return value
    inside = {key: typed(member, draw) for key, member in value.items()}
    return {**inside, **TYPE} if "encryptedValue" in inside and draw.random() < 0.5 else inside


def changed(value: Any, draw: random.Random) -> Any:
    """Returns a copy in which one member or item, at any depth, is replaced or removed, or a new one is added."""
    inner = [key for key in value if isinstance(value[key], dict | list)] if isinstance(value, dict) else []
    if isinstance(value, list):
        inner = [index for index, item in enumerate(value) if isinstance(item, dict | list)]
    if inner and draw.random() < 0.5:
        key = draw.choice(inner)
        value[key] = changed(value[key], draw)
        return value
    if isinstance(value, list):
        return [*value, strange(draw)] if draw.random() < 0.5 else value[1:]
    if not isinstance(value, dict) or not value or draw.random() < 0.05:
        return strange(draw)
    key = draw.choice(list(value))
    way = draw.random()
    if way < 0.3:
        del value[key]
    elif way < 0.8:
        value[key] = strange(draw)
    elif way < 0.9:
        value[draw.choice(["surplus", "encryptedValueType", "metadata", "id", "subagentRunId"])] = strange(draw)
    else:
        value[key + "_"] = value.pop(key)
    return value


def fingerprint() -> str:
    """Returns a hash of all documents. Verdicts name it."""
    return hashlib.sha256("\n".join(f"{name} {json.dumps(value)}" for name, value in documents()).encode()).hexdigest()


def verdicts(schema: dict[str, Any]) -> str:
    """Returns a schema's verdicts on all documents, as hexadecimal digits: each digit has the verdicts on four
    documents.
    """
    base = {key: value for key, value in schema.items() if key != "$ref"}
    validators: dict[str, Any] = {}
    bits = ""
    for name, value in documents():
        if name not in validators:
            validators[name] = jsonschema.Draft202012Validator({**base, "$ref": f"#/$defs/{name}"})
        bits += "01"[validators[name].is_valid(value)]
    return "".join(f"{int(bits[at : at + 4], 2):x}" for at in range(0, COUNT, 4))


def differing(one: str, other: str) -> list[int]:
    """Returns the numbers of the documents with different verdicts."""
    flat = [f"{int(digits, 16):0{COUNT}b}" for digits in (one, other)]
    return [at for at, (left, right) in enumerate(zip(*flat, strict=True)) if left != right]


def main(checkout: str) -> None:
    """Asks the specification, and compares."""
    said, wrong = {"documents": fingerprint()}, 0
    for version, path in OURS.items():
        theirs = Path(checkout) / "docs/spec" / version / "schema.json"
        said[version] = verdicts(json.loads(theirs.read_text("utf-8")))
        ours = verdicts(json.loads(path.read_text("utf-8")))
        numbers = differing(said[version], ours)
        every = list(documents())
        for number in numbers[:20]:
            print(version, number, every[number][0], json.dumps(every[number][1]))
        print(f"{version}: {COUNT} documents, {f'{int(ours, 16):b}'.count('1')} accepted, {len(numbers)} differ")
        wrong += len(numbers)
    VERDICTS.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
