"""``install()`` among threads that import."""

from __future__ import annotations

from programs import run


def test_refused_while_another_thread_imports_the_official_package() -> None:
    # The thread has found the official package and is about to make its module.
    program = """
        import sys, threading, types
        from importlib.machinery import PathFinder
        found, go = threading.Event(), threading.Event()
        class Slow:
            def find_spec(self, name, path=None, target=None):
                if name == "ag_ui" and threading.current_thread() is thread:
                    spec = PathFinder.find_spec(name, path, target)
                    found.set()
                    go.wait(60)
                    return spec
        from ag_ui_native import install
        thread = threading.Thread(target=lambda: __import__("ag_ui"))
        sys.meta_path.insert(0, Slow())
        thread.start()
        found.wait(60)
        threading.Timer(0.2, go.set).start()
        try:
            install()
        except RuntimeError:
            import ag_ui.core
            assert ag_ui.core.RawEvent.__module__ == "ag_ui._generated.models"
        else:
            raise AssertionError
    """
    run(program)


def test_threads_install_and_import_at_once() -> None:
    run(
        """
        import collections.abc, sys, threading  # CPython 3.13.0 shows others the first half made
        import ag_ui_native
        from importlib import import_module
        sys.setswitchinterval(1e-6)
        names = ["ag_ui", "ag_ui.core", "ag_ui.core.events", "ag_ui.encoder.encoder", "ag_ui._generated.models", "ag_ui_native.core"]
        barrier, found, failures = threading.Barrier(12), [], []
        def work(number):
            try:
                barrier.wait()
                ag_ui_native.install()
                for name in names[number % 6:] + names[:number % 6]:
                    found.append((name, import_module(name)))
                found.append(("ag_ui.core", import_module("ag_ui.core")))
            except BaseException as error:
                failures.append(error)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert not failures, failures
        for name, module in found:
            assert module is sys.modules[name]
        assert sys.modules["ag_ui.core"] is sys.modules["ag_ui_native.core"]
        for name, module in list(sys.modules.items()):
            if name.startswith("ag_ui_native"):
                assert module.__spec__.name == name
        assert sum(type(finder).__module__.startswith("ag_ui_native") for finder in sys.meta_path) == 1
        """
    )


def test_threads_that_begin_with_different_modules_take_one_order() -> None:
    run(
        """
        import collections.abc, sys, threading, time  # as above
        from importlib import import_module
        from importlib.machinery import PathFinder
        from ag_ui_native.drop_in import install as drop_in
        drop_in.install()
        entered, failures = threading.Event(), []
        class Slow:
            def find_spec(self, name, path=None, target=None):
                if name == "ag_ui_native.core":
                    spec = PathFinder.find_spec(name, path, target)
                    spec.loader.create_module = wait
                    return spec
        def wait(spec):
            entered.set()
            time.sleep(0.3)
        def work(name):
            try:
                import_module(name)
            except BaseException as error:
                failures.append(error)
        sys.meta_path.insert(0, Slow())
        first = threading.Thread(target=work, args=("ag_ui.core",))
        first.start()
        entered.wait(60)
        work("ag_ui.encoder")
        first.join()
        assert not failures, failures
        """
    )


def test_uninstalled_while_modules_come_and_go() -> None:
    """Other threads may import between any two steps: here a name imports another module whenever it is compared."""
    run(
        """
        import sys, types
        import ag_ui_native
        class Name(str):
            __hash__ = str.__hash__
            def __eq__(self, other):
                sys.modules[f"made_{len(sys.modules)}"] = types.ModuleType("made")
                return str.__eq__(self, other)
        sys.modules[Name("odd")] = types.ModuleType("odd")
        for round in range(3):
            ag_ui_native.install()
            import ag_ui.core.events
            ag_ui_native.uninstall()
            assert not [name for name in sys.modules.copy() if name.split(".")[0] == "ag_ui"]
        import ag_ui.core
        assert ag_ui.core.RawEvent.__module__ == "ag_ui._generated.models"
        """
    )


def test_uninstalled_while_another_thread_imports() -> None:
    """The other thread's import fails: otherwise one module of ours would stay among the official ones."""
    run(
        """
        import collections.abc, sys, threading  # as above
        from importlib import import_module
        from importlib.machinery import PathFinder
        from ag_ui_native.drop_in import install as drop_in
        drop_in.install()
        entered, go, failures = threading.Event(), threading.Event(), []
        class Slow:
            def find_spec(self, name, path=None, target=None):
                if name == "ag_ui_native.encoder":
                    entered.set()
                    go.wait(60)
        def work():
            try:
                import_module("ag_ui.encoder")
            except ImportError as error:
                failures.append(str(error))
        sys.meta_path.insert(0, Slow())
        thread = threading.Thread(target=work)
        thread.start()
        entered.wait(60)
        drop_in.uninstall()
        go.set()
        thread.join()
        assert len(failures) == 1 and "uninstall() was called while ag_ui_native.encoder was imported" in failures[0], failures
        assert not [name for name in sys.modules if name.split(".")[0] == "ag_ui"]
        import ag_ui.encoder
        assert ag_ui.encoder.EventEncoder.__module__ == "ag_ui.encoder.encoder"
        from ag_ui_native.encoder import EventEncoder
        """
    )
