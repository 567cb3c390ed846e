"""Reinforcement learning: the games as environments.

- `mbegu.rl.batch.BatchEnv`: thousands of games at once over NumPy arrays.
- `mbegu.rl.aec.env("oware")`: PettingZoo, two agents that take turns.
- `mbegu.rl.single.LevelEnv("oware", level=3)`: Gymnasium, one agent against a level.
- `mbegu.rl.spiel.load("oware")`: OpenSpiel's Python interface.

The extra `mbegu[rl]` brings PettingZoo and Gymnasium; `BatchEnv` needs neither.
"""
