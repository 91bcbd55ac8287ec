"""The floors that the policy states are those of the packages."""

from __future__ import annotations

import json
import re
import tomllib

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from release import ROOT, floors, peers

POLICY = (ROOT / "docs/compatibility.md").read_text("utf-8")
MATRIX = (ROOT / "tests/matrix.sh").read_text("utf-8")


def row(name: str) -> list[str]:
    found = re.search(rf"^\| {name} \| (.*) \|$", POLICY, re.MULTILINE)
    assert found, name
    return found[1].split(" | ")


def test_floors() -> None:
    python = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert python["requires-python"] == f">={row('CPython')[0]}"
    assert f"pydantic>={row('pydantic')[0]}" in python["dependencies"]
    node = json.loads((ROOT / "node/package.json").read_text("utf-8"))
    assert node["engines"]["node"] == f">={row('Node')[0]}"
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
    assert cargo["workspace"]["package"]["rust-version"] == row("Rust")[0]
    release = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    assert set(re.findall(r'manylinux: "(\d+_\d+)"', release)) == {row("glibc")[0].replace(".", "_")}


def test_the_oldest_packages_of_the_extras_are_tested() -> None:
    names = ("httpx", "starlette", "websockets", "redis", "openai", "anthropic")
    versions = row(r"httpx, Starlette, websockets, redis, openai, anthropic \(Python\)")[0]
    stated = dict(zip(names, versions.split(", "), strict=True))
    assert sorted(floors()) == sorted(f"{name}=={version}.*" for name, version in stated.items())
    assert "release.py floors" in MATRIX


def test_the_oldest_peers_are_tested() -> None:
    names = ("@ag-ui/client", "@anthropic-ai/sdk", "ioredis", "openai", "redis", "ws")
    versions = row(rf"{', '.join(names)} \(Node\)")[0].split(", ")
    assert peers() == [f"{name}@{version}" for name, version in zip(names, versions, strict=True)]
    assert "release.py peers" in MATRIX


def test_what_is_called_tested_is_tested() -> None:
    checks = re.findall(r"^(3\.\d+) (?:all|classes) (pydantic\S+)", MATRIX, re.MULTILINE)
    assert row("CPython")[1].split(", ") == sorted({version for version, _ in checks})
    assert f"pydantic=={row('pydantic')[0]}.*" in {requirement for _, requirement in checks}
    assert re.findall(r"node@(\d+)", MATRIX) == row("Node")[1].split(", ")[1:]
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    minors = [name.rpartition(" ")[2] for name in classifiers if re.search(r":: 3\.\d+$", name)]
    assert minors == row("CPython")[1].split(", ")


def test_the_suite_can_be_run_with_the_floors() -> None:
    lines = (ROOT / "tests" / "python" / "requirements.txt").read_text("utf-8").splitlines()
    wanted = {found.name: found.specifier for found in map(Requirement, filter(is_requirement, lines))}
    for floor in map(Requirement, floors()):
        oldest = next(iter(floor.specifier)).version.replace(".*", ".999")
        assert oldest in wanted.get(floor.name, SpecifierSet()), floor.name


def is_requirement(line: str) -> bool:
    return bool(line) and not line.startswith("#")
