"""Our stages in Python, on the streams that the Node run has written: the results must be equal.

python ours.py FILE RUST: a line per stream, with the results of Node and of Rust in each stage.
"""

from __future__ import annotations

import gzip
import json
import logging
import re
import sys
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

from ag_ui_native import AGUIError
from ag_ui_native.stream import (
    EventDecoder,
    EventPipeline,
    Reducer,
    compact_events,
    enforce_events,
    expand_chunks,
    verify_events,
)

Outcome = dict[str, Any]
Input = dict[str, Any]


def failure(error: AGUIError) -> Outcome:
    paths = [issue.path for issue in error.issues]
    return {
        "code": error.code,
        "rule": error.rule,
        "index": error.event_index,
        "paths": paths,
        "message": error.message,
    }


def told(warnings: Iterable[Any]) -> list[list[Any]]:
    return [[warning.event_index, warning.code, warning.path, warning.rule, warning.message] for warning in warnings]


def passed(stage: Callable[..., list[Any]], given: Input, **options: Any) -> Outcome:
    """Returns the result of a stage for a list of events."""
    warnings: list[Any] = []
    try:
        return {"events": stage(given["events"], on_warning=warnings.append, **options), "warnings": told(warnings)}
    except AGUIError as error:
        return {"events": error.partial, "warnings": told(warnings), "error": failure(error)}


class Talk:
    """Records the changes of a reducer or pipeline for each event, and the conversation at the end."""

    def __init__(self, of: Any) -> None:
        self.of = of
        self.changes: list[list[Any]] = []

    def note(self, changes: Iterable[Any]) -> None:
        for change in changes:
            end = change.value if change.kind in ("run_finished", "run_failed") else None
            target = change.target.get("id") if isinstance(change.target, dict) else None
            self.changes.append([change.event_index, change.kind, target, end and end._asdict()])

    def outcome(self, step: Callable[[Any], Any], events: Iterable[Any]) -> Outcome:
        outcome: Outcome = {}
        try:
            for event in events:
                self.note(step(event))
        except AGUIError as error:
            self.note(error.partial or [])
            outcome["error"] = failure(error)
        for name in ("messages", "state", "pending_interrupts", "state_in_sync"):
            outcome[name] = getattr(self.of, name)
        return outcome | {"changes": self.changes, "warnings": told(self.of.warnings)}


def start(given: Input) -> dict[str, Any]:
    conversation = {
        "messages": given.get("messages", []),
        "state": given.get("state", {}),
        "pending_interrupts": given.get("pendingInterrupts", []),
    }
    return conversation | {"as_dicts": True}


def apply(given: Input) -> Outcome:
    reducer = Reducer(**start(given), profile="strict", on_patch_failure="flag")
    return Talk(reducer).outcome(reducer.apply, given["events"])


def pipeline(given: Input) -> Outcome:
    line = EventPipeline(**start(given))
    return Talk(line).outcome(line.feed, map(frame, given["events"]))


def burst(given: Input) -> Outcome:
    line = EventPipeline(**start(given))
    return Talk(line).outcome(line.feed, [b"".join(map(frame, given["events"]))])


def relay(given: Input) -> Outcome:
    line = EventPipeline(**start(given), profile="relay")
    return Talk(line).outcome(line.feed, [b"".join(map(framed, given["texts"]))])


def tolerate(given: Input) -> Outcome:
    line = EventPipeline(**start(given), verify=False)
    return Talk(line).outcome(line.feed, map(framed, given["texts"]))


def decode(given: Input) -> Outcome:
    def feed(texts: list[str], on_warning: Any) -> list[Any]:
        decoder = EventDecoder(profile="relay", on_warning=on_warning)
        return decoder.feed(b"".join(map(framed, texts)))

    return passed(feed, {"events": given["texts"]})


def framed(text: str) -> bytes:
    """An event's text as a frame: a line of data for each of its lines."""
    return b"data: " + re.sub("[\r\n]", "\ndata: ", text).encode() + b"\n\n"


def frame(event: Any) -> bytes:
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    halves = re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)
    return b"data: " + halves.encode() + b"\n\n"


STAGES: dict[str, Callable[[Input], Outcome]] = {
    "enforce": lambda given: passed(enforce_events, given),
    "verify": lambda given: passed(verify_events, given, profile="strict"),
    "chunks": lambda given: passed(expand_chunks, given, profile="strict"),
    "compact": lambda given: passed(compact_events, given, profile="strict"),
    "apply": apply,
    "pipeline": pipeline,
    "burst": burst,
    "relay": relay,
    "tolerate": tolerate,
    "decode": decode,
}


def comparable(text: str) -> Any:
    """An outcome with new ids numbered in order of appearance, and numbers by their value alone."""
    seen: dict[str, str] = {}
    name: Callable[[re.Match[str]], str] = lambda found: seen.setdefault(found[0], f"<uuid:{len(seen) + 1}>")
    text = json.dumps(json.loads(text, parse_float=number), sort_keys=True)
    # Node has numbered its ids already, in an order of its own.
    return re.sub(r"msg-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|<uuid:\d+>", name, text)


def number(text: str) -> float | int:
    value = float(text)
    return int(value) if value.is_integer() else value


def answer(stage: str, given: Input) -> str:
    try:
        return json.dumps(STAGES[stage](given))
    except Exception as error:  # noqa: BLE001 - what must not be raised is a difference like others
        return json.dumps({"raised": repr(error)})


def main(path: str, rust_path: str) -> int:
    """Compares, and returns how many outcomes differ."""
    logging.getLogger("ag_ui_native").disabled = True
    streams = different = 0
    sys.setrecursionlimit(5000)
    with gzip.open(path, "rt", encoding="utf-8") as lines, gzip.open(rust_path, "rt", encoding="utf-8") as rust_lines:
        for line, rust_line in zip_longest(lines, rust_lines):
            seed, stages = json.loads(line)
            same_seed, rust = json.loads(rust_line)
            assert seed == same_seed
            streams += 1
            for (stage, given, node), in_rust in zip(stages, rust, strict=True):
                answers = {"node": json.dumps(node), "python": answer(stage, given), "rust": json.dumps(in_rust)}
                if len({comparable(text) for text in answers.values()}) > 1:
                    different += 1
                    print(f"seed {seed}, {stage}: {json.dumps(given)}")
                    for name, text in answers.items():
                        print(f"  {name:6} {comparable(text)}")
    print(f"{streams} streams: {different} differences between Node, Python and Rust")
    return different if streams else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]) > 0)
