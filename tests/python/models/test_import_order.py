"""Threads that begin with different modules: there is no deadlock, and all get the same modules.

The programs load `collections.abc` before they start threads: CPython 3.13.0 shows it to other threads before it is
complete (its issue 125245).
"""

from __future__ import annotations

import pkgutil

import pytest

import ag_ui_native
from programs import run

MODULES = sorted(
    f"ag_ui_native.{module.name}" for module in pkgutil.iter_modules(ag_ui_native.__path__) if module.name[0] != "_"
)


@pytest.mark.parametrize(
    "package", ["ag_ui_native.client", "ag_ui_native.core", "ag_ui_native.encoder", "ag_ui_native.server"]
)
def test_others_wait_for_a_package_that_is_being_imported(package: str) -> None:
    """An import of a module of a package waits for the package first, in the same order as the import of the package."""
    assert package in MODULES
    run(
        """
        import collections.abc, sys, threading, time  # see above
        from importlib import import_module
        from importlib.machinery import PathFinder
        package, *modules = sys.argv[1:]
        entered, failures = threading.Event(), []
        class Slow:
            def find_spec(self, name, path=None, target=None):
                if name == package:
                    spec = PathFinder.find_spec(name, path, target)
                    spec.loader.create_module = wait
                    return spec
        def wait(spec):
            entered.set()
            time.sleep(0.5)
        def work(name):
            try:
                import_module(name)
            except BaseException as error:
                failures.append((name, error))
        import ag_ui_native
        sys.meta_path.insert(0, Slow())
        threads = [threading.Thread(target=work, args=(name,)) for name in (package, *modules)]
        threads[0].start()
        entered.wait(60)
        for thread in threads[1:]: thread.start()
        for thread in threads: thread.join()
        assert not failures, failures
        """,
        package,
        *MODULES,
    )


def test_threads_that_import_at_once_get_the_same() -> None:
    run(
        """
        import collections.abc, sys, threading  # see above
        sys.setswitchinterval(1e-6)
        THREADS = 8
        start, found, failed = threading.Barrier(THREADS), [], []
        def work(number):
            start.wait()
            try:
                if number % 2:
                    import ag_ui_native.core
                    made = ag_ui_native.core.StepStartedEvent(step_name="s")
                    found.append((ag_ui_native.AGUIError, ag_ui_native.to_json(made)))
                else:
                    import ag_ui_native
                    error = ag_ui_native.AGUIError
                    from ag_ui_native import core, to_json, validate
                    made = core.StepStartedEvent(step_name="s")
                    validate(made)
                    found.append((error, to_json(made)))
            except BaseException as error:
                failed.append(error)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert not failed, failed
        assert len(found) == THREADS and len(set(found)) == 1, found
        """
    )


@pytest.mark.parametrize("module", MODULES)
def test_typing_may_be_loaded_half_by_another_thread(module: str) -> None:
    """`dataclasses` uses a half-loaded `typing`: a module that defines a dataclass imports `typing` before."""
    run(
        """
        import dataclasses, sys, threading
        from importlib import import_module
        from importlib.machinery import PathFinder
        sys.modules.pop("typing", None)
        entered, imported = threading.Event(), threading.Event()
        class Half:
            def find_spec(self, name, path=None, target=None):
                if name == "typing":
                    spec = PathFinder.find_spec(name, path, target)
                    spec.loader = Waiting(name, spec.origin)
                    return spec
        class Waiting(type(PathFinder.find_spec("typing").loader)):
            def exec_module(self, module):
                entered.set()
                imported.wait(0.2)  # in vain, where the module waits for this one
                super().exec_module(module)
        sys.meta_path.insert(0, Half())
        thread = threading.Thread(target=import_module, args=("typing",))
        thread.start()
        assert entered.wait(60)
        try:
            import_module(sys.argv[1])
        finally:
            imported.set()
            thread.join()
        """,
        module,
    )
