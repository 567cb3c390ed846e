/** What passes between a room and this browser, and what may be done in it; the server has the last word. */

import { t } from "./i18n.svelte";
import type { Clock, Event, Move, Player, Presence, RoomInfo, Told, View } from "./types";

/** A move as the server tells it. */
export interface Moved {
  ply: number;
  player: Player;
  move: Move;
  word: string;
  story: string;
  events: Event[];
  view: View;
  clock: Clock | null;
  simple?: boolean;
}
/** The answer to a command. */
export interface Answer {
  ok: boolean;
  error?: string;
  move?: Move;
  story?: string;
  why?: string;
}

/** What may be done follows from whose turn it is. */
export function mayNow(
  info: RoomInfo,
  mine: readonly boolean[],
  moves: readonly Told[],
  myTurn: boolean,
): RoomInfo["can"] {
  const some = mine.some(Boolean),
    on = info.status === "playing",
    people = info.between_people;
  const moved = people ? on && moves.some((move) => mine[move.player]) : moves.length > 0;
  const begun = new Set(moves.map((move) => move.player)).size === 2;
  return {
    ...info.can,
    abort: people && some && on && !begun,
    move: myTurn,
    undo: some && moved && (on || !people),
    resign: some && on,
    draw: some && on,
    hint: myTurn && !people && info.help === "full",
  };
}

/** After the end of a game between people nothing is taken back. */
export function mayAfterEnd({ can, between_people }: RoomInfo): RoomInfo["can"] {
  const never = { move: false, hint: false, resign: false, draw: false, abort: false };
  return { ...can, ...never, undo: can.undo && !between_people };
}

/** Who of the others has come back, and who has lost the line. */
export function comings(
  before: Presence,
  now: Presence,
  { seats, sides }: RoomInfo,
  mine: readonly boolean[],
): string[] {
  const changed = ([0, 1] as Player[]).filter(
    (player) => !mine[player] && before.here[player] !== now.here[player],
  );
  return changed.map((player) => {
    const name = seats[player].name || sides[player];
    return now.here[player] ? t("{name} is back.", { name }) : t("{name} has lost the line.", { name });
  });
}

/** Whoever waits for a hint may play meanwhile. */
export function isHint(message: object): boolean {
  return (message as { t: string }).t === "hint";
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
