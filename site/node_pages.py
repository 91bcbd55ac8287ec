"""Converts the pages that typedoc has written for each entry point of the Node package. `node_pages.py FROM TO`"""

import shutil
import sys
from pathlib import Path


def main(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    # The list of the entry points is dropped: the site has its own.
    (target / "README.md").unlink()
    for page in target.rglob("*.md"):
        module = page.parent.name if page.name == "README.md" else page.stem
        title, _, text = page.read_text("utf-8").partition("\n")
        if title == f"# {module}":
            title = "# ag-ui-native" if module == "index" else f"# ag-ui-native/{module}"
        # typedoc writes for CommonMark; the site's Markdown would show this backslash.
        page.write_text(f"{title}\n{text}".replace("\\<", "&lt;"), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
