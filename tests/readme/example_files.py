"""Finds the programs of `examples/` by their names."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "examples" / name for name in ("agents", "clients", "durable", "protocol", "recipes", "servers")]


def example(name: str) -> Path:
    """Returns the path of an example, whose name is in one folder. A name with a folder is a path from the root of the tree."""
    (path,) = [ROOT / name] if "/" in name else [path for folder in FOLDERS for path in folder.glob(name)]
    return path
