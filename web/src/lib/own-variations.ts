/** Lines of one's own: moves tried off the game, kept with its record in this browser. */

import type { Move } from "./types";

/** After `from` moves of the game come these instead. */
export interface Variation {
  from: number;
  moves: Move[];
  words: string[];
}

const MOST = 20;

function goesOn(line: Variation, other: Variation): boolean {
  return line.from === other.from && other.moves.every((move, k) => line.moves[k] === move);
}

/**
 * The lines with a new one first: it takes the place of those that it goes on, and adds nothing if it is part of one.
 */
export function withVariation(lines: Variation[], line: Variation): Variation[] {
  if (lines.some((other) => goesOn(other, line))) return lines;
  return [line, ...lines.filter((other) => !goesOn(line, other))].slice(0, MOST);
}

/** What was kept may be old or spoilt: only lines are taken. */
export function isVariation(value: unknown): value is Variation {
  const line = value as Variation | null;
  return (
    typeof line === "object" &&
    line !== null &&
    Number.isInteger(line.from) &&
    Array.isArray(line.moves) &&
    Array.isArray(line.words) &&
    line.moves.length > 0
  );
}
