"""Adds pages that are made for each build to those of docs/: the reference of Python, of Node and of Rust."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

MADE = Path(__file__).parents[1] / ".build" / "pages"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in sorted(path for path in MADE.rglob("*") if path.is_file()):
        files.append(File.generated(config, path.relative_to(MADE).as_posix(), abs_src_path=str(path)))
    return files
