/** The words of the protocol (docs/protocol.md), as far as the browser uses them. */

import type { Analysis, BoardInfo, Outcome, StepTold, View } from "./api_types";

// What comes over HTTP is declared by the server, and written down by tools/api_types.py.
export type {
  BoardInfo,
  BoardPlace,
  Outcome,
  Preview,
  Choice,
  View,
  OptionCard,
  Words,
  Card,
  SeatAsked,
  Seat,
  Clock,
  Presence,
  Summary,
  RoomInfo,
  Told,
  Snapshot,
  LessonStep,
  Lesson,
  Line,
  Status,
} from "./api_types";
export type { Invitation } from "./api_people";

export type Player = 0 | 1;
export type Move = number | string;
/** What lies where: enough to draw a board. */
export interface Scene {
  board: BoardInfo;
  places: Record<string, number[]>;
  tags?: Record<string, string[]>;
}

/** One step of a move; `told` is the same as a sentence. */
export type Event = { told?: string } & (
  | { event: "lift"; hole: string; seeds: number; colour: string }
  | { event: "sow"; hole: string; now: number; colour: string }
  | { event: "skip"; hole: string }
  | { event: "capture"; hole: string; seeds: number; to: string }
  | { event: "forfeit"; holes: string[] }
  | { event: "relay"; hole: string; seeds: number }
  | { event: "laplimit"; laps: number }
  | { event: "extraturn"; player: Player }
  | { event: "sweep"; player: Player; holes: string[]; seeds: number }
  | { event: "place"; player: Player; point: string }
  | { event: "slide"; player: Player; start: string; end: string }
  | { event: "fly"; player: Player; start: string; end: string }
  | { event: "mill"; player: Player; points: string[] }
  | { event: "millbroken"; player: Player; points: string[] }
  | { event: "shoot"; player: Player; point: string }
  | { event: "end"; outcome: Outcome }
  | OwnEvent
);

/** An event that only one game knows: a film shows its effect. On the wire `event` is its name. */
export interface OwnEvent {
  event: "own";
  effect: "move" | "take" | "mark" | "lock";
  player?: Player;
  hole?: string;
  point?: string;
  start?: string;
  end?: string;
  seeds?: number;
  to?: string;
}

/** How many red and blue seeds each player has captured, as far as anybody knows. */
export type Captured = [[number, number], [number, number]];

/** The name without the options: `name(pits=6,seeds=4)`. */
export function gameName(game: string): string {
  return game.split("(")[0] as string;
}

/** How much is told of what a move would do. */
export type Help = "none" | "landing" | "full";
/** Somebody in the lobby looks for a game. */
export interface Seek {
  id: string;
  game: string;
  title: string;
  clock: string;
  setups: boolean;
  rated: boolean;
  side: Player | null;
  quick: boolean;
  name: string;
  member: boolean;
  bot: boolean;
  rating: number | null;
  yours: boolean;
  to: string | null;
}
export interface Info extends Analysis {
  t: "info";
  id: string;
}
/** A move with its story and what came of it. */
export type Step = Omit<StepTold, "events" | "view"> & { events: Event[]; view: View };
