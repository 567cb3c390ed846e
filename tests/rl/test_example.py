"""The example that learns Kalah does learn."""

from pathlib import Path
from runpy import run_path

import numpy as np

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn_kalah.py"


def test_some_lessons_make_it_a_better_player() -> None:
    learn = run_path(str(EXAMPLE))
    network, env = learn["Network"](1), learn["BatchEnv"]("kalah", 128, seed=1)
    lot = np.random.default_rng(1)
    before = learn["score_against_greedy"](network, 100, 7)
    for _lesson in range(50):
        seen, errors = learn["play_segment"](network, env, lot, 8, lam=0.7, explore=0.1)
        network.learn(seen, errors, rate=0.003)
    after = learn["score_against_greedy"](network, 100, 7)
    assert before < 0.2
    assert after > before + 0.15
