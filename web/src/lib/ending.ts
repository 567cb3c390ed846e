/** How a game ended, told with the names of those who played it and added up. */

import { t } from "./i18n.svelte";
import type { Event, Outcome, Player, RoomInfo, View } from "./types";
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

/** Why a game ended that nobody counts: told with the name of whoever lost it, where one did. */
function decision(
  outcome: Outcome,
  info: Pick<RoomInfo, "seats" | "sides">,
  mine: readonly boolean[],
): string {
  if (outcome.winner === null) return outcome.why ?? "";
  const loser = (1 - outcome.winner) as Player,
    you = mine[loser] && !mine[outcome.winner],
    name = seatName(info.seats[loser], info.sides[loser]);
  switch (outcome.reason) {
    case "resignation":
      return you ? t("You have resigned.") : t("{name} has resigned.", { name });
    case "timeout":
      return you ? t("You have run out of time.") : t("{name} has run out of time.", { name });
    case "abandoned":
      return you ? t("You have left the game.") : t("{name} has left the game.", { name });
    default:
      return outcome.why ?? "";
  }
}

/** “25 + 13 = 38”, or what there was without a gift. */
function added(score: number, given: number): string | number {
  return given ? [score - given, "+", given, "=", score].join("\u00a0") : score;
}

/** “Amina: 25 + 13 = 38 · North: 3 + 7 = 10. A player holds more than half of the seeds.” */
export function sums(
  outcome: Outcome,
  swept: readonly [number, number],
  info: Pick<RoomInfo, "seats" | "sides">,
  mine: readonly boolean[],
): string {
  if (UNCOUNTED.includes(outcome.reason)) return decision(outcome, info, mine);
  const told = ([0, 1] as Player[]).map((player) =>
    t("{name}: {score}", {
      name: nameOf(info, mine, player),
      score: added(outcome.scores[player], swept[player]),
    }),
  );
  return `${told.join(" · ")}. ${outcome.why ?? ""}`;
}

/** A finished game that is opened again: what its last scores are made of. */
export function sweptAtEnd({ outcome, scores }: View): [number, number] {
  return outcome ? [outcome.scores[0] - scores[0], outcome.scores[1] - scores[1]] : [0, 0];
}
