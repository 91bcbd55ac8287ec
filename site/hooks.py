"""Adds the generated pages to those of docs/: the references of Python, Node and Rust.

In pages of docs/, folded sections become tabs, and links of modules lead to pages of the reference instead of
sources.
"""

import re
from pathlib import Path
from posixpath import dirname, relpath

from folded import as_site
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

MADE = Path(__file__).parents[1] / ".build" / "pages"
MODULE = re.compile(r"\[`(ag_ui_native[\w.]*|ag-ui-native(?:/[\w-]+)?)`\]\((https://github\.com/[^)]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in sorted(path for path in MADE.rglob("*") if path.is_file()):
        files.append(File.generated(config, path.relative_to(MADE).as_posix(), abs_src_path=str(path)))
    return files


def reference(module: str) -> list[str]:
    """Returns the path of a module's page. If the module has pages below it, its page is their README."""
    if "_" in module:
        return [f"reference/python/{module}.md"]
    entrance = module.partition("/")[2] or "index"
    return [f"reference/node/{entrance}.md", f"reference/node/{entrance}/README.md"]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    def link(found: re.Match[str]) -> str:
        to = [
            relpath(each, dirname(page.file.src_uri)) for each in reference(found[1]) if files.get_file_from_path(each)
        ]
        return f"[`{found[1]}`]({(to or [found[2]])[0]})"

    return MODULE.sub(link, as_site(markdown))
