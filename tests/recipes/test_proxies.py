"""A real nginx with the configuration of the recipe: events arrive one by one, and heartbeats keep the connection."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from example_files import example
from recipes import EACH, serving
from test_server_examples import running
from websockets.sync.client import connect

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
HERE = Path(__file__).parent
ASKED: dict[str, Any] = {"threadId": "t", "runId": "r", "messages": []}
REQUEST: dict[str, Any] = {"json": ASKED, "verify": False, "timeout": 60}
PROXY = pytest.mark.skipif(
    not (Path(NGINX).exists() and shutil.which("openssl")), reason="nginx and openssl are not installed"
)


@contextmanager
def nginx(agent: str, folder: Path, timeout: str = "2s") -> Iterator[str]:
    """Runs nginx in front of an agent; yields its address. The configuration has the test's port, files and timeout."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    subprocess.run([*made, "-keyout", folder / "k", "-out", folder / "c"], check=True, capture_output=True, timeout=60)
    text = example("examples/recipes/agent.conf").read_text("utf-8")
    for ours, here in {
        "127.0.0.1:8000": agent.removeprefix("http://"),
        "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/ssl/agents.crt": str(folder / "c"),
        "/etc/ssl/agents.key": str(folder / "k"),
        "proxy_read_timeout 60s": f"proxy_read_timeout {timeout}",
    }.items():
        assert ours in text, ours
        text = text.replace(ours, here)
    places = " ".join(f"{name}_temp_path {folder};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.geteuid() == 0 else ""  # its workers write bodies into the folder
    main = f"{user} daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}} http {{ access_log off; {places} {text} }}"
    (folder / "nginx.conf").write_text(main, "utf-8")
    process = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
        with socket.socket() as probe:
            while probe.connect_ex(("127.0.0.1", port)) != 0:
                assert process.poll() is None and time.monotonic() < until, (folder / "errors").read_text("utf-8")
                time.sleep(0.05)
        yield f"https://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.fixture(params=["py", "mjs"])
def agent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The agent of the guide about deploying: it writes, works for some seconds, and writes again."""
    monkeypatch.setenv("WORK", "5")
    monkeypatch.setenv("HEARTBEAT", "0.5")
    with running(f"deployed.{request.param}") as url:
        yield url


@PROXY
def test_events_arrive_one_by_one(agent: str, tmp_path: Path) -> None:
    with nginx(agent, tmp_path) as url, httpx.stream("POST", f"{url}/agent", **REQUEST) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        pieces = answer.iter_text()
        said = ""
        while "\n: \n" not in said:
            said += next(pieces)  # a heartbeat
        assert "Let me see." in said and "Done." not in said, "nginx has held events back"
        said += "".join(pieces)
    # It took longer than the timeout of nginx.
    assert "Done." in said and "RUN_FINISHED" in said


@PROXY
def test_http_2(agent: str, tmp_path: Path) -> None:
    with nginx(agent, tmp_path) as url:
        command = ["node", str(HERE / "http2_client.mjs"), url, json.dumps(ASKED)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    pieces = json.loads(done.stdout)
    first = next(n for n, piece in enumerate(pieces) if "Let me see." in piece)
    last = next(n for n, piece in enumerate(pieces) if "Done." in piece)
    assert last - first >= 3, "there are heartbeats in between"


@PROXY
def test_websockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORK", "0")
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with ExitStack() as stack:
        url = stack.enter_context(nginx(stack.enter_context(running("deployed.py")), tmp_path))
        address = url.replace("https:", "wss:") + "/agent"
        connection = stack.enter_context(connect(address, ssl=trusting, open_timeout=60))
        connection.send(json.dumps(ASKED))
        assert [json.loads(message)["type"] for message in connection][-1] == "RUN_FINISHED"


@PROXY
def test_without_heartbeats_nginx_cuts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORK", "10")
    monkeypatch.setenv("HEARTBEAT", "30")
    with running("deployed.py") as agent, nginx(agent, tmp_path) as url, pytest.raises(httpx.RemoteProtocolError):
        httpx.post(f"{url}/agent", **REQUEST)


@PROXY
def test_long_requests(tmp_path: Path) -> None:
    sent: dict[str, Any] = {"headers": {"content-type": "application/json"}, "verify": False, "timeout": 60}
    with running("deployed.py") as agent, nginx(agent, tmp_path) as url:
        refused = httpx.post(f"{url}/agent", content=bytes((4 << 20) + 1), **sent)
        assert (refused.status_code, refused.json()["limit"]) == (413, "input_bytes"), "the agent names the limit"
        refused = httpx.post(f"{url}/agent", content=bytes((65 << 20) + 1), **sent)
        assert refused.status_code == 413 and "nginx" in refused.text


@PROXY
def test_a_load_balancer_asks_through_nginx(tmp_path: Path) -> None:
    with serving("healthy_server.py") as agent, nginx(agent, tmp_path) as url:
        assert httpx.get(f"{url}/health", verify=False, timeout=60).status_code == 200
        assert "RUN_FINISHED" in httpx.post(f"{url}/agent", **REQUEST).text


@EACH
def test_a_load_balancer_finds_the_server_well(language: str) -> None:
    with serving(f"healthy_server.{language}") as url:
        well = httpx.get(f"{url}/health", timeout=60)
        assert well.status_code == 200 and "well" in well.text
        assert httpx.get(f"{url}/agent", timeout=60).status_code == 405
        answer = httpx.post(f"{url}/agent", json=ASKED, timeout=60).text
        assert "Hello from behind a load balancer." in answer and "RUN_FINISHED" in answer


def test_lambda() -> None:
    """The function answers in a stand-in for Lambda's runtime."""
    command = ["node", str(HERE / "lambda_runtime.mjs"), str(example("examples/recipes/lambda.mjs"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    head, _, body = done.stdout.partition("\n")
    assert json.loads(head)["statusCode"] == 200 and json.loads(head)["headers"]["content-type"] == "text/event-stream"
    assert body.count('"TEXT_MESSAGE_CONTENT"') == 3 and '"RUN_FINISHED"' in body
