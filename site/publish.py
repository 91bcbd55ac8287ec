"""Publishes the site on the branch gh-pages, by mike. `publish.py [--config FILE] REF`

A release `v1.2.3` is the newest of the version `1.x`, and `latest` is the newest release. Before 1.0, versions are
`0.1.x`, as the second number may break programs. Any other REF is published as `dev`. `latest` is `dev` until there is
a release, so that links to it lead somewhere.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

SITE = Path(__file__).parent


def series(version: str) -> tuple[int, ...] | None:
    """Returns the numbers of `1.x` or `0.1.x`; None for other names."""
    found = re.fullmatch(r"(\d+)\.(?:(\d+)\.)?x", version)
    return tuple(int(number) for number in found.groups() if number) if found else None


def deployed(ref: str, versions: list[dict[str, Any]]) -> list[str]:
    """Returns the arguments of `mike deploy`. `versions` are those that the branch has."""
    there = [numbers for each in versions if (numbers := series(each["version"]))]
    release = re.fullmatch(r"v((\d+)\.(\d+)\.\d+)", ref)
    if not release:
        return ["dev"] if there else ["dev", "latest"]
    number, major, minor = release.groups()
    version = f"0.{minor}.x" if major == "0" else f"{major}.x"
    newest = all(numbers <= (series(version) or ()) for numbers in there)
    return ["--title", number, version, *(["latest"] if newest else [])]


def mike(*arguments: str) -> str:
    programs = Path(sys.executable).parent
    # It looks for mkdocs, too.
    path = os.pathsep.join((str(programs), os.environ["PATH"]))
    command = [str(programs / "mike"), *arguments]
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "PATH": path}
    ).stdout


def main(ref: str, config: Path) -> None:
    file = ["--config-file", str(config)]
    arguments = deployed(ref, json.loads(mike("list", *file, "--json")))
    mike("deploy", *file, "--update-aliases", *arguments)
    if "latest" in arguments:
        mike("set-default", *file, "latest")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, default=SITE / "mkdocs.yml")
    parser.add_argument("ref")
    given = parser.parse_args()
    main(given.ref, given.config)
