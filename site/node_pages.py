"""Converts the pages that typedoc has written for each entry point of the Node package. `node_pages.py FROM TO`"""

import re
import shutil
import sys
from pathlib import Path

MODULES = Path(__file__).parents[1] / "docs" / "modules.md"


def holds() -> dict[str, str]:
    """Returns what each module holds, as docs/modules.md says."""
    rows = re.findall(r"^\| \[`(ag-ui-native[^`]*)`\]\([^)]*\) \| (.+?) \|", MODULES.read_text("utf-8"), re.MULTILINE)
    return {module: f"{about[0].upper()}{about[1:]}." for module, about in rows}


def main(source: Path, target: Path) -> None:
    about = holds()
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    # The list of the entry points is dropped: the site has its own.
    (target / "README.md").unlink()
    for page in target.rglob("*.md"):
        module = page.parent.name if page.name == "README.md" else page.stem
        title, _, text = page.read_text("utf-8").partition("\n")
        path = page.relative_to(target).with_suffix("").as_posix().removesuffix("/README")
        module = path if title == f"# {path}" else module
        name = "ag-ui-native" if module == "index" else f"ag-ui-native/{module}"
        if title == f"# {module}":
            title = f"# {name}"
        within = f"A part of `ag-ui-native/{page.relative_to(target).parts[0]}`."
        # typedoc writes for CommonMark; the site's Markdown would show this backslash.
        text = text.replace("\\<", "&lt;")
        page.write_text(f"{title}\n\n{about.get(name, within)}\n{text}", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
