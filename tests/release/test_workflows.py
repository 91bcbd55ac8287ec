"""The workflows run pinned actions and tools, for every platform that the packages name, and have no rights that they
do not need.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from release import ROOT

WORKFLOWS = {path.name: path.read_text("utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}
RELEASE = WORKFLOWS["release.yml"]


def job(name: str, workflow: str = RELEASE) -> str:
    """The text of a job of the release, or of another workflow."""
    found = re.search(rf"^  {name}:\n(.*?)(?=^  \S|\Z)", workflow, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_action_is_one_commit(name: str) -> None:
    used = [use for use in re.findall(r"uses: (.*)", WORKFLOWS[name]) if not use.startswith("./")]
    assert used
    for use in used:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use), use
    everywhere = {use for text in WORKFLOWS.values() for use in re.findall(r"uses: (\S+@.*)", text)}
    assert len(everywhere) == len({use.split("@")[0] for use in everywhere})


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_only_read(name: str) -> None:
    assert re.search(r"^permissions:\n  contents: read\n\n", WORKFLOWS[name], re.MULTILINE)
    assert WORKFLOWS[name].count("uses: actions/checkout@") == WORKFLOWS[name].count("persist-credentials: false")


def test_only_jobs_that_publish_get_more_and_only_for_a_tag() -> None:
    jobs = re.findall(r"^  ([\w-]+):\n", RELEASE.partition("\njobs:\n")[2], re.MULTILINE)
    assert {name for name in jobs if "id-token: write" in job(name)} == {"pypi", "npm", "crates"}
    assert {name for name in jobs if "contents: write" in job(name)} == {"github", "docs"}
    for name in ("pypi", "npm", "crates"):
        assert "if: github.ref_type == 'tag'" in job(name) and "environment: release" in job(name)
        assert "needs: [test, wheels, sdist, npm-packages]" in job(name)
    assert "needs: [pypi, npm, crates]" in job("github") and "needs: github" in job("docs")
    assert not re.search(r"secrets\.", RELEASE)


def test_the_site_is_published_by_one_job_which_builds_no_code() -> None:
    docs = WORKFLOWS["docs.yml"]
    build, publish = job("build", docs), job("publish", docs)
    assert docs.count("contents: write") == publish.count("contents: write") == 1 and "write" not in build
    assert "if: github.ref_type == 'tag' || github.ref == 'refs/heads/main'" in publish
    assert "make docs" in build and "run: make .build/docs\n" in publish
    # One step sees the token.
    *before, last = publish.split("\n      - ")
    assert "GH_TOKEN: ${{ github.token }}" in last and "token" not in "".join(before).partition("steps:")[2].lower()
    assert not re.search(r"secrets\.", docs)


def test_there_is_an_addon_for_every_target_of_the_npm_package() -> None:
    targets = json.loads((ROOT / "node/package.json").read_text("utf-8"))["napi"]["targets"]
    assert re.findall(r"- \{ target: ([\w-]+),", job("addons")) == targets


def test_there_is_a_wheel_for_every_platform_of_the_policy() -> None:
    names = re.findall(r"- \{ name: ([\w-]+),", job("wheels"))
    policy = (ROOT / "docs/compatibility.md").read_text("utf-8")
    row = re.search(r"^\| wheels \| (.*) \|$", policy, re.MULTILINE)
    assert row and names == re.findall(r"`([\w-]+)`", row[1])


def test_what_the_workflow_makes_is_a_target() -> None:
    found = re.search(r"target: \[(.*)\]", WORKFLOWS["ci.yml"])
    assert found
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in found[1].split(", "):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_zig_is_one_version() -> None:
    files = [Path("Makefile"), Path(".github/workflows/release.yml")]
    versions = [re.findall(r"ziglang==([\d.]+)", (ROOT / file).read_text("utf-8")) for file in files]
    assert all(versions) and len({version for found in versions for version in found}) == 1
