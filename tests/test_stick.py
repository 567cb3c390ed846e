"""The bundle for a stick: it looks before it installs, and says in one line what is wrong with it."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "tools" / "bundle" / "install.py"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A bundle with one wheel, which is none."""
    folder = tmp_path / "bundle"
    (folder / "wheels").mkdir(parents=True)
    shutil.copy(SCRIPT, folder)
    wheel = folder / "wheels" / "mbegu-1-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    (folder / "extras.txt").touch()
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (folder / "SHA256SUMS").write_text(f"{digest}  wheels/{wheel.name}\n")
    return folder


def install(bundle: Path, where: Path, language: str = "en") -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(bundle / "install.py"), str(where)],
        env={**os.environ, "MBEGU_LANG": language},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("language", "words"), [("en", "This bundle is not whole: "), ("fr", "n’est pas complet")]
)
def test_half_a_bundle(language: str, words: str, bundle: Path, tmp_path: Path) -> None:
    wheel = next((bundle / "wheels").iterdir())
    wheel.write_bytes(b"a whe")
    code, told = install(bundle, tmp_path / "there", language)
    assert (code, len(told.splitlines())) == (1, 1)
    assert words in told
    assert wheel.name in told
    wheel.unlink()
    assert wheel.name in install(bundle, tmp_path / "there", language)[1]
    (bundle / "SHA256SUMS").unlink()
    assert "SHA256SUMS" in install(bundle, tmp_path / "there", language)[1]
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize("name", ["SHA256SUMS", "extras.txt"])
@pytest.mark.parametrize("left", [b"", b"\xff\xfe"])
def test_a_small_file_was_not_copied(name: str, left: bytes, bundle: Path, tmp_path: Path) -> None:
    """It is missing, or what a pulled-out stick has left of it; a list without wheels is such a rest too."""
    if name == "SHA256SUMS":
        shutil.rmtree(bundle / "wheels")
    (bundle / name).unlink()
    if left or name == "SHA256SUMS":
        (bundle / name).write_bytes(left)
    code, told = install(bundle, tmp_path / "there")
    assert code == 1
    assert told == (
        f"This bundle is not whole: {name} is missing or damaged. Copy the whole folder again.\n"
    )
    assert not (tmp_path / "there").exists()


def test_a_folder_of_somebody_else_is_left_alone(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").touch()
    code, told = install(bundle, tmp_path / "photos")
    assert code == 1
    assert "is there already, and is no installation of Mbegu" in told
    assert (tmp_path / "photos" / "me.jpg").exists()
