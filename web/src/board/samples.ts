/** Boards of every family, as a server tells them: for tests. */

import type { BoardInfo, BoardPlace, Player, Scene } from "../lib/types";

const place = (
  name: string,
  row: number,
  column: number,
  owner: Player | null,
  label = name,
  role = "hole",
): BoardPlace => ({
  name,
  row,
  column,
  owner,
  label,
  key: label,
  role,
});
const base: Omit<BoardInfo, "family" | "places" | "kinds"> = {
  stores: [],
  piece: "seed",
  pieces: "seeds",
  score: "captured",
  hole: "house",
  lines: [],
};
const up = (count: number) => Array.from({ length: count }, (_one, k) => k);

/** Letters along the sowing, capitals for the first player; `top`: he sits on top. */
export function twoRowsBoard(pits: number, top = false): BoardInfo {
  const letters = ["ABCDEFGHIJKL", "abcdefghijkl"];
  const places = ([0, 1] as const).flatMap((owner) =>
    up(pits).map((k) => {
      const above = (owner === 0) === top;
      return place(letters[owner]!.charAt(k), above ? 0 : 1, above ? pits - 1 - k : k, owner);
    }),
  );
  const stores = [
    place("South", 0.5, top ? -1 : pits, 0, "", "score"),
    place("North", 0.5, top ? pits : -1, 1, "", "score"),
  ];
  return { ...base, family: "two_rows", places, stores, kinds: ["nickernut"] };
}

/** Back rows from the player's left, front rows back again. */
export function fourRowsBoard(cells = 8): BoardInfo {
  const places = ([0, 1] as const).flatMap((owner) =>
    up(2 * cells).map((k) => {
      const front = k >= cells,
        along = front ? 2 * cells - 1 - k : k;
      const row = owner ? Number(front) : 3 - Number(front);
      return place(
        `${"SN".charAt(owner)}${k + 1}`,
        row,
        owner ? cells - 1 - along : along,
        owner,
        String(k + 1),
      );
    }),
  );
  return { ...base, family: "four_rows", places, kinds: ["nickernut"], hole: "cell" };
}

export function ringBoard(holes = 16, kinds = ["red", "blue"]): BoardInfo {
  const half = holes / 2;
  const places = up(holes).map((k) =>
    place(String(k + 1), Number(k >= half), k < half ? k : holes - 1 - k, (k % 2) as Player),
  );
  const stores = ([0, 1] as const).map((owner) =>
    place(owner ? "Even" : "Odd", 0.5, 2 + 3 * owner, owner, "", "score"),
  );
  return { ...base, family: "ring", places, stores, kinds, hole: "hole" };
}

/** A square of three by three points with its lines. */
export function millBoard(): BoardInfo {
  const places = up(9).map((k) =>
    place(`${"abc".charAt(k % 3)}${3 - Math.floor(k / 3)}`, Math.floor(k / 3), k % 3, null),
  );
  const row = (k: number) => places.slice(3 * k, 3 * k + 3).map(({ name }) => name);
  const column = (k: number) => [0, 1, 2].map((y) => places[3 * y + k]!.name);
  const stores = (["hand", "score"] as const).flatMap((role) =>
    ([0, 1] as const).map((owner) => place(`${role}-${owner}`, 1, owner ? 4 : -2, owner, "", role)),
  );
  const lines = [0, 1, 2].flatMap((k) => [row(k), column(k)]);
  return {
    ...base,
    family: "mill",
    places,
    stores,
    kinds: ["dark", "light"],
    lines,
    piece: "cow",
    pieces: "cows",
  };
}

/** What lies there: counts by place, nothing elsewhere. */
export function scene(board: BoardInfo, lying: Record<string, number | number[]> = {}): Scene {
  const places: Scene["places"] = {};
  for (const { name } of [...board.places, ...board.stores]) {
    const here = lying[name] ?? 0;
    places[name] = Array.isArray(here) ? here : board.kinds.map((_kind, k) => (k ? 0 : here));
  }
  return { board, places };
}

/** The same in every hole. */
export function filled(board: BoardInfo, count: number): Scene {
  return scene(board, Object.fromEntries(board.places.map(({ name }) => [name, count])));
}
