import { describe, expect, it, vi } from "vitest";
import { millBoard, ringBoard, twoRowsBoard } from "../board/samples";
import { isVariation, withVariation } from "./own-variations";
import { marginText, mark, promise, share, WON, worth, worths } from "./judge";
// @ts-expect-error a plain script
import { messagesOf, parsePo } from "../../scripts/messages.mjs";
import routes from "../../public/routes.json";
import type { Info } from "./types";

describe("routes", () => {
  it("are the same for the browser and the server", async () => {
    vi.stubGlobal("location", new URL("http://localhost/"));
    const { match, ROUTES } = await import("./router.svelte");
    expect(routes).toEqual([...ROUTES]);
    expect(match(new URL("http://x/play/abc"))).toMatchObject({
      route: "/play/:room",
      params: { room: "abc" },
    });
    expect(match(new URL("http://x/learn/"))).toMatchObject({ route: "/learn" });
    expect(match(new URL("http://x/play/%E0%A4%A")).route).toBeNull();
    expect(match(new URL("http://x/nowhere")).route).toBeNull();
  });

  it("are written by href() in links: a folder site has one page", () => {
    const screens = import.meta.glob<string>("../**/*.svelte", {
      query: "?raw",
      import: "default",
      eager: true,
    });
    expect(Object.keys(screens).length).toBeGreaterThan(30);
    const plain = Object.entries(screens).filter(([, text]) => /href=["{`]*\/(?!api\/)/.test(text));
    expect(plain.map(([name]) => name)).toEqual([]);
  });
});

describe("aloud", () => {
  it("says whose house it is where only a capital tells", async () => {
    vi.stubGlobal("document", { cookie: "", documentElement: {} });
    const { aloud } = await import("./aloud");
    const rows = { board: twoRowsBoard(6), sides: ["South", "North"] },
      ring = { board: ringBoard(), sides: ["Odd", "Even"] };
    expect(aloud(rows, "South sows D (6), last seed in d. Captured: d (2), c (3).", 0)).toBe(
      "South sows D (6), last seed in North d. Captured: North d (2), North c (3).",
    );
    expect(aloud(rows, "North sows f (4), last seed in D.", 1)).toBe(
      "North sows f (4), last seed in South D.",
    );
    const sud = { ...rows, sides: ["Sud", "Nord"] };
    expect(aloud(sud, "Nord garde ce qui reste dans b, f\u00a0: 13 + 5 = 18.", 0)).toBe(
      "Nord garde ce qui reste dans Nord b, Nord f\u00a0: 13 + 5 = 18.",
    );
    const caught = "La maison est capturée, donc semée.";
    expect(aloud(sud, caught, 0)).toBe(caught);
    const slam = "South sows A (4), last seed in E. It was a grand slam.";
    expect(aloud(rows, slam, 0)).toBe(slam);
    expect(aloud(ring, "Odd sows 13 B (2), last seed in 16. Captured: 9 (3).", 0)).toBe(
      "Odd sows 13 blue (2), last seed in 16. Captured: 9 (3).",
    );
    const placed = "Dark places a cow on a1.";
    expect(aloud({ board: millBoard(), sides: ["Dark", "Light"] }, placed, 0)).toBe(placed);
  });
});

describe("lines of one's own", () => {
  const line = (from: number, ...moves: number[]) => ({ from, moves, words: moves.map(String) });
  it("grow, and are kept once", () => {
    let lines = withVariation([], line(2, 1));
    lines = withVariation(lines, line(2, 1, 4));
    expect(lines).toEqual([line(2, 1, 4)]);
    expect(withVariation(lines, line(2, 1))).toBe(lines);
    expect(withVariation(lines, line(3, 1, 4))).toEqual([line(3, 1, 4), line(2, 1, 4)]);
  });
  it("are told from what else a browser may have kept", () => {
    expect([line(0, 1), null, 3, {}, { from: 1, moves: [], words: [] }].filter(isVariation)).toEqual([
      line(0, 1),
    ]);
  });
});

describe("judge", () => {
  const info = (margin: number, turn: 0 | 1, result: number | null = null, likely = 0) =>
    ({
      turn,
      lines: [{ margin, win: null, result, likely, settled: null, exact: false, moves: [], words: [] }],
    }) as unknown as Info;
  it("speaks for player 0", () => {
    expect(worth(info(3, 0))).toBe(3);
    expect(worth(info(3, 1))).toBe(-3);
    expect(worth(info(0, 1, 1))).toBe(-WON);
    expect(worth(info(2, 0, null, 1))).toBe(2);
    expect(share(0)).toBe(0.5);
  });
  it("marks what the mover gave away", () => {
    expect(mark(0, -20, 0)).toBe("??");
    expect(mark(0, -20, 1)).toBe("");
    expect(mark(0, 4, 1)).toBe("?");
    expect(mark(null, 4, 1)).toBe("");
    expect(marginText(-2.5)).toBe("−2.5");
  });
  it("tells a belief from a proof", () => {
    const line = info(2, 0).lines[0]!,
      sides = ["South", "North"];
    expect(promise(line, 0, sides)).toBe("+2.0");
    expect(promise({ ...line, likely: 1 }, 0, sides)).toBe("+2.0 (South probably wins)");
    expect(promise({ ...line, likely: -1 }, 0, sides)).toBe("+2.0 (North probably wins)");
    expect(promise({ ...line, result: 1 }, 1, sides)).toBe("−2.0 (North wins for certain)");
    expect(promise({ ...line, result: 1, win: 3 }, 1, sides)).toBe("North wins in 3");
    const lost = { ...line, margin: -4, result: -1, exact: true };
    expect(promise(lost, 0, sides)).toBe("North wins by 4 (proved)");
    expect(promise({ ...lost, win: -9, settled: -23 }, 0, sides)).toBe("North wins by 4, in 23 moves");
    expect(promise({ ...line, result: 1, exact: true, settled: 1 }, 0, sides)).toBe(
      "South wins by 2, with the next move",
    );
    expect(promise({ ...line, margin: 0, result: 0, exact: true }, 0, sides)).toBe("A draw (proved)");
  });
  it("tells every move's worth, and what is exact from what is not", () => {
    const line = info(2.25, 0).lines[0]!,
      exact = { ...line, margin: 6, exact: true, result: 1 };
    const lines = [exact, { ...line, result: 1 }, line].map((one, move) => ({ ...one, moves: [move] }));
    const told = (turn: 0 | 1) => [...worths({ ...info(0, turn), lines }, ["South", "North"]).values()];
    expect(told(0).map(({ tag }) => tag)).toEqual(["=+6", "+✓", "≈+2.3"]);
    expect(told(1).map(({ tag }) => tag)).toEqual(["=−6", "−✓", "≈−2.3"]);
    expect(told(0).map(({ proved }) => proved)).toEqual([true, true, false]);
    expect(told(1)[0]!.told).toBe("North wins by 6 (proved)");
    expect(told(0)[2]!.told).toBe("Estimate: +2.3");
  });
});

describe("messages", () => {
  it("are found in the sources", () => {
    expect(messagesOf(`{t("Play")} t('It\\'s {side}', { side }) at("no") x.t("no")`, "x")).toEqual([
      "Play",
      "It's {side}",
    ]);
    expect(messagesOf('t("a text " +\n  "joined", { one })', "x")).toEqual(["a text joined"]);
    expect(() => messagesOf("t(`no`)", "x")).toThrow(/cannot be translated/);
  });
  it("are read from catalogues; what is fuzzy or has a context is not for the browser", () => {
    const po =
      'msgid ""\nmsgstr "x"\n\nmsgid "Play"\nmsgstr ""\n"Jou"\n"er"\n\n' +
      '#, fuzzy\nmsgid "A"\nmsgstr "B"\n\nmsgctxt "c"\nmsgid "D"\nmsgstr "E"\n';
    expect(parsePo(po)).toEqual({ Play: "Jouer" });
  });
});

describe("the end of a game", () => {
  const seats = (...names: string[]) =>
    names.map((name) =>
      name === "computer" ? { kind: "computer", level: 3, name: "" } : { kind: "human", level: null, name },
    ) as never;
  const sides: [string, string] = ["South", "North"];
  const outcome = {
    winner: 1 as const,
    scores: [10, 38] as [number, number],
    reason: "majority",
    why: "So it is.",
  };
  it("is told with names, and added up", async () => {
    vi.stubGlobal("document", { cookie: "", documentElement: {} });
    const { sums, title } = await import("./ending");
    const room = (...names: string[]) => ({ seats: seats(...names), sides });
    expect(title(outcome, room("Amina", "Juma"), [true, false])).toBe("Juma wins");
    expect(title(outcome, room("Amina", ""), [true, false])).toBe("You lost");
    expect(title(outcome, room("Amina", "computer"), [true, false])).toBe("The computer wins");
    expect(title(outcome, room("", "Juma"), [false, true])).toBe("You win");
    expect(title(outcome, room("", ""), [true, true])).toBe("North wins");
    expect(sums(outcome, [7, 13], room("Amina", "Juma"), [true, false])).toBe(
      "Amina: 3\u00a0+\u00a07\u00a0=\u00a010 · Juma: 25\u00a0+\u00a013\u00a0=\u00a038. So it is.",
    );
    const resigned = { ...outcome, reason: "resignation" };
    expect(sums(resigned, [0, 0], room("Amina", "Juma"), [true, false])).toBe("You have resigned.");
    expect(sums(resigned, [0, 0], room("Amina", "Juma"), [false, true])).toBe("Amina has resigned.");
    expect(sums(resigned, [0, 0], room("", ""), [true, true])).toBe("South has resigned.");
    expect(sums({ ...resigned, winner: null, reason: "agreement" }, [0, 0], room(""), [true, true])).toBe(
      "So it is.",
    );
  });
  it("calls a simple bot by its name", async () => {
    const { seatName } = await import("./words");
    expect(seatName({ kind: "computer", level: 7, name: "" }, "North")).toBe("Computer, level 7");
    expect(seatName({ kind: "computer", level: 7, name: "", simple: true }, "North")).toBe(
      "A simple bot, without engine",
    );
  });
});
