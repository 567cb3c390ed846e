/**
 * What is sent and answered over HTTP. Written by tools/api_types.py from the server's own
 * declarations (src/mbegu/server/api/schemas.py): change those, and run `python tools/api_types.py`.
 */

/** What the engine thinks of a position. */
export interface Analysis {
  depth: number;
  final: boolean;
  lines: Line[];
  nodes: number;
  seconds: number;
  turn: 0 | 1 | null;
}

/** What a game is played on; the words are in the language of the page. Counts stand in the order of kinds. */
export interface BoardInfo {
  family: string;
  hole: string;
  kinds: string[];
  lines: string[][];
  piece: string;
  pieces: string;
  places: BoardPlace[];
  score: string;
  stores: BoardPlace[];
}

/** A place on a board: where it lies, whose it is, what one types to choose it. */
export interface BoardPlace {
  column: number;
  key: string;
  label: string;
  name: string;
  owner: 0 | 1 | null;
  role: string;
  row: number;
}

/** What the one who asks may do now. */
export interface Can {
  abort: boolean;
  draw: boolean;
  hint: boolean;
  move: boolean;
  rematch: boolean;
  resign: boolean;
  say: boolean;
  undo: boolean;
}

/** What a game is; `scene` is what lies where at a good moment, to look at. */
export interface Card {
  id: string;
  lesson?: number;
  name: string;
  notations: string[];
  options: OptionCard[];
  page: boolean;
  people: string;
  preset_words: Record<string, Words>;
  presets: Record<string, Record<string, number | boolean | string>>;
  rulebook: string;
  scene: Record<string, number[]>;
  setups: boolean;
  sides: [string, string];
  start: View;
  summary: string;
  title: string;
}

/** A legal move. */
export interface Choice {
  from: string | null;
  move: number | string;
  preview: Preview | null;
  story: string;
  to: string | null;
  word: string;
}

/** Seconds that are left to both, and whose clock runs. */
export interface Clock {
  control: string;
  left: [number | null, number | null];
  running: 0 | 1 | null;
}

/** What is wrong, as a sentence; where in a text, or by which rule, if that can be said. */
export interface Error {
  column?: number | null;
  error: string;
  line?: number | null;
  rule?: string | null;
}

/** All games, and what this server can do. */
export interface Games {
  engine: boolean;
  games: Card[];
  levels: [number, number];
  protocol: number;
  unusable: Unusable[];
  version: string;
}

/** A game as it went on in a tab, from its start. */
export interface Handed {
  after: number;
  commands?: string[];
  count: number;
  device: string;
  end?: OwnEnd | null;
  left?: [number, number] | null;
  moves: (number | string)[];
}

/** How the game stands here now; `new` unless it stood so already. */
export interface HandedIn {
  new: boolean;
  plies: number;
  version: number;
}

/** A game, step by step. */
export interface Lesson {
  game: string;
  steps: LessonStep[];
  title: string;
}

/** A step of a lesson, in which the learner makes one of the moves that are accepted. */
export interface LessonStep {
  accept: (number | string)[];
  after: string;
  game: string;
  hint: string;
  position: string;
  text: string;
  title: string;
  view: View;
  words: string[];
}

/** What the engine would play (a principal variation), and what it thinks of it. */
export interface Line {
  exact: boolean;
  likely: number;
  margin: number;
  moves: (number | string)[];
  result: number | null;
  settled: number | null;
  win: number | null;
  words: string[];
}

/** A game from a position, by some moves. */
export interface LinkAsked {
  game: string;
  moves: (number | string)[];
  players?: [string, string];
  position?: string | null;
}

/** The word that stands behind `#/r/` in an address. */
export interface LinkMade {
  link: string;
}

/** A game that came in a link. */
export interface LinkOpened {
  date: string;
  game: string;
  moves: (number | string)[];
  outcome: Outcome | null;
  players: [string, string];
  result: string;
  start: string;
}

/** The same word. */
export interface LinkToOpen {
  link: string;
}

/** A page of a list; `next` begins the page after it. */
export interface MyRooms {
  next: string | null;
  rooms: Summary[];
}

/** A new game. */
export interface NewRoom {
  clock?: string;
  game: string;
  help?: "full" | "landing" | "none";
  lot?: boolean;
  pace?: number;
  position?: string | null;
  rated?: boolean;
  seats: SeatAsked[];
  setups?: "ask" | (number[] | null)[] | null;
}

/** A setting of a game. */
export interface OptionCard {
  choices: string[];
  default: number | boolean | string;
  help: string;
  high: number;
  label: string;
  low: number;
  name: string;
  type: "bool" | "choice" | "int";
  words: Record<string, Words>;
}

/** How a game ended; `why` is the reason as a sentence. */
export interface Outcome {
  reason: string;
  result?: string;
  scores: [number, number];
  sentence?: string;
  story?: string;
  why?: string;
  winner: 0 | 1 | null;
}

/** An end that no move has brought. */
export interface OwnEnd {
  kind: "drawn" | "flagged" | "resigned";
  player: 0 | 1;
}

/** Who is there; in how many seconds an absent player may be claimed; how many watch. */
export interface Presence {
  claim_in: [number | null, number | null];
  here: [boolean, boolean];
  watchers: number;
}

/** What a move would do. */
export interface Preview {
  again?: boolean;
  captures: [string, number][];
  ends?: boolean;
  laps?: number;
  last: string | null;
  mills?: string[][];
}

/** A position to think about. */
export interface Question {
  game: string;
  history?: string[];
  lines?: number;
  position: string;
  seconds?: number;
}

/** Records to import, ours or in another notation. */
export interface Records {
  text: string;
}

/** Who wishes another game; or the room where it is played. */
export interface RematchOffer {
  by: 0 | 1 | null;
  room: string | null;
}

/** A game, beside its board. */
export interface RoomInfo {
  between_people: boolean;
  can: Can;
  continued: boolean;
  control: string;
  created: string;
  game: string;
  help: "full" | "landing" | "none";
  id: string;
  imported: boolean;
  invite_base: string | null;
  invites: [string | null, string | null] | null;
  owner: boolean;
  rated: boolean;
  ready: [boolean, boolean];
  rules: string;
  seats: [Seat, Seat];
  setups: boolean;
  sides: [string, string];
  start: string | null;
  status: Status;
  tab: "keeps" | "thinks" | null;
  title: string;
  updated: string;
}

/** The id of a new room. */
export interface RoomMade {
  room: string;
}

/** The ids of new rooms. */
export interface RoomsMade {
  rooms: string[];
}

/** Who sits there. */
export interface Seat {
  bot?: boolean;
  kind: SeatKind;
  level: number | null;
  member?: boolean;
  name: string;
  simple?: boolean;
  yours?: boolean;
}

/** Who shall sit there. */
export interface SeatAsked {
  kind: SeatKind;
  level?: number;
  name?: string;
}

/** Who may sit on a side. */
export type SeatKind = "computer" | "human" | "open";

/** A game as it stands. */
export interface Snapshot {
  captured: [[number, number], [number, number]] | null;
  clock: Clock | null;
  draw_offered_by: 0 | 1 | null;
  moves: Told[];
  presence: Presence;
  rematch: RematchOffer;
  room: RoomInfo;
  t: "snapshot";
  thinking: Thinks | null;
  undo_offered: UndoOffer | null;
  version: number;
  view: View | null;
}

/** How far a room has come. */
export type Status = "open" | "over" | "playing" | "setup";

/** A move with its story and what came of it: the view, or (if no views are wanted) its text. */
export interface StepTold {
  events: Record<string, unknown>[];
  move: number | string;
  player: 0 | 1;
  scores?: [number, number];
  story: string;
  text?: string;
  view?: View;
  word: string;
}

/** Several moves, one after the other. */
export interface Steps {
  steps: StepTold[];
}

/** A game in a list. */
export interface Summary {
  clock: string;
  created: string;
  game: string;
  id: string;
  imported: boolean;
  outcome: Outcome | null;
  plies: number;
  position: string | null;
  rated?: boolean;
  scores: [number, number] | null;
  seats: [Seat, Seat];
  sides: [string, string];
  status: Status;
  title: string;
  turn: 0 | 1 | null;
  updated: string;
}

/** A computer thinks; for how long, if many wait. */
export interface Thinks {
  compiling?: boolean;
  player: 0 | 1;
  seconds?: number;
}

/** A move that was made. */
export interface Told {
  move: number | string;
  player: 0 | 1;
  ply: number;
  story: string;
  word: string;
}

/** A move to try, or several; nothing is kept. */
export interface Trial {
  game: string;
  move?: number | string;
  moves?: (number | string)[];
  position?: string | null;
  views?: boolean;
}

/** Somebody wishes to take a move back. */
export interface UndoOffer {
  player: 0 | 1;
  plies: number;
}

/** A game that is there, but cannot be played. */
export interface Unusable {
  name: string;
  why: string;
}

/** A position and all about it: what lies where, what may be played, and why not the rest. */
export interface View {
  barred: Record<string, string>;
  board: BoardInfo;
  game: string;
  legal: Choice[];
  marks?: Record<string, unknown>;
  outcome: Outcome | null;
  places: Record<string, number[]>;
  rules?: string;
  scores: [number, number];
  sides: [string, string];
  state?: Record<string, unknown>;
  tags?: Record<string, string[]>;
  text: string;
  title: string;
  turn: 0 | 1 | null;
}

/** What people call something, and a line about it. */
export interface Words {
  line: string;
  word: string;
}
