"""The built site's rendering of pages: consecutive folded sections become tabs, names of files become titles."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "site"))
from folded import as_site, new_lines

PAGE = """Before.

<details open>
<summary><b>Python</b></summary>

`server.py`

<!-- code: examples/server.py -->
```python
def serve():

    return "</details>"
```

</details>
<details>
<summary><b>Node</b></summary>

Said.

</details>

After `server.py`:

`server.py`
"""

SITE = """Before.

=== "Python"

    ```python title="server.py"
    def serve():

        return "</details>"
    ```

=== "Node"

    Said.

After `server.py`:

`server.py`
"""


def test_a_page() -> None:
    assert as_site(PAGE) == SITE


STEP = """`server.py`

<!-- code: examples/start/step.py -->
```python
import log  # New

# New: a tool.
def look():
    return 1

look()
```
"""


def test_what_is_new_in_a_step_is_highlighted() -> None:
    assert as_site(STEP).startswith('```python title="server.py" hl_lines="1 3 4 5"\nimport log')
    assert "hl_lines" not in as_site(STEP.replace("New", "Old"))
    assert "hl_lines" not in as_site(STEP.replace("examples/start", "examples/servers"))
    for step in sorted((ROOT / "examples" / "start").iterdir()):
        assert bool(new_lines(step.read_text("utf-8"))) == ("1_text" not in step.name), step


def test_sections_apart_are_tabs_apart() -> None:
    page = as_site(f"{PAGE}\n{PAGE}")
    assert page == f"{SITE}\n{SITE}" and page.count('=== "') == 4


def test_every_page_of_docs_is_understood() -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        text = page.read_text("utf-8")
        assert as_site(text).count('=== "') == text.count("<summary>"), page
        assert "<details" not in as_site(text) and "<!-- code" not in as_site(text), page
