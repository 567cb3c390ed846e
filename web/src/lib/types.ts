/** The words of the protocol (docs/protocol.md), as far as the browser uses them. */

export type Player = 0 | 1;
export type Move = number | string;
/** What a game is played on; the words are in the language of the page. */
export interface BoardInfo {
  family: string;
  places: BoardPlace[];
  stores: BoardPlace[];
  kinds: string[]; // what may lie in a place; counts stand in this order
  piece: string;
  pieces: string;
  score: string;
  hole: string;
  lines: string[][];
}
export interface BoardPlace {
  name: string;
  row: number;
  column: number;
  label: string;
  owner: Player | null;
  key: string; // what one types to choose it
  role: string;
}
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

export interface Outcome {
  winner: Player | null;
  scores: [number, number];
  reason: string;
  sentence?: string;
  story?: string;
  why?: string; // the reason as a sentence
}

/** How many red and blue seeds each player has captured, as far as anybody knows. */
export type Captured = [[number, number], [number, number]];

export interface Preview {
  last: string | null;
  captures: [string, number][];
  again?: boolean;
  laps?: number;
  ends?: boolean;
  mills?: string[][];
}

export interface Choice {
  move: Move;
  word: string;
  from: string | null;
  to: string | null;
  story: string;
  preview: Preview | null;
}

export interface View extends Scene {
  game: string;
  title: string;
  rules?: string;
  text: string;
  turn: Player | null;
  scores: [number, number];
  sides: [string, string];
  legal: Choice[];
  barred: Record<string, string>;
  marks?: Record<string, unknown>;
  outcome: Outcome | null;
}

/** The name without the options: `name(pits=6,seeds=4)`. */
export function gameName(game: string): string {
  return game.split("(")[0] as string;
}

export interface OptionCard {
  name: string;
  type: "int" | "bool" | "choice";
  default: number | string | boolean;
  choices: string[];
  low: number;
  high: number;
  label: string;
  help: string;
  words: Record<string, Words>;
}
/** What people call something, and a line about it. */
export interface Words {
  word: string;
  line: string;
}
export interface Card {
  name: string;
  id: string;
  title: string;
  summary: string;
  people: string;
  rulebook: string;
  sides: [string, string];
  options: OptionCard[];
  presets: Record<string, Record<string, number | string | boolean>>;
  preset_words: Record<string, Words>;
  setups: boolean;
  lesson: number;
  notations: string[];
  start: View;
  scene: Scene["places"]; // a good moment, to look at
}

export interface SeatAsked {
  kind: "human" | "computer" | "open";
  level?: number;
  name?: string;
}
export interface Seat {
  kind: "human" | "computer" | "open";
  level: number | null;
  name: string;
  yours?: boolean;
  member?: boolean;
  bot?: boolean;
  simple?: boolean;
}
export interface Clock {
  control: string;
  left: [number, number];
  running: Player | null;
}
/** How much is told of what a move would do. */
export type Help = "none" | "landing" | "full";
export type Status = "open" | "setup" | "playing" | "over";
/** Who is there; in how many seconds an absent player may be claimed; how many watch. */
export interface Presence {
  here: [boolean, boolean];
  claim_in: [number | null, number | null];
  watchers: number;
}

export interface Summary {
  id: string;
  game: string;
  title: string;
  sides: [string, string];
  seats: Seat[];
  status: Status;
  plies: number;
  position: string;
  turn: Player | null;
  scores: [number, number];
  outcome: Outcome | null;
  clock: string;
  created: string;
  updated: string;
  imported: boolean;
  rated?: boolean;
}

export interface RoomInfo {
  id: string;
  game: string;
  rules: string;
  title: string;
  sides: [string, string];
  status: Status;
  start: string;
  control: string;
  setups: boolean;
  ready: [boolean, boolean];
  seats: [Seat, Seat];
  owner: boolean;
  imported: boolean;
  rated: boolean;
  help: Help;
  between_people: boolean;
  invites: (string | null)[] | null;
  invite_base: string | null;
  can: {
    move: boolean;
    undo: boolean;
    resign: boolean;
    draw: boolean;
    abort: boolean;
    hint: boolean;
    say: boolean;
    rematch: boolean;
  };
}

export interface Told {
  ply: number;
  player: Player;
  move: Move;
  word: string;
  story: string;
}

export interface Snapshot {
  t: "snapshot";
  version: number;
  room: RoomInfo;
  view: View | null;
  moves: Told[];
  clock: Clock | null;
  draw_offered_by: Player | null;
  thinking: { player: Player; compiling?: boolean; seconds?: number } | null;
  undo_offered: { player: Player; plies: number } | null;
  rematch: { by: Player | null; room: string | null };
  presence: Presence;
  captured: Captured | null;
}

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
export interface Invitation {
  state: "open" | "own" | "yours" | "taken" | "expired";
  room: string;
  seat: Player;
  game: string;
  title: string;
  sides: [string, string];
  clock: string;
  rated: boolean;
  setups: boolean;
  position: string | null;
  from: string;
  status: Status;
  rating: { rating: number; provisional: boolean } | null;
}

/** A move with its story and what came of it. */
export interface Step {
  events: Event[];
  word: string;
  move: Move;
  story: string;
  player: Player;
  view: View;
}

export interface LessonStep {
  title: string;
  text: string;
  game: string;
  position: string;
  accept: Move[];
  words: string[];
  hint: string;
  after: string;
  view: View;
}
export interface Lesson {
  game: string;
  title: string;
  steps: LessonStep[];
}

export interface Line {
  margin: number;
  win: number | null;
  exact: boolean;
  result: number | null;
  likely: number;
  moves: Move[];
  words: string[];
}
export interface Info {
  t: "info";
  id: string;
  turn: Player;
  depth: number;
  nodes: number;
  seconds: number;
  lines: Line[];
  final: boolean;
}
