import { describe, expect, it } from "vitest";
import type { BoardInfo, Choice, Event, Scene, View } from "../lib/types";
import { spotsOf, towards, unreachable } from "./board";
import { capturedBy, capturedIn, film, rest, scoresIn, still, total } from "./frames";
import {
  drawn,
  fourRows,
  layoutOf,
  mill,
  ownPlaces,
  ring,
  seated,
  sizeOf,
  twoRows,
  type Layout,
} from "./layout";
import { pace } from "./pace";
import { grooveOf } from "./mill-film.svelte";
import { filled, fourRowsBoard, millBoard, ringBoard, scene, twoRowsBoard } from "./samples";
import { HEAP, scatter } from "./scatter";

const start = filled(twoRowsBoard(6), 4);

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
    for (const a of holes)
      for (const b of holes) {
        if (a.id === b.id) continue;
        const dx = Math.abs(a.x - b.x) / (a.rx + b.rx),
          dy = Math.abs(a.y - b.y) / (a.ry + b.ry);
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
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  const boards: BoardInfo[] = [
    ...sizes.map((pits) => twoRowsBoard(pits)),
    ...sizes.map((pits) => twoRowsBoard(pits, true)),
    fourRowsBoard(),
    fourRowsBoard(6),
    fourRowsBoard(12),
    ringBoard(),
    ringBoard(8),
    ringBoard(24, ["seed"]),
  ];
  it("keeps holes apart and inside the board, for every family, size and seat", () => {
    for (const board of boards)
      for (const narrow of [false, true])
        for (const seat of [0, 1] as const) {
          const layout = layoutOf(board, seat, narrow),
            { width, height } = sizeOf(board, narrow);
          apart(layout);
          inside(layout);
          expect({ width, height }).toEqual({ width: layout.width, height: layout.height });
          expect(layout.places).toHaveLength(board.places.length + board.stores.length);
        }
  });
  it("seats the player at the bottom, sowing to the right, whoever sits on top on the board of the game", () => {
    for (const top of [false, true])
      for (const seat of [0, 1] as const) {
        const { at } = twoRows(twoRowsBoard(6, top), seat, false);
        const [first, last, across] = seat === 0 ? ["A", "F", "a"] : ["a", "f", "A"];
        expect(at[first]!.y).toBeGreaterThan(at[across]!.y);
        expect(at[first]!.x).toBeLessThan(at[last]!.x);
        expect(at[seat ? "North" : "South"]!.x).toBeGreaterThan(at[seat ? "South" : "North"]!.x);
      }
    const { at } = fourRows(fourRowsBoard(), 1, false);
    expect(at.N1!.y).toBeGreaterThan(at.S1!.y);
  });
  it("puts facing cells of four rows in one column: h faces 25 - h and h - 8", () => {
    const { at } = fourRows(fourRowsBoard(), 0, false);
    for (let h = 9; h <= 16; h++) {
      expect(at[`N${25 - h}`]!.x).toBeCloseTo(at[`S${h}`]!.x);
      expect(at[`N${h - 8}`]!.x).toBeCloseTo(at[`S${h}`]!.x);
    }
  });
  it("writes numbers beside the rims, not on them", () => {
    for (const narrow of [false, true])
      for (const { rx, ry, labelAt, countAt } of fourRows(fourRowsBoard(), 0, narrow).places) {
        for (const [x, y] of [labelAt, countAt]) {
          const far = Math.hypot(x / rx, y / ry);
          expect(far < 0.85 || far > 1.2, `${far}`).toBe(true);
        }
      }
  });
  it("lays two colours apart, and one together", () => {
    expect(ring(ringBoard(), 0, false).places[0]!.split).toBeDefined();
    expect(ring(ringBoard(12, ["seed"]), 0, false).places[0]!.split).toBeUndefined();
  });
  it("has a place for every point of a mill board, and turns it", () => {
    const board = millBoard();
    expect(Object.keys(mill(board, 0, false).at)).toHaveLength(9);
    expect(mill(board, 0, true).at.a1!.y).toBeGreaterThan(mill(board, 1, true).at.a1!.y);
    expect(seated(board, 1).find(({ name }) => name === "a1")).toMatchObject({ row: 0, column: 2 });
  });
  it("leads a line of a mill board along all its points, and back to the first", () => {
    const board = millBoard(),
      layout = mill(board, 0, false);
    const corners = (path: string) =>
      [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => `${x} ${y}`);
    const round = ["a1", "a3", "c3", "c1", "a1"];
    const spots = round.map((name) => `${layout.at[name]!.x} ${layout.at[name]!.y}`);
    expect(corners(grooveOf(layout, round))).toEqual(spots);
  });
  it("has trays beside a mill board only where something may lie in them", () => {
    for (const narrow of [false, true]) {
      const [with_, without] = [millBoard(), { ...millBoard(), stores: [] }].map((one) =>
        mill(one, 0, narrow),
      );
      expect(with_!.trays).toBe(true);
      expect(without!.trays).toBe(false);
      expect([without!.width, without!.height]).toEqual([without!.side, without!.side]);
      expect(with_!.width * with_!.height).toBeGreaterThan(without!.width * without!.height);
    }
  });
  it("shows one player's places alone", () => {
    for (const narrow of [false, true])
      for (const board of [fourRowsBoard(), twoRowsBoard(6)]) {
        const layout = ownPlaces(board, narrow);
        expect(layout.places.map(({ id }) => id)).toEqual(
          board.places.filter(({ owner }) => owner === 0).map(({ name }) => name),
        );
        inside(layout);
      }
  });
  it("leaves what it cannot draw to the server", () => {
    expect(boards.map(drawn)).not.toContain(null);
    expect(drawn(millBoard())).toBe("mill");
    expect(drawn({ ...twoRowsBoard(6), family: "grid" })).toBeNull();
    expect(drawn({ ...twoRowsBoard(6), family: "unknown", places: [] })).toBeNull();
    expect(drawn({ ...fourRowsBoard(), family: "two_rows" })).toBeNull();
    expect(drawn({ ...ringBoard(), kinds: ["a", "b", "c"] })).toBeNull();
    expect(drawn(ringBoard(40))).toBeNull();
    expect(sizeOf({ ...millBoard(), family: "grid" }, false).width).toBeGreaterThan(0);
  });
});

describe("choices", () => {
  const choice = (word: string, from: string | null, to: string | null = null) =>
    ({ word, from, to }) as Choice;
  const view = (board: BoardInfo, ...legal: Choice[]) => ({ ...scene(board), legal }) as unknown as View;
  it("are made where one touches the board", () => {
    expect(spotsOf(twoRowsBoard(6), choice("C", "C"))).toEqual(["C"]);
    expect(spotsOf(ringBoard(), choice("13B", "13"))).toEqual(["13B"]);
    expect(spotsOf(ringBoard(), choice("13", "13"))).toEqual(["13R", "13B"]);
  });
  it("have buttons of their own where the board cannot tell them apart", () => {
    const left = choice("C left", "C"),
      right = choice("C right", "C"),
      pass = choice("pass", null),
      one = choice("D", "D");
    expect(unreachable(view(twoRowsBoard(6), left, right, pass, one))).toEqual([left, right, pass]);
    const slide = choice("a1-a2", "a1", "a2"),
      other = choice("a1-b1", "a1", "b1");
    expect(unreachable(view(millBoard(), slide, other, pass))).toEqual([pass]);
    expect(unreachable(view({ ...millBoard(), family: "grid" }, slide, pass))).toEqual([pass]);
    expect(unreachable(view({ ...millBoard(), family: "unknown", places: [] }, pass))).toEqual([]);
  });
});

describe("frames", () => {
  const events: Event[] = [
    { event: "lift", hole: "C", seeds: 4, colour: "" },
    ...["D", "E", "F", "a"].map((hole): Event => ({ event: "sow", hole, now: 5, colour: "" })),
  ];
  const after = filled(twoRowsBoard(6), 4);
  Object.assign(after.places, { C: [0], D: [5], E: [5], F: [5], a: [5] });
  it("has one frame before each event and one after, and no seed is lost on the way", () => {
    const frames = film(start, events, 0, after);
    expect(frames).toHaveLength(6);
    for (const { seeds, hand } of frames) {
      const all = Object.values(seeds).reduce((sum, one) => sum + total(one), 0) + (hand ? total(hand) : 0);
      expect(all).toBe(48);
    }
    expect(frames.at(-1)).toMatchObject({ from: "C", last: "a", hand: null });
    expect(frames.at(-1)!.seeds).toEqual(still(after).seeds);
  });
  it("carries captures to the store that is told, or else the mover's", () => {
    const told = (to: string): Event[] => [
      { event: "capture", hole: "d", seeds: 4, to },
      { event: "skip", hole: "A" },
    ];
    for (const [to, scores] of [
      ["South", [4, 0]],
      ["North", [0, 4]],
      ["?", [4, 0]],
    ] as const) {
      const frames = film(start, told(to), 0, start);
      expect(frames[1]!.taken).toEqual(["d"]);
      expect(scoresIn(start.board, frames[1]!)).toEqual(scores);
    }
  });
  it("sows captured beads on where there are no stores, and counts what one has on one's own side", () => {
    const before = filled(fourRowsBoard(), 2);
    const told: Event[] = [
      { event: "lift", hole: "S9", seeds: 2, colour: "" },
      { event: "sow", hole: "S10", now: 3, colour: "" },
      { event: "sow", hole: "S11", now: 3, colour: "" },
      { event: "capture", hole: "N14", seeds: 2, to: "" },
      { event: "capture", hole: "N3", seeds: 2, to: "" },
      { event: "sow", hole: "S10", now: 4, colour: "" },
    ];
    const frames = film(before, told, 0, before);
    expect(total(frames[5]!.hand!)).toBe(4);
    expect(frames[5]!.origin).toBe("S9");
    expect(scoresIn(before.board, frames[5]!)).toEqual([32, 28]);
  });
  it("moves and shoots cows", () => {
    const board = millBoard(),
      before = scene(board, { a1: [1, 0], b1: [1, 0], "hand-1": [0, 3] });
    const told: Event[] = [
      { event: "slide", player: 0, start: "b1", end: "c1" },
      { event: "shoot", player: 1, point: "a1" },
    ];
    const frames = film(before, told, 0, scene(board, { c1: [1, 0], "score-1": [1, 0], "hand-1": [0, 3] }));
    expect(frames[0]!.hands).toEqual([0, 3]);
    expect(frames[1]!.cows).toEqual({ a1: 0, c1: 0 });
    expect(frames[2]!.cows).toEqual({ c1: 0 });
    expect(scoresIn(board, frames[2]!)).toEqual([0, 1]);
  });
  it("shows events of a game's own by their effect", () => {
    const own = (name: string, effect: string, more: object) =>
      ({ event: name, effect, ...more }) as unknown as Event;
    const board = start.board,
      stop: Event = { event: "skip", hole: "A" };
    const act = (event: Event, before: Scene = start) => film(before, [event, stop], 0, before)[1]!;
    const moved = act(own("hop", "move", { start: "A", end: "B" }));
    expect([total(moved.seeds.A), total(moved.seeds.B), moved.from, moved.last]).toEqual([0, 8, "A", "B"]);
    expect(scoresIn(board, act(own("grab", "take", { hole: "d", player: 1 })))).toEqual([0, 4]);
    expect(act(own("look", "mark", { hole: "d" })).marked).toEqual(["d"]);
    const locked = act(own("tuzdyk", "lock", { hole: "d", seeds: 4, to: "South", player: 0 }));
    expect([locked.locked, scoresIn(board, locked), total(locked.seeds.d)]).toEqual([["d"], [4, 0], 0]);
    const cow = act(own("hop", "move", { start: "a1", end: "b2" }), scene(millBoard(), { a1: [0, 1] }));
    expect(cow.cows).toEqual({ b2: 1 });
  });
  it("keeps the marks that a place has", () => {
    expect(still({ ...start, tags: { d: ["locked"] } }).locked).toEqual(["d"]);
  });
});

describe("pace", () => {
  const rest = still(start);
  const sow = { ...rest, event: { event: "sow", hole: "A", now: 1, colour: "" } as Event };
  it("quickens as a lap gets long, and a turn of a thousand seeds still ends in sight", () => {
    const times = pace([rest, ...Array<typeof sow>(12).fill(sow)], 1);
    expect(times[0]).toBeGreaterThan(120);
    expect(times[0]).toBeLessThanOrEqual(180);
    expect(times[11]!).toBeLessThan(times[0]!);
    const long = pace([rest, ...Array<typeof sow>(2000).fill(sow)], 1);
    expect(long.reduce((sum, time) => sum + time, 0)).toBeLessThan(17_000);
  });
  it("gives time to events that only their game knows", () => {
    expect(pace([rest, { ...rest, event: { event: "own", effect: "lock" } }], 1)[0]).toBeGreaterThan(100);
  });
});

describe("towards", () => {
  it("walks from hole to hole", () => {
    const { places } = twoRows(start.board, 0, false);
    const holes = places.filter(({ kind }) => kind === "hole");
    const at = (id: string) => holes.find((place) => place.id === id)!;
    expect(towards("ArrowRight", at("A"), holes)?.id).toBe("B");
    expect(towards("ArrowUp", at("A"), holes)?.id).toBe("f");
    expect(towards("ArrowLeft", at("A"), holes)).toBeNull();
  });
});

describe("the end", () => {
  const board = twoRowsBoard(6);
  const before = scene(board, { A: 5, F: 1, a: 1, b: 3, f: 2, South: 23, North: 13 });
  const after = scene(board, { A: 5, b: 3, f: 2, South: 25, North: 13 });
  const outcome = { winner: 0 as const, scores: [30, 18] as [number, number], reason: "majority" };
  const events: Event[] = [
    { event: "lift", hole: "F", seeds: 1, colour: "" },
    { event: "sow", hole: "a", now: 2, colour: "" },
    { event: "capture", hole: "a", seeds: 2, to: "South" },
    { event: "sweep", player: 0, holes: ["A"], seeds: 5 },
    { event: "sweep", player: 1, holes: ["b", "f"], seeds: 5 },
    { event: "end", outcome },
  ];
  it("sweeps what is left into the stores, and the board at rest shows the same", () => {
    const frames = film(before, events, 0, after);
    const scores = [
      [23, 13],
      [23, 13],
      [23, 13],
      [25, 13],
      [30, 13],
      [30, 18],
      [30, 18],
    ];
    expect(frames.map((frame) => scoresIn(board, frame))).toEqual(scores);
    expect(rest({ ...after, outcome }).seeds).toEqual(frames.at(-1)!.seeds);
    expect(total(rest({ ...after, outcome }).seeds.A)).toBe(0);
  });
  it("leaves seeds where they lie when nobody has counted them", () => {
    const resigned = { ...outcome, scores: [25, 13] as [number, number], reason: "resignation" };
    expect(total(rest({ ...after, outcome: resigned }).seeds.A)).toBe(5);
  });
  it("keeps the colours of what was captured", () => {
    const ring = ringBoard(),
      before = scene(ring, { 1: [1, 0], 2: [1, 1], Even: [2, 0] });
    const told: Event[] = [
      { event: "lift", hole: "1", seeds: 1, colour: "R" },
      { event: "sow", hole: "2", now: 3, colour: "R" },
      { event: "capture", hole: "2", seeds: 3, to: "Odd" },
    ];
    const after = scene(ring, { Odd: [3, 0], Even: [2, 0] }),
      frames = film(before, told, 0, after);
    expect(frames.at(-1)!.seeds.Odd).toEqual({ r: 2, b: 1, p: 0 });
    expect(frames.at(-1)!.seeds.Even).toEqual({ r: 0, b: 0, p: 2 });
    expect(capturedIn(ring, frames.at(-1))).toEqual([
      [2, 1],
      [0, 0],
    ]);
    expect(capturedBy([before, after], [0])).toEqual([
      [2, 1],
      [0, 0],
    ]);
    expect(capturedIn(board, frames.at(-1))).toBeNull();
  });
});
