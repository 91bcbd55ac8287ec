"""Python: ag_ui_native against ag-ui-protocol 1.0.0, msgspec and orjson. `bench_python.py DATA RESULT [--quick] [--ours] [--rows FILE]`"""

import json
import platform
import sys
from importlib.metadata import version
from typing import Any

import ag_ui.core
import ag_ui.encoder
import models_msgspec
import msgspec
import orjson
from clients import client_rows
from conversations import conversation_names, conversation_operations
from dictionaries import dictionary_names, dictionary_operations
from measure import Choice, Operation, run, write
from processes import import_times, memory_per_event
from pydantic import BaseModel, TypeAdapter
from streams import collected, msgspec_stream, official_stream, our_pipeline, our_stream
from whole_requests import request_rows

import ag_ui_native.core
import ag_ui_native.encoder
from ag_ui_native import _native
from ag_ui_native.run_writer import EntityWriter, RunWriter
from ag_ui_native.stream import decode_event
from servers import server_rows

PACKAGES = (
    "ag-ui-protocol",
    "pydantic",
    "msgspec",
    "orjson",
    "httpx",
    "httpx-sse",
    "jsonpatch",
    "fastapi",
    "starlette",
    "uvicorn",
    "pydantic-ai-slim",
)

EVENTS = {
    "text": "TextMessageContentEvent",
    "text 1 KB": "TextMessageContentEvent",
    "CJK": "TextMessageContentEvent",
    "tool args": "ToolCallArgsEvent",
    "state snapshot": "StateSnapshotEvent",
    "state delta": "StateDeltaEvent",
    "messages": "MessagesSnapshotEvent",
}


def surroundings(documents: dict[str, str], stream: bytes) -> dict[str, Any]:
    """The names that the statements below use. `o_` is the official package's, `n_` ours, `m_` msgspec's."""
    frames = [frame + b"\n\n" for frame in stream.split(b"\n\n")[:-1]]
    names: dict[str, Any] = {
        "orjson": orjson,
        "decode_event": decode_event,
        "BaseEvent": ag_ui_native.core.BaseEvent,
        "o_adapter": TypeAdapter(ag_ui.core.Event),
        "m_decoder": msgspec.json.Decoder(models_msgspec.AnyEvent),
        "m_input_decoder": msgspec.json.Decoder(models_msgspec.RunAgentInput),
        "m_encode": msgspec.json.Encoder().encode,
        "m_Text": models_msgspec.TextMessageContent,
        "json": {name: text.encode() for name, text in documents.items()},
        "dicts": {name: json.loads(text) for name, text in documents.items()},
        "m": {},
        "reads_16k": [stream[at : at + 16384] for at in range(0, len(stream), 16384)],
        "reads_1": frames,
        "collected": collected,
        "our_stream": our_stream,
        "our_pipeline": our_pipeline,
        "official_stream": official_stream,
        "msgspec_stream": msgspec_stream,
    }
    for prefix, core, encoder in (("o", ag_ui.core, ag_ui.encoder), ("n", ag_ui_native.core, ag_ui_native.encoder)):
        models = {name: getattr(core, model) for name, model in EVENTS.items()} | {"input": core.RunAgentInput}
        values = {name: model.model_validate_json(documents[name]) for name, model in models.items()}
        names[f"{prefix}_models"], names[prefix] = models, values
        names[f"{prefix}_Text"], names[f"{prefix}_text"] = models["text"], values["text"]
        names[f"{prefix}_BaseEvent"] = core.BaseEvent
        names[f"{prefix}_encoder"] = encoder.EventEncoder()
    for name, text in documents.items():
        names["m"][name] = names["m_input_decoder" if name == "input" else "m_decoder"].decode(text)
    names["ID"], names["DELTA"] = names["n_text"].message_id, names["n_text"].delta
    names["m_text"] = names["m"]["text"]
    names["n_run"], names["n_message"] = open_run(names["n"]["input"], names["ID"])
    # Local names, so that looking into a dictionary is not measured.
    for table in ("o", "n", "m", "json", "dicts", "o_models", "n_models"):
        for name, value in names[table].items():
            names[f"{table}_{name.replace(' ', '_')}"] = value
    return names | conversation_names() | dictionary_names()


def open_run(run_input: Any, message_id: str) -> tuple[RunWriter, EntityWriter]:
    """Returns a run that has begun, and an open message in it."""
    writer = RunWriter()
    writer.start(run_input)
    message = EntityWriter(writer, writer.open({"type": "TEXT_MESSAGE_START", "messageId": message_id}))
    writer.take()
    return writer, message


def operations() -> list[Operation]:
    fields = "(message_id=ID, delta=DELTA)"
    found = [
        Operation("construct a text event", {who: f"{p}_Text{fields}" for who, p in COMPETITORS.items()}),
        Operation(
            "construct and encode it",
            {
                "ours": f"n_encoder.encode(n_Text{fields})",
                "official": f"o_encoder.encode(o_Text{fields})",
                "msgspec": f"(b'data: ' + m_encode(m_Text{fields}) + b'\\n\\n').decode()",
                "orjson": "(b'data: ' + orjson.dumps({'type': 'TEXT_MESSAGE_CONTENT', 'messageId': ID, "
                "'delta': DELTA}) + b'\\n\\n').decode()",
            },
        ),
        Operation(
            "one token to bytes, without an event object",
            {
                # As servers send: the written frames are taken at once.
                "ours": "n_message.write(DELTA); n_run.take()",
                "official": f"o_encoder.encode(o_Text{fields}).encode()",
                "msgspec": f"b'data: ' + m_encode(m_Text{fields}) + b'\\n\\n'",
                "orjson": "b'data: ' + orjson.dumps({'type': 'TEXT_MESSAGE_CONTENT', 'messageId': ID, "
                "'delta': DELTA}) + b'\\n\\n'",
            },
            results={
                "ours": "(n_message.write(DELTA), n_run.take())[1]",
                "official": f"o_encoder.encode(o_Text{fields}).encode()",
            },
        ),
        Operation(
            "construct a snapshot of 100 messages",
            {who: f"{p}_models_messages(messages={p}_messages.messages)" for who, p in OWN.items()},
        ),
        *(encode(name) for name in EVENTS),
        *(encode(name, as_bytes=True) for name in ("text", "text 1 KB", "CJK")),
        Operation("model_dump_json, text", {who: f"{p}_text.model_dump_json(by_alias=True)" for who, p in OWN.items()}),
        Operation(
            "model_dump_json, RunAgentInput",
            {who: f"{p}_input.model_dump_json(by_alias=True)" for who, p in OWN.items()},
        ),
        *(decode(name) for name in EVENTS),
        Operation(
            "decode text, type unknown",
            {
                "ours": "decode_event(json_text)",
                "official": "o_adapter.validate_json(json_text)",
                "msgspec": "m_decoder.decode(json_text)",
            },
        ),
        Operation(
            "decode RunAgentInput",
            {
                "ours": "n_models_input.model_validate_json(json_input)",
                "official": "o_models_input.model_validate_json(json_input)",
                "msgspec": "m_input_decoder.decode(json_input)",
            },
        ),
    ]
    return found + dictionary_operations() + small_operations() + stream_operations() + conversation_operations()


OWN = {"ours": "n", "official": "o"}
COMPETITORS = OWN | {"msgspec": "m"}


def encode(name: str, as_bytes: bool = False) -> Operation:
    key = name.replace(" ", "_")
    method, wrap = ("encode_binary", "{}") if as_bytes else ("encode", "({}).decode()")
    statements = {
        "ours": f"n_encoder.{method}(n_{key})",
        "official": f"o_encoder.encode(o_{key})" + (".encode()" if as_bytes else ""),
        "msgspec": wrap.format(f"b'data: ' + m_encode(m_{key}) + b'\\n\\n'"),
        "orjson": wrap.format(f"b'data: ' + orjson.dumps(dicts_{key}) + b'\\n\\n'"),
    }
    return Operation(f"encode {name} to {'bytes' if as_bytes else 'str'}", statements)


def decode(name: str) -> Operation:
    key = name.replace(" ", "_")
    statements = {who: f"{p}_models_{key}.model_validate_json(json_{key})" for who, p in OWN.items()}
    return Operation(f"decode {name}", statements | {"msgspec": f"m_decoder.decode(json_{key})"})


def small_operations() -> list[Operation]:
    """Operations that programs use often: they must not be slower than before."""
    return [
        Operation("read an attribute", {who: f"{p}_text.delta" for who, p in COMPETITORS.items()}),
        Operation("isinstance", {who: f"isinstance({p}_text, {p}_BaseEvent)" for who, p in OWN.items()}),
    ]


def stream_operations() -> list[Operation]:
    ways = {"ours": "our_stream", "official": "official_stream", "split + msgspec": "msgspec_stream"}
    verified = {"ours": "our_pipeline", "official": "official_stream"}
    return [
        Operation(
            f"{title}, {size}, each event",
            {who: f"{stream}({reads})" for who, stream in ways.items()},
            per=10_000,
            results={who: f"collected({stream}, {reads})" for who, stream in ways.items()},
        )
        for title, ways in (("decode a stream", ways), ("decode a stream and verify it (official: decode)", verified))
        for size, reads in (("reads of 16 KB", "reads_16k"), ("one event a read", "reads_1"))
    ]


def plain(value: Any) -> Any:
    """Converts values of all packages to one form, for comparing them."""
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, str) and value[-2:] in ("\n\n", '"}', "]}", "}}"):
        return json.loads(value.removeprefix("data: "))
    if isinstance(value, BaseModel):
        return plain(value.model_dump_json(by_alias=True))
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    return [plain(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    if _native.BUILD_PROFILE != "release":
        sys.exit("ag_ui_native is a debug build: `maturin develop --release` first")
    choice = Choice("Python")
    rounds, few = (5, 3) if choice.quick else (31, 11)
    documents = json.loads((choice.data / "documents.json").read_text(encoding="utf-8"))
    stream = (choice.data / "stream.sse").read_bytes()
    names = surroundings(documents, stream)
    for prefix in OWN.values():
        names[f"{prefix}_text_copy"] = eval(f"{prefix}_Text(message_id=ID, delta=DELTA)", names)
        names[f"{prefix}_input_copy"] = eval(f"{prefix}_models_input.model_validate_json(json_input)", names)
    rows = run(operations(), names, plain, rounds, choice)
    groups = {
        "request ": lambda: request_rows(few, documents["input"], choice),
        "server, ": lambda: server_rows(few, choice),
        "client, ": lambda: client_rows(few, choice),
        "memory ": lambda: [memory_per_event(stream, choice)],
        "import, ": lambda: import_times(rounds, choice),
    }
    for group, measure in groups.items():
        if choice.takes_any(group):
            rows += [row for row in measure() if choice.takes(row["operation"])]
    versions = {"CPython": platform.python_version()} | {name: version(name) for name in PACKAGES}
    write(choice.result, "Python", versions, rounds, rows)


if __name__ == "__main__":
    main()
