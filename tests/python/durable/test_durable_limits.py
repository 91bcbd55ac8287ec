"""Limits on the runs and the readers of a scope, and the longest duration of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app
from logged_servers import RESUMES, Gate, begin, body_of, frames, greet, read, served, types
from servers import PATIENCE, asgi_server, until


def user(scope: Mapping[str, Any], *about: object) -> str:
    name: bytes = dict(scope["headers"])[b"user"]
    return name.decode()


def limit(response: httpx.Response) -> tuple[int, str, str]:
    """The status, the limit and the pause of a refusal."""
    body = response.json()
    assert body["code"] == "limit_exceeded"
    return response.status_code, body["limit"], response.headers["retry-after"]


def test_a_scope_has_a_limit_of_active_runs() -> None:
    gate = Gate()
    with served(gate, max_active_runs=1, authorize=user) as client:
        client.headers["user"] = "ada"
        _, received = begin(client, b"before", body_of(), RESUMES)
        assert limit(client.post("", json=body_of("q", "other"))) == (429, "max_active_runs", "1")
        # A run that exists is read, and other scopes have runs of their own.
        with client.stream("POST", "", json=body_of(), headers=RESUMES) as joined:
            assert joined.status_code == 200
        with client.stream("POST", "", json=body_of(), headers={"user": "bob", **RESUMES}) as other:
            assert other.status_code == 200
        gate.opened.set()
        assert types(read(client, frames(received)[-1][0]).content)[-1] == "RUN_FINISHED"
        assert types(client.post("", json=body_of("q", "other")).content)[-1] == "RUN_FINISHED"


def test_a_run_that_fails_or_is_cancelled_counts_no_longer() -> None:
    async def agent(run: Run) -> None:
        await run.write("before")
        if run.run_id == "raises":
            raise ValueError("it fails")
        await gate(run)

    gate = Gate()
    with served(agent, max_active_runs=1) as client:
        assert types(client.post("", json=body_of("raises")).content)[-1] == "RUN_ERROR"
        begin(client, b"before", body_of("stops"), RESUMES)
        client.post("", params={"thread": "t", "cancel": "stops"}, json={})
        assert types(read(client, run_id="stops").content)[-1] == "RUN_FINISHED"
        # Without its client the run ends behind the grace time.
        gate.opened.set()
        assert types(client.post("", json=body_of("last")).content)[-1] == "RUN_FINISHED"


def test_a_scope_has_a_limit_of_readers() -> None:
    gate = Gate()
    with served(gate, max_readers=2) as client:
        begin(client, b"before", body_of(), RESUMES)
        with client.stream("POST", "", json=body_of()), client.stream("GET", "", params={"thread": "t", "run": "r"}):
            until(lambda: read(client).status_code == 429)
            assert limit(read(client)) == (429, "max_readers", "1")
            # A run that could not be read does not begin.
            assert limit(client.post("", json=body_of("q", "other"))) == (429, "max_readers", "1")
            assert gate.begun == 1
        # The places of connections that were cut are free, and those of requests that are refused.
        gate.opened.set()
        until(lambda: read(client).status_code == 200)
        for _ in range(3):
            assert read(client, run_id="unknown").status_code == 404
            assert types(read(client).content)[-1] == "RUN_FINISHED"


def test_all_agents_of_a_log_count_together() -> None:
    gate, log = Gate(), MemoryLog()
    with (
        served(gate, log, max_active_runs=1) as client,
        asgi_server(asgi_app(greet, log=log, authorize="public", max_active_runs=1)) as port,
    ):
        begin(client, b"before", body_of(), RESUMES)
        other = httpx.post(f"http://127.0.0.1:{port}/", json=body_of("q", "other"), timeout=PATIENCE)
        assert limit(other) == (429, "max_active_runs", "1")
        gate.opened.set()


def test_a_run_has_a_longest_duration(caplog: pytest.LogCaptureFixture) -> None:
    gate = Gate()
    with served(gate, max_age=0.3) as client:
        found = frames(client.post("", json=body_of()).content)
        assert found[-1][1]["code"] == "limit_exceeded" and "log_age" in found[-1][1]["message"]
        until(lambda: gate.ends == ["cancelled"])
        assert any("max_age" in record.message for record in caplog.records)
        assert "activeRunId" not in client.get("", params={"thread": "t"}).json()


@pytest.mark.parametrize("options", [{"max_active_runs": 0}, {"max_readers": 1.5}, {"max_age": -1}, {"drain": "10"}])
def test_limits_of_a_wrong_kind_are_refused(options: dict[str, Any]) -> None:
    from ag_ui_native import AGUIValidationError

    with pytest.raises(AGUIValidationError, match=next(iter(options))):
        asgi_app(greet, log=MemoryLog(), authorize="public", **options)
