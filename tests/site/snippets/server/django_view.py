"""A snippet of docs/server/: an agent behind a view of Django's."""

from typing import Any

import django
from django.conf import settings
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from ag_ui_native.server import Run, wsgi_app
from ag_ui_native.stream import decode_events


async def agent(run: Run) -> None:
    await run.write("Hello from Django.")


# --8<-- [start:view]
app = wsgi_app(agent)


@csrf_exempt
def view(request):
    response = StreamingHttpResponse()

    def start(status, headers):
        response.status_code = int(status.split()[0])
        for name, value in headers:
            response[name] = value

    response.streaming_content = app(request.environ, start)
    return response


# --8<-- [end:view]

urlpatterns = [path("agent", view)]
settings.configure(ROOT_URLCONF=__name__, SECRET_KEY="secret", ALLOWED_HOSTS=["testserver"])
django.setup()
body = {"threadId": "t", "runId": "r", "messages": []}
answer: Any = Client(enforce_csrf_checks=True).post("/agent", body, content_type="application/json")
assert answer.status_code == 200, answer
events = list(decode_events(answer.streaming_content, answer["content-type"], profile="strict"))
assert [event.delta for event in events if event.type == "TEXT_MESSAGE_CONTENT"] == ["Hello from Django."]
assert Client().get("/agent").status_code == 405
