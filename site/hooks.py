"""Adds the generated pages to those of docs/: the references of Python, Node and Rust. Writes the site as text beside
its HTML, too.

In pages of docs/, folded sections become tabs, and links of modules lead to pages of the reference instead of
sources.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

import llms
import python_text
from folded import as_site
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page

MADE = Path(__file__).parents[1] / ".build" / "pages"
MODULE = re.compile(r"\[`(ag_ui_native[\w.]*|ag-ui-native(?:/[\w-]+)*)`\]\((https://github\.com/[^)]+)\)")

# The pages of the build as text, by the paths of their Markdown in the site, and the navigation, which orders them.
texts: dict[str, str] = {}
navigation: list[Navigation] = []


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in sorted(path for path in MADE.rglob("*") if path.is_file()):
        files.append(File.generated(config, path.relative_to(MADE).as_posix(), abs_src_path=str(path)))
    return files


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    texts.clear()
    navigation[:] = [nav]


def reference(module: str) -> list[str]:
    """Returns the path of a module's page. If the module has pages below it, its page is their README."""
    if "_" in module:
        return [f"reference/python/{module}.md"]
    entrance = module.partition("/")[2] or "index"
    return [f"reference/node/{entrance}.md", f"reference/node/{entrance}/README.md"]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    folder = dirname(page.file.src_uri)

    def link(found: re.Match[str]) -> str:
        to = [relpath(each, folder) for each in reference(found[1]) if files.get_file_from_path(each)]
        return f"[`{found[1]}`]({(to or [found[2]])[0]})"

    def address(link: str) -> str:
        path, mark, place = link.partition("#")
        file = files.get_file_from_path(normpath(join(folder, path))) if path else None
        return url(config, text_path(file)) + mark + place if file else link

    markdown = MODULE.sub(link, markdown)
    texts[text_path(page.file)] = llms.as_text(python_text.as_text(markdown), address)
    page.meta.setdefault("description", llms.first_line(markdown))
    return as_site(markdown)


def text_path(file: File) -> str:
    """Returns the path of a file in the site; of a page, that of its Markdown."""
    return file.dest_uri.removesuffix(".html") + ".md" if file.is_documentation_page() else file.dest_uri


def url(config: MkDocsConfig, path: str) -> str:
    """Returns the address of a file. `mike` adds the version to that of the site."""
    return f"{(config.site_url or '').rstrip('/')}/{path}"


def entries(items: list, section: str, config: MkDocsConfig) -> Iterator[llms.Entry]:
    """Yields the pages in the order of the navigation; those outside of its sections come first."""
    for item in items:
        if isinstance(item, Page):
            about = str(item.meta.get("description", ""))
            yield llms.Entry(section, str(item.title), url(config, text_path(item.file)), about)
        elif isinstance(item, Link):
            yield llms.Entry(section, item.title, url(config, item.url), "")
    for item in items:
        if isinstance(item, Section):
            title = f"{section}: {item.title}" if item.parent else item.title
            yield from entries(item.children, title, config)


def on_post_build(config: MkDocsConfig) -> None:
    site = Path(config.site_dir)
    (nav,) = navigation
    listed = entries(nav.items, "Overview", config)
    name, summary = config.site_name, config.site_description or ""
    (site / "llms.txt").write_text(llms.listing(name, summary, url(config, "llms-full.txt"), listed), "utf-8")
    paths = [path for page in nav.pages if (path := text_path(page.file)) in texts]
    pages = [(url(config, path), texts[path]) for path in paths]
    (site / "llms-full.txt").write_text(llms.joined(pages), "utf-8")
    for path, text in texts.items():
        (site / path).write_text(text, "utf-8")
