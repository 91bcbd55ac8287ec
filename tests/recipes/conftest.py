"""The recipes' tests share what runs programs with those of the guides."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "readme"))
