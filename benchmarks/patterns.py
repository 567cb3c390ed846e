"""Every pattern of the package on a megabyte of hostile text: four times the text is four times the work.

python -m benchmarks.patterns         a few minutes; a pattern whose work grows faster is named
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "server"))

from found_patterns import is_anywhere, motifs, patterns

from mbegu.server.keep.database import shown
from mbegu.server.net.front import is_ours
from mbegu.server.net.logs import mask

QUARTER, FOUR = 256 * 1024, 4
TOO_STEEP = 8.0  # four if it is linear, sixteen if it is quadratic
IN_NO_TIME = 0.05  # seconds of processor time that prove nothing
HOPELESS = 20.0  # seconds for a quarter: not tried with more


def took(action: Callable[[str], object], text: str) -> float:
    """Seconds of this process."""
    began = time.process_time()
    action(text)
    return time.process_time() - began


def actions() -> dict[str, tuple[Callable[[str], object], set[str]]]:
    """What is measured, with the texts for each."""
    found: dict[str, tuple[Callable[[str], object], set[str]]] = {}
    for name, pattern in patterns():
        texts = motifs(pattern)
        found[f"{name} match"] = pattern.match, texts
        found[f"{name} fullmatch"] = pattern.fullmatch, texts
        if is_anywhere(name):
            found[f"{name} sub"] = lambda text, pattern=pattern: pattern.sub("", text), texts
    logged = {"://a:", "://", "new='", "token: ", "Aa", "A", "code=bearer "}
    found["mask"], found["shown"] = (mask, logged), (shown, logged)
    found["is_ours"] = lambda host: is_ours(host, ["play.example.org"]), {"a.", "a", ":1", "[:"}
    return found


def main() -> None:
    """One line for each that is too steep, and the slowest ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--slowest", type=int, default=5, help="how many are shown (5)")
    options = parser.parse_args()
    slowest: list[tuple[float, str, str]] = []
    steep = count = 0
    for name, (action, texts) in actions().items():
        for motif in sorted(texts):
            text = motif * (QUARTER // len(motif) + 1)
            one = took(action, text)
            four = took(action, text * FOUR) if one < HOPELESS else FOUR * FOUR * one
            slowest.append((four, name, motif))
            count += 1
            if four > IN_NO_TIME and four > TOO_STEEP * max(one, IN_NO_TIME / FOUR):
                steep += 1
                print(f"  TOO STEEP: {name} on {motif!r}: {one:.3f} s, then {four:.3f} s")
    print(f"  {count} pairs of a pattern and a text of 1 MB: {steep} too steep")
    for four, name, motif in sorted(slowest, reverse=True)[: options.slowest]:
        print(f"  {four:.3f} s: {name} on {motif!r}")


if __name__ == "__main__":
    main()
