import { beforeAll, describe, expect, it, vi } from "vitest";
import { filled, millBoard, ringBoard, scene, twoRowsBoard } from "../board/samples";
import written from "../../../src/mbegu/site/example.txt?raw";
import { serverAddress } from "./server-address";
import type { Scene, Step, View } from "./types";

let shown: typeof import("./shown");
beforeAll(async () => {
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("document", { cookie: "", documentElement: {}, querySelector: () => null });
  shown = await import("./shown");
});

const view = ({ board, places }: Scene): View => ({
  board,
  places,
  game: "some",
  title: "Some game",
  text: "",
  turn: 0,
  scores: [0, 0],
  sides: ["South", "North"],
  legal: [],
  barred: {},
  marks: {},
  outcome: null,
});
const example = () => written.trim();

async function packed(value: unknown): Promise<string> {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const data = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
  return `e1${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

describe("a written game", () => {
  it("comes back as it was, whatever the board", async () => {
    for (const start of [twoRowsBoard(6), ringBoard(), millBoard()].map((board) => view(scene(board, {})))) {
      const [name] = start.board.places.map((place) => place.name) as [string];
      const places = { ...start.places, [name]: [1] };
      const after = { ...start, places, scores: [3, 0] as [number, number], turn: null };
      const step: Step = {
        word: "A",
        move: "A",
        story: "South sows A.",
        player: 0,
        events: [{ event: "lift", hole: name, seeds: 4, colour: "" }],
        view: after,
      };
      const found = await shown.read(await shown.write({ ...start, turn: 0 }, [step], "1abc"));
      expect(found.link).toBe("1abc");
      expect(found.steps[0]).toMatchObject({ ...step, view: { places, scores: [3, 0] } });
      expect(found.start.places).toEqual(start.places);
    }
  });

  it("is the example of the site", async () => {
    const game = await shown.read(example());
    expect(game.start.title).not.toBe("");
    expect(game.steps).toHaveLength(24);
    const again = await shown.write(game.start, game.steps, game.link, game.start.sides, game.outcome);
    expect(await shown.read(again)).toEqual(game);
  });

  it("is refused with a sentence if it is anything else", async () => {
    const board = twoRowsBoard(6),
      good = {
        g: "x",
        n: "X",
        b: board,
        s: ["a", "b"],
        l: "",
        p: filled(board, 4).places,
        c: [0, 0],
        m: [],
        o: null,
      };
    await shown.read(await packed(good));
    const step = { w: "A", s: "", p: 0, e: [], d: {}, c: [0, 0] };
    const bad: unknown[] = [
      null,
      [],
      7,
      "text",
      "not json {",
      { ...good, b: null },
      { ...good, b: { ...board, family: "unknown" } },
      { ...good, b: { ...board, places: [{ name: "<b>", row: NaN }] } },
      { ...good, p: { nowhere: [1] } },
      { ...good, p: { A: [1e9] } },
      { ...good, p: { A: "4" } },
      { ...good, l: "javascript:alert(1)" },
      { ...good, s: ["a"] },
      { ...good, m: [{ ...step, p: 2 }] },
      { ...good, m: [{ ...step, e: [{ event: {} }] }] },
      { ...good, m: [{ ...step, e: [{ event: "sow", hole: { x: 1 } }] }] },
      { ...good, m: Array.from({ length: 2001 }, () => step) },
      { ...good, o: { winner: 5 } },
    ];
    for (const value of bad) await expect(shown.read(await packed(value))).rejects.toThrow(/damaged/);
    for (const word of ["e1", "e1!!!", "e1AAAA", `e1${"A".repeat(70_000)}`, "x"])
      await expect(shown.read(word)).rejects.toThrow(/damaged/);
    await expect(shown.read(await packed("0".repeat(5_000_000)))).rejects.toThrow(/damaged/);
    await expect(shown.read("e2AAAA")).rejects.toThrow(/newer/);
    const whole = example();
    for (let end = 0; end < whole.length; end += 97)
      await expect(shown.read(whole.slice(0, end))).rejects.toThrow(/damaged/);
  });
});

describe("a server's address", () => {
  it("is made whole", () => {
    const told: Record<string, string> = {
      "https://play.example.org": "https://play.example.org/",
      " play.example.org/play/abc?x=1 ": "https://play.example.org/",
      "localhost:8765": "http://localhost:8765/",
      "192.168.1.7:8765": "http://192.168.1.7:8765/",
      "school.lan": "http://school.lan/",
      "http://10.0.0.2/": "http://10.0.0.2/",
    };
    for (const [text, whole] of Object.entries(told)) expect(serverAddress(text)).toBe(whole);
  });

  it("is nothing else", () => {
    const bad = ["", " ", "javascript:alert(1)", "data:text/html,x", "ftp://x.org", "https://", "a b"];
    const worse = [
      "https://me:secret@x.org",
      "file:///etc/passwd",
      "x".repeat(400),
      '"><script>',
      7,
      null,
      {},
    ];
    for (const text of [...bad, ...worse]) expect(serverAddress(text)).toBeNull();
  });
});
