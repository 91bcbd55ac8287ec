"""Compares what frameworks answer with the official package and with this one: ``compare.py [FRAMEWORK ...]``.

Each framework has an environment of its own in .build/frameworks, as its requirements file says; each side is a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path
from typing import Any

from example import programs
from example import run as run_example
from normalize import normalize

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ENVIRONMENTS = ROOT / ".build/frameworks"
SIDES = ("official", "native", "accelerated")


def environment(framework: str) -> Path:
    """Returns the framework's Python; missing packages are installed."""
    # All versions are given, so nothing is resolved: some frameworks ask for an older ag-ui-protocol than they run with.
    requirements = HERE / f"requirements-{framework}.txt"
    directory = ENVIRONMENTS / framework
    python, stamp = directory / "bin/python", directory / "requirements"
    wanted = sha256(requirements.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        venv.create(directory, clear=True, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "-r", str(requirements)], check=True)
        stamp.write_text(wanted)
    return python


def responses(framework: str, side: str) -> dict[str, Any]:
    """Returns the framework's answers in each scenario."""
    command = [str(environment(framework)), str(HERE / "probe.py"), framework, side]
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTHONHASHSEED": "0"}
    variables.pop("VIRTUAL_ENV", None)
    done = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=HERE, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"{framework}, {side}:\n{done.stderr[-4000:]}")
    return json.loads(done.stdout)


def bodies(answers: list[Any]) -> str:
    """The answers of a scenario in a form that can be compared: status, type and body of each."""
    return normalize("\n".join(f"{status} {kind}\n{body}" for status, kind, body in answers))


def main(frameworks: list[str]) -> int:
    """Compares the answers, and prints the number of scenarios with the same answers."""
    differing = 0
    for framework in frameworks:
        official, *others = (responses(framework, side) for side in SIDES)
        for side, other in zip(SIDES[1:], others, strict=True):
            same = 0
            for name, answers in official["responses"].items():
                expected, found = bodies(answers), bodies(other["responses"][name])
                same += expected == found
                if expected != found:
                    lines = unified_diff(expected.splitlines(), found.splitlines(), "official", side, lineterm="", n=1)
                    print(f"{framework}: {name} differs", *(line[:400] for line in lines), sep="\n")
            count = len(official["responses"])
            differing += count - same
            print(
                f"{framework:16} {side:12} {same} of {count} scenarios the same, ag-ui-protocol {official['version']}"
            )
        for program in programs(framework):
            kind, body = run_example(program, str(environment(framework)), PYTHONPATH=str(ROOT / "python"))
            done = kind.startswith("text/event-stream") and b'{"type":"RUN_FINISHED"' in body.rstrip().splitlines()[-1]
            differing += not done
            print(f"{framework:16} {program.stem:12} {'ends well' if done else body.decode()}")
    return int(differing > 0)


if __name__ == "__main__":
    known = sorted(file.stem.removeprefix("requirements-") for file in HERE.glob("requirements-*.txt"))
    sys.exit(main(sys.argv[1:] or known))
