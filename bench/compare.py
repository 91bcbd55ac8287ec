"""Compares the speed of two builds: `compare.py COMMIT` measures a build of that commit and one of the working tree.

Python's module is built as its wheels are published, with profile-guided optimisation. Without it, random
differences of the code layout make rows slower, and hide other slower rows. `--plain` builds without it, for a
quick look.

Python's module and Rust's benchmark are linked in ten orders of their functions, and each round measures another order
(`shuffled-cc.sh`, which needs lld, the default linker of Rust on Linux), for the same reason.

Two builds cannot be loaded into one process, and the memory layout and hash seeds of each process differ. So in
each of ten rounds every build has a process of its own, in shuffled order. It measures all rows of the benchmark,
without competitors. The ratio of a row is that of the two processes of a round: the old time divided by the new
one. A row falls if the 95 % interval of its ratio lies wholly below 0.97, or below what its removed mechanisms may
cost (`PRICES`). Fallen rows are measured in ten more
rounds; the comparison fails if a row falls again. Both builds are measured by the programs of the working tree's
bench/ and core/benches/; the profile of each comes from its own bench/training.py. A core that has other names is
measured by its own core/benches/.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / ".build" / "compare"

ROUNDS = 10
STUDENT = 2.262
"""The 97.5 % point of Student's t distribution for nine degrees of freedom, one less than the number of rounds."""
LEAST = 0.97


@dataclass(frozen=True)
class Price:
    """The most that the removal of a mechanism may cost its own row. A build before that commit is compared with a build after it."""

    row: str
    commit: str
    least: float
    removed: str


PRICES = (
    Price("Python: server, one token a write", "7ee0f9ee", 0.8, "AgentSteps, which set asyncio's current task"),
    Price("Node: server, one token a write", "f5ad7eaf", 0.75, "a getter that sends; frames from a template"),
)

COMPILED = os.environ | {"CARGO_TARGET_DIR": str(WORK / "target")}
"""The environment for builds that `make` has not made."""

LINKER = ROOT / "bench/shuffled-cc.sh"
HOST_LINKER = f"CARGO_TARGET_{os.uname().machine.upper()}_UNKNOWN_LINUX_GNU_LINKER"

Times = dict[str, list[float]]
"""The times of each row, by round."""


@dataclass(frozen=True)
class Interval:
    """The confidence interval of a row's ratio. Above 1, the new build is faster."""

    low: float
    middle: float
    high: float

    def falls(self, least: float = LEAST) -> bool:
        return self.high < least


def interval(old: list[float], new: list[float]) -> Interval | None:
    """Returns the 95 % interval of the ratio, from the logarithms of ten rounds; None if there is no ratio, for
    example for a negative difference.
    """
    if min(*old, *new) <= 0:
        return None
    ratios = [math.log(before / after) for before, after in zip(old, new, strict=True)]
    if len(ratios) != ROUNDS:
        raise ValueError(f"{len(ratios)} rounds, not {ROUNDS}")
    middle, reach = statistics.mean(ratios), STUDENT * statistics.stdev(ratios) / math.sqrt(ROUNDS)
    return Interval(*(math.exp(value) for value in (middle - reach, middle, middle + reach)))


def fallen(old: Times, new: Times, least: Mapping[str, float] = {}) -> list[str]:
    """Returns the rows that fall. A row that only one of the builds has is skipped. `least` has the ratios of rows
    that may become slower.
    """
    both = {row: interval(old[row], new[row]) for row in new if row in old}
    return [row for row, found in both.items() if found is not None and found.falls(least.get(row, LEAST))]


def verdict(measure: Callable[[list[str]], tuple[Times, Times]], least: Mapping[str, float] = {}) -> list[str]:
    """Returns the rows that fall when all rows are measured, and fall again when these are measured anew. `measure`
    gets a list of rows; an empty list means all rows.
    """
    rows = fallen(*measure([]), least)
    return fallen(*measure(rows), least) if rows else []


def prices(language: str, commit: str) -> dict[str, float]:
    """Returns the least ratios of rows whose mechanisms were removed behind that commit."""
    own = [price for price in PRICES if price.row.startswith(f"{language}: ") and not contains(commit, price.commit)]
    return {price.row.removeprefix(f"{language}: "): price.least for price in own}


def contains(commit: str, earlier: str) -> bool:
    """True if the history of a commit has the other one."""
    return (
        subprocess.run(["git", "merge-base", "--is-ancestor", earlier, commit], cwd=ROOT, check=False).returncode == 0
    )


class Build:
    """A tree with its modules built, and the programs that measure it."""

    def __init__(self, name: str, tree: Path, package: Path, codec: Path) -> None:
        self.name, self.tree, self.package, self.codec = name, tree, package, codec

    def measure(self, language: str, data: Path, rows: Path | None, number: int) -> dict[str, float]:
        """Measures a round in a process of its own. Returns the time of each row."""
        commands = {
            "Python": [str(ROOT / ".build/bench-packages/bin/python"), str(self.tree / "bench/python/bench_python.py")],
            "Node": ["node", str(self.tree / "bench/node/bench_node.mjs")],
            "Rust": [f"{self.codec}.{number}"],
        }
        environment = os.environ | {"PYTHONPATH": f"{self.package}.{number}"}
        with tempfile.TemporaryDirectory() as directory:
            result = Path(directory) / "result.json"
            options = ["--quick", "--ours", *(["--rows", str(rows)] if rows else [])]
            command = [*commands[language], str(data), str(result), *options]
            done = subprocess.run(command, check=False, env=environment, cwd=self.tree, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{language} cannot be measured in the {self.name} build:\n{done.stderr[-2000:]}")
            measured = json.loads(result.read_text("utf-8"))["rows"]
        return {row["operation"]: row["times"]["ours"] for row in measured}


def new_build(plain: bool, builds_wheel: bool) -> Build:
    """Returns the build of the working tree. `make` has built Node's module in its place."""
    package = WORK / "new"
    if builds_wheel:
        print("building the working tree", flush=True)
        build_wheel(ROOT, package, plain)
    return Build("new", ROOT, package, codec_of(ROOT, os.environ.get("CARGO_TARGET_DIR", "target")))


def old_build(commit: str, plain: bool) -> Build:
    """Returns the build of a commit, in a separate tree that is kept. All commits share a folder for compiled files."""
    name = output("git", "rev-parse", "--short=12", f"{commit}^{{commit}}")
    tree = WORK / (f"{name}-plain" if plain else name)
    package, built = tree / ".build/package", tree / ".build/built"
    if not built.exists():
        print(f"building {name}, once", flush=True)
        unpack(name, tree)
        build_wheel(tree, package, plain)
        (tree / "node/node_modules").symlink_to(ROOT / "node/node_modules")
        subprocess.run(["npm", "run", "--silent", "build"], cwd=tree / "node", env=COMPILED, check=True)
        built.touch()
    for part in ("bench", "core/benches"):
        shutil.rmtree(tree / part, ignore_errors=True)
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
    try:
        codec = codec_of(tree, COMPILED["CARGO_TARGET_DIR"])
    except subprocess.CalledProcessError:
        print(f"Rust: {name} has other names in core, so its own benchmark measures it", flush=True)
        unpack(name, tree, "core/benches")
        codec = codec_of(tree, COMPILED["CARGO_TARGET_DIR"])
    return Build("old", tree, package, codec)


def build_wheel(tree: Path, package: Path, plain: bool) -> None:
    """Builds and unpacks Python's wheel of a tree, as it is published or plain. Packages with other orders of functions
    stand beside it: its name, a dot and a round.
    """
    how = [] if plain else ["--pgo"]
    with tempfile.TemporaryDirectory() as wheels:
        maturin = [str(ROOT / ".venv/bin/maturin"), "build", "--quiet", "--release", *how, "--out", wheels]
        subprocess.run(maturin, cwd=tree, env=COMPILED | {HOST_LINKER: str(LINKER)}, check=True)
        shutil.rmtree(package, ignore_errors=True)
        with zipfile.ZipFile(next(Path(wheels).glob("*.whl"))) as wheel:
            wheel.extractall(package)
    module = next((package / "ag_ui_native").glob("_native*.so"))
    for number in range(ROUNDS):
        other = package.with_name(f"{package.name}.{number}")
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(package, other)
        shutil.copy(WORK / f"target/release/deps/lib_native.so.{number}", other / "ag_ui_native" / module.name)


def unpack(commit: str, tree: Path, part: str = "") -> None:
    """Unpacks the files of a commit, or one of its folders, and nothing else."""
    shutil.rmtree(tree / part, ignore_errors=True)
    tree.mkdir(parents=True, exist_ok=True)
    command = ["git", "archive", commit, *([part] if part else [])]
    archive = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(tree)], input=archive.stdout, check=True)


def codec_of(tree: Path, target: str) -> Path:
    """Builds the benchmark of Rust. Programs with other orders of functions stand beside it: its name, a dot and a round."""
    linker = f"linker={LINKER}"
    which = ["-p", "ag-ui-native", "--profile", "bench", "--bench", "codec"]
    command = ["cargo", "rustc", "--quiet", "--message-format=json", *which, "--", "-C", linker]
    said = output(*command, cwd=tree, env=os.environ | {"CARGO_TARGET_DIR": target})
    made = (json.loads(line) for line in said.splitlines())
    return Path(next(one["executable"] for one in made if one.get("target", {}).get("name") == "codec"))


def output(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    return subprocess.run(command, cwd=cwd, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def in_rounds(
    language: str, builds: tuple[Build, Build], least: Mapping[str, float], rows: list[str]
) -> tuple[Times, Times]:
    """Measures these rows, or all rows, in the old and in the new build. Returns their times."""
    data, file = WORK / "data", WORK / "rows.json"
    file.write_text(json.dumps({language: rows}), encoding="utf-8")
    found: tuple[Times, Times] = (defaultdict(list), defaultdict(list))
    for number in range(ROUNDS):
        print(f"\r{language}: round {number + 1} of {ROUNDS} ", end="", file=sys.stderr, flush=True)
        for index in random.sample(range(len(builds)), len(builds)):
            for row, taken in builds[index].measure(language, data, file if rows else None, number).items():
                found[index][row].append(taken)
    print("\r\033[K", end="", file=sys.stderr, flush=True)
    show(language, *found, least)
    return found


def show(language: str, old: Times, new: Times, least: Mapping[str, float]) -> None:
    for row in new:
        found = interval(old[row], new[row]) if row in old else None
        if found is None:
            print(f"{'':26}  {language}: {row}: not compared")
        else:
            may = least.get(row, LEAST)
            mark = " <- falls" if found.falls(may) else f" (may be {may}x)" if found.falls() else ""
            print(f"{found.middle:6.3f}x ({found.low:6.3f} to {found.high:6.3f})  {language}: {row}{mark}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", help="the commit to compare with")
    parser.add_argument("--plain", action="store_true", help="without profile-guided optimisation")
    parser.add_argument("--only", choices=("Python", "Node", "Rust"), help="measures one language")
    options = parser.parse_args()
    builds = (old_build(options.commit, options.plain), new_build(options.plain, options.only in (None, "Python")))
    subprocess.run([sys.executable, str(ROOT / "bench/scenarios.py"), str(WORK / "data")], check=True)
    print("The old time divided by the new one, and its 95 % interval; what falls is measured again:")
    failed = []
    for language in (options.only,) if options.only else ("Python", "Node", "Rust"):
        least = prices(language, options.commit)
        failed += [f"{language}: {row}" for row in verdict(partial(in_rounds, language, builds, least), least)]
    print(*(f"slower, twice: {row}" for row in failed), f"{len(failed)} rows fall", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
