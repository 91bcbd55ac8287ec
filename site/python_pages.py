"""Writes a page for each module of the Python package that programs import from. `python_pages.py FOLDER`

A page says only which names there are; mkdocstrings reads what each is out of the sources.
"""

import importlib
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

import ag_ui_native

# The modules that programs import from. What others define is handed on by one of these: tests/site holds them against each other.
PAGES = {
    "ag_ui_native": "The package itself: what programs of every kind use.",
    "ag_ui_native.core": "",
    "ag_ui_native.encoder": "",
    "ag_ui_native.stream": "",
    "ag_ui_native.changes": "",
    "ag_ui_native.client": "",
    "ag_ui_native.server": "",
    "ag_ui_native.testing": "",
    "ag_ui_native.patch": "",
    "ag_ui_native.proto": "",
    "ag_ui_native.compat": "",
    "ag_ui_native.content": "",
    "ag_ui_native.ids": "",
    "ag_ui_native.metadata": "",
    "ag_ui_native.run_writer": "",
    "ag_ui_native.typing": "",
}


def public_modules() -> dict[str, ModuleType]:
    """The modules that say what of them is public, other than those that Python and pytest run by themselves."""
    names = {module.name for module in pkgutil.iter_modules(ag_ui_native.__path__) if not module.name.startswith("_")}
    modules = [importlib.import_module(f"ag_ui_native.{name}") for name in sorted(names - {"run"})]
    return {module.__name__: module for module in (ag_ui_native, *modules) if getattr(module, "__all__", None)}


def names_of(module: ModuleType) -> list[str]:
    """What a module exports. pytest adds names of its own to what it has rewritten; none is an identifier."""
    return [name for name in module.__all__ if name.isidentifier()]


def documented() -> dict[str, str]:
    """What stands on a page, as the module of the page names it, and where mkdocstrings finds it."""
    modules = public_modules()
    found = {}
    for page in PAGES:
        for name in names_of(modules[page]):
            value = getattr(modules[page], name)
            # What the package itself exports is loaded when it is asked for: sources that are only read do not show it.
            homes = [home for home, module in modules.items() if home != page and getattr(module, name, None) is value]
            found[f"{page}.{name}"] = f"{homes[0]}.{name}" if page == "ag_ui_native" and homes else f"{page}.{name}"
    return found


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    modules, places = public_modules(), documented()
    for page, about in PAGES.items():
        lines = [f"# {page}", "", about or (modules[page].__doc__ or "").strip(), ""]
        for name in names_of(modules[page]):
            lines += [f"::: {places[f'{page}.{name}']}", ""]
        (folder / f"{page}.md").write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
