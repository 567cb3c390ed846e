import { render } from "svelte/server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { BoardInfo, Choice, Scene, View } from "../lib/types";
import { filled, fourRowsBoard, millBoard, ringBoard, scene, twoRowsBoard } from "./samples";

/** A view of a scene in which the first player may begin at one place. */
function viewOf({ board, places }: Scene, from: string): View {
  const choice = { move: from, word: from, story: `South sows ${from}.`, from, to: null, preview: null };
  return {
    board,
    places,
    game: "some(game=1)",
    title: "Some game",
    text: "",
    turn: 0,
    scores: [0, 0],
    sides: ["South", "North"],
    legal: [choice as unknown as Choice],
    barred: {},
    outcome: null,
  };
}

describe("a board as it is drawn", () => {
  let draw: (view: View, narrow?: boolean) => string;
  beforeAll(async () => {
    const query = { matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };
    const store = { getItem: () => null, setItem: vi.fn() };
    vi.stubGlobal("matchMedia", () => query);
    vi.stubGlobal("localStorage", store);
    vi.stubGlobal("innerWidth", 1280);
    vi.stubGlobal("requestAnimationFrame", vi.fn());
    vi.stubGlobal("document", { cookie: "", documentElement: { dataset: {}, style: {} } });
    const { default: Board } = await import("./Board.svelte");
    const { Film } = await import("./film.svelte");
    draw = (view, narrow = false) =>
      render(Board, { props: { view, film: new Film(), active: true, narrow } }).body;
  });
  const targets = (html: string) => [...html.matchAll(/data-target="([^"]*)"/g)].map(([, name]) => name);
  const counts = (html: string) => [...html.matchAll(/class="count[^"]*"[^>]*>(\d+)</g)].map(([, n]) => n);

  const sown: [string, BoardInfo][] = [
    ["two rows", twoRowsBoard(6)],
    ["four rows", fourRowsBoard()],
    ["a ring of one kind", ringBoard(12, ["seed"])],
  ];
  for (const narrow of [false, true])
    for (const [name, board] of sown)
      it(`shows every hole of ${name} with its number, ${narrow ? "upright" : "lying"}`, () => {
        const html = draw(viewOf(filled(board, 3), board.places[0]!.name), narrow);
        expect(targets(html).sort()).toEqual(board.places.map((place) => place.name).sort());
        const told = counts(html);
        expect(told.filter((n) => n === "3")).toHaveLength(board.places.length);
        expect(told).toHaveLength(board.places.length + board.stores.length);
        expect(html.match(/data-move=/g)).toHaveLength(1);
      });

  it("has two places to touch in every hole of a ring with two kinds", () => {
    const board = ringBoard();
    const lying = Object.fromEntries(board.places.map(({ name }) => [name, [2, 1]]));
    const html = draw(viewOf(scene(board, lying), "1"));
    expect(targets(html)).toHaveLength(32);
    expect(counts(html).filter((n) => n === "2")).toHaveLength(16);
    expect(counts(html).filter((n) => n === "1")).toHaveLength(16);
  });

  it("shows points, their lines and the herds of a mill board", () => {
    const board = millBoard();
    const html = draw(viewOf(scene(board, { a1: [1, 0], c3: [0, 1], "hand-0": [2, 0] }), "a1"));
    expect(targets(html).sort()).toEqual(board.places.map((place) => place.name).sort());
    expect(html.match(/class="groove[ "]/g)).toHaveLength(board.lines.length);
    expect(html.match(/class="stone/g)).toHaveLength(4);
    expect(html).toContain('data-start=""');
  });

  it("shows no trays beside a mill board that has none", () => {
    const bare = draw(viewOf(scene({ ...millBoard(), stores: [] }, { a1: [1, 0] }), "a1"));
    expect(bare).not.toContain('class="tray');
    expect(draw(viewOf(scene(millBoard()), "a1"))).toContain('class="tray');
  });

  for (const family of ["grid", "unknown"])
    it(`leaves a board of the family ${family} to the server's picture`, () => {
      const html = draw(viewOf({ ...filled({ ...twoRowsBoard(6), family }, 3) }, "A"));
      expect(html).toContain('data-game="some"');
      expect(targets(html)).toEqual([]);
      expect(html).not.toContain('class="play');
    });
});
