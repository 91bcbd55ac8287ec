"""``install()`` puts this package under the name of the official one, and ``uninstall()`` leaves no trace: each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import ag_ui_native
from ag_ui_native.stream import decode_events, verify_events
from programs import output, run, write

FRAMEWORKS = Path(__file__).parents[2] / "frameworks"
sys.path.append(str(FRAMEWORKS))

import compare
import example

MODULES = [
    "ag_ui",
    "ag_ui.core",
    "ag_ui.core.events",
    "ag_ui.core.types",
    "ag_ui.core.capabilities",
    "ag_ui.core.token_usage",
    "ag_ui.core.version",
    "ag_ui.core.deprecated",
    "ag_ui.encoder",
    "ag_ui.encoder.encoder",
]


@pytest.mark.parametrize("name", MODULES)
def test_each_module_is_ours(name: str) -> None:
    run(
        """
        import sys
        name = sys.argv[1]
        import ag_ui_native
        ag_ui_native.install()
        import importlib, importlib.util, inspect
        ours = name.replace("ag_ui", "ag_ui_native")
        found = importlib.util.find_spec(name)
        assert found.origin == importlib.util.find_spec(ours).origin
        assert found.loader.get_source(found.name) and found.loader.get_code(found.name)
        module = importlib.import_module(name)
        assert module is importlib.import_module(ours) is sys.modules[name] is sys.modules[ours]
        if "." in name:
            parent, _, child = name.rpartition(".")
            assert getattr(sys.modules[parent], child) is module
            exec(f"from {parent} import {child} as other")
            assert other is module
        assert module.__name__ == module.__spec__.name == ours
        assert importlib.util.find_spec(name) is module.__spec__
        assert inspect.getsource(module) == found.loader.get_source(found.name)
        assert importlib.reload(module) is module is sys.modules[name] is sys.modules[ours]
        """,
        name,
    )


def test_no_class_exists_twice() -> None:
    run(
        """
        import ag_ui_native
        ag_ui_native.install()
        import gc, pickle, pkgutil, importlib, sys
        import ag_ui
        import ag_ui.core.events as events, ag_ui._generated.models as models
        for found in pkgutil.iter_modules(ag_ui.core.__path__, "ag_ui.core."):
            importlib.import_module(found.name)
        for found in pkgutil.iter_modules(ag_ui.__path__, "ag_ui."):
            if found.name not in ("ag_ui.run", "ag_ui.testing"):
                assert importlib.import_module(found.name) is sys.modules[found.name.replace("ag_ui", "ag_ui_native")]
        names = [cls.__name__ for cls in gc.get_objects() if isinstance(cls, type) and cls.__module__.startswith("ag_ui")]
        assert names.count("RawEvent") == names.count("RunAgentInput") == names.count("EventEncoder") == 1
        from ag_ui_native.core import RawEvent
        assert RawEvent is events.RawEvent is models.RawEvent
        assert pickle.loads(pickle.dumps(RawEvent(event=[1]))) == RawEvent(event=[1])
        """
    )


def test_pickles_cross_both_ways() -> None:
    make = """
        import pickle, sys
        from ag_ui.core import *
        from ag_ui.core.deprecated import BinaryInputContent
        message = UserMessage(id="m", content=[TextPart(text="x")], surplus=1)
        run = RunAgentInput(thread_id="t", run_id="r", messages=[message], tools=[], context=[], state={"a": EventType.RAW})
        made = [run, RawEvent(event=None), BinaryInputContent(mime_type="a/b", data="x")]
    """
    show = """
        sys.stdout.write(repr([(type(one).__name__, repr(one)) for one in made]))
    """
    install = "import ag_ui_native\nag_ui_native.install()\n"
    official, plain = textwrap.dedent(make), textwrap.dedent(show)
    dumped = run(official + "print(pickle.dumps(made).hex())")
    expected = run(official + plain)
    load = "import pickle, sys\nmade = pickle.loads(bytes.fromhex(sys.argv[1]))\n"
    assert run(install + load + plain, dumped) == expected
    # What is ours stays ours, and needs no `ag_ui`.
    dumped = run(install + official + "print(pickle.dumps(made).hex())")
    assert run(load + plain, dumped) == expected
    # What was made without `install()` has, where it was called, what the classes there have.
    own = official.replace("from ag_ui.", "from ag_ui_native.")
    dumped = run(own + "print(pickle.dumps(made).hex())")
    assert run(load + plain, dumped) == run(own + plain)
    assert run(install + load + plain, dumped) == expected


def test_metadata() -> None:
    run(
        """
        import sys
        from importlib import metadata
        before = {d.metadata["Name"] for d in metadata.distributions()}
        import ag_ui_native
        ag_ui_native.install()
        for name in ("ag-ui-protocol", "ag_ui_protocol", "AG.UI.protocol"):
            assert metadata.version(name) == "1.0.0"
        distribution = metadata.distribution("ag-ui-protocol")
        assert distribution.name == distribution.metadata["Name"] == "ag-ui-protocol"
        assert type(distribution).__module__.startswith("ag_ui_native")
        assert metadata.requires("ag-ui-protocol") == ["pydantic>=2.11.2"]
        assert not metadata.entry_points(name="ag-ui-protocol")
        assert "ag-ui-protocol" in metadata.packages_distributions()["ag_ui"]
        names = [d.metadata["Name"] for d in metadata.distributions()]
        assert set(names) == before | {"ag-ui-protocol"} and names.count("ag-ui-protocol") == 1
        assert metadata.files("ag-ui-protocol") is None and metadata.distribution("ag-ui-protocol").entry_points == ()
        # Where it is not installed, ours is listed.
        finders = sys.meta_path[:]
        sys.meta_path[:] = [f for f in finders if type(f).__module__.startswith("ag_ui_native")]
        assert [d.metadata["Name"] for d in metadata.distributions()] == ["ag-ui-protocol"]
        sys.meta_path[:] = finders
        assert metadata.version("pydantic") and metadata.version("ag-ui-native")
        try:
            metadata.version("ag-ui")
        except metadata.PackageNotFoundError:
            pass
        else:
            raise AssertionError
        assert not list(metadata.distributions(name="ag-ui-protocol", path=["/nowhere"]))
        ag_ui_native.uninstall()
        assert not type(metadata.distribution("ag-ui-protocol")).__module__.startswith("ag_ui_native")
        """
    )


def test_texts_of_validation_errors_do_not_show_what_was_given() -> None:
    show = """
        import json
        from ag_ui.core import RunAgentInput
        try:
            RunAgentInput.model_validate({"threadId": ["secret"]})
        except ValueError as error:
            print(json.dumps([str(error), repr(error.errors()[0]["input"])]))
    """
    official, given = json.loads(run(show))
    ours, also_given = json.loads(run("import ag_ui_native\nag_ui_native.install()\n" + textwrap.dedent(show)))
    assert "input_value=['secret']" in official and "secret" not in ours
    assert given == also_given == "['secret']"


OLD = {
    "ag_ui/__init__.py": "",
    "ag_ui/core/__init__.py": "raise AssertionError('the official package')",
    "ag_ui/_generated/__init__.py": "raise AssertionError('the official package')",
    "ag_ui/other/__init__.py": "from ag_ui.core import RawEvent\n",
    "ag_ui/other/deep.py": "",
    "ag_ui_protocol-0.1.9.dist-info/METADATA": "Metadata-Version: 2.1\nName: ag-ui-protocol\nVersion: 0.1.9\n",
}


def test_an_older_version_and_what_others_put_into_it(tmp_path: Path) -> None:
    write(tmp_path, OLD)
    run(
        """
        from importlib import metadata, util
        assert metadata.version("ag-ui-protocol") == "0.1.9"
        import ag_ui_native
        ag_ui_native.install()
        assert metadata.version("ag-ui-protocol") == "1.0.0"
        import ag_ui.core, ag_ui_native.core, ag_ui._generated.models, ag_ui.other.deep
        assert ag_ui.other.RawEvent is ag_ui_native.core.RawEvent
        assert ag_ui.other.__name__ == "ag_ui.other"
        ag_ui_native.uninstall()
        assert not {"other", "_generated", "models"} & (set(vars(ag_ui_native)) | set(vars(ag_ui_native.core)))
        assert metadata.version("ag-ui-protocol") == "0.1.9"
        """,
        PYTHONPATH=str(tmp_path),
    )


def test_without_the_official_package(tmp_path: Path) -> None:
    # Nothing but this package and what it needs is on the path.
    site = Path(pytest.__file__).parents[1]
    for name in ("pydantic", "pydantic_core", "annotated_types", "typing_inspection", "typing_extensions.py"):
        (tmp_path / name).symlink_to(site / name)
    (tmp_path / "ag_ui_native").symlink_to(Path(ag_ui_native.__file__).parent)
    program = f"""
        import sys
        sys.path = [entry for entry in sys.path if "site-packages" not in entry] + [{str(tmp_path)!r}]
        from importlib import import_module, metadata
        import ag_ui_native
        def fails(kind, action):
            try:
                action()
            except kind as error:
                return str(error)
            raise AssertionError
        fails(ModuleNotFoundError, ag_ui_native.accelerate)
        fails(metadata.PackageNotFoundError, lambda: metadata.version("ag-ui-protocol"))
        ag_ui_native.install()
        ag_ui_native.accelerate()
        assert metadata.version("ag-ui-protocol") == "1.0.0"
        from ag_ui.core import RawEvent
        from ag_ui.encoder import EventEncoder
        assert EventEncoder().encode(RawEvent(event=1)) == 'data: {{"type":"RAW","event":1}}\\n\\n'
        assert fails(ModuleNotFoundError, lambda: import_module("ag_ui.nothing")) == "No module named 'ag_ui.nothing'"
        assert fails(ModuleNotFoundError, lambda: import_module("ag_ui.core.nothing")) == "No module named 'ag_ui.core.nothing'"
        ag_ui_native.uninstall()
        assert fails(ModuleNotFoundError, lambda: import_module("ag_ui")) == "No module named 'ag_ui'"
        fails(metadata.PackageNotFoundError, lambda: metadata.version("ag-ui-protocol"))
    """
    done = subprocess.run(
        [sys.executable, "-S", "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_uninstall_leaves_no_trace() -> None:
    run(
        """
        import sys, threading
        import ag_ui_native, ag_ui_native.core, ag_ui_native.encoder, ag_ui_native.drop_in.distribution
        def state():
            modules = {name: module for name, module in sys.modules.items() if name.startswith("ag_ui")}
            attributes = {name: dict(vars(module)) for name, module in modules.items()}
            return modules, attributes, list(sys.meta_path), list(sys.path_hooks), list(sys.path), threading.enumerate()
        ag_ui_native.install, ag_ui_native.uninstall()
        before = state()
        for _ in range(3):
            ag_ui_native.install()
            ag_ui_native.install()
            import ag_ui.core.deprecated, ag_ui.encoder, ag_ui._generated.models
            from importlib import metadata
            metadata.version("ag-ui-protocol")
            import ag_ui_native.core.deprecated
            ag_ui_native.uninstall()
            ag_ui_native.uninstall()
            after = state()
            assert after[2:] == before[2:]
            for name in before[1]:
                changed = {key for key, value in after[1][name].items() if before[1][name].get(key, before) is not value}
                assert not changed | (before[1][name].keys() - after[1][name].keys()), (name, changed)
            assert not [name for name in after[0] if not name.startswith("ag_ui_native")]
        import ag_ui.core, ag_ui.encoder
        assert ag_ui is not ag_ui_native and ag_ui.core is not ag_ui_native.core
        assert ag_ui.core.RawEvent.__module__ == "ag_ui._generated.models"
        """
    )


def test_refused_when_the_official_package_is_there() -> None:
    run(
        """
        import sys
        import ag_ui_native
        import ag_ui.core.events
        ag_ui_native.install
        before = list(sys.meta_path), dict(sys.modules)
        for _ in range(2):
            try:
                ag_ui_native.install()
            except RuntimeError as error:
                for part in ("too late: ag_ui of", "already imported", "before anything imports ag_ui", "accelerate()"):
                    assert part in str(error), error
                assert "ag_ui.core" not in str(error), error
            else:
                raise AssertionError
        assert (list(sys.meta_path), dict(sys.modules)) == before
        from ag_ui.core import RawEvent
        assert RawEvent.__module__ == "ag_ui._generated.models"
        """
    )


def test_refused_in_the_middle_of_an_import_of_the_official_package(tmp_path: Path) -> None:
    write(tmp_path, {"ag_ui/__init__.py": "import ag_ui_native\nag_ui_native.install()\n", "ag_ui/core.py": ""})
    run(
        """
        import sys
        try:
            import ag_ui
        except RuntimeError as error:
            assert "ag_ui of the official package already imported" in str(error)
        else:
            raise AssertionError
        # That import has failed as a whole: now is early enough.
        import ag_ui_native
        ag_ui_native.install()
        import ag_ui.core
        assert ag_ui is ag_ui_native
        """,
        PYTHONPATH=str(tmp_path),
    )


PROGRAM = {
    "work/program.py": """
        import json, os, subprocess, sys
        from importlib.metadata import version
        from multiprocessing import get_context

        from ag_ui.core import RawEvent

        import beside

        def child():
            from ag_ui.core import RawEvent
            return RawEvent.__module__

        class Event(RawEvent):
            pass

        if __name__ == "__main__":
            with get_context("spawn").Pool(1) as pool:
                spawned = pool.apply(child)
                event = pool.apply(Event, kwds={"event": 1})
            command = [sys.executable, "-c", "from ag_ui.core import RawEvent; print(RawEvent.__module__)"]
            ran = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
            print(json.dumps({
                "argv": sys.argv[1:], "path": [os.path.basename(sys.path[0]), "startup" in map(os.path.basename, sys.path)],
                "modules": [RawEvent.__module__, spawned, ran], "event": [type(event) is Event, event.event],
                "main": [__name__, sys.modules["__main__"].Event is Event, __spec__ and __spec__.name], "version": version("ag-ui-protocol"),
                "dev": sys.flags.dev_mode,
            }))
        """,
    "work/beside.py": "",
}
OURS, THEIRS = "ag_ui_native.core.events", "ag_ui._generated.models"


@pytest.mark.parametrize("way", ["file", "module", "variable", "off"])
def test_unedited_programs(tmp_path: Path, way: str) -> None:
    write(tmp_path, PROGRAM)
    runner = [sys.executable, "-Wd", "-Xdev", "-um" if way == "file" else "-m", "ag_ui_native.run"]
    arguments = (
        ["-m", "program", "-m", "x", "--pythonpath"] if way == "module" else ["program.py", "-m", "x", "--pythonpath"]
    )
    environment: dict[str, str] = {}
    if way in ("variable", "off"):
        startup = output([sys.executable, "-m", "ag_ui_native.run", "--pythonpath"])
        runner, environment = [sys.executable, "-Xdev"], {"PYTHONPATH": startup}
    if way == "off":
        environment["AG_UI_NATIVE"] = "0"
    told = json.loads(output([*runner, *arguments], tmp_path / "work", **environment))
    core = THEIRS if way == "off" else OURS
    assert told == {
        "argv": ["-m", "x", "--pythonpath"],
        "path": ["work", False],
        "modules": [core] * 3,
        "event": [True, 1],
        "main": ["__main__", True, "program" if way == "module" else None],
        "version": "1.0.0",
        "dev": True,
    }


def test_the_next_sitecustomize_runs_too(tmp_path: Path) -> None:
    write(tmp_path, {"sitecustomize.py": "import builtins\nbuiltins.customized = __file__\n"})
    command = [
        sys.executable,
        "-m",
        "ag_ui_native.run",
        "-c",
        "import ag_ui.core, sitecustomize; print(customized, sitecustomize.__file__, ag_ui.__name__)",
    ]
    assert output(command, PYTHONPATH=str(tmp_path)).split() == [str(tmp_path / "sitecustomize.py")] * 2 + [
        "ag_ui_native"
    ]


def test_run_ends_as_the_program_does(tmp_path: Path) -> None:
    for program, code in (
        ("import sys; sys.exit(7)", 7),
        ("raise ValueError('x')", 1),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -15),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "ag_ui_native.run", "-c", program], capture_output=True, check=False
        )
        assert done.returncode == code
    for flags, arguments, code in ((["-E"], ["-c", ""], 2), (["-I"], ["-c", ""], 2), ([], [], 2), ([], ["--help"], 0)):
        command = [sys.executable, *flags, "-m", "ag_ui_native.run", *arguments]
        assert subprocess.run(command, capture_output=True, check=False).returncode == code


def answers(side: str) -> dict[str, str]:
    """Returns the answers of pydantic-ai in each scenario, without ids and times."""
    told: Any = json.loads(output([sys.executable, str(FRAMEWORKS / "probe.py"), "pydantic_ai", side]))
    assert told["version"] == "1.0.0"
    return {name: compare.bodies(responses) for name, responses in told["responses"].items()}


def test_a_framework_answers_the_same() -> None:
    # `make test-frameworks` does this with several frameworks.
    pytest.importorskip("pydantic_ai", reason="only where all of tests/requirements.txt is installed")
    official = answers("official")
    assert answers("native") == official == answers("accelerated")
    whole = "".join(official.values())
    for part in ("TOOL_CALL_RESULT", "RUN_ERROR", "STATE_SNAPSHOT", '"type":"interrupt"', "422 ", "\u2028"):
        assert part in whole
    assert official["text"] != official["tool"]


def test_the_example_with_pydantic_ai() -> None:
    pytest.importorskip("pydantic_ai", reason="only where all of tests/requirements.txt is installed")
    [program] = example.programs("pydantic_ai")
    kind, body = example.run(program)
    assert kind.startswith("text/event-stream")
    events = list(decode_events([body]))
    assert list(verify_events(events)) == events
    assert [events[0].type, events[-1].type] == ["RUN_STARTED", "RUN_FINISHED"]
    assert any(event.type == "TOOL_CALL_RESULT" and "sunny" in event.content for event in events)
