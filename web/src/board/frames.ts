/** A move as a film: one frame before each event and one after the last. No rule is decided here. */

import type { BoardInfo, Captured, Event, Outcome, Player, Scene, View } from "../lib/types";
import { next } from "./events";

/** Seeds of a place: `r` red or plain, `b` blue; `p` in a store of two colours those whose colour nobody knows. */
export interface Seeds {
  r: number;
  b: number;
  p?: number;
}

export interface Hand extends Seeds {
  at: string;
}

export interface Frame {
  seeds: Record<string, Seeds>; // sowing games, by place
  cows: Record<string, Player>; // mill games, by point
  hands: [number, number]; // cows still to place
  shot: [number, number]; // cows shot by each
  hand: Hand | null; // seeds on their way
  event: Event | null; // what led here
  last: string | null; // where the last seed or cow fell
  from: string | null; // where the move began
  origin: string | null; // where this lap began
  taken: string[]; // what was captured so far
  mills: string[][]; // mills just made
  marked: string[]; // what an event of the game's own points at
  locked: string[]; // places with a mark that stays
  player: Player | null; // whose move it belongs to
}

function plain(): Frame {
  return {
    seeds: {},
    cows: {},
    hands: [0, 0],
    shot: [0, 0],
    hand: null,
    event: null,
    last: null,
    from: null,
    origin: null,
    taken: [],
    mills: [],
    marked: [],
    locked: [],
    player: null,
  };
}

const sum = (counts: readonly number[] | undefined) => (counts ?? []).reduce((all, count) => all + count, 0);

/** The name of a player's store, if the board has one. */
export function storeOf(board: BoardInfo, player: Player, role = "score"): string | null {
  return board.stores.find((store) => store.owner === player && store.role === role)?.name ?? null;
}

/** The stores with what was won, of the first player and of the second. */
export function storesOf(board: BoardInfo): string[] {
  return ([0, 1] as const).map((player) => storeOf(board, player)).filter((store) => store !== null);
}

/** The board at rest. */
export function still(scene: Scene, captured: Captured | null = null): Frame {
  const frame = plain();
  frame.locked = Object.keys(scene.tags ?? {});
  return scene.board.family === "mill" ? herded(scene, frame) : sown(scene, frame, captured);
}

function sown({ board, places }: Scene, frame: Frame, captured: Captured | null): Frame {
  for (const [name, [r = 0, b = 0]] of Object.entries(places)) frame.seeds[name] = { r, b };
  if (board.kinds.length > 1) {
    storesOf(board).forEach((store, player) => {
      const [r, b] = captured?.[player as Player] ?? [0, 0];
      frame.seeds[store] = { r, b, p: Math.max(sum(places[store]) - r - b, 0) };
    });
  }
  return frame;
}

function herded({ board, places }: Scene, frame: Frame): Frame {
  for (const { name } of board.places) {
    const kind = (places[name] ?? []).findIndex((count) => count > 0);
    if (kind >= 0) frame.cows[name] = kind === 0 ? 0 : 1;
  }
  for (const player of [0, 1] as const) {
    frame.hands[player] = sum(places[storeOf(board, player, "hand") ?? ""]);
    frame.shot[player] = sum(places[storeOf(board, player) ?? ""]);
  }
  return frame;
}

/** Where what is left at the end goes to its owners, the board is empty and the stores hold the scores. */
function settle(board: BoardInfo, frame: Frame, outcome: Outcome | null | undefined): Frame {
  const stores = storesOf(board);
  if (!outcome || stores.length < 2 || board.family === "mill") return frame;
  const holes = Object.keys(frame.seeds).filter((place) => !stores.includes(place));
  const all = (places: string[]) => places.reduce((count, place) => count + total(frame.seeds[place]), 0);
  const left = all(holes);
  // It counts for nobody, or nobody has counted.
  if (!left || outcome.scores[0] + outcome.scores[1] !== left + all(stores)) return frame;
  const seeds: Frame["seeds"] = Object.fromEntries(holes.map((place) => [place, { r: 0, b: 0 }]));
  stores.forEach((place, player) => {
    seeds[place] = { r: outcome.scores[player as Player], b: 0 };
  });
  return { ...frame, seeds };
}

/** The frames of a move: `before` first, the position after it last. */
export function film(
  before: Scene,
  events: Event[],
  player: Player,
  after: Scene,
  captured: Captured | null = null,
): Frame[] {
  const { board } = after;
  const closing = events.find((event) => event.event === "end");
  const end = settle(board, still(after), closing?.outcome);
  const frames: Frame[] = [{ ...still(before, captured), player }];
  for (const event of events) frames.push(next(board, frames[frames.length - 1] as Frame, event, player));
  const told = frames[frames.length - 1] as Frame;
  for (const store of storesOf(board)) {
    // which colours lie there, only the story tells
    const held = told.seeds[store];
    if (held && total(held) === total(end.seeds[store])) end.seeds[store] = held;
  }
  // The server's position is the truth; the film only keeps what happened on the way.
  const { event, last, from, taken, mills } = told;
  frames[frames.length - 1] = { ...end, player, event, last, from, taken, mills };
  return frames;
}

export function total(seeds: Seeds | undefined): number {
  return seeds ? seeds.r + seeds.b + (seeds.p ?? 0) : 0;
}

/** The colours of what each player has captured, in a frame of a game with two of them. */
export function capturedIn(board: BoardInfo, frame: Frame | undefined): Captured | null {
  const stores = storesOf(board);
  if (!frame || board.family === "mill" || board.kinds.length < 2 || stores.length < 2) return null;
  const [first, second] = stores.map((store) => frame.seeds[store] ?? { r: 0, b: 0 }) as [Seeds, Seeds];
  return [
    [first.r, first.b],
    [second.r, second.b],
  ];
}

/** The colours that the moves from view to view have captured: what the board has lost, the mover has won. */
export function capturedBy(scenes: Scene[], movers: Player[]): Captured {
  const won: Captured = [
    [0, 0],
    [0, 0],
  ];
  const lying = ({ board, places }: Scene, kind: number) =>
    board.places.reduce((all, { name }) => all + (places[name]?.[kind] ?? 0), 0);
  movers.forEach((player, k) => {
    const before = scenes[k],
      after = scenes[k + 1];
    if (!before || !after) return;
    for (const kind of [0, 1] as const) won[player][kind] += lying(before, kind) - lying(after, kind);
  });
  return won;
}

/** What each player has won in a frame, so that scores change when the seeds arrive. */
export function scoresIn(board: BoardInfo, frame: Frame): [number, number] {
  if (board.family === "mill") return frame.shot;
  const of = (player: Player) => {
    const store = storeOf(board, player);
    if (store) return total(frame.seeds[store]);
    const own = board.places.filter((place) => place.owner === player);
    return own.reduce((all, { name }) => all + total(frame.seeds[name]), 0);
  };
  return [of(0), of(1)];
}

/** The rest position of a view, with the marks of the move that led to it. */
export function rest(
  view: Pick<View, "board" | "places" | "tags" | "outcome">,
  captured: Captured | null = null,
): Frame {
  return settle(view.board, still(view, captured), view.outcome);
}
