"""``accelerate()`` puts the engine under the official package, with the same objects and results, and can be
undone.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from test_install import run, write

HERE = Path(__file__).parent


COMPARISONS = ["test_dictionaries.py", "test_drop_in.py", "test_encoder.py", "test_frameworks.py", "test_fuzz.py"]


@pytest.mark.parametrize("file", COMPARISONS)
def test_the_comparison_with_our_classes_holds(file: str) -> None:
    # These tests compare the official package with ours. Here they run again with our engine under the official
    # package.
    program = "import sys, ag_ui_native, pytest; ag_ui_native.accelerate(); sys.exit(pytest.main(sys.argv[1:]))"
    # Our plugin's package has been imported before pytest: nothing in it is rewritten.
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    command = [sys.executable, "-c", program, *options, str(next(HERE.parent.glob(f"*/{file}")))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parents[2], timeout=600)
    assert done.returncode == 0, done.stdout[-5000:]


def test_results_are_the_same_before_and_after() -> None:
    run(
        f"""
        import sys
        sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent)!r}]
        import ag_ui.core, ag_ui.encoder, copy, pickle
        from conftest import CLASSES, describe, official, outcome, parsed, FastPath
        from test_drop_in import WRONG, built
        import ag_ui_native
        encoder = ag_ui.encoder.EventEncoder()
        def results():
            for name in CLASSES:
                cls = official(name)
                for given in parsed(name):
                    for key in ["", *given]:
                        for value in WRONG:
                            changed = {{**given, key: value}} if key else given
                            yield name, outcome(lambda: cls(**changed)), outcome(lambda: encoder.encode(cls(**changed)))
                    yield outcome(lambda: describe(built(cls, given)))
                    yield outcome(lambda: encoder.encode(built(cls, given)))
                    yield outcome(lambda: pickle.loads(pickle.dumps(built(cls, given), 5)))
                    yield outcome(lambda: copy.deepcopy(built(cls, given)))
                    yield outcome(lambda: cls("x"))
                    yield outcome(lambda: cls(**given, surplus=1))
            for wrong in (None, 5, "x", {{}}, object(), encoder, ag_ui.core.RawEvent):
                yield outcome(lambda: encoder.encode(wrong)) if wrong is not encoder else 0
        names = {{name: id(official(name)) for name in CLASSES}}
        pickled = pickle.dumps(ag_ui.core.RawEvent(event=1))
        before, path = list(results()), FastPath()
        ag_ui_native.accelerate()
        ag_ui_native.accelerate()
        during, taken = list(results()), path.taken()
        assert during == before
        assert taken[0] > 500 and taken[1] > 500, taken
        assert {{name: id(official(name)) for name in CLASSES}} == names
        assert pickle.loads(pickled) == ag_ui.core.RawEvent(event=1) and pickle.dumps(ag_ui.core.RawEvent(event=1)) == pickled
        ag_ui_native.uninstall()
        path.taken()
        assert list(results()) == before
        assert path.taken() == (0, 0, 0)
        """
    )


def test_uninstall_leaves_no_trace() -> None:
    run(
        """
        import sys
        import ag_ui.core, ag_ui.encoder, ag_ui.core.deprecated
        import ag_ui_native, ag_ui_native.core, ag_ui_native.drop_in.acceleration
        from pydantic import BaseModel
        modules = [module for name, module in sys.modules.items() if name.startswith("ag_ui.")]
        classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
        def state():
            return [(cls, type(cls), {k: v for k, v in vars(cls).items() if k != "_agui_omittable_keys"}) for cls in classes]
        before = state()
        class Older(ag_ui.core.RawEvent):
            pass
        for _ in range(2):
            ag_ui_native.accelerate()
            assert type(ag_ui.core.RawEvent) is not type(BaseModel) and issubclass(type(ag_ui.core.RawEvent), type(BaseModel))
            assert type(Older) is type(BaseModel)
            class Newer(ag_ui.core.RawEvent):
                more: int = 1
            class Newest(Newer, Older):
                pass
            assert Newest(event=1, more="2").more == 2
            ag_ui_native.uninstall()
            assert state() == before
            for cls in (Older, Newer, Newest):
                assert type(cls) is type(BaseModel) and cls(event=1).event == 1
        """
    )


def test_classes_that_others_have_changed_are_left_alone() -> None:
    run(
        """
        import ag_ui.core as core, ag_ui_native
        from ag_ui.encoder import EventEncoder
        encode = EventEncoder().encode
        seen = []
        def patched(cls, name, before):
            official = getattr(cls, name)
            def method(self, *args, **named):
                seen.append((cls.__name__, name))
                return official(self, *args, **named)
            setattr(cls, name, method)
        patched(core.StepStartedEvent, "__init__", True)
        patched(core.StepFinishedEvent, "model_dump_json", True)
        ag_ui_native.accelerate()
        core.StepStartedEvent(step_name="s"), encode(core.StepFinishedEvent(step_name="s"))
        assert seen == [("StepStartedEvent", "__init__"), ("StepFinishedEvent", "model_dump_json")], seen
        # And what is changed later.
        encode(core.RawEvent(event=1))
        patched(core.RawEvent, "model_dump_json", False)
        patched(core.CustomEvent, "__init__", False)
        encode(core.RawEvent(event=1)), core.CustomEvent(name="n", value=1)
        assert seen[2:] == [("RawEvent", "model_dump_json"), ("CustomEvent", "__init__")], seen
        patched(core.BaseEvent, "__init__", False)
        del seen[:]
        core.RunErrorEvent(message="m")
        assert seen == [("BaseEvent", "__init__")], seen
        # An encoder that was derived or changed.
        class Own(EventEncoder):
            def _encode_sse(self, event):
                return "mine:" + super()._encode_sse(event)
        assert Own().encode(core.RunErrorEvent(message="m")) == 'mine:data: {"type":"RUN_ERROR","message":"m"}\\n\\n'
        other = lambda self, event: "other"
        EventEncoder._encode_sse = other
        ag_ui_native.uninstall()
        assert EventEncoder._encode_sse is other
        """
    )


def test_the_families_do_not_mix() -> None:
    run(
        """
        import ag_ui.core as theirs, ag_ui_native, ag_ui_native.core as ours
        ag_ui_native.accelerate()
        for one, other in ((ours, theirs), (theirs, ours)):
            message = other.UserMessage(id="m", content="x")
            assert other.MessagesSnapshotEvent(messages=[message]).messages[0] is message
            for make in (
                lambda: one.MessagesSnapshotEvent(messages=[message]),
                lambda: one.RunStartedEvent(thread_id="t", run_id="r", input=other.RunAgentInput.model_construct()),
                lambda: one.ToolCall(id="c", function=other.FunctionCall(name="n", arguments="")),
            ):
                try:
                    made = make()
                except ValueError:
                    continue
                raise AssertionError(made)
        """
    )


def test_dictionaries_in_arguments_become_instances_natively() -> None:
    run(
        f"""
        import sys
        sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent)!r}]
        import ag_ui.core as core, ag_ui_native
        from conftest import FastPath
        given = dict(messages=[{{"id": "u", "role": "user", "content": [{{"type": "text", "text": "t"}}], "more": 1}},
                               {{"id": "a", "role": "assistant", "toolCalls": [
                                   {{"id": "c", "function": {{"name": "f", "arguments": ""}}}}]}}])
        expected = core.MessagesSnapshotEvent(**given)
        ag_ui_native.accelerate()
        path = FastPath()
        path.taken()
        made = core.MessagesSnapshotEvent(**given)
        assert path.taken()[0] == 1
        assert made == expected and repr(made) == repr(expected) and made.model_dump() == expected.model_dump()
        for one, other in zip(made.messages, expected.messages):
            assert type(one) is type(other) and one.model_fields_set == other.model_fields_set
            assert type(one.__pydantic_fields_set__) is set and one.model_extra == other.model_extra
        assert type(made.messages[1].tool_calls[0].function) is core.FunctionCall
        # A class that is changed is left to pydantic, also within others.
        core.FunctionCall.__init__ = lambda self, **given: super(core.FunctionCall, self).__init__(**given)
        path.taken()
        assert core.MessagesSnapshotEvent(**given) == expected
        assert path.taken()[0] == 0
        """
    )


def test_another_version_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"ag_ui/__init__.py": "", "ag_ui/core.py": "class RunAgentInput: pass"})
    run(
        """
        import ag_ui_native
        try:
            ag_ui_native.accelerate()
        except RuntimeError as error:
            assert "of another version" in str(error)
        else:
            raise AssertionError
        ag_ui_native.uninstall()
        """,
        PYTHONPATH=str(tmp_path),
    )


def test_after_install_there_is_nothing_to_do() -> None:
    run(
        """
        import ag_ui_native
        ag_ui_native.install()
        ag_ui_native.accelerate()
        import ag_ui.core, ag_ui_native.core
        assert ag_ui.core is ag_ui_native.core
        ag_ui_native.uninstall()
        ag_ui_native.accelerate()
        try:
            ag_ui_native.install()
        except RuntimeError:
            pass
        else:
            raise AssertionError
        """
    )


def test_arguments_that_change_while_they_are_read() -> None:
    run(
        """
        import functools, gc, weakref
        import ag_ui.core as core, ag_ui_native
        ag_ui_native.accelerate()
        for threshold in (1, 2, 3, 5, 8):
            arguments = {"name": "n" * 50, "value": ["payload" * 9]}
            class Session:
                pass
            gc.collect(), gc.disable()
            session = Session()
            session.me = session
            weakref.finalize(session, arguments.clear)
            del session
            gc.set_threshold(threshold), gc.enable()
            call = functools.partial(core.CustomEvent, **arguments)
            for _ in range(50):
                try:
                    core.CustomEvent(**arguments)
                except ValueError:
                    pass
                assert call().name == "n" * 50
        class Key(str):
            def __hash__(self):
                return str.__hash__(self)
            def __eq__(self, other):
                return str.__eq__(self, other)
        assert core.CustomEvent(**{Key("name"): "n", "value": None}).name == "n"
        try:
            core.CustomEvent(**{"name": "n"}, value=object)
        finally:
            gc.set_threshold(700)
        """
    )
