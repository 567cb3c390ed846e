"""What an installation brings: everything that runs, nothing that only builds."""

import sys
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
sys.path.insert(0, str(ROOT))

from hatch_build import add_libraries  # noqa: E402
from mbegu.engine.ahead.targets import TARGETS  # noqa: E402


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
    assert not [name for name in inside if name.endswith((".po", ".pot"))]


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


# ---- the wheels for one system: tools/wheels.py builds them, with their kernels


PREBUILT = "mbegu/engine/ahead/prebuilt"


@pytest.fixture
def libraries(tmp_path: Path) -> Path:
    """A clone in which the kernels of all systems have been built."""
    folder = tmp_path / "src" / PREBUILT
    names = [f"{each.name}/oware{each.suffix}" for each in TARGETS.values()]
    for name in ("manifest.json", "wasm/oware.wasm", "tables/oware.bin", *names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return tmp_path


def built(root: Path, wanted: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("MBEGU_WHEEL", wanted)
    told: dict[str, Any] = {"force_include": {}, "pure_python": True}
    add_libraries(root, told)
    return told


@pytest.mark.parametrize("target", [each for each in TARGETS.values() if each.name == each.system])
def test_a_wheel_has_the_kernels_of_its_own_system_and_nothing_twice(
    target: Any, libraries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = built(libraries, f"{target.system}={target.tag}", monkeypatch)
    assert told["tag"] == f"py3-none-{target.tag}"
    assert told["pure_python"] is False
    own = {each.name for each in TARGETS.values() if each.system == target.system}
    inside = {
        Path(name).relative_to(PREBUILT).as_posix() for name in told["force_include"].values()
    }
    assert inside == {
        *("manifest.json", "tables/oware.bin"),  # a tab's modules come with the tab
        *(f"{name}/oware{target.suffix}" for name in own),
    }


def test_the_wheel_for_every_system_has_none(
    libraries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert built(libraries, "", monkeypatch) == {"force_include": {}, "pure_python": True}


def test_no_wheel_without_the_libraries_of_its_system(
    libraries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit, match="no libraries for linux-riscv64"):
        built(libraries, "linux-riscv64=manylinux_2_39_riscv64", monkeypatch)
