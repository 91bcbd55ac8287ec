"""Copies the code to be checked that stands elsewhere into .build/types: the README's Python, the programs of
`examples/`, the snippets of pages and the code in their tables, and the program for `ag_ui` with our name in its import lines.
"""

import re
import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FOLDER = ROOT / ".build" / "types"

FOLDER.mkdir(parents=True, exist_ok=True)
for old in FOLDER.glob("*.py"):
    old.unlink()
program = (HERE / "drop_in.py").read_text("utf-8")
(FOLDER / "drop_in_native.py").write_text(
    re.sub(r"^from ag_ui\b", "from ag_ui_native", program, flags=re.MULTILINE), "utf-8"
)
page = (ROOT / "README.md").read_text("utf-8")
examples = re.findall(r"<!-- (python [a-z ]+) -->\n```python\n(.*?)```", page, re.DOTALL)
assert len(examples) >= 3
for name, text in examples:
    (FOLDER / f"{name.replace(' ', '_')}.py").write_text(text, "utf-8")
for path in sorted([*(ROOT / "examples").glob("*/*.py"), *(ROOT / "tests/site/snippets").rglob("*.py")]):
    text = path.read_text("utf-8")
    # The others are about frameworks, which are not installed here or have no types, and about `ag_ui` being this package.
    if not re.search(r"ag_ui_native\.install\(\)|django|import litellm", text):
        is_snippet = path.is_relative_to(ROOT / "tests/site/snippets")
        folder = "" if path.parent.name == "snippets" else f"{path.parent.name}_"
        name = f"snippet_{folder}{path.name}" if is_snippet else path.name
        (FOLDER / name).write_text(text, "utf-8")
sys.path.append(str(ROOT / "tests" / "readme"))
cells: str = import_module("cells").python_program()
(FOLDER / "table_cells.py").write_text(cells, "utf-8")
