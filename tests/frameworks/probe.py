"""Runs every scenario of one framework and prints the responses: ``probe.py FRAMEWORK official|native``.

It runs offline: an attempt to connect fails.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import socket
import sys
import warnings
from typing import Any

if sys.argv[2] == "native":
    import ag_ui_native

    ag_ui_native.install()
elif sys.argv[2] == "accelerated":
    import ag_ui_native

    ag_ui_native.accelerate()

import httpx
from scenarios import SCENARIOS


def refuse(*_: Any, **__: Any) -> Any:
    raise OSError("the scenarios run offline")


async def main() -> None:
    """Sends the requests of each scenario to a new application of the framework."""
    framework = importlib.import_module(f"serve_{sys.argv[1]}")
    responses: dict[str, list[Any]] = {}
    for name, requests in {**SCENARIOS, **getattr(framework, "SCENARIOS", {})}.items():
        app = framework.app()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        responses[name] = []
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            for request in requests:
                body, headers = request if isinstance(request, tuple) else (request, {})
                response = await asyncio.wait_for(client.post(framework.PATH, json=body, headers=headers), 60)
                kind = response.headers.get("content-type")
                responses[name].append([response.status_code, kind, response.content.decode("utf-8")])
    core = importlib.import_module("ag_ui.core")
    ours = core.RunAgentInput.__module__.startswith("ag_ui_native")
    assert ours == (sys.argv[2] == "native"), core
    from importlib.metadata import version

    print(json.dumps({"version": version("ag-ui-protocol"), "responses": responses}))


socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse  # type: ignore[method-assign, assignment]
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
asyncio.run(main())
