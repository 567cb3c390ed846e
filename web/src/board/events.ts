/** What one event changes: from a frame of a film to the next. */

import type { BoardInfo, Event, OwnEvent, Player } from "../lib/types";
import { initial } from "./board";
import { storeOf, type Frame, type Seeds } from "./frames";

/** An event of a game's own comes under its own name; the film asks for its effect alone. */
export function known(event: Event): Event {
  return "effect" in event && event.effect ? { ...event, event: "own" } : event;
}

/** The places that an event of a game's own is about. */
export function touchedBy({ hole, point, start, end }: OwnEvent): string[] {
  return [hole, point, start, end].filter((place) => place !== undefined);
}

class Change {
  readonly frame: Frame;

  constructor(
    readonly board: BoardInfo,
    readonly before: Frame,
    readonly player: Player,
    event: Event,
  ) {
    this.frame = { ...before, event, marked: [] };
  }

  /** Is it the colour of the second kind? */
  second(colour: string): boolean {
    return colour !== "" && colour === initial(this.board.kinds[1] ?? "-");
  }

  /** From here on the seeds are this frame's own. */
  touch(): void {
    this.frame.seeds = { ...this.before.seeds };
  }

  add(place: string | null, r: number, b = 0): void {
    if (place === null) return;
    const held = this.frame.seeds[place] ?? { r: 0, b: 0 };
    this.frame.seeds[place] = { ...held, r: held.r + r, b: held.b + b };
  }

  take(place: string): Seeds {
    const held = this.frame.seeds[place] ?? { r: 0, b: 0 };
    this.frame.seeds[place] = { r: 0, b: 0 };
    return held;
  }

  /** A store by its name, or else the player's own. */
  store(name: string | undefined, player: Player = this.player): string | null {
    return this.board.stores.find((store) => store.name === name)?.name ?? storeOf(this.board, player);
  }

  begin(from: string | null, last: string | null): void {
    Object.assign(this.frame, { from, last, taken: [], mills: [] });
  }
}

type Kind = Event["event"];
type Act<K extends Kind> = (change: Change, event: Extract<Event, { event: K }>) => void;

const ACTS: { [K in Kind]?: Act<K> } = {
  lift(change, { hole, seeds, colour }) {
    const { frame } = change,
      blue = change.second(colour);
    change.touch();
    change.add(hole, blue ? 0 : -seeds, blue ? -seeds : 0);
    frame.hand = { at: hole, r: blue ? 0 : seeds, b: blue ? seeds : 0 };
    change.begin(hole, null);
    frame.origin = hole;
  },
  sow(change, { hole, colour }) {
    const { frame, before } = change,
      r = change.second(colour) ? 0 : 1,
      b = 1 - r;
    change.touch();
    change.add(hole, r, b);
    const hand = before.hand ?? { at: hole, r: 0, b: 0 };
    frame.hand = { at: hole, r: hand.r - r, b: hand.b - b };
    if (frame.hand.r + frame.hand.b <= 0) frame.hand = null;
    frame.last = hole;
  },
  capture(change, { hole, to }) {
    const { frame, before } = change;
    change.touch();
    const { r, b } = change.take(hole);
    frame.taken = [...before.taken, hole];
    if (to) {
      change.add(change.store(to), r, b);
      return;
    }
    const hand = before.hand ?? { at: hole, r: 0, b: 0 };
    frame.hand = { at: hand.at, r: hand.r + r, b: hand.b + b };
  },
  relay(change, { hole }) {
    change.touch();
    const { r, b } = change.take(hole);
    change.frame.hand = { at: hole, r, b };
    change.frame.origin = hole;
  },
  sweep(change, { holes, player }) {
    change.touch();
    for (const hole of holes) {
      const { r, b } = change.take(hole);
      change.add(storeOf(change.board, player), r, b);
    }
  },
  place(change, { player, point }) {
    const { frame, before } = change;
    frame.cows = { ...before.cows, [point]: player };
    frame.hands = [...before.hands];
    frame.hands[player] -= 1;
    change.begin(null, point);
  },
  slide: moved,
  fly: moved,
  mill({ frame, before }, { points }) {
    frame.mills = [...before.mills, points];
  },
  shoot(change, { player, point }) {
    removed(change, point);
    change.frame.shot = [...change.before.shot];
    change.frame.shot[player] += 1;
    change.frame.taken = [point];
    change.frame.mills = [];
  },
  own(change, event) {
    const { frame, before } = change;
    frame.marked = touchedBy(event);
    if (event.effect === "move" && event.start && event.end) carried(change, event.start, event.end);
    const place = event.hole ?? event.point;
    if (!place) return;
    if (event.effect === "lock") frame.locked = [...before.locked, place];
    if (event.effect === "take" || (event.effect === "lock" && event.to)) {
      won(change, place, change.store(event.to, event.player));
    }
  },
};

function moved(change: Change, { player, start, end }: { player: Player; start: string; end: string }): void {
  const { [start]: _moved, ...rest } = change.before.cows;
  change.frame.cows = { ...rest, [end]: player };
  change.begin(start, end);
}

function removed({ frame, before }: Change, point: string): void {
  const { [point]: _gone, ...rest } = before.cows;
  frame.cows = rest;
}

/** All that lies in a place goes to another. */
function carried(change: Change, start: string, end: string): void {
  const cow = change.before.cows[start];
  if (cow !== undefined) {
    moved(change, { player: cow, start, end });
    return;
  }
  change.touch();
  const { r, b } = change.take(start);
  change.add(end, r, b);
  change.begin(start, end);
}

/** All that lies in a place goes to a store. */
function won(change: Change, place: string, store: string | null): void {
  removed(change, place);
  change.touch();
  const { r, b } = change.take(place);
  change.add(store, r, b);
  change.frame.taken = [...change.before.taken, place];
}

export function next(board: BoardInfo, before: Frame, told: Event, player: Player): Frame {
  const event = known(told),
    change = new Change(board, before, player, event);
  (ACTS[event.event] as ((change: Change, event: Event) => void) | undefined)?.(change, event);
  return change.frame;
}
