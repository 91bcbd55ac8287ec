"""The contents of the wheel, the sdist and the crate, and their metadata."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
import zipfile
from collections import Counter
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath

import pytest
from environments import DIST, ROOT

PLACE = "https://github.com/ag-ui-native/ag-ui-native"
SITE = "https://ag-ui-native.github.io/ag-ui-native/latest/"
WHEELS, SDISTS = sorted(DIST.glob("*.whl")), sorted(DIST.glob("*.tar.gz"))


def kinds(names: list[str]) -> Counter[str]:
    """Returns the number of files of each kind in each of the first folders."""
    paths = [PurePosixPath(name) for name in names]
    return Counter(f"{path.parts[0]}/*{path.suffix}" if len(path.parts) > 1 else path.name for path in paths)


def versions(library: Path) -> list[tuple[int, ...]]:
    """The versions of glibc that a library asks for."""
    told = subprocess.run(
        ["readelf", "-W", "--version-info", library], capture_output=True, text=True, check=True
    ).stdout
    return [tuple(map(int, found.split("."))) for found in re.findall(r"\bGLIBC_([\d.]+)", told)]


def test_dist_holds_a_wheel_and_an_sdist() -> None:
    assert (len(WHEELS), len(SDISTS)) == (1, 1)


@pytest.mark.parametrize("wheel", WHEELS, ids=str)
def test_the_wheel(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path)
    info = f"ag_ui_native-{wheel.name.split('-')[1]}.dist-info"
    assert {kind for kind in kinds(names) if not kind.startswith(info)} == {
        "ag_ui_native/*.py",
        "ag_ui_native/*.pyi",
        "ag_ui_native/*.typed",
        "ag_ui_native/*.so",
        "pytest_ag_ui_native/*.py",
        "pytest_ag_ui_native/*.typed",
    }
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    sources = {str(path.relative_to(ROOT / "python")) for path in (ROOT / "python").glob("*ag_ui_native/**/*.py*")}
    assert {name for name in sources if "__pycache__" not in name} <= found
    assert {f"{info}/licenses/LICENSE", f"{info}/sboms/ag-ui-native-python.cyclonedx.json"} <= found
    metadata = HeaderParser().parsestr((tmp_path / info / "METADATA").read_text("utf-8"))
    assert metadata["Requires-Python"] == ">=3.11" and metadata["License-Expression"] == "MIT"
    urls = dict(url.split(", ") for url in metadata.get_all("Project-URL"))
    assert urls.keys() == {"Homepage", "Repository", "Documentation", "Changelog", "Issues"}
    assert urls.pop("Documentation") == SITE and all(url.startswith(PLACE) for url in urls.values())
    assert metadata.get_all("Provides-Extra") == [
        "all",
        "anthropic",
        "client",
        "openai",
        "redis",
        "server",
        "websocket",
    ]


@pytest.mark.parametrize("wheel", [wheel for wheel in WHEELS if "linux" in wheel.name], ids=str)
def test_the_library_runs_on_the_oldest_system_that_the_wheel_names(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extract("ag_ui_native/_native.abi3.so", tmp_path)
    needed = max(versions(tmp_path / "ag_ui_native/_native.abi3.so"))
    named = re.findall(r"manylinux_(\d+)_(\d+)", wheel.name)
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]
    assert named and needed <= min(tuple(map(int, version)) for version in named)


@pytest.mark.parametrize("sdist", SDISTS, ids=str)
def test_the_sdist_holds_what_is_built_and_nothing_else(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [member.name.partition("/")[2] for member in archive if member.isfile()]
    single = {"Cargo.toml", "Cargo.lock", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}
    python = {f"python/*{kind}" for kind in (".py", ".pyi", ".rs", ".toml", ".typed")}
    assert kinds(names).keys() == single | python | {
        ".cargo/*.toml",
        *(f"core/*{kind}" for kind in ("", ".json", ".lua", ".md", ".proto", ".rs", ".sql", ".toml")),
    }
    assert not [name for name in names if re.search(r"(^|/)(tests|benches|fixtures|node_modules|__pycache__)/", name)]


def test_the_crate_holds_sources_and_examples_and_no_tests() -> None:
    listed = ["cargo", "package", "--list", "--allow-dirty", "-p", "ag-ui-native"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    single = {"Cargo.toml", "Cargo.toml.orig", "Cargo.lock", "LICENSE", "README.md", "ag_ui.proto"}
    # Only in a repository without changes.
    assert kinds(names).keys() - {".cargo_vcs_info.json"} == single | {
        "src/*.json",
        "src/*.lua",
        "src/*.rs",
        "src/*.sql",
        "examples/*.rs",
    }


def test_the_crate_says_where_it_comes_from() -> None:
    told = subprocess.run(
        ["cargo", "metadata", "--no-deps", "--format-version", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (crate,) = [package for package in json.loads(told)["packages"] if package["name"] == "ag-ui-native"]
    assert (crate["repository"], crate["homepage"]) == (PLACE, SITE)
    assert crate["documentation"] == "https://docs.rs/ag-ui-native"
    assert crate["rust_version"] and crate["keywords"] and crate["categories"] and crate["description"]
    assert crate["metadata"]["docs"]["rs"]["all-features"]
