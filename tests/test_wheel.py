"""What an installation brings: everything that runs, nothing that only builds."""

from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"


@pytest.fixture(scope="module")
def inside() -> set[str]:
    """The files that the wheel would hold."""
    builder = WheelBuilder(str(ROOT))
    return {
        Path(file.distribution_path).as_posix()
        for file in builder.recurse_included_files()
        if "__pycache__" not in file.path
    }


def test_all_the_code_and_what_the_server_reads(inside: set[str]) -> None:
    wanted = {path.relative_to(SOURCE).as_posix() for path in (SOURCE / "mbegu").rglob("*.py")}
    assert any("server/keep/migrations/versions/" in name for name in wanted)
    assert wanted <= inside
    assert "mbegu/py.typed" in inside


def test_every_language(inside: set[str]) -> None:
    catalogues = (SOURCE / "mbegu" / "locale").glob("*/LC_MESSAGES/*.po")
    wanted = {path.relative_to(SOURCE).with_suffix(".mo").as_posix() for path in catalogues}
    assert wanted
    assert wanted <= inside


def test_the_web_app(inside: set[str]) -> None:
    static = SOURCE / "mbegu" / "server" / "static"
    if not (static / "index.html").exists():
        pytest.skip("THE WEB APP IS NOT BUILT, SO THE WHEEL WOULD BE WITHOUT IT.")
    wanted = {path.relative_to(SOURCE).as_posix() for path in static.rglob("*") if path.is_file()}
    for needed in ("index.html", "manifest.json", "routes.json", "old.js"):
        assert f"mbegu/server/static/{needed}" in wanted
    assert {Path(name).suffix for name in wanted} >= {".js", ".css", ".br", ".gz", ".woff2"}
    assert wanted <= inside


def test_what_a_server_is_set_up_with() -> None:
    brought = WheelBuilder(str(ROOT)).config.shared_data
    files = {path.name for folder in brought for path in (ROOT / folder).iterdir()}
    assert set(brought.values()) == {"share/mbegu"}
    assert {"mbegu.service", "nginx.conf", "Caddyfile"} <= files


def test_nothing_of_the_workshop(inside: set[str]) -> None:
    assert not [name for name in inside if not name.startswith("mbegu/")]
    assert not [name for name in inside if "node_modules" in name or name.endswith(".svelte")]
