"""The documentation as a site: every page has its place, every link leads somewhere, nobody else is asked."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import mbegu

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CONFIG = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))


def leaves(nav: Any) -> Iterator[str]:
    """The pages that a navigation names."""
    if isinstance(nav, str):
        yield nav
    else:
        for entry in nav.values() if isinstance(nav, dict) else nav:
            yield from leaves(entry)


def test_the_navigation_names_every_page_once() -> None:
    named = list(leaves(CONFIG["nav"]))
    assert len(named) == len(set(named))
    there = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert there <= set(named), "pages that nobody finds"
    assert all((ROOT / name).exists() for name in set(named) - there), "pages that are not there"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a link or an anchor that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_nobody_else_is_asked_for_anything(site: Path) -> None:
    asks = re.compile(r"""<(?:script|img|iframe|source)[^>]+src="?(https?:[^"\s>]+)""")
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        links = re.findall(r"<link [^>]*>", text)
        asked = [*asks.findall(text), *(link for link in links if '"http' in link)]
        assert not asked, f"{page.name} asks for {asked}"
    for style in site.rglob("*.css"):
        assert not re.findall(r"url\(['\"]?https?:", style.read_text(encoding="utf-8")), style


def test_no_link_leads_to_a_folder(site: Path) -> None:
    """From a folder a browser would show a list of files, not the page."""
    for page in site.rglob("*.html"):
        if page.name != "404.html":  # only a server shows it, with addresses from the top
            links = re.findall(r'<a [^>]*href="([^":#?]+)', page.read_text(encoding="utf-8"))
            assert not [link for link in links if (page.parent / link).is_dir()], page.name


def test_what_a_reader_looks_for_is_found(site: Path) -> None:
    told = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    found = json.loads(told.removeprefix("var __index = "))["docs"]
    places = {entry["location"] for entry in found}
    assert "games/oware.html#the-grand-slam" in places
    assert "reference/core.html#mbegu.core.game.Position.play" in places
    assert not any(place.startswith("clone/") for place in places)
    assert "iframe-worker" in (site / "index.html").read_text(encoding="utf-8")


def test_a_file_of_the_clone_is_shown(site: Path) -> None:
    page = (site / "games" / "oware.html").read_text(encoding="utf-8")
    assert 'href="../clone/src/mbegu/games/oware/rules.py.html"' in page
    assert (site / "clone/src/mbegu/games/oware/rules.py.html").exists()


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    page = (site / "reference" / "index.html").read_text(encoding="utf-8")
    missing = [name for name in mbegu.__all__ if f"<code>{name}</code>" not in page]
    assert missing == ["__version__"]


def test_one_version_is_cited() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert cited["version"] == mbegu.__version__
    assert cited["license"] == project["license"]
    page = (DOCS / "cite.md").read_text(encoding="utf-8")
    for word in (cited["title"], cited["version"], cited["license"], cited["authors"][0]["name"]):
        assert word in page
