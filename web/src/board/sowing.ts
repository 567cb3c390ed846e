/** Where seeds and marks lie in the places of a sowing board. */

import { initial, type Target } from "./board";
import { total, type Seeds } from "./frames";
import type { Layout, Place } from "./layout";
import { scatter } from "./scatter";
import type { Kind } from "./Seed.svelte";

/** Seeds of one kind in a place, with their number. */
export interface Pile {
  kind: Kind;
  n: number;
  kinds?: (k: number) => Kind;
  x: number;
  y: number;
  rx: number;
  ry: number;
  countX: number;
  countY: number;
  salt: number;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  rx: number;
}
/** What can be touched: a hole, or each half of it where pieces of two kinds lie apart. */
export interface Spot extends Target {
  place: Place;
  kind: number | null;
  hit: Box;
}
const FULL = 36; // seeds that a store shows

/** A hollow and so much around it. */
export const box = ({ x, y, rx, ry }: Place, grow: number): Box => ({
  x: x - rx - grow,
  y: y - ry - grow,
  width: 2 * (rx + grow),
  height: 2 * (ry + grow),
  rx: Math.min(rx, ry) + grow,
});
/** One half of a hollow, left or right. */
export const half = ({ x, y, rx, ry }: Place, side: -1 | 1): Box => ({
  x: side < 0 ? x - rx : x,
  y: y - ry,
  width: rx,
  height: 2 * ry,
  rx: 8,
});
/** What is drawn within such a half. */
export const inHalf = ({ x, y, rx, ry }: Place, side: -1 | 1): Box => ({
  x: side < 0 ? x + 5 - rx : x + 2,
  y: y + 6 - ry,
  width: rx - 7,
  height: 2 * ry - 12,
  rx: Math.min(rx / 2 - 4, ry - 6),
});

/** Whether seeds of two kinds lie on this board, each on its side of a hollow. */
export function isTwoKinds(layout: Layout): boolean {
  return Boolean(layout.places[0]?.split);
}

/** The kind of the k-th of some seeds on a board of one or two kinds. */
export function kindIn(layout: Layout, seeds: Seeds, k: number): Kind {
  if (!isTwoKinds(layout) && !seeds.b) return "plain";
  return k < seeds.r ? "red" : "blue";
}

/** Many seeds are drawn smaller. */
export function sizeOf(layout: Layout, n: number): number {
  if (n > 8) return layout.seed * 0.85;
  return n > 4 ? layout.seed * 0.94 : layout.seed;
}

export function piles(layout: Layout, place: Place, seeds: Seeds): Pile[] {
  if (place.kind === "store") return [inStore(layout, place, seeds)];
  const { split, salt } = place;
  if (!split) {
    const [countX, countY] = place.countAt;
    return [
      { kind: "plain", n: seeds.r, x: 0, y: 0, rx: place.rx - 3, ry: place.ry - 3, countX, countY, salt },
    ];
  }
  const { reach, countX, countY, y } = split;
  const either = { y, rx: reach, ry: reach, countY };
  return [
    { kind: "red", n: seeds.r, x: -split.x, countX: -countX, salt, ...either },
    { kind: "blue", n: seeds.b, x: split.x, countX, salt: salt + 40, ...either },
  ];
}

/** Captured seeds keep their colours, as many of each as there are among those that are drawn. */
function inStore(layout: Layout, place: Place, seeds: Seeds): Pile {
  const tall = place.ry > place.rx;
  const room = tall ? place.ry - 52 * (layout.text / 25) : place.rx - 46 * (layout.text / 25);
  const shift = tall ? -Math.sign(place.countAt[1]) * layout.text * 0.9 : -layout.text * 1.1;
  return {
    kind: "plain",
    kinds: isTwoKinds(layout) ? kindsInStore(seeds) : undefined,
    n: total(seeds),
    x: tall ? 0 : shift,
    y: tall ? shift : 0,
    rx: tall ? place.rx - layout.seed : room,
    ry: tall ? room : place.ry - layout.seed,
    countX: place.countAt[0],
    countY: place.countAt[1],
    salt: place.salt,
  };
}

function kindsInStore(seeds: Seeds): (k: number) => Kind {
  const drawn = Math.min(total(seeds), FULL) / Math.max(total(seeds), 1),
    red = Math.round(seeds.r * drawn),
    coloured = Math.round((seeds.r + seeds.b) * drawn);
  return (k) => {
    if (k < red) return "red";
    return k < coloured ? "blue" : "plain";
  };
}

/** Seeds in a store lie along it, as many as there are up to a full tray. */
export function lying(pile: Pile, store: boolean) {
  if (!store) return scatter(pile.n, pile.salt);
  const drawn = Math.min(pile.n, FULL),
    long = pile.rx > pile.ry;
  return Array.from({ length: drawn }, (_seed, k) => {
    const spot = scatter(12, pile.salt + (k % 5))[k % 12]!;
    const row = (k % 3) - 1,
      step = Math.floor(k / 3);
    const along = -0.9 + (1.8 * (step + 0.5)) / 12 + spot.x * 0.05,
      aside = row * 0.74 + spot.y * 0.14;
    return { x: long ? along : aside, y: long ? aside : -along, turn: spot.turn, shade: spot.shade };
  });
}

/** The holes of a board as one touches them. */
export function spotsIn(layout: Layout, kinds: readonly string[]): Spot[] {
  const holes = layout.places.filter((place) => place.kind === "hole");
  return holes.flatMap((place): Spot[] => {
    const { id, x, y, split } = place;
    if (!split) return [{ id, place, kind: null, x, y, hit: box(place, 2) }];
    return ([-1, 1] as const).map((side, kind) => ({
      id: id + initial(kinds[kind]!),
      place,
      kind,
      x: x + side * split.x,
      y,
      hit: half(place, side),
    }));
  });
}
