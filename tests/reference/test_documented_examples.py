"""Every public name of the Python package has an example in its documentation, and the examples run. Those of the crate
have one, too, which `cargo test --doc` runs; those of the Node package are checked by its own tests.
"""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys

import pytest
import rust_examples
from python_examples import PARSER, documentation, has_example, methods, sources

import ag_ui_native.core

NAMES, METHODS = documentation(), methods()
EXAMPLES = {name: text for name, text in {**NAMES, **METHODS}.items() if has_example(text)}

# These replace the modules of another package, for the whole process.
REPLACING = ("install", "uninstall", "accelerate")
ALONE = """
import doctest, sys
test = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "alone", None, None)
sys.exit(doctest.DocTestRunner().run(test).failed)
"""


def test_every_name_has_an_example() -> None:
    missing = sorted(NAMES.keys() - EXAMPLES.keys())
    assert missing == []


def test_every_method_is_in_an_example() -> None:
    shown = "\n".join(source for text in EXAMPLES.values() for source in sources(text))
    missing = sorted(name for name in METHODS if not re.search(rf"\.{name.rpartition('.')[2]}\b", shown))
    assert missing == []


def test_every_name_of_the_crate_has_an_example() -> None:
    names = rust_examples.public_names()
    assert len(names) > 300
    assert [name for name in names if not rust_examples.has_example(name)] == []


def test_methods_of_the_crate_are_in_examples() -> None:
    shown = rust_examples.shown()
    missing = [name for name in rust_examples.methods() if not re.search(rf"(\.|::){name.split('::')[-1]}\b", shown)]
    assert missing == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs(name: str) -> None:
    if name.rpartition(".")[2] in REPLACING:
        command = [sys.executable, "-c", ALONE]
        done = subprocess.run(command, check=False, input=EXAMPLES[name], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        return
    test = PARSER.get_doctest(EXAMPLES[name], {"__name__": "__main__"}, name, None, None)
    failures: list[str] = []
    doctest.DocTestRunner().run(test, out=failures.append)
    assert not failures, "".join(failures)


def test_examples_are_in_no_json_schema() -> None:
    """FastAPI shows it in OpenAPI documents, and models read it."""
    schema = ag_ui_native.core.RunAgentInput.model_json_schema()
    assert schema["description"] == "The input of a run, as a client sends it."
    assert ">>>" not in json.dumps(schema)
