/** A move as a film: one frame before each event and one after the last. No rule is decided here. */

import type { Awale2State, Captured, Event, KalahState, MillState, Outcome, OwareState, Player, State, UrubuguState, View } from "../lib/types";
import { gameName } from "../lib/types";

/** Seeds of a place: `r` red or plain, `b` blue; `p` in a store of two colours those whose colour nobody knows. */
export interface Seeds { r: number; b: number; p?: number }

export interface Hand extends Seeds { at: string }

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
  player: Player | null; // whose move it belongs to
}

export const STORES: readonly [string, string] = ["store0", "store1"];
export const POINTS = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7".split(" ");
const HOUSES = "ABCDEFabcdef";

function plain(): Frame {
  return { seeds: {}, cows: {}, hands: [0, 0], shot: [0, 0], hand: null, event: null, last: null, from: null, origin: null, taken: [], mills: [], player: null };
}

/** A Kalah store is called S or N in events; on every board ours are store0 and store1. */
export function placeOf(hole: string): string {
  return hole === "S" ? STORES[0] : hole === "N" ? STORES[1] : hole;
}

/** The board at rest. */
export function still(game: string, state: State, captured: Captured | null = null): Frame {
  const frame = plain();
  const put = (place: string, r: number, b = 0) => { frame.seeds[place] = { r, b }; };
  switch (gameName(game)) {
    case "oware": {
      const { board, score } = state as OwareState;
      board.forEach((count, k) => put(HOUSES.charAt(k), count));
      score.forEach((count, k) => put(STORES[k as Player], count));
      break;
    }
    case "kalah": {
      const { pits } = state as KalahState;
      const size = pits.length / 2 - 1;
      pits.forEach((count, k) => {
        const owner = k > size ? 1 : 0;
        const pit = k - owner * (size + 1);
        put(pit === size ? STORES[owner] : `${"SN".charAt(owner)}${pit + 1}`, count);
      });
      break;
    }
    case "awale2": {
      const { red, blue, score } = state as Awale2State;
      red.forEach((count, k) => put(String(k + 1), count, blue[k]));
      score.forEach((count, k) => {
        const [r, b] = captured?.[k as Player] ?? [0, 0];
        frame.seeds[STORES[k as Player]] = { r, b, p: Math.max(count - r - b, 0) };
      });
      break;
    }
    case "urubugu": {
      const { p0, p1 } = state as UrubuguState;
      p0.forEach((count, k) => put(`S${k + 1}`, count));
      p1.forEach((count, k) => put(`N${k + 1}`, count));
      break;
    }
    case "morabaraba": {
      const { board, in_hand, score } = state as MillState;
      POINTS.forEach((point, k) => {
        const mark = board.charAt(k);
        if (mark !== ".") frame.cows[point] = mark === "x" ? 0 : 1;
      });
      frame.hands = [...in_hand];
      frame.shot = [...score];
      break;
    }
  }
  return frame;
}

function add(frame: Frame, place: string, r: number, b = 0): void {
  const held = frame.seeds[place] ?? { r: 0, b: 0 };
  frame.seeds[place] = { ...held, r: held.r + r, b: held.b + b };
}

/** Where what is left at the end goes to its owners, the board is empty and the stores hold the scores. */
function settle(frame: Frame, outcome: Outcome | null | undefined): Frame {
  const holes = Object.keys(frame.seeds).filter((place) => !STORES.includes(place));
  const left = holes.reduce((sum, place) => sum + total(frame.seeds[place]), 0);
  if (!outcome || !left || !(STORES[0] in frame.seeds)) return frame;
  const stored = STORES.reduce((sum, place) => sum + total(frame.seeds[place]), 0);
  if (outcome.scores[0] + outcome.scores[1] !== left + stored) return frame; // it counts for nobody, or nobody has counted
  const seeds: Frame["seeds"] = Object.fromEntries(holes.map((place) => [place, { r: 0, b: 0 }]));
  STORES.forEach((place, player) => { seeds[place] = { r: outcome.scores[player as Player], b: 0 }; });
  return { ...frame, seeds };
}

function next(before: Frame, event: Event, player: Player): Frame {
  const frame: Frame = { ...before, event };
  const touch = () => { frame.seeds = { ...before.seeds }; };
  const take = (place: string): Seeds => {
    const held = frame.seeds[place] ?? { r: 0, b: 0 };
    frame.seeds[place] = { r: 0, b: 0 };
    return held;
  };
  switch (event.event) {
    case "lift": {
      touch();
      const at = placeOf(event.hole);
      const blue = event.colour === "B";
      add(frame, at, blue ? 0 : -event.seeds, blue ? -event.seeds : 0);
      frame.hand = { at, r: blue ? 0 : event.seeds, b: blue ? event.seeds : 0 };
      frame.from = frame.origin = at;
      frame.last = null;
      frame.taken = [];
      frame.mills = [];
      break;
    }
    case "sow": {
      touch();
      const at = placeOf(event.hole);
      const blue = event.colour === "B";
      add(frame, at, blue ? 0 : 1, blue ? 1 : 0);
      const hand = before.hand ?? { at, r: 0, b: 0 };
      frame.hand = { at, r: hand.r - (blue ? 0 : 1), b: hand.b - (blue ? 1 : 0) };
      if (frame.hand.r + frame.hand.b <= 0) frame.hand = null;
      frame.last = at;
      break;
    }
    case "capture": {
      touch();
      const at = placeOf(event.hole);
      const { r, b } = take(at);
      frame.taken = [...before.taken, at];
      if (event.to) add(frame, STORES[player], r, b);
      else {
        const hand = before.hand ?? { at, r: 0, b: 0 };
        frame.hand = { at: hand.at, r: hand.r + r, b: hand.b + b };
      }
      break;
    }
    case "relay": {
      touch();
      const at = placeOf(event.hole);
      const { r, b } = take(at);
      frame.hand = { at, r, b };
      frame.origin = at;
      break;
    }
    case "sweep": {
      touch();
      for (const hole of event.holes) {
        const { r, b } = take(placeOf(hole));
        add(frame, STORES[event.player], r, b);
      }
      break;
    }
    case "place":
      frame.cows = { ...before.cows, [event.point]: event.player };
      frame.hands = [...before.hands];
      frame.hands[event.player] -= 1;
      frame.from = null;
      frame.last = event.point;
      frame.taken = [];
      frame.mills = [];
      break;
    case "slide":
    case "fly": {
      const { [event.start]: _moved, ...rest } = before.cows;
      frame.cows = { ...rest, [event.end]: event.player };
      frame.from = event.start;
      frame.last = event.end;
      frame.taken = [];
      frame.mills = [];
      break;
    }
    case "mill":
      frame.mills = [...before.mills, event.points];
      break;
    case "shoot": {
      const { [event.point]: _shot, ...rest } = before.cows;
      frame.cows = rest;
      frame.shot = [...before.shot];
      frame.shot[event.player] += 1;
      frame.taken = [event.point];
      frame.mills = [];
      break;
    }
  }
  return frame;
}

/** The frames of a move: `before` first, the position after it last. */
export function film(game: string, before: State, events: Event[], player: Player, after: State, captured: Captured | null = null): Frame[] {
  const closing = events.find((event) => event.event === "end");
  const end = settle(still(game, after), closing?.outcome);
  const frames: Frame[] = [{ ...still(game, before, captured), player }];
  for (const event of events) frames.push(next(frames[frames.length - 1] as Frame, event, player));
  const told = frames[frames.length - 1] as Frame;
  for (const store of STORES) { // which colours lie there, only the story tells
    const held = told.seeds[store];
    if (held && total(held) === total(end.seeds[store])) end.seeds[store] = held;
  }
  // The server's position is the truth; the film only keeps what happened on the way.
  frames[frames.length - 1] = { ...end, player, event: told.event, last: told.last, from: told.from, taken: told.taken, mills: told.mills };
  return frames;
}

export function total(seeds: Seeds | undefined): number {
  return seeds ? seeds.r + seeds.b + (seeds.p ?? 0) : 0;
}

/** The colours of what each player has captured, in a frame of a game with two of them. */
export function capturedIn(game: string, frame: Frame | undefined): Captured | null {
  if (!frame || gameName(game) !== "awale2") return null;
  const [first, second] = STORES.map((store) => frame.seeds[store] ?? { r: 0, b: 0 }) as [Seeds, Seeds];
  return [[first.r, first.b], [second.r, second.b]];
}

/** What each player has won in a frame, so that scores change when the seeds arrive. */
export function scoresIn(game: string, frame: Frame): [number, number] {
  const name = gameName(game);
  if (name === "morabaraba") return frame.shot;
  const sum = (places: string[]) => places.reduce((all, place) => all + total(frame.seeds[place]), 0);
  if (name !== "urubugu") return [sum([STORES[0]]), sum([STORES[1]])];
  const own = (letter: string) => Object.keys(frame.seeds).filter((place) => place.startsWith(letter));
  return [sum(own("S")), sum(own("N"))];
}

/** The rest position of a view, with the marks of the move that led to it. */
export function rest(view: View, captured: Captured | null = null): Frame {
  return settle(still(view.game, view.state, captured), view.outcome);
}
