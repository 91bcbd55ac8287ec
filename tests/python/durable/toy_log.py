"""An engine as somebody else writes it: by what docs/durable/own-engine.md says, and with nothing of this package but `Log`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ag_ui_native.durable import Log

Json = dict[str, Any]

PRODUCER_LOST = '{"type":"RUN_ERROR","message":"the process that ran the agent is lost","code":"producer_lost"}'
ROOM_FOR_AN_END = 64 << 10


class ToyLog(Log):
    """Keeps logs in dictionaries. Nothing awaits in an operation, so each is one step."""

    def __init__(self) -> None:
        self._logs: dict[tuple[str, str], Json] = {}
        self._threads: dict[str, Json] = {}
        self._watchers: list[tuple[tuple[str, str], Callable[[Json], object]]] = []

    async def execute(self, operation: Json) -> Json:
        self._now = time.monotonic() * 1000
        for key in [key for key, log in self._logs.items() if log["until"] <= self._now]:
            self._delete(key)
        for name, thread in list(self._threads.items()):
            if thread["active"] is None and thread["until"] <= self._now:
                del self._threads[name]
        reply: Json = getattr(self, f"_{operation['operation']}")(**operation)
        return reply

    def watch(self, key: Json, callback: Callable[[Json], object]) -> Callable[[], object]:
        watcher = (_place(key), callback)
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def _tell(self, key: tuple[str, str], hint: Json) -> None:
        for watched, callback in list(self._watchers):
            if watched == key:
                callback(hint)

    def _create(self, *, key: Json, digest: str, owner: str, lease: int, policy: Json, **given: Any) -> Json:
        place = _place(key)
        log = self._logs.get(place)
        if log is not None:
            if log["digest"] != digest:
                return {"reply": "conflict"}
            is_repeated = log["owner"] == owner and log["epoch"] == 1 and not log["frames"]
            if is_repeated:
                return {"reply": "created", "incarnation": log["incarnation"], "epoch": 1}
            return {**self._info(key=key), "reply": "exists"}
        thread = self._threads.setdefault(
            place[0], {"active": None, "last": None, "version": 0, "snapshot": None, "until": 0}
        )
        if thread["active"] is not None:
            self._end_if_lost(thread["active"])
        if thread["active"] is not None:
            return {"reply": "busy", "runId": self._logs[thread["active"]]["runId"]}
        parent, snapshot = given.get("parent"), given.get("snapshot")
        if parent is not None and thread["last"] is not None and thread["last"][0] != _place(parent):
            return {"reply": "stale", "runId": thread["last"][1]}
        thread["active"] = place
        if snapshot is not None:
            thread["snapshot"], thread["version"] = snapshot, thread["version"] + 1
        log = self._logs[place] = {"digest": digest, "owner": owner, "policy": policy, "epoch": 1, "frames": []}
        log |= {"runId": given["runId"], "incarnation": given["incarnation"], "isClosed": False, "isCancelled": False}
        log["attended"] = self._now + policy["grace"] if "grace" in policy else float("inf")
        self._take_lease(log, lease)
        return {"reply": "created", "incarnation": log["incarnation"], "epoch": 1}

    def _claim(self, *, key: Json, owner: str, lease: int, **_: Any) -> Json:
        log = self._logs.get(_place(key))
        if log is None or log["isClosed"]:
            return {"reply": "unknown" if log is None else "closed"}
        if log["frames"] or (log["owner"] != owner and log["lease"] > self._now):
            return {"reply": "held"}
        log["owner"], log["epoch"] = owner, log["epoch"] + 1
        self._take_lease(log, lease)
        return {"reply": "claimed", "epoch": log["epoch"]}

    def _append(
        self, *, key: Json, epoch: int, first: int, frames: list[str], end: Json | None = None, **_: Any
    ) -> Json:
        log = self._logs.get(_place(key))
        if log is None or log["epoch"] != epoch:
            return {"reply": "unknown" if log is None else "fenced"}
        following = len(log["frames"]) + 1
        if not 0 < first <= following:
            return {"reply": "gap", "next": following}
        new = frames[following - first :]
        if not new:
            return {"reply": "appended", "next": following}
        if log["isClosed"]:
            return {"reply": "closed"}
        room = log["policy"]["maxBytes"] + (0 if end is None else ROOM_FOR_AN_END)
        if sum(len(frame.encode()) for frame in [*log["frames"], *new]) > room:
            return {"reply": "tooBig"}
        log["frames"] += new
        if end is not None:
            self._close(_place(key), end.get("snapshot"))
        self._tell(_place(key), {"hint": "appended", "next": len(log["frames"]) + 1})
        return {"reply": "appended", "next": len(log["frames"]) + 1}

    def _renew(self, *, key: Json, epoch: int, lease: int, **_: Any) -> Json:
        log = self._logs.get(_place(key))
        if log is None or log["isClosed"]:
            return {"reply": "unknown" if log is None else "closed"}
        if log["epoch"] != epoch:
            return {"reply": "fenced"}
        self._take_lease(log, lease)
        is_attended = log["attended"] > self._now
        return {"reply": "renewed", "isCancelled": log["isCancelled"], "isAttended": is_attended}

    def _attend(self, *, key: Json, **_: Any) -> Json:
        log = self._logs.get(_place(key))
        if log is not None and "grace" in log["policy"]:
            log["attended"] = max(log["attended"], self._now + log["policy"]["grace"])
        return {"reply": "unknown" if log is None else "done"}

    def _read(self, *, key: Json, maxBytes: int, after: str | None = None, **_: Any) -> Json:
        self._end_if_lost(_place(key))
        log = self._logs.get(_place(key))
        if log is None:
            return {"reply": "unknown"}
        incarnation, _hyphen, number = (after or f"{log['incarnation']}-0").rpartition("-")
        if incarnation != log["incarnation"]:
            return {"reply": "replaced"}
        begin = int(number)
        if begin > len(log["frames"]):
            return {"reply": "ahead"}
        end = begin + 1
        while end < len(log["frames"]) and sum(map(len, log["frames"][begin : end + 1])) <= maxBytes:
            end += 1
        page = {"incarnation": incarnation, "first": begin + 1, "frames": log["frames"][begin:end]}
        return {"reply": "page", **page, "next": len(log["frames"]) + 1, "isClosed": log["isClosed"]}

    def _cancel(self, *, key: Json, **_: Any) -> Json:
        log = self._logs.get(_place(key))
        if log is None:
            return {"reply": "unknown"}
        log["isCancelled"] = True
        self._tell(_place(key), {"hint": "cancelled"})
        return {"reply": "done"}

    def _info(self, *, key: Json, **_: Any) -> Json:
        self._end_if_lost(_place(key))
        log = self._logs.get(_place(key))
        if log is None:
            return {"reply": "unknown"}
        told = {name: log[name] for name in ("incarnation", "digest", "isClosed", "isCancelled")}
        return {"reply": "info", **told, "next": len(log["frames"]) + 1}

    def _readThread(self, *, thread: str, **_: Any) -> Json:
        if thread in self._threads and self._threads[thread]["active"] is not None:
            self._end_if_lost(self._threads[thread]["active"])
        found = self._threads.get(thread)
        if found is None:
            return {"reply": "thread", "version": 0}
        reply = {"reply": "thread", "version": found["version"]}
        if found["active"] is not None:
            reply["activeRun"] = self._logs[found["active"]]["runId"]
        if found["last"] is not None:
            reply["lastRun"] = found["last"][1]
        if found["snapshot"] is not None:
            reply["snapshot"] = found["snapshot"]
        return reply

    def _delete(self, key: Any, **_: Any) -> Json:
        place = key if isinstance(key, tuple) else _place(key)
        self._logs.pop(place, None)
        thread = self._threads.get(place[0])
        if thread is not None and thread["active"] == place:
            thread["active"] = None
            thread["until"] = max(thread["until"], self._now)
        return {"reply": "done"}

    def _deleteThread(self, *, thread: str, **_: Any) -> Json:
        for key in [key for key in self._logs if key[0] == thread]:
            del self._logs[key]
        self._threads.pop(thread, None)
        return {"reply": "done"}

    def _take_lease(self, log: Json, lease: int) -> None:
        log["lease"] = self._now + lease
        log["until"] = log["lease"] + log["policy"]["keep"]

    def _close(self, key: tuple[str, str], snapshot: str | None) -> None:
        log, thread = self._logs[key], self._threads[key[0]]
        log["isClosed"], log["until"] = True, self._now + log["policy"]["keep"]
        thread["active"], thread["last"] = None, (key, log["runId"])
        thread["version"] += 1
        thread["until"] = self._now + log["policy"]["keepThread"]
        if snapshot is not None:
            thread["snapshot"] = snapshot

    def _end_if_lost(self, key: tuple[str, str]) -> None:
        log = self._logs.get(key)
        if log is None or log["isClosed"] or log["lease"] > self._now:
            return
        log["epoch"] += 1
        log["frames"].append(PRODUCER_LOST)
        self._close(key, None)
        self._tell(key, {"hint": "appended", "next": len(log["frames"]) + 1})


def _place(key: Json) -> tuple[str, str]:
    return key["thread"], key["run"]
