"""This package under the name of the official one: ``import ag_ui`` and its modules.

A finder in front of all others answers for ``ag_ui`` with the modules of ``ag_ui_native`` themselves, so no class
exists twice. It gives ``importlib.metadata`` the version of the official package that they replace.
"""

from __future__ import annotations

import sys
import threading
from importlib import import_module, util
from importlib.machinery import ModuleSpec, PathFinder
from types import CodeType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.abc import InspectLoader, Loader
    from importlib.metadata import Distribution, DistributionFinder
    from typing import Any
else:
    # Only modules that every program needs are loaded.
    InspectLoader = Loader = object

__all__ = ["accelerate", "install", "uninstall"]

NAME = "ag_ui"
PACKAGE = __name__.partition(".")[0]
# The modules that the official classes name as their own. Pickles refer to them.
GENERATED = {
    f"{NAME}._generated": f"{PACKAGE}.core",
    f"{NAME}._generated.models": f"{PACKAGE}.core",
    f"{NAME}._generated.version": f"{PACKAGE}.core.version",
}
# Changes are made one at a time.
LOCK = threading.RLock()
# Each module's own spec. The import system overwrites it while it loads the module under its other name.
SPECS: dict[str, ModuleSpec | None] = {}


def install() -> None:
    """Makes ``import ag_ui``, and every module of it, return this package's modules from now on.

    ``importlib.metadata.version("ag-ui-protocol")`` is then the version of these classes, regardless of installed
    packages. Call it before anything imports ``ag_ui``; a second call has no effect. Raises RuntimeError if the
    official package has been imported already.

    Examples:
        >>> import ag_ui_native
        >>> ag_ui_native.install()
        >>> import ag_ui.core
        >>> ag_ui.core.__name__
        'ag_ui_native.core'
        >>> ag_ui_native.uninstall()
    """
    with LOCK:
        if is_installed():
            return
        refuse_if_imported()
        sys.meta_path.insert(0, FINDER)
        try:
            # This waits for a thread that is about to import the official package.
            import_module(NAME)
            refuse_if_imported()
        except BaseException:
            remove()
            raise


def uninstall() -> None:
    """Undoes ``install`` and ``accelerate``: afterwards ``import ag_ui`` finds the official package.

    Modules imported meanwhile keep this package's classes: this function is for tests.

    Examples:
        >>> import ag_ui_native
        >>> ag_ui_native.install()
        >>> ag_ui_native.uninstall()
    """
    with LOCK:
        if f"{PACKAGE}.drop_in.acceleration" in sys.modules:
            from ag_ui_native.drop_in.acceleration import decelerate

            decelerate()
        if is_installed():
            remove()


def accelerate() -> None:
    """Attaches the native engine to the official package in place, for programs that must keep its classes.

    Its encoder and the constructors of its classes become native; classes, modules and results stay the same. A second
    call has no effect, and ``uninstall`` undoes it. Raises ModuleNotFoundError if the official package is not
    installed, and RuntimeError if it has another version than this package knows.

    Examples:
        >>> import ag_ui_native
        >>> ag_ui_native.accelerate()
        >>> from ag_ui.core import TextMessageEndEvent
        >>> TextMessageEndEvent(message_id="m1").message_id
        'm1'
        >>> ag_ui_native.uninstall()
    """
    with LOCK:
        if not is_installed():
            from ag_ui_native.drop_in.acceleration import accelerate

            accelerate()


def is_installed() -> bool:
    """True if ``ag_ui`` is this package."""
    return FINDER in sys.meta_path


def refuse_if_imported() -> None:
    """Raises RuntimeError if a module of the official package has been imported."""
    imported = [name for name, module in sys.modules.copy().items() if is_ours(name) and module is not our_module(name)]
    if imported:
        # The modules are in the order in which their imports began.
        raise RuntimeError(
            f"ag_ui_native.install() comes too late: {imported[0]} of the official package already "
            "imported; call it before anything imports ag_ui, or use ag_ui_native.accelerate()"
        )


def remove() -> None:
    """Removes the finder, and the modules imported through it."""
    # Other threads may import meanwhile. An addition to a dictionary ends its iteration, so copies are iterated.
    sys.meta_path.remove(FINDER)
    for name in filter(is_ours, sys.modules.copy()):
        module = sys.modules.pop(name, None)
        parent, _, child = name.rpartition(".")
        holder = sys.modules.get(our_name(parent)) if parent else None
        if module is None or holder is None:
            continue
        # The attribute that the import has set, unless it is a module with that name.
        is_own = module.__name__ == f"{holder.__name__}.{child}"
        if not is_own and vars(holder).get(child) is module:
            vars(holder).pop(child, None)


def is_ours(name: str) -> bool:
    """True if a module's name belongs to ``ag_ui``."""
    return name == NAME or name.startswith(f"{NAME}.")


def is_of_package(name: str) -> bool:
    """True if a module's name belongs to this package."""
    return name == PACKAGE or name.startswith(f"{PACKAGE}.")


def our_name(name: str) -> str:
    """The name of the module that replaces one of ``ag_ui``."""
    return GENERATED.get(name) or PACKAGE + name.removeprefix(NAME)


def our_module(name: str) -> ModuleType | None:
    """The module that replaces one of ``ag_ui``, if it is imported."""
    return sys.modules.get(our_name(name))


class Finder:
    """Finds ``ag_ui`` and its distribution."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of this package that replaces one of ``ag_ui``. A module of this package that is loaded again
        stays the same.
        """
        if target is not None and target is sys.modules.get(fullname) and is_of_package(fullname):
            return kept_spec(fullname, target)
        # A caller that got the official package at the last moment gets its modules, too.
        if not is_ours(fullname) or (fullname != NAME and sys.modules.get(NAME) is not sys.modules[PACKAGE]):
            return None
        name = our_name(fullname)
        try:
            spec = util.find_spec(name)
        except ModuleNotFoundError:
            spec = None
        if spec is None:
            return foreign_spec(fullname)
        is_package = spec.submodule_search_locations is not None
        alias = ModuleSpec(fullname, Alias(name), origin=spec.origin, is_package=is_package)
        if is_package:
            alias.submodule_search_locations = spec.submodule_search_locations
        return alias

    def find_distributions(self, context: DistributionFinder.Context | None = None) -> Iterable[Distribution]:
        """The distribution ``ag-ui-protocol``, unless another one or a certain directory is asked for.

        A caller that asks for all distributions gets it once: an installed one comes from its own
        finder.
        """
        asked: dict[str, Any] = vars(context) if context is not None else {}
        name = asked.get("name")
        if "path" in asked or (name and name.lower().replace("_", "-").replace(".", "-") != "ag-ui-protocol"):
            return []
        from ag_ui_native.drop_in.distribution import OfficialDistribution, is_found

        return [] if name is None and is_found(sys.meta_path, self) else [OfficialDistribution()]

    def invalidate_caches(self) -> None:
        """Does nothing, since nothing is cached."""


FINDER = Finder()


class Alias(InspectLoader):
    """Loads an existing module under another name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module itself."""
        if self.name != PACKAGE:
            # Threads that begin with different modules of the classes' package would wait for each other.
            import_module(f"{PACKAGE}.core")
        module = import_module(self.name)
        SPECS.setdefault(self.name, module.__spec__)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Gives the module its own spec back after it has run. Raises ImportError if ``uninstall`` was called
        meanwhile, since nothing would remove the module.
        """
        module.__spec__ = SPECS[self.name]
        if not is_installed():
            raise ImportError(
                f"ag_ui_native.uninstall() was called while {self.name} was imported under {NAME}; import it again",
                name=NAME,
            )

    def get_code(self, fullname: str) -> CodeType | None:
        """The code that ``python -m`` runs."""
        return self._own_loader().get_code(self.name)  # type: ignore[no-any-return]

    def get_source(self, fullname: str) -> str | None:
        """The source, for tools that print it."""
        return self._own_loader().get_source(self.name)  # type: ignore[no-any-return]

    def is_package(self, fullname: str) -> bool:
        """True if the module has submodules."""
        return bool(self._own_loader().is_package(self.name))

    def _own_loader(self) -> Any:
        return import_module(self.name).__loader__


class Kept(Loader):
    """The loader that ``importlib.reload`` gets for a loaded module. Running it again would create a second family of
    classes.
    """

    def __init__(self, own: ModuleSpec) -> None:
        self.own = own

    def create_module(self, spec: ModuleSpec) -> None:
        """Returns None, since the module exists."""

    def exec_module(self, module: ModuleType) -> None:
        """Leaves the module as it is, and gives it its own spec back."""
        module.__spec__, module.__loader__ = self.own, self.own.loader


def kept_spec(fullname: str, module: ModuleType) -> ModuleSpec | None:
    """A spec that keeps a module as it is."""
    own = SPECS.get(fullname) or module.__spec__
    if own is None:
        return None
    kept = ModuleSpec(fullname, Kept(own), origin=own.origin)
    kept.submodule_search_locations = own.submodule_search_locations
    return kept


def foreign_spec(fullname: str) -> ModuleSpec | None:
    """The spec of a module that another distribution has put into the directory of ``ag_ui``."""
    package = PathFinder.find_spec(NAME)
    if fullname.count(".") != 1 or package is None or package.submodule_search_locations is None:
        return None
    return PathFinder.find_spec(fullname, package.submodule_search_locations)
