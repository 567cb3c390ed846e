/** What every board is given, and what it tells. */

import type { Choice, Player, View } from "../lib/types";
import type { Film } from "./film.svelte";

export interface Shown { choice: Choice | null }

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
  prefix?: string;
  onplay: (choice: Choice) => void;
  onshow: (choice: Choice | null) => void; // what is being looked at
  onrefuse: (place: string, x: number, y: number, why: string) => void; // x and y from 0 to 1
}

/** Something on the board that can be touched. */
export interface Target { id: string; x: number; y: number }

/** The target that an arrow key leads to: the nearest in that direction. */
export function towards(key: string, from: Target, targets: Target[]): Target | null {
  const [dx, dy] = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[key] ?? [0, 0];
  let best: Target | null = null, least = Infinity;
  for (const target of targets) {
    const x = target.x - from.x, y = target.y - from.y;
    const along = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
    if (along <= 1 || aside > along * 2.2) continue;
    const cost = along + aside * 2;
    if (cost < least) { least = cost; best = target; }
  }
  return best;
}

/** A press that lasts shows the preview; a short one plays. */
export const LONG_PRESS = 380;
