"""Pages as text, for programs that read them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "site"))
from llms import Entry, as_text, first_line, joined, listing

PAGE = """<!-- Generated. Do not edit. -->
# Title

It says *this*, as [the guide](guide.md#a) shows. Then more.

<details open>
<summary><b>Python</b></summary>

<!-- code: examples/x.py -->
```python
print("[stays](guide.md)")
```

</details>
<details>
<summary><b>Node</b></summary>

[That](#here), and [elsewhere](https://example.org/).

</details>

The end.
"""

TEXT = """# Title

It says *this*, as [the guide](there:guide.md#a) shows. Then more.

**Python**

```python
print("[stays](guide.md)")
```

**Node**

[That](there:#here), and [elsewhere](there:https://example.org/).

The end.
"""


def test_a_page() -> None:
    assert as_text(PAGE, lambda link: f"there:{link}") == TEXT


@pytest.mark.parametrize(
    ("page", "line"),
    [
        (PAGE, "It says *this*, as the guide shows."),
        ("# A\n\nYou get `x`,\nin v0.9 or newer, e.g. this. More.\n", "You get `x`, in v0.9 or newer, e.g. this."),
        ("# A\n\n**First**: a list.\n\n- x\n", "First: a list."),
        ("# A\n\nNo end\n", "No end"),
        ("# A\n\n`x y`, or this. More.\n", "`x y`, or this."),
        ("# A\n\n## B\n\nText.\n", ""),
        ("# A\n\n| a |\n| --- |\n", ""),
        ("# A\n\n```sh\nx\n```\n", ""),
        ("# A\n\n<details open>\n", ""),
        ("# A\n\n::: module.name\n", ""),
        ("# A\n", ""),
    ],
)
def test_the_first_line(page: str, line: str) -> None:
    assert first_line(page) == line


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=str)
def test_a_page_begins_with_a_sentence(page: Path) -> None:
    """It is the page's line in llms.txt, and the description that search engines show."""
    assert first_line(page.read_text("utf-8"))


def test_the_list() -> None:
    entries = [
        Entry("Overview", "Home", "https://e.org/index.md", "What it is."),
        Entry("Start", "Install", "https://e.org/install/index.md", ""),
        Entry("Start", "Run", "https://e.org/run/index.md", "How it runs."),
    ]
    assert listing("name", "A summary", "https://e.org/llms-full.txt", entries) == (
        "# name\n\n> A summary\n\n"
        "Each link leads to the Markdown of a page. [All pages in one file](https://e.org/llms-full.txt).\n\n"
        "## Overview\n\n- [Home](https://e.org/index.md): What it is.\n\n"
        "## Start\n\n- [Install](https://e.org/install/index.md)\n- [Run](https://e.org/run/index.md): How it runs.\n"
    )


def test_all_pages_in_one_file() -> None:
    pages = [("https://e.org/a.md", "# A\n\nText.\n"), ("https://e.org/b.md", "# B\n\n## C\n")]
    assert joined(pages) == "# A\n\nSource: https://e.org/a.md\n\nText.\n\n# B\n\nSource: https://e.org/b.md\n\n## C\n"
