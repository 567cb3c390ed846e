/** How a game ended, told with the names of those who played it and added up. */

import { t } from "./i18n.svelte";
import type { Event, Outcome, Player, RoomInfo } from "./types";
import { seatName } from "./words";

/** Reasons for which nobody looks at the scores. */
const UNCOUNTED = ["resignation", "agreement", "timeout", "forfeit", "abandoned", "aborted"];

/** What each player was given at the end, as the last move tells it. */
export function sweptIn(events: readonly Event[]): [number, number] {
  const swept: [number, number] = [0, 0];
  for (const event of events) if (event.event === "sweep") swept[event.player] += event.seeds;
  return swept;
}

/** Whose eyes read it: one's own seats. */
export function nameOf(
  info: Pick<RoomInfo, "seats" | "sides">,
  mine: readonly boolean[],
  player: Player,
): string {
  const seat = info.seats[player];
  if (mine[player] && !mine[1 - player] && !seat.name) return t("You");
  return seatName(seat, info.sides[player]);
}

export function title(
  outcome: Outcome,
  info: Pick<RoomInfo, "seats" | "sides">,
  mine: readonly boolean[],
): string {
  const winner = outcome.winner;
  if (outcome.reason === "aborted") return t("Called off");
  if (winner === null) return t("A draw");
  const alone = mine[0] !== mine[1];
  if (alone && mine[winner]) return t("You win");
  const seat = info.seats[winner];
  if (alone && seat.kind === "computer" && seat.level !== 0) return t("The computer wins");
  if (alone && !seat.name) return t("You lost");
  return t("{name} wins", { name: seatName(seat, info.sides[winner]) });
}

/** “Amina: 25 + 13 = 38 · North: 3 + 7 = 10. A player holds more than half of the seeds.” */
export function sums(
  outcome: Outcome,
  swept: readonly [number, number],
  info: Pick<RoomInfo, "seats" | "sides">,
  mine: readonly boolean[],
): string {
  const why = outcome.why ?? "";
  if (UNCOUNTED.includes(outcome.reason)) return why;
  const told = ([0, 1] as Player[]).map((player) => {
    const score = outcome.scores[player],
      given = swept[player];
    return `${t("{name}: {score}", { name: nameOf(info, mine, player), score: given ? `${score - given}\u00a0+\u00a0${given}\u00a0=\u00a0${score}` : score })}`;
  });
  return `${told.join(" · ")}. ${why}`;
}
