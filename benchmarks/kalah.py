"""Perft of Kalah against a program written by hand in C, in one run: moves made in a second of CPU time.

python -m benchmarks.kalah --depth 9 --rounds 5

The two take turns, so that a busy machine is unfair to both alike; what is told is the best of each. The C program
(kalah.c) is compiled for this very machine, as the kernel is, in two ways: plainly, and with the last ply in six rounds
without a branch, which is how the kernel is written.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mbegu
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.kernels.walk import walk

LEAST_RATIO = 0.95  # of the better one
WAYS = ("plain", "smooth")


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--depth", type=int, default=9)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        sys.exit("there is no C compiler to compare with")
    state = kernel_of("kalah").pack(mbegu.game("kalah").start().to_json(), {})
    walk(state, 2)
    best = dict.fromkeys((*WAYS, "kernel"), 0.0)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "kalah"
        source = Path(__file__).with_name("kalah.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        for _round in range(options.rounds):
            answers = set()
            for way in WAYS:
                said = subprocess.check_output([program, str(options.depth), way], text=True)
                nodes, made, check, spent = map(int, said.split())
                answers.add((nodes, made, check))
                best[way] = max(best[way], 1000 * made / spent)
            began = time.process_time()
            told = walk(state, options.depth)
            best["kernel"] = max(best["kernel"], told[1] / (time.process_time() - began) / 1e6)
            answers.add((int(told[0]), int(told[1]), int(told[2])))
            if len(answers) > 1:
                sys.exit(f"they do not agree: {answers}")
    limit = max(best[way] for way in WAYS)
    figures = ", ".join(f"{name} {speed:.0f}" for name, speed in best.items())
    ratio = best["kernel"] / limit
    print(
        f"million moves a second: {figures}; kernel {ratio:.2f} of the better (limit {LEAST_RATIO})"
    )
    sys.exit(0 if ratio >= LEAST_RATIO else 1)


if __name__ == "__main__":
    main()
