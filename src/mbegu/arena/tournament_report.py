"""The report of a tournament: one HTML file without anything outside it, which one can mail.

It holds the ranking with a plot, the cross table, who used how much time, every fault, and the games
with a viewer. Pictures of positions share most of their parts: each part is stored once, and all is packed.
"""

import base64
import json
import re
import zlib
from html import escape
from importlib.resources import files
from typing import Any

from mbegu.arena.rating import LEAST_RATED
from mbegu.arena.referee import VERDICTS, Played, verdict_name
from mbegu.arena.tournament import Standing, Tournament
from mbegu.core.game import Position
from mbegu.core.i18n import _, current_language, p_
from mbegu.core.reader import parse_record
from mbegu.core.record import Record
from mbegu.core.story import tell
from mbegu.core.typography import labelled, numeral
from mbegu.games.pictures import picture

__all__ = ["report"]

MOST_PICTURES = 6_000  # a report should be made in seconds and fit into a mail
MOST_GAMES = 20_000
SHOWN_LINKS = 200  # games that show one and the same fault


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
        "words": _script(
            {
                "all": _("all bots"),
                "none": _("no picture for this game"),
                "old": _("This browser is too old to show the games: use a newer one."),
                "sanity": _("sanity round"),
            }
        ),
        "data": _packed(_games(tournament)),
    }
    # In one pass: a bot may be called {{data}}.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)


def _script(data: Any) -> str:
    """JSON that cannot end the script in which it stands."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _packed(data: Any) -> str:
    """Data that the page unpacks: a tenth of its size, and without any sign of HTML."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode())).decode()


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


def _table(head: list[str], rows: list[list[str]], kind: str = "", less: range = range(0)) -> str:
    """A table; the cells of `rows` are HTML already. A phone does without the columns of `less`."""
    marks = [' class="less"' if column in less else "" for column in range(len(head))]
    top = "".join(f"<th{mark}>{escape(cell)}</th>" for mark, cell in zip(marks, head, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{mark}>{cell}</td>" for mark, cell in zip(marks, row, strict=True))
        + "</tr>\n"
        for row in rows
    )
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
        _("Points"),
        _("Elo"),
        "±",
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
            numeral(row.points, "g"),
            f"{row.elo:+.0f}" if row.rated else "–",
            f"{row.error:.0f}" if row.rated else "–",
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
    return _section(
        _("Ranking"), _table(head, table, "ranking", range(4, 9)), f"<p>{escape(note)}</p>"
    )


def _cross(tournament: Tournament, rows: list[Standing]) -> str:
    met = tournament.cross()
    names, numbers = [row.name for row in rows], _numbers(tournament)
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
            pair = f'href="#games" data-pair="{numbers[one]} {numbers[other]}"'
            points = numeral(won + drawn / 2, "g")
            cells.append(f'<a {pair} style="{colour}" title="{told}">{points}</a>')
        table.append(cells)
    head = ["", "", *(str(place) for place in range(1, len(names) + 1))]
    return _section(_("Cross table"), _table(head, table, "cross"))


def _numbers(tournament: Tournament) -> dict[str, int]:
    """Each name that stands in a game, and its number in the page's data."""
    found = {name for played in tournament.archive.games.values() for name in played.players}
    return {name: number for number, name in enumerate(sorted(found))}


def _time(rows: list[Standing]) -> str:
    """Who thought how long; whoever never made a move has no time of a move."""
    most = max([row.mean or 0.0 for row in rows] + [1e-9])
    table = []
    for row in sorted(rows, key=lambda row: -(row.mean or 0.0)):
        width = 100 * (row.mean or 0.0) / most
        bar = f'<span class="bar" style="width:{width:.1f}%"></span>'
        table.append(
            [
                escape(row.name),
                "–" if row.mean is None else numeral(row.mean * 1000, ".1f"),
                numeral(row.slowest, ".3f"),
                numeral(row.seconds, ".1f"),
                bar,
            ]
        )
    head = [_("Bot"), _("ms a move"), _("slowest, s"), _("in all, s"), ""]
    return _section(_("Time"), _table(head, table, "time", range(4, 5)))


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
    parts += [_one_fault(tournament, games) for games in _same_faults(tournament).values()]
    if not parts:
        parts.append(f"<p>{escape(_('None.'))}</p>")
    return _section(_("Faults"), *parts)


def _same_faults(tournament: Tournament) -> dict[tuple[str, str, str], list[str]]:
    """The games of each fault: the same bot, the same verdict, the same last line."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for key in tournament.ordered():
        verdict, players = (
            tournament.archive.games[key].verdict,
            tournament.archive.games[key].players,
        )
        if verdict.player is not None:
            what = (players[verdict.player], verdict.word, str(verdict))
            found.setdefault(what, []).append(key)
    return found


def _one_fault(tournament: Tournament, keys: list[str]) -> str:
    """A fault with the story of its first game, and where else it happened."""
    played = tournament.archive.games[keys[0]]
    verdict, guilty = played.verdict, played.verdict.player
    assert guilty is not None
    title = f"{labelled(played.players[guilty], verdict.name)} × {len(keys)} — {verdict}"
    lines = [
        _("against {other}, at move {ply}").format(
            other=played.players[1 - guilty], ply=played.plies + 1
        ),
        _("position: {position}").format(position=verdict.position),
        verdict.detail,
        f"stderr:\n{verdict.stderr}" if verdict.stderr else "",
    ]
    body = escape("\n".join(line for line in lines if line))
    number = {key: at for at, key in enumerate(tournament.ordered()[:MOST_GAMES])}
    links = [_link(number[key], tournament.archive.games[key]) for key in keys if key in number]
    if len(links) > SHOWN_LINKS:
        links[SHOWN_LINKS:] = [f"… {len(links) - SHOWN_LINKS}"]
    return (
        f"<details><summary>{escape(title[:300])}</summary><pre>{body}</pre>"
        f"<p>{' · '.join(links)}</p></details>"
    )


def _link(number: int, played: Played) -> str:
    """To a game, at its end."""
    told = escape(f"{played.players[0]} – {played.players[1]} ({played.plies + 1})")
    return f'<a href="#games" data-game="{number}">{told}</a>'


# ---- the plot -------------------------------------------------------------------------------------


def _plot(rows: list[Standing]) -> str:
    """Each bot a line: a dot at its rating, a bar for the 95 % interval."""
    rated = [row for row in rows if row.rated]
    if not rated:
        return ""
    low = min(row.elo - row.error for row in rated)
    wide = max(max(row.elo + row.error for row in rated) - low, 1e-9)

    def at(elo: float) -> str:
        return f"{100 * (elo - low) / wide:.1f}%"

    lines = []
    for row in rated:
        width = f"{200 * row.error / wide:.1f}%"
        lines.append(
            f'<div><span class="who">{escape(row.name)}</span><span class="track">'
            f'<i class="range" style="left:{at(row.elo - row.error)};width:{width}"></i>'
            f'<b class="dot" style="left:{at(row.elo)}"></b></span></div>\n'
        )
    step = next(s for s in (10, 25, 50, 100, 250, 500, 1000, 5000) if wide / s <= 6 or s == 5000)
    ticks = range(int(-(-low // step)) * step, int(low + wide) + 1, step)
    marks = "".join(f'<span class="tick" style="left:{at(elo)}">{elo:+}</span>' for elo in ticks)
    title = escape(_("Ratings with their 95 % intervals"), quote=True)
    axis = f'<div><span></span><span class="track">{marks}</span></div>'
    return f'<div class="plot" role="img" aria-label="{title}">\n{"".join(lines)}{axis}</div>'


# ---- the games ------------------------------------------------------------------------------------

# A tag that opens, the text behind it, and the tags that close there.
_PIECES = re.compile(r"<[^<>]*>[^<]*(?:</[^<>]*>[^<]*)*")


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


def _games(tournament: Tournament) -> dict[str, Any]:
    """The games for the viewer: those with a fault get their pictures first."""
    games = [(key, tournament.archive.games[key]) for key in tournament.ordered()[:MOST_GAMES]]
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
        record = parse_record(tournament.archive.games[key].record)
        positions = record.positions()
        pictures[key] = []
        for position in positions:
            text = str(position)
            if text not in drawn:
                drawn[text] = parts.add(picture(position))
            pictures[key].append(drawn[text])
        told[key] = _told(record, positions)
    return {
        "names": list(_numbers(tournament)),
        "pieces": list(parts.pieces),
        "frames": parts.frames,
        "games": [
            {
                "players": played.players,
                "result": played.result,
                "verdict": played.verdict.word,
                "why": str(played.verdict),
                "round": key.partition("|")[0],
                "record": played.record,
                "frames": pictures.get(key, []),
                "moves": told.get(key, []),
            }
            for key, played in games
        ],
    }


def _told(record: Record, positions: list[Position]) -> list[str]:
    """Each move, by its notation and in words."""
    lines = []
    for step, position in zip(record.steps, positions, strict=False):
        word = record.game.format_move(step.move, position)
        lines.append(labelled(word, tell(position, step.move)))
    return lines
