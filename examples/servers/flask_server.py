"""An agent under Flask, or any other WSGI application: `PORT=8000 python flask_server.py`"""

import os

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from ag_ui_native.server import Run, wsgi_app

flask = Flask(__name__)


@flask.get("/")
def page() -> str:
    return "The agent is at /agent."


def agent(run: Run) -> str:
    with run.text_message() as message:
        for word in ("Hello ", "from ", "Flask."):
            message.write(word)  # waits while the client is slow
    return "done"


app = DispatcherMiddleware(flask, {"/agent": wsgi_app(agent)})

if __name__ == "__main__":
    from werkzeug.serving import run_simple

    run_simple("127.0.0.1", int(os.environ.get("PORT", "8000")), app, threaded=True)
