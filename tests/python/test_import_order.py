"""Threads that begin with different modules: nobody waits for somebody who waits for him."""

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
    """Whoever wants a module of a package asks for the package first, as the one who imports it does."""
    assert package in MODULES
    run(
        """
        import collections.abc, sys, threading, time  # CPython 3.13.0 swaps the first while others can see it
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
