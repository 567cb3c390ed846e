"""Reports: whole pages that need nothing else and tell the truth."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from mbegu.cli import main
from mbegu.core.i18n import speaking
from mbegu.lab.experiment import check
from mbegu.lab.kind import Kind
from mbegu.lab.pieces import KINDS
from mbegu.lab.report import TELLERS, write_report
from mbegu.lab.run import read_table, run

SMALL: dict[str, dict[str, Any]] = {
    "random": {"game": "kalah", "budget": {"games": 300, "piece": 100}},
    "levels": {"game": "kalah", "population": {"levels": [1, 2]}, "budget": {"games": 2}},
    "openings": {"game": "oware", "budget": {"nodes": 1000, "hash": 1}},
    "counters": {"game": "urubugu", "budget": {"settings": 2, "samples": 1000}},
    "settings": {
        "game": "urubugu",
        "population": {"families": ["default", "front"]},
        "budget": {"games": 1, "nodes": 100},
    },
    "forced": {
        "game": "urubugu",
        "population": {"starters": ["default"], "answers": ["default", "front"]},
        "budget": {"nodes": 500, "hash": 1},
    },
}
WITHOUT_FIGURES = {"forced"}  # its answer is a table
VOID = {"meta", "br", "img", "hr", "input", "link"}


class Structure(HTMLParser):
    """Whether every tag is closed, and which ids and outer addresses there are."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.handle_startendtag(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "xlink:href") and not (value or "").startswith("#"):
                self.addresses.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_report(kind: str, tmp_path: Path) -> None:
    told = SMALL[kind] | {"kind": kind, "title": "Seeds & <stones>", "question": "Who?"}
    run(check(told), tmp_path / "run")
    path = write_report(tmp_path / "run")
    page = path.read_text(encoding="utf-8")
    structure = Structure()
    structure.feed(page)
    assert not structure.open
    assert not structure.addresses, "a page that can be mailed has everything inside"
    boards = [name for name in structure.ids if re.match(r"b\d+-", name)]
    assert len(boards) == len(set(boards))
    assert "<h1>Seeds &amp; &lt;stones&gt;</h1>" in page
    assert "mbegu lab run experiment.toml" in page
    figures = sorted(figure.name for figure in (tmp_path / "run" / "figures").glob("*"))
    assert bool(figures) == (kind not in WITHOUT_FIGURES)
    assert page.count('role="img"') >= len(figures) // 2  # a PNG and an SVG of each
    first = path.read_bytes()
    assert write_report(tmp_path / "run").read_bytes() == first


def test_several_runs_get_one_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for game in ("oware", "kalah"):
        told = SMALL["openings"] | {"kind": "openings", "title": f"The {game}", "question": "Who?"}
        Path(f"{game}.toml").write_text(check(told | {"game": game}).to_toml())
    assert main(["lab", "run", "oware.toml", "kalah.toml", "--out", "both", "--report"]) == 0
    assert "The report is both/report.html" in capsys.readouterr().out
    page = Path("both/report.html").read_text(encoding="utf-8")
    assert "mbegu lab run 1.toml 2.toml" in page
    assert page.index("<h2>The oware</h2>") < page.index("<h2>The kalah</h2>")
    figures = sorted(path.name for path in Path("both/figures").glob("*.svg"))
    assert figures == ["1-oware-values.svg", "2-kalah-values.svg", "values.svg"]
    drawn = Path("both/figures/values.svg").read_text(encoding="utf-8")
    assert all(name in drawn for name in ("Oware", "Kalah"))
    assert main(["lab", "run", "oware.toml", "./oware.toml"]) == 2
    assert "would hold two runs" in capsys.readouterr().err


def test_the_numbers_are_those_of_the_table(tmp_path: Path) -> None:
    run(check(SMALL["random"] | {"kind": "random"}), tmp_path / "run")
    wins = sum(margin > 0 for margin in read_table(tmp_path / "run")["margin"].to_pylist())
    page = write_report(tmp_path / "run").read_text(encoding="utf-8")
    assert f'<th scope="row">South wins</th><td>{wins}</td>' in page


def test_a_report_speaks_the_language_of_the_moment(tmp_path: Path) -> None:
    run(check(SMALL["random"] | {"kind": "random"}), tmp_path / "run")
    with speaking("fr"):
        page = write_report(tmp_path / "run").read_text(encoding="utf-8")
    assert '<html lang="fr">' in page


def test_there_is_a_teller_for_each_kind() -> None:
    own = {name for name, kind in KINDS.items() if type(kind).tell is not Kind.tell}
    assert not own & TELLERS.keys(), "told twice"
    assert own | TELLERS.keys() == KINDS.keys()


def test_a_folder_that_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "report", str(tmp_path)]) == 2
    assert "is not the folder of a run: it has no manifest.json" in capsys.readouterr().err
