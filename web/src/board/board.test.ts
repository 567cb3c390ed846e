import { describe, expect, it } from "vitest";
import type { Event, OwareState, View } from "../lib/types";
import { towards } from "./board";
import { film, POINTS, rest, scoresIn, STORES, still, total } from "./frames";
import { fourRows, mill, ring, twoRows, type Layout } from "./layout";
import { pace } from "./pace";
import { HEAP, scatter } from "./scatter";

const start: OwareState = { board: Array<number>(12).fill(4), score: [0, 0], to_move: 0 };

describe("scatter", () => {
  it("lays every seed up to a heap, always the same way, inside the hole", () => {
    for (let count = 0; count < HEAP; count++) {
      const spots = scatter(count, 3);
      expect(spots).toHaveLength(count);
      expect(scatter(count, 3)).toEqual(spots);
      for (const { x, y } of spots) expect(Math.hypot(x, y)).toBeLessThan(0.8);
    }
  });
  it("draws a heap as a heap: never more than can be seen", () => {
    expect(scatter(HEAP, 1).length).toBe(HEAP);
    expect(scatter(64, 1).length).toBeLessThan(30);
  });
});

describe("layout", () => {
  const apart = ({ places }: Layout) => {
    const holes = places.filter((place) => place.kind === "hole");
    for (const a of holes) for (const b of holes) {
      if (a.id === b.id) continue;
      const dx = Math.abs(a.x - b.x) / (a.rx + b.rx), dy = Math.abs(a.y - b.y) / (a.ry + b.ry);
      expect(Math.hypot(dx, dy), `${a.id} and ${b.id}`).toBeGreaterThan(0.93);
    }
  };
  const inside = ({ places, width, height }: Layout) => {
    for (const { x, y, rx, ry } of places) {
      expect(x - rx).toBeGreaterThan(0);
      expect(x + rx).toBeLessThan(width);
      expect(y - ry).toBeGreaterThan(0);
      expect(y + ry).toBeLessThan(height);
    }
  };
  it("keeps holes apart and inside the board, for every size and seat", () => {
    for (const narrow of [false, true]) for (const seat of [0, 1] as const) {
      for (let pits = 1; pits <= 10; pits++) { apart(twoRows("kalah", pits, seat, narrow)); inside(twoRows("kalah", pits, seat, narrow)); }
      for (const layout of [twoRows("oware", 6, seat, narrow), ring(seat, narrow), fourRows(seat, narrow)]) { apart(layout); inside(layout); }
    }
  });
  it("seats the player at the bottom, sowing to the right", () => {
    for (const seat of [0, 1] as const) {
      const { at } = twoRows("oware", 6, seat, false);
      const [first, last, across] = seat === 0 ? ["A", "F", "a"] : ["a", "f", "A"];
      expect(at[first]!.y).toBeGreaterThan(at[across]!.y);
      expect(at[first]!.x).toBeLessThan(at[last]!.x);
    }
    const { at } = fourRows(1, false);
    expect(at.N1!.y).toBeGreaterThan(at.S1!.y);
  });
  it("puts facing cells of Urubugu in one column: h faces 25 - h and h - 8", () => {
    const { at } = fourRows(0, false);
    for (let h = 9; h <= 16; h++) {
      expect(at[`N${25 - h}`]!.x).toBeCloseTo(at[`S${h}`]!.x);
      expect(at[`N${h - 8}`]!.x).toBeCloseTo(at[`S${h}`]!.x);
    }
  });
  it("writes the numbers of Urubugu beside the rims, not on them", () => {
    for (const narrow of [false, true]) for (const { rx, ry, labelAt, countAt } of fourRows(0, narrow).places) {
      for (const [x, y] of [labelAt, countAt]) {
        const far = Math.hypot(x / rx, y / ry);
        expect(far < 0.85 || far > 1.2, `${far}`).toBe(true);
      }
    }
  });
  it("has a place for every point of Morabaraba, and turns the board", () => {
    expect(Object.keys(mill(0, false).at)).toHaveLength(24);
    expect(mill(0, true).at.a1!.y).toBeGreaterThan(mill(1, true).at.a1!.y);
    expect(POINTS).toHaveLength(24);
  });
});

describe("frames", () => {
  const events: Event[] = [
    { event: "lift", hole: "C", seeds: 4, colour: "" },
    ...["D", "E", "F", "a"].map((hole): Event => ({ event: "sow", hole, now: 5, colour: "" })),
  ];
  const after: OwareState = { board: [4, 4, 0, 5, 5, 5, 5, 4, 4, 4, 4, 4], score: [0, 0], to_move: 1 };
  it("has one frame before each event and one after, and no seed is lost on the way", () => {
    const frames = film("oware", start, events, 0, after);
    expect(frames).toHaveLength(6);
    for (const { seeds, hand } of frames) {
      const all = Object.values(seeds).reduce((sum, one) => sum + total(one), 0) + (hand ? total(hand) : 0);
      expect(all).toBe(48);
    }
    expect(frames.at(-1)).toMatchObject({ from: "C", last: "a", hand: null });
    expect(frames.at(-1)!.seeds).toEqual(still("oware", after).seeds);
  });
  it("carries captures to the mover's store", () => {
    const frames = film("oware", start, [{ event: "capture", hole: "d", seeds: 4, to: "South" }], 0, { ...start, score: [4, 0] });
    expect(total(frames[1]!.seeds[STORES[0]])).toBe(4);
    expect(frames[1]!.taken).toEqual(["d"]);
    expect(scoresIn("oware", frames[1]!)).toEqual([4, 0]);
  });
  it("sows captured beads on in Urubugu", () => {
    const p0 = Array<number>(16).fill(2), p1 = Array<number>(16).fill(2);
    const told: Event[] = [
      { event: "lift", hole: "S9", seeds: 2, colour: "" }, { event: "sow", hole: "S10", now: 3, colour: "" }, { event: "sow", hole: "S11", now: 3, colour: "" },
      { event: "capture", hole: "N14", seeds: 2, to: "" }, { event: "capture", hole: "N3", seeds: 2, to: "" },
    ];
    const frames = film("urubugu", { p0, p1, to_move: 0 }, [...told, { event: "sow", hole: "S10", now: 4, colour: "" }], 0, { p0, p1, to_move: 1 });
    expect(total(frames[5]!.hand!)).toBe(4);
    expect(frames[5]!.origin).toBe("S9");
  });
  it("moves and shoots cows", () => {
    const state = { board: "xx.".padEnd(24, "."), turn: -1 as const, phase: "MOVE" as const, in_hand: [0, 0] as [number, number], score: [0, 0] as [number, number], ban: [[], []] as [string[], string[]] };
    const frames = film("morabaraba", state, [{ event: "slide", player: 0, start: "d1", end: "g1" }, { event: "shoot", player: 1, point: "a1" }], 0, { ...state, board: "..x".padEnd(24, "."), score: [0, 1] });
    expect(frames[1]!.cows).toEqual({ a1: 0, g1: 0 });
    expect(frames[2]!.cows).toEqual({ g1: 0 });
    expect(frames[2]!.shot).toEqual([0, 1]);
  });
});

describe("pace", () => {
  const rest = still("oware", start);
  const sow = { ...rest, event: { event: "sow", hole: "A", now: 1, colour: "" } as Event };
  it("quickens as a lap gets long, and a turn of a thousand seeds still ends in sight", () => {
    const times = pace([rest, ...Array<typeof sow>(12).fill(sow)], 1);
    expect(times[0]).toBeGreaterThan(120);
    expect(times[0]).toBeLessThanOrEqual(180);
    expect(times[11]!).toBeLessThan(times[0]!);
    const long = pace([rest, ...Array<typeof sow>(2000).fill(sow)], 1);
    expect(long.reduce((sum, time) => sum + time, 0)).toBeLessThan(17_000);
  });
});

describe("towards", () => {
  it("walks from hole to hole", () => {
    const { places } = twoRows("oware", 6, 0, false);
    const holes = places.filter(({ kind }) => kind === "hole");
    const at = (id: string) => holes.find((place) => place.id === id)!;
    expect(towards("ArrowRight", at("A"), holes)?.id).toBe("B");
    expect(towards("ArrowUp", at("A"), holes)?.id).toBe("f");
    expect(towards("ArrowLeft", at("A"), holes)).toBeNull();
  });
});

describe("view", () => {
  it("is enough to draw a board at rest", () => {
    const view = { game: "kalah(pits=3,seeds=2)", state: { pits: [2, 2, 2, 1, 2, 2, 2, 0], to_move: 0 } } as unknown as View;
    expect(still(view.game, view.state).seeds).toMatchObject({ S1: { r: 2 }, store0: { r: 1 }, N3: { r: 2 }, store1: { r: 0 } });
  });
});

describe("the end", () => {
  const before: OwareState = { board: [5, 0, 0, 0, 0, 1, 1, 3, 0, 0, 0, 2], score: [23, 13], to_move: 0 };
  const after: OwareState = { board: [5, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2], score: [25, 13], to_move: null };
  const outcome = { winner: 0 as const, scores: [30, 18] as [number, number], reason: "majority" };
  const events: Event[] = [
    { event: "lift", hole: "F", seeds: 1, colour: "" }, { event: "sow", hole: "a", now: 2, colour: "" }, { event: "capture", hole: "a", seeds: 2, to: "South" },
    { event: "sweep", player: 0, holes: ["A"], seeds: 5 }, { event: "sweep", player: 1, holes: ["b", "f"], seeds: 5 }, { event: "end", outcome },
  ];
  it("sweeps what is left into the stores, and the board at rest shows the same", () => {
    const frames = film("oware", before, events, 0, after);
    expect(frames.map((frame) => scoresIn("oware", frame))).toEqual([[23, 13], [23, 13], [23, 13], [25, 13], [30, 13], [30, 18], [30, 18]]);
    const view = { game: "oware", state: after, outcome } as unknown as View;
    expect(rest(view).seeds).toEqual(frames.at(-1)!.seeds);
    expect(total(rest(view).seeds.A)).toBe(0);
  });
  it("leaves seeds where they lie when nobody has counted them", () => {
    const view = { game: "oware", state: after, outcome: { ...outcome, scores: [25, 13], reason: "resignation" } } as unknown as View;
    expect(total(rest(view).seeds.A)).toBe(5);
  });
  it("keeps the colours of what was captured", () => {
    const red = Array<number>(16).fill(0), blue = Array<number>(16).fill(0);
    const ring = { red: [1, 1, ...red.slice(2)], blue: [0, 1, ...blue.slice(2)], score: [0, 2] as [number, number], to_move: 0 as const };
    const frames = film("awale2", ring, [{ event: "lift", hole: "1", seeds: 1, colour: "R" }, { event: "sow", hole: "2", now: 3, colour: "R" }, { event: "capture", hole: "2", seeds: 3, to: "Odd" }], 0, { ...ring, red, blue, score: [3, 2], to_move: null as never });
    expect(frames.at(-1)!.seeds.store0).toEqual({ r: 2, b: 1, p: 0 });
    expect(frames.at(-1)!.seeds.store1).toEqual({ r: 0, b: 0, p: 2 });
  });
});
