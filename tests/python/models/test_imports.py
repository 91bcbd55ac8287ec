"""The modules that an import loads: as few as the official package, and the package alone almost none."""

from __future__ import annotations

import subprocess
import sys

import pytest


def loaded(statement: str) -> set[str]:
    """The modules that an interpreter has after a statement, without those it starts with."""
    program = f"import sys; before = set(sys.modules)\n{statement}\nprint(*sys.modules.keys() - before)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_the_package_alone_loads_its_extension_and_nothing_else() -> None:
    assert loaded("import ag_ui_native") == {"ag_ui_native", "ag_ui_native._native"}


@pytest.mark.parametrize("name", ["core", "encoder"])
def test_classes_and_encoder_load_nothing_that_the_official_ones_do_without(name: str) -> None:
    more = loaded(f"import ag_ui_native.{name}") - loaded(f"import ag_ui.{name}")
    assert not {module for module in more if module.split(".")[0] != "ag_ui_native"}
    # Neither do they load parts of this package that they do not need.
    parts = {module.split(".")[1] for module in more if module.startswith("ag_ui_native.")}
    assert parts <= {"_native", "core", "encoder"}


@pytest.mark.parametrize("name", ["stream", "client", "server", "durable", "testing"])
def test_other_parts_load_neither_pydantic_nor_the_classes(name: str) -> None:
    """They are loaded with the first agent or server, or where an event is decoded."""
    modules = loaded(f"import ag_ui_native.{name}")
    assert not modules & {
        "pydantic",
        "pydantic_core",
        "ag_ui_native.core",
        "ag_ui_native.drop_in",
        "ag_ui_native._exports",
    }


@pytest.mark.parametrize(
    "statement",
    [
        "from ag_ui_native.client import SyncHttpAgent; SyncHttpAgent('http://localhost')",
        "from ag_ui_native.server import asgi_app; asgi_app(print)",
    ],
)
def test_agents_and_servers_load_the_classes_before_they_are_used(statement: str) -> None:
    assert "ag_ui_native.core" in loaded(statement)
