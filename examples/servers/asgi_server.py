"""An agent as an ASGI application, under any server that speaks ASGI: `uvicorn --app-dir examples/servers asgi_server:app`"""

from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> dict[str, int]:
    words = 0
    async with run.text_message() as message:
        for word in ("Hello ", "from ", "Python."):
            await message.write(word)  # waits while the client is slow
            words += 1
    return {"words": words}


app = asgi_app(agent)

if __name__ == "__main__":
    import os

    import uvicorn

    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")
