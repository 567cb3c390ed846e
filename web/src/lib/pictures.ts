/** A good moment of each game, for the cards of the home page. */

import type { GameName, State, View } from "./types";

const STATES: Record<GameName, State> = {
  oware: { board: [3, 0, 5, 1, 7, 2, 1, 4, 0, 6, 2, 3], score: [8, 6], to_move: 0 },
  kalah: { pits: [2, 5, 0, 6, 1, 5, 9, 4, 0, 5, 2, 1, 3, 5], to_move: 0 },
  awale2: { red: [2, 1, 0, 3, 2, 2, 1, 0, 2, 3, 1, 2, 0, 2, 3, 1], blue: [1, 2, 3, 0, 2, 1, 2, 4, 0, 2, 1, 2, 3, 0, 2, 2], score: [5, 6], to_move: 0 },
  urubugu: { p0: [3, 0, 2, 5, 1, 0, 4, 2, 0, 6, 1, 3, 0, 2, 4, 1], p1: [2, 4, 0, 1, 3, 0, 2, 5, 0, 1, 3, 0, 2, 4, 1, 2], to_move: 0 },
  morabaraba: { board: "x.o.x.oxo.xx.oo...x.o.xo", turn: -1, phase: "MOVE", in_hand: [0, 0], score: [2, 3], ban: [[], []] } as State,
};

export function picture(name: GameName): View {
  const state = STATES[name];
  return { game: name === "kalah" ? "kalah(pits=6,seeds=4)" : name, text: "", state, turn: 0, scores: [0, 0], sides: ["", ""], legal: [], barred: {}, outcome: null };
}
