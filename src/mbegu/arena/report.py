"""The report of a tournament: one HTML file without anything outside it, which one can mail.

It holds the ranking with a plot, the cross table, who used how much time, every fault, and the games
with a viewer. Pictures of positions share most of their parts: each part is stored once.
"""

import json
import re
from html import escape
from importlib.resources import files
from itertools import pairwise
from typing import Any

from mbegu.arena.rating import LEAST_RATED
from mbegu.arena.referee import VERDICTS, Played, verdict_name
from mbegu.arena.tournament import Standing, Tournament
from mbegu.core.drawing import group, tag
from mbegu.core.i18n import _, current_language, p_
from mbegu.core.reader import parse_record
from mbegu.core.record import Record
from mbegu.core.story import tell
from mbegu.core.typography import labelled, numeral
from mbegu.games.pictures import picture

__all__ = ["report"]

MOST_PICTURES = 6_000  # a report should be made in seconds and fit into a mail
MOST_GAMES = 20_000
LABEL = 22  # signs of a name beside the plot


def report(tournament: Tournament) -> str:
    """The whole page."""
    rows = tournament.standings()
    page = files("mbegu.arena").joinpath("report.html").read_text(encoding="utf-8")
    parts = {
        "language": current_language(),
        "title": escape(tournament.plan.title),
        "conditions": escape(_conditions(tournament)),
        "ranking": _ranking(tournament, rows),
        "plot": _plot(rows),
        "cross": _cross(tournament, rows),
        "time": _time(rows),
        "faults": _faults(tournament, rows),
        "games_title": escape(p_("games that were played", "Games")),
        "record_title": escape(_("The record of this game")),
        "words": _script({"all": _("all bots"), "none": _("no picture for this game")}),
        "data": _script(_games(tournament)),
    }
    # In one pass: a bot may be called {{data}}.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)


def _script(data: Any) -> str:
    """JSON that cannot end the script in which it stands."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _conditions(tournament: Tournament) -> str:
    plan = tournament.plan
    told = [str(tournament.game), plan.format, _("games of a pairing: {n}").format(n=plan.games)]
    if plan.conditions.control != "-":
        told.append(_("time: {control}").format(control=plan.conditions.control))
    if plan.conditions.nodes is not None:
        told.append(_("nodes: {nodes}").format(nodes=plan.conditions.nodes))
    told += [_("openings: {what}").format(what=plan.openings.rpartition("/")[2])]
    told += [_("policy: {policy}").format(policy=plan.conditions.policy)]
    told += [_("seed: {seed}").format(seed=tournament.seed)]
    return " · ".join(told)


# ---- tables ---------------------------------------------------------------------------------------


def _table(head: list[str], rows: list[list[str]], kind: str = "") -> str:
    """A table; the cells of `rows` are HTML already."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows)
    return (
        f'<div class="wide"><table class="{kind}"><thead><tr>{top}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def _ranking(tournament: Tournament, rows: list[Standing]) -> str:
    head = [
        "",
        _("Bot"),
        _("Elo"),
        "±",
        _("Points"),
        p_("games that were played", "Games"),
        "+",
        "=",
        "−",
        _("Faults"),
    ]
    table = [
        [
            str(place),
            f"<b>{escape(row.name)}</b>",
            f"{row.elo:+.0f}" if row.rated else "–",
            f"{row.error:.0f}" if row.rated else "–",
            numeral(row.points, "g"),
            str(row.games),
            str(row.wins),
            str(row.draws),
            str(row.losses),
            escape(
                ", ".join(f"{verdict_name(word)} × {n}" for word, n in sorted(row.verdicts.items()))
            ),
        ]
        for place, row in enumerate(rows, 1)
    ]
    note = _("Elo with its 95 % interval, by the model of Bradley and Terry, around a mean of 0.")
    if not all(row.rated for row in rows):
        few = _("A bot with fewer than {least} games has no Elo: they say too little.")
        note = f"{note} {few.format(least=LEAST_RATED)}"
    return _section(_("Ranking"), _table(head, table, "ranking"), f"<p>{escape(note)}</p>")


def _cross(tournament: Tournament, rows: list[Standing]) -> str:
    met = tournament.cross()
    names = [row.name for row in rows]
    table = []
    for place, one in enumerate(names, 1):
        cells = [str(place), escape(one)]
        for other in names:
            first, second = sorted((one, other))
            if one == other or (first, second) not in met:
                cells.append("·" if one == other else "")
                continue
            won, drawn, lost = met[first, second]
            won, lost = (won, lost) if one == first else (lost, won)
            share = (won + drawn / 2) / (won + drawn + lost)
            colour = f"background:hsl({120 * share:.0f} 45% 50% / .25)"
            told = f"+{won} ={drawn} −{lost}"
            cells.append(
                f'<span style="{colour}" title="{told}">{numeral(won + drawn / 2, "g")}</span>'
            )
        table.append(cells)
    head = ["", "", *(str(place) for place in range(1, len(names) + 1))]
    return _section(_("Cross table"), _table(head, table, "cross"))


def _time(rows: list[Standing]) -> str:
    most = max([row.seconds / max(row.moves, 1) for row in rows] + [1e-9])
    table = []
    for row in sorted(rows, key=lambda row: -row.seconds / max(row.moves, 1)):
        mean = row.seconds / max(row.moves, 1)
        width = 100 * mean / most
        bar = f'<span class="bar" style="width:{width:.1f}%"></span>'
        table.append(
            [
                escape(row.name),
                numeral(mean * 1000, ".1f"),
                numeral(row.slowest, ".3f"),
                numeral(row.seconds, ".1f"),
                bar,
            ]
        )
    head = [_("Bot"), _("ms a move"), _("slowest, s"), _("in all, s"), ""]
    return _section(_("Time"), _table(head, table, "time"))


def _faults(tournament: Tournament, rows: list[Standing]) -> str:
    parts = []
    troubles = list(tournament.plan.troubles)
    for name, played in tournament.unfit().items():
        troubles.append((name, _("left out: {verdict}").format(verdict=played.verdict)))
    for name, points in tournament.weak().items():
        told = _("did not beat random in the sanity round (points: {points:g})")
        troubles.append((name, told.format(points=points)))
    if troubles:
        lines = "".join(f"<li><b>{escape(n)}</b>: {escape(why)}</li>" for n, why in troubles)
        parts.append(f"<ul>{lines}</ul>")
    words = [word for word in VERDICTS if any(row.verdicts[word] for row in rows)]
    if words:
        table = [
            [escape(row.name), *(str(row.verdicts[word] or "") for word in words)]
            for row in rows
            if row.verdicts
        ]
        parts.append(_table([_("Bot"), *words], table))
    shown: dict[tuple[str, str], int] = {}
    for key, played in {**tournament.games(), **tournament.store.games}.items():
        guilty = played.verdict.player
        if guilty is None:
            continue
        what = (played.players[guilty], played.verdict.word)
        shown[what] = shown.get(what, 0) + 1
        if shown[what] <= 2:  # more of the same would teach nothing
            parts.append(_one_fault(key, played, guilty))
    if not parts:
        parts.append(f"<p>{escape(_('None.'))}</p>")
    return _section(_("Faults"), *parts)


def _one_fault(key: str, played: Played, guilty: int) -> str:
    verdict = played.verdict
    other = played.players[1 - guilty]
    title = f"{labelled(played.players[guilty], verdict.name)} — {verdict}"
    lines = [
        _("against {other}, at move {ply}").format(other=other, ply=played.plies + 1),
        _("position: {position}").format(position=verdict.position),
        verdict.detail,
        f"stderr:\n{verdict.stderr}" if verdict.stderr else "",
    ]
    body = escape("\n".join(line for line in lines if line))
    return f"<details><summary>{escape(title[:300])}</summary><pre>{body}</pre></details>"


# ---- the plot -------------------------------------------------------------------------------------


def _plot(rows: list[Standing]) -> str:
    """Each bot a line: a dot at its rating, a bar for the 95 % interval."""
    if not any(row.games for row in rows):
        return ""
    low = min(row.elo - row.error for row in rows if row.games)
    high = max(row.elo + row.error for row in rows if row.games)
    left, width, line = 190, 560, 26
    height = line * len(rows) + 40

    def x(elo: float) -> float:
        return left + width * (elo - low) / max(high - low, 1e-9)

    step = next(
        s for s in (10, 25, 50, 100, 250, 500, 1000, 5000) if (high - low) / s <= 9 or s == 5000
    )
    marks = []
    tick = -(-low // step) * step
    while tick <= high:
        marks.append(tag("line", x1=x(tick), x2=x(tick), y1=6, y2=height - 26, class_="grid"))
        marks.append(tag("text", f"{tick:+.0f}", x=x(tick), y=height - 8, text_anchor="middle"))
        tick += step
    for number, row in enumerate(rows):
        y = 20 + line * number
        name = row.name if len(row.name) <= LABEL else f"{row.name[: LABEL - 1]}…"
        marks.append(tag("text", name, x=left - 12, y=y + 4, text_anchor="end"))
        if row.games:
            ends = {"x1": x(row.elo - row.error), "x2": x(row.elo + row.error)}
            marks.append(tag("line", y1=y, y2=y, class_="range", **ends))
            marks.append(tag("circle", cx=x(row.elo), cy=y, r=5, class_="dot"))
    drawn = tag(
        "svg",
        tag("title", _("Ratings with their 95 % intervals")),
        group(*marks),
        viewBox=f"0 0 {left + width + 30} {height}",
        role="img",
        class_="plot",
    )
    return f'<div class="wide">{drawn}</div>'


# ---- the games ------------------------------------------------------------------------------------

# A tag that opens, the text behind it, and the tags that close there.
_PIECES = re.compile(r"<[^>]*>[^<]*(?:</[^>]*>[^<]*)*")


class Parts:
    """Texts that are made of few different pieces, each stored once."""

    def __init__(self) -> None:
        self.pieces: dict[str, int] = {}
        self.frames: list[list[int]] = []

    def add(self, text: str) -> int:
        """One more text; its number."""
        found = [self.pieces.setdefault(piece, len(self.pieces)) for piece in _PIECES.findall(text)]
        self.frames.append(found)
        return len(self.frames) - 1

    def packed(self) -> tuple[list[str], list[list[int]]]:
        """The pieces and the texts, where pieces that always stand together have become one."""
        after: dict[int, set[int]] = {}
        before: dict[int, set[int]] = {}
        for frame in self.frames:
            for one, other in pairwise([-1, *frame, -2]):
                after.setdefault(one, set()).add(other)
                before.setdefault(other, set()).add(one)
        glued = {
            one: other
            for one, others in after.items()
            for other in others
            if one >= 0 and other >= 0 and len(others) == 1 and len(before[other]) == 1
        }
        inner = set(glued.values())
        texts, whole, number = list(self.pieces), list[str](), dict[int, int]()
        for piece in range(len(texts)):
            if piece not in inner:
                number[piece] = len(whole)
                chain = [piece]
                while chain[-1] in glued:
                    chain.append(glued[chain[-1]])
                whole.append("".join(texts[part] for part in chain))
        return whole, [[number[p] for p in frame if p in number] for frame in self.frames]


def _games(tournament: Tournament) -> dict[str, Any]:
    """The games for the viewer: those with a fault get their pictures first."""
    games = list(tournament.games().items())[:MOST_GAMES]
    parts, drawn = Parts(), dict[str, int]()
    shown = dict.fromkeys(
        [key for key, played in games if played.verdict.player is not None][:40]
        + [key for key, _played in games]
    )
    pictures: dict[str, list[int]] = {}
    told: dict[str, list[str]] = {}
    for key in shown:
        if len(parts.frames) > MOST_PICTURES:
            break
        record = parse_record(tournament.store.games[key].record)
        pictures[key] = []
        for position in record.positions():
            text = str(position)
            if text not in drawn:
                drawn[text] = parts.add(picture(position))
            pictures[key].append(drawn[text])
        told[key] = _told(record)
    pieces, frames = parts.packed()
    return {
        "pieces": pieces,
        "frames": frames,
        "games": [
            {
                "players": played.players,
                "result": played.result,
                "verdict": played.verdict.word,
                "why": str(played.verdict),
                "round": key.partition("|")[0],
                "plies": played.plies,
                "record": played.record,
                "frames": pictures.get(key, []),
                "moves": told.get(key, []),
            }
            for key, played in games
        ],
    }


def _told(record: Record) -> list[str]:
    """Each move, by its notation and in words."""
    lines = []
    for step, position in zip(record.steps, record.positions(), strict=False):
        word = record.game.format_move(step.move, position)
        lines.append(labelled(word, tell(position, step.move)))
    return lines
