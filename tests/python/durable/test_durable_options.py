"""The options of servers with a log: those that are refused where a server is made."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pytest

from ag_ui_native import AGUIValidationError
from ag_ui_native.core import RunAgentInput
from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import asgi_app, respond, wsgi_app
from conftest import fixture_cases
from logged_servers import body_of, greet

STANDS_FOR: dict[str, Any] = {"<log>": MemoryLog(), "<infinity>": math.inf, "<nan>": math.nan}


@pytest.mark.parametrize("case", fixture_cases("log_options"), ids=lambda case: case["name"])
def test_options_are_refused_where_the_server_is_made(case: dict[str, Any]) -> None:
    options: Any = {name: STANDS_FOR.get(value, value) for name, value in case["options"].items()}
    for entrance in (asgi_app, wsgi_app, partial(respond, RunAgentInput.model_validate(body_of()))):
        if "code" not in case:
            entrance(greet, **options)
            continue
        with pytest.raises(AGUIValidationError) as raised:
            entrance(greet, **options)
        assert (raised.value.code, raised.value.path) == (case["code"], case["path"])
        assert raised.value.message == case.get("message", raised.value.message)


@pytest.mark.parametrize("limit", ["max_logs", "max_threads", "max_bytes"])
def test_limits_of_a_log_in_memory_are_counts(limit: str) -> None:
    for wrong in (-1, 1.5, "1", True, 1 << 53):
        with pytest.raises(AGUIValidationError) as raised:
            MemoryLog(**{limit: wrong})  # type: ignore[arg-type] # That is the test.
        assert (raised.value.code, raised.value.path) == ("wrong_type", f"/{limit}")
    assert MemoryLog(**{limit: (1 << 53) - 1})
