/** What the engine's numbers mean to a reader: bars, graphs and marks. */

import { lang, t } from "./i18n.svelte";
import type { Info, Line, Move, Player } from "./types";

export const WON = 99;

/** The expected margin for player 0: a win that is proved counts as WON. */
export function worth(info: Info): number | null {
  const line = info.lines[0];
  if (!line) return null;
  const value = line.result ? line.result * WON : line.margin;
  return info.turn === 0 ? value : -value;
}

/** What an end is worth to player 0. */
export function worthOfEnd(winner: Player | null): number {
  if (winner === null) return 0;
  return winner === 0 ? WON : -WON;
}

/** From 0 (player 1 wins) to 1 (player 0 wins). */
export function share(value: number): number {
  return 0.5 + 0.5 * Math.tanh(value / 12);
}

/** The mark of a move: how much of the bar the mover gave away. */
export function mark(
  before: number | null | undefined,
  after: number | null | undefined,
  player: Player,
): string {
  if (before === null || before === undefined || after === null || after === undefined) return "";
  const lost = (share(before) - share(after)) * (player === 0 ? 1 : -1);
  if (lost > 0.25) return "??";
  return lost > 0.12 ? "?" : "";
}

/** + or −, and nothing before nothing. */
export function signOf(value: number): string {
  if (value === 0) return "";
  return value > 0 ? "+" : "−";
}

export function marginText(value: number | null): string {
  if (value === null) return "";
  const sign = signOf(value);
  if (Math.abs(value) >= WON) return `${sign}∞`;
  return (
    sign + Math.abs(value).toLocaleString(lang(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  );
}

/** Whether a line is known to end as it says; everything else is an estimate, and looks like one. */
export function isProved(line: Line): boolean {
  return line.exact || line.win !== null || Boolean(line.result);
}

/**
 * What a line promises, seen by the side that began: + for it, − against it. What is proved is told as such, a
 * belief is not.
 */
export function promise(line: Line, turn: Player, sides: readonly string[]): string {
  const margin = marginText(turn === 0 ? line.margin : -line.margin);
  const sign = line.result ?? line.likely;
  const side = sides[sign >= 0 ? turn : 1 - turn] ?? "";
  const by = Math.abs(line.margin);
  if (line.exact && line.settled !== null && Math.abs(line.settled) === 1)
    return t("{side} wins by {margin}, with the next move", { side, margin: by });
  if (line.exact && line.settled !== null)
    return t("{side} wins by {margin}, in {plies} moves", {
      side,
      margin: by,
      plies: Math.abs(line.settled),
    });
  if (line.exact && line.result) return t("{side} wins by {margin} (proved)", { side, margin: by });
  if (line.exact) return t("A draw (proved)");
  if (line.win !== null) return t("{side} wins in {plies}", { side, plies: Math.abs(line.win) });
  if (line.result) return t("{margin} ({side} wins for certain)", { margin, side });
  return line.likely ? t("{margin} ({side} probably wins)", { margin, side }) : margin;
}

/** What a move is worth: short, for the board, and in words, for the ear. */
export interface Worth {
  tag: string;
  told: string;
  proved: boolean;
}

/** Every move that a line begins with, best first. `=` is exact, `✓` a win that is proved, `≈` an estimate. */
export function worths(info: Info, sides: readonly string[]): Map<Move, Worth> {
  const turn = info.turn ?? 0;
  return new Map(
    info.lines.map((line) => {
      const said = promise(line, turn, sides),
        proved = isProved(line);
      const told = proved ? said : t("Estimate: {promise}", { promise: said });
      return [line.moves[0]!, { tag: tagOf(line, turn === 0 ? 1 : -1), told, proved }];
    }),
  );
}

function tagOf(line: Line, sign: 1 | -1): string {
  const margin = sign * line.margin;
  if (line.exact) return `=${signOf(margin)}${Math.abs(margin)}`;
  if (line.result) return `${signOf(sign * line.result)}✓`;
  return `≈${marginText(margin)}`;
}
