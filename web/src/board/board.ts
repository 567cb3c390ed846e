/** What every board is given, and what it tells. */

import type { Worth } from "../lib/judge";
import type { BoardInfo, Choice, Move, Player, View } from "../lib/types";
import type { Film } from "./film.svelte";
import { drawn } from "./layout";

export interface BoardProps {
  view: View;
  film: Film;
  seat: Player; // who sits at the bottom
  active: boolean; // may a choice be made now?
  narrow: boolean;
  labels: boolean; // show the names of the holes
  larger?: number; // numbers so much larger that they stay legible on a small board
  hint?: Choice | null;
  sent?: Choice | null; // chosen, and on its way to the server
  worths?: ReadonlyMap<Move, Worth>; // what the engine thinks of each move, best first
  prefix?: string;
  onplay: (choice: Choice) => void;
  onshow: (choice: Choice | null) => void; // what is being looked at
  onrefuse: (place: string, x: number, y: number, why: string) => void; // x and y from 0 to 1
}

/** Something on the board that can be touched. */
export interface Target {
  id: string;
  x: number;
  y: number;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The target that an arrow key leads to: the nearest in that direction. */
export function towards(key: string, from: Target, targets: Target[]): Target | null {
  const [dx, dy] = ARROWS[key] ?? [0, 0];
  let best: Target | null = null,
    least = Infinity;
  for (const target of targets) {
    const x = target.x - from.x,
      y = target.y - from.y;
    const along = x * dx + y * dy,
      aside = Math.abs(x * dy - y * dx);
    if (along <= 1 || aside > along * 2.2) continue;
    const cost = along + aside * 2;
    if (cost < least) {
      least = cost;
      best = target;
    }
  }
  return best;
}

/** A press that lasts shows the preview; a short one plays. */
export const LONG_PRESS = 380;

/** The letter by which a move names a kind of piece. */
export const initial = (kind: string) => kind.charAt(0).toUpperCase();

/** Where one touches the board to play a choice: the hole, and on a board of two kinds which of them. */
export function spotsOf(board: BoardInfo, choice: Choice): string[] {
  const at = choice.from ?? choice.to;
  if (at === null) return [];
  if (board.kinds.length < 2) return [at];
  const named = board.kinds
    .map(initial)
    .find((letter) => choice.word.toUpperCase() === `${at.toUpperCase()}${letter}`);
  return (named ? [named] : board.kinds.map(initial)).map((letter) => at + letter);
}

/** Choices by the spot where one touches; those that share a spot, or have none, are chosen by their words. */
export function choicesBySpot(
  view: View,
  spots: (choice: Choice) => string[],
): { by: Map<string, Choice>; other: Choice[] } {
  const by = new Map<string, Choice>(),
    shared = new Set<string>();
  for (const choice of view.legal)
    for (const spot of spots(choice)) {
      if (by.has(spot)) shared.add(spot);
      by.set(spot, choice);
    }
  for (const spot of shared) by.delete(spot);
  const reached = new Set(by.values());
  return { by, other: view.legal.filter((choice) => !reached.has(choice)) };
}

/** Where a move begins and ends, as one touches it. */
export const pathOf = ({ from, to }: Choice) => (from || to ? [`${from ?? ""}>${to ?? ""}`] : []);

/** The choices that cannot be made by touching the board: buttons with their words stand below it. */
export function unreachable(view: View): Choice[] {
  const family = drawn(view.board);
  if (family === null && !view.board.places.length) return []; // the words stand on the picture
  const sown = family !== null && family !== "mill";
  return choicesBySpot(view, sown ? (choice) => spotsOf(view.board, choice) : pathOf).other;
}
