"""docs/architecture.md and CONTRIBUTING.md name files that are there."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/architecture.md"
FILE = re.compile(r"`([\w./-]+\.(?:rs|py|cts|mjs|json|md|proto))`")
FOLDER = re.compile(r"`([\w./-]+/)`")


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.split()


def missing(text: str, files: list[str]) -> list[str]:
    """Returns the files and folders that a text names and that do not exist. A name without its folder may be that of
    any file.
    """
    ends = [f"/{file}" for file in files]
    folders = {f"/{parent}/" for file in files for parent in Path(file).parents}
    lost = [name for name in FILE.findall(text) if not any(end.endswith(f"/{name}") for end in ends)]
    return lost + [name for name in FOLDER.findall(text) if not any(each.endswith(f"/{name}") for each in folders)]


@pytest.mark.parametrize("page", [PAGE, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    lost = missing(page.read_text(), tracked())
    assert [name for name in lost if name != "dist/"] == []  # `make dist` makes that one.


def test_a_file_that_is_gone_is_found() -> None:
    files = ["core/src/sse/reader.rs", "python/src/turns.rs"]
    text = (
        "`core/src/sse/reader.rs`, `turns.rs` and `core/src/sse/`, `src/readers.rs`, `sse/writer.rs` and `core/json/`"
    )
    assert missing(text, files) == ["src/readers.rs", "sse/writer.rs", "core/json/"]


def test_functions_of_the_ways_are_there() -> None:
    """A row of a way that begins with functions: the files that it names have them."""
    lost = []
    for files, functions in re.findall(
        r"^\| (`[^|]+`) \| ((?:`\w+`(?:, )?(?:later )?)+):", PAGE.read_text(), re.MULTILINE
    ):
        first, *others = re.findall(r"`([^`]+)`", files)
        paths = [ROOT / first, *((ROOT / first).parent.glob("*") if others else ())]
        text = "".join(path.read_text() for path in paths if path.is_file())
        names = re.findall(r"`(\w+)`", functions)
        lost += [f"{first}: {name}" for name in names if name != "await" and not re.search(rf"\b{name}\b", text)]
    assert lost == []
