"""Plays the same scripts with the agents of Rust, Python and Node, and compares their logs: `compare.py PLAYER COUNT
SEED`.

PLAYER is the program of `core/examples/simulate.rs`. Differences are printed by seed; `compare.py PLAYER 1 SEED`
shows one. With a last argument `all`, known differences are compared, too.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from scripts import script_of

HERE = Path(__file__).parent
SHOWN = 20
"""The maximum number of printed differences."""
A_TIME = 2_000
"""The number of scripts that are played before their logs are compared."""
NEW_ID = re.compile(r"[\w-]*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


KNOWN: dict[str, Callable[[dict[str, Any], dict[str, Any]], bool]] = {}
"""The known differences of the three languages, by script and log: they are counted, and compared with `all` only."""


def players(rust: str) -> dict[str, list[str]]:
    return {"Rust": [rust], "Python": [sys.executable, str(HERE / "play.py")], "Node": ["node", str(HERE / "play.mjs")]}


def logs_of(command: list[str], scripts: str) -> list[dict[str, Any]]:
    played = subprocess.run(command, input=scripts, capture_output=True, text=True, check=False)
    if played.returncode != 0:
        raise SystemExit(f"{command[-1]} has failed:\n{played.stderr[-2000:]}")
    return [same_ids(json.loads(line)) for line in played.stdout.splitlines()]


def same_ids(log: dict[str, Any]) -> Any:
    """Returns the log with the new ids of runs replaced by numbers; other ids stay."""
    text = json.dumps(log)
    for number, asked in enumerate(log.get("asked", ())):
        if NEW_ID.fullmatch(asked["runId"]):
            text = text.replace(asked["runId"], f"#{number}")
    return json.loads(NEW_ID.sub("*", text))


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Returns the places in which two logs differ, the first place of each member."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = [*one, *(name for name in other if name not in one)]
        return [line for name in names for line in differences(one.get(name), other.get(name), f"{path}/{name}")]
    if isinstance(one, list) and isinstance(other, list):
        for at, (left, right) in enumerate(zip(one, other, strict=False)):
            if found := differences(left, right, f"{path}/{at}"):
                return found
        if len(one) != len(other):
            longer = max(one, other, key=len)
            return [f"{path}: {len(one)} and {len(other)}, more: {json.dumps(longer[min(len(one), len(other))])[:200]}"]
        return []
    if one == other and isinstance(one, bool) == isinstance(other, bool):
        return []
    return [f"{path}: {json.dumps(one)[:200]} and {json.dumps(other)[:200]}"]


def main(rust: str, count: str, seed: str, which: str = "agreed") -> int:
    begun, found, outcomes, left_out = time.monotonic(), 0, Counter[str](), Counter[str]()
    end = int(seed) + int(count)
    for first in range(int(seed), end, A_TIME):
        scripts = [script_of(number) for number in range(first, min(first + A_TIME, end))]
        lines = "".join(json.dumps(script) + "\n" for script in scripts)
        with ThreadPoolExecutor() as pool:
            playing = {host: pool.submit(logs_of, command, lines) for host, command in players(rust).items()}
        logs = {host: played.result() for host, played in playing.items()}
        for at, script in enumerate(scripts):
            of_hosts = {host: logs[host][at] for host in script["hosts"]}
            outcomes[str((of_hosts["Python"].get("result") or {}).get("outcome"))] += 1
            known = [reason for reason, is_so in KNOWN.items() if is_so(script, of_hosts["Python"])]
            if known and which != "all":
                left_out[known[0]] += 1
                continue
            told = [f"{host}: {log['broken']}" for host, log in of_hosts.items() if "broken" in log]
            (name, least), *others = of_hosts.items()
            told = told or [f"{name} and {host}: {line}" for host, log in others for line in differences(least, log)]
            found += bool(told)
            if told and found <= SHOWN:
                print(f"seed {script['seed']}:", *told, sep="\n  ")
    for reason, number in left_out.items():
        print(f"{number} left out: {reason}")
    shown = ", ".join(f"{outcome} {number}" for outcome, number in outcomes.most_common())
    print(f"{count} scripts from seed {seed} in {time.monotonic() - begun:.0f} s: {shown}. {found} differ")
    return found > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
