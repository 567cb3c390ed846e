"""Files stay small enough to hold in the head."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST = 500  # lines of a file
FOLDERS = {
    "src/mbegu": ("py",),
    "examples": ("py",),
    "tools": ("py", "sh"),
    "benchmarks": ("py",),
    "web/src": ("ts", "svelte", "css"),
}


def written(folder: str) -> list[Path]:
    """What people wrote in a folder: not what was built into it, or downloaded."""
    endings = FOLDERS[folder]
    found = (path for ending in endings for path in (ROOT / folder).rglob(f"*.{ending}"))
    return [path for path in found if not {"node_modules", "static"} & set(path.parts)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_is_longer_than_one_can_read(folder: str) -> None:
    sources = written(folder)
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in sources
    }
    assert sources
    assert {name: length for name, length in lengths.items() if length > MOST} == {}
