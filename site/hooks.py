"""Adds pages that are made for each build to those of docs/: the reference of Python, of Node and of Rust. Folded sections become tabs."""

from pathlib import Path

from folded import as_site
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

MADE = Path(__file__).parents[1] / ".build" / "pages"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in sorted(path for path in MADE.rglob("*") if path.is_file()):
        files.append(File.generated(config, path.relative_to(MADE).as_posix(), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return as_site(markdown)
