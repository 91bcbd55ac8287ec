"""Writes a page for each module of the Python package that programs import from. `python_pages.py FOLDER`

A page only lists the names; mkdocstrings reads their documentation from the sources.
"""

import importlib
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

import ag_ui_native

# The modules that programs import from. Names of other modules are exported by one of these: tests/site compares both
# lists.
PAGES = {
    "ag_ui_native": "The package itself: what programs of every kind use.",
    "ag_ui_native.core": "",
    "ag_ui_native.encoder": "",
    "ag_ui_native.stream": "",
    "ag_ui_native.changes": "",
    "ag_ui_native.client": "",
    "ag_ui_native.server": "",
    "ag_ui_native.durable": "",
    "ag_ui_native.adapters.openai": "",
    "ag_ui_native.adapters.anthropic": "",
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
    """Returns the modules that declare public names, except those that Python and pytest load themselves."""
    names = {module.name for module in pkgutil.iter_modules(ag_ui_native.__path__) if not module.name.startswith("_")}
    names |= {"adapters.anthropic", "adapters.openai"}
    modules = [importlib.import_module(f"ag_ui_native.{name}") for name in sorted(names - {"run"})]
    return {module.__name__: module for module in (ag_ui_native, *modules) if getattr(module, "__all__", None)}


def names_of(module: ModuleType) -> list[str]:
    """Returns the names that a module exports. pytest adds names to modules that it has rewritten; those are not
    identifiers.
    """
    return [name for name in module.__all__ if name.isidentifier()]


def documented() -> dict[str, str]:
    """Returns the names on a page, as the page's module spells them, and the place where mkdocstrings finds each."""
    modules = public_modules()
    found = {}
    for page in PAGES:
        for name in names_of(modules[page]):
            value = getattr(modules[page], name)
            # Names that the package itself exports are loaded at their first use, so a reader of the sources does not
            # find them there.
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
