"""Learns Kalah from nothing but its own games, and beats the greedy bot after a minute or two.

    python examples/learn_kalah.py --seconds 120 --plot curve.svg

A small network says what a position is worth: what lies in each hole goes in, sixty-four units look at
it, and a number between -1 and 1 comes out. It is learnt by temporal differences, TD(λ): the value of a
position moves towards the values of those that followed it and the end of the game. Hundreds of games
run at once, and both players use the same network.

Everything needed is in `mbegu.rl.batch`; matplotlib draws the curve.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from mbegu.arena.bots import Greedy
from mbegu.core.clock import Clock
from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.rl.batch import BatchEnv
from mbegu.rl.view import View

STONES = np.arange(14)  # as many or more look alike
INPUTS, UNITS = 12 * len(STONES) + 2, 64


def inputs(seen: np.ndarray) -> np.ndarray:
    """A position for the network: for each hole which number of stones it holds, and both stores."""
    holes = np.minimum(seen[..., :12], STONES[-1])[..., None] == STONES
    stores = seen[..., 12:] / 24
    return np.concatenate([holes.reshape(*seen.shape[:-1], -1), stores], -1, dtype=np.float32)


class Network:
    """What positions are worth to the player to move, between -1 and 1."""

    def __init__(self, seed: int) -> None:
        lot = np.random.default_rng(seed)
        shapes = {"in": (INPUTS, UNITS), "lift": (UNITS,), "out": (UNITS,)}
        self.weights = {
            name: lot.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()
        }
        self.mean = {name: part.copy() for name, part in self.weights.items()}
        self.slope = {name: np.zeros_like(part) for name, part in self.weights.items()}
        self.size = {name: np.zeros_like(part) for name, part in self.weights.items()}

    def units(self, given: np.ndarray) -> np.ndarray:
        """How much each unit is stirred."""
        return np.maximum(given @ self.weights["in"] + self.weights["lift"], 0)

    def value(self, seen: np.ndarray) -> np.ndarray:
        """The worth of what is seen."""
        return np.tanh(self.units(inputs(seen)) @ self.weights["out"])

    def learn(self, seen: np.ndarray, errors: np.ndarray, rate: float) -> None:
        """Moves the values of positions by their errors: one step of gradient descent (Adam)."""
        given = inputs(seen)
        units = self.units(given)
        pull = errors * (1 - np.tanh(units @ self.weights["out"]) ** 2) / len(errors)
        back = np.outer(pull, self.weights["out"]) * (units > 0)
        slopes = {"in": given.T @ back, "lift": back.sum(0), "out": pull @ units}
        for name, slope in slopes.items():
            self.slope[name] += 0.1 * (slope - self.slope[name])
            self.size[name] += 0.01 * (slope**2 - self.size[name])
            self.weights[name] += rate * self.slope[name] / (np.sqrt(self.size[name]) + 1e-6)
            self.mean[name] += 0.005 * (self.weights[name] - self.mean[name])

    def settled(self) -> Network:
        """The mean of the network over the last few hundred lessons, which plays more evenly."""
        network = Network(0)
        network.weights = self.mean
        return network


def best(network: Network, env: BatchEnv) -> np.ndarray:
    """The action of each game that leads to the best position, as the network sees it."""
    seen, rewards, signs = env.peek()
    worth = rewards + signs * network.value(seen)
    return np.where(env.masks, worth, -9).argmax(1)


def greedy(env: BatchEnv, lot: np.random.Generator) -> np.ndarray:
    """What the greedy bot does: the most stones now, an extra turn is worth half a stone."""
    seen, rewards, signs = env.peek()
    ahead = signs * (seen[..., 12].astype(np.int32) - seen[..., 13]) + (signs == 1) / 2
    worth = ahead + 1000 * rewards + 1e-3 * lot.random(rewards.shape)
    return np.where(env.masks, worth, -9999).argmax(1)


def play_segment(
    network: Network,
    env: BatchEnv,
    lot: np.random.Generator,
    length: int,
    lam: float,
    explore: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Plays some moves in every game: the positions, and their errors by TD(λ)."""
    seen, values, rewards, signs = [], [], [], []
    for _move in range(length):
        seen.append(env.observations.copy())
        values.append(network.value(seen[-1]))
        before = env.players.copy()
        by_lot = lot.random(env.size) < explore
        actions = np.where(by_lot, env.sample(), best(network, env))
        won, ended, _cut = env.step(actions)
        rewards.append(won.copy())
        signs.append(np.where(ended, 0, np.where(env.players == before, 1, -1)))
    returns = network.value(env.observations)
    errors = np.zeros((length, env.size), np.float32)
    for move in reversed(range(length)):
        after = values[move + 1] if move + 1 < length else returns
        # Seen from the other side a value changes its sign; after the end only the result counts.
        returns = rewards[move] + signs[move] * ((1 - lam) * after + lam * returns)
        errors[move] = returns - values[move]
    return np.concatenate(seen), errors.ravel()


def score_against_greedy(network: Network, games: int, seed: int) -> float:
    """The share of points in so many games; the first two moves are by lot, and seats alternate."""
    env, lot = BatchEnv("kalah", games, seed=seed), np.random.default_rng(seed)
    seats = np.arange(games) % 2
    points, running = np.zeros(games), np.ones(games, bool)
    ply = 0
    while running.any():
        mine = env.players == seats
        actions = env.sample() if ply < 2 else np.where(mine, best(network, env), greedy(env, lot))
        rewards, ended, _cut = env.step(actions)
        ends = ended & running
        points[ends] = np.where(mine, rewards, -rewards)[ends] / 2 + 0.5
        running &= ~ended
        ply += 1
    return float(points.mean())


def score_against_the_bot(network: Network, games: int, seed: int) -> float:
    """The same against the real bot, by the readable rules."""
    game = find_game("kalah")
    view, points = View(game), 0.0
    lot = np.random.default_rng(seed)
    for number in range(games):
        match, bot, seat = Match(game), Greedy(seed + number), number % 2
        while match.turn is not None:
            position, moves = match.position, match.position.legal_moves()
            if len(match.moves) < 2:
                move = moves[lot.integers(len(moves))]
            elif match.turn == seat:
                move = max(moves, key=lambda move: worth(network, view, position, move))
            else:
                move = bot.choose(position, Clock())
            match.play(move)
        winner = match.outcome.winner
        points += 0.5 if winner is None else winner == seat
    return points / games


def worth(network, view, position, move) -> float:
    """What a move is worth to the player who makes it."""
    after, player = position.play(move), position.turn
    outcome = after.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == player else -1
    value = float(network.value(view.look(after, after.turn)[0]))
    return value if after.turn == player else -value


def main() -> None:
    """Learns, tells how it goes, and draws the curve."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--seconds", type=float, default=120.0)
    arguments.add_argument("--games", type=int, default=256, help="games at once")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--plot", help="draw the learning curve into this file")
    chosen = arguments.parse_args()

    network, env = Network(chosen.seed), BatchEnv("kalah", chosen.games, seed=chosen.seed)
    lot = np.random.default_rng(chosen.seed)
    curve = [(0, score_against_greedy(network, 1000, 7))]
    print(f"{0:10,} positions  {100 * curve[0][1]:5.1f} % against greedy", flush=True)
    began, positions, shown = time.monotonic(), 0, 0.0
    while (spent := time.monotonic() - began) < chosen.seconds:
        share = spent / chosen.seconds
        seen, errors = play_segment(network, env, lot, 8, lam=0.7, explore=0.1)
        network.learn(seen, errors, rate=0.003 * (1 - share) + 0.0001)
        positions += len(errors)
        if spent - shown > chosen.seconds / 16:
            shown = spent
            curve.append((positions, score_against_greedy(network.settled(), 1000, 7)))
            print(
                f"{positions:10,} positions  {100 * curve[-1][1]:5.1f} % against greedy", flush=True
            )
    final = score_against_the_bot(network.settled(), 400, 11)
    print(f"In 400 games against the bot itself, by the readable rules: {100 * final:.1f} %")
    if chosen.plot:
        draw(curve, chosen.plot)


def draw(curve: list[tuple[int, float]], path: str) -> None:
    """The learning curve as a file."""
    from mbegu.lab.figures import Figure  # noqa: PLC0415 - only who draws needs matplotlib

    figure = Figure(Path(path).stem, "Points against the greedy bot")
    figure.axes.plot([n / 1e6 for n, _ in curve], [100 * score for _, score in curve], marker="o")
    figure.axes.axhline(50, linestyle=":", color="#888888")
    figure.axes.set_ylim(0, 100)
    figure.axes.set_xlabel("million positions played")
    figure.axes.set_ylabel("% of points against greedy")
    figure.drawing.savefig(path, facecolor="white", dpi=150)


if __name__ == "__main__":
    main()
