/** Where everything lies, in units of the picture. Boards are drawn from these numbers alone. */

import type { GameName, Player } from "../lib/types";
import { POINTS, STORES } from "./frames";

export interface Place {
  id: string;
  x: number;
  y: number;
  rx: number;
  ry: number;
  owner: Player;
  kind: "hole" | "store";
  label: string;
  labelAt: [number, number]; // from the centre
  countAt: [number, number]; // from the centre
  light?: boolean; // a shade lighter than its neighbours
  split?: Split; // two colours lie apart
  salt: number;
}

/** Where the red and the blue seeds of one hole lie, and their counts: from the centre, blue mirrored. */
export interface Split { x: number; y: number; reach: number; countX: number; countY: number }

export interface Layout {
  width: number;
  height: number;
  text: number; // the size of a count
  seed: number; // the radius of a seed
  band: number; // the width of the frame
  inset: number; // from the picture's edge to the board
  radius: number;
  places: Place[];
  at: Record<string, Place>;
}

const UPRIGHT = 60; // from cell to cell, so that a phone shows the board and what is said below it

type Base = Omit<Layout, "at">;

function done(base: Base): Layout {
  return { ...base, at: Object.fromEntries(base.places.map((place) => [place.id, place])) };
}

const LETTERS = ["ABCDEFGHIJ", "abcdefghij"] as const; // along the sowing

/** Oware and Kalah: two rows and two stores. `seat` sits at the bottom and sows to the right. */
export function twoRows(game: GameName, pits: number, seat: Player, narrow: boolean): Layout {
  const places: Place[] = [];
  const name = (owner: Player, k: number) => (game === "oware" ? LETTERS[owner].charAt(k) : `${"SN".charAt(owner)}${k + 1}`);
  const label = (owner: Player, k: number) => LETTERS[owner].charAt(k);
  if (narrow) {
    // A phone: the board fills the width, the stores are trays above and below the rows.
    const width = 390, band = 12, inset = 4;
    const inner = width - 2 * (band + inset) - 8;
    const pitch = Math.min(inner / pits, 92);
    const rx = pitch / 2 - 3, ry = Math.max(Math.min(rx * 1.3, 50), Math.min(rx + 16, 42));
    const tray = 27;
    const top = inset + band + 10;
    const rows = [top + tray * 2 + 26 + ry, top + tray * 2 + 26 + ry * 3 + 48];
    const height = rows[1]! + ry + 26 + tray * 2 + 10 + band + inset;
    for (const owner of [0, 1] as const) {
      const near = owner === seat;
      for (let k = 0; k < pits; k++) {
        const column = near ? k : pits - 1 - k;
        const x = width / 2 + (column - (pits - 1) / 2) * pitch;
        places.push({
          id: name(owner, k), x, y: rows[near ? 1 : 0]!, rx, ry, owner, kind: "hole", label: label(owner, k),
          labelAt: [0, near ? ry + 13 : -ry - 13], countAt: [0, near ? -ry - 12 : ry + 12], salt: owner * 13 + k,
        });
      }
      places.push({
        id: STORES[owner], x: width / 2, y: near ? height - inset - band - 10 - tray : top + tray, rx: inner / 2 - 2, ry: tray, owner,
        kind: "store", label: "", labelAt: [0, 0], countAt: [inner / 2 - 30, 0], salt: 90 + owner,
      });
    }
    return done({ width, height, text: 17, seed: Math.min(9, Math.max(4.8, rx / 2.9)), band, inset, radius: 40, places });
  }
  const pitch = 110, storeRx = 56;
  const band = 22, inset = 14;
  const side = band + inset + 26;
  const columns = Math.max(pits, 3);
  const width = 2 * side + 4 * storeRx + columns * pitch + 24;
  const rx = 50, ry = 66;
  const rows = [inset + band + 58 + ry, 0];
  rows[1] = rows[0]! + 2 * ry + 84;
  const height = rows[1]! + ry + 58 + band + inset;
  for (const owner of [0, 1] as const) {
    const near = owner === seat;
    for (let k = 0; k < pits; k++) {
      const column = near ? k : pits - 1 - k;
      const x = width / 2 + (column - (pits - 1) / 2) * pitch;
      places.push({
        id: name(owner, k), x, y: rows[near ? 1 : 0]!, rx, ry, owner, kind: "hole", label: label(owner, k),
        labelAt: [0, near ? ry + 28 : -ry - 28], countAt: [0, near ? -ry - 20 : ry + 20], salt: owner * 13 + k,
      });
    }
    places.push({
      id: STORES[owner], x: near ? width - side - storeRx : side + storeRx, y: height / 2, rx: storeRx,
      ry: (height - 2 * (band + inset)) / 2 - 58, owner, kind: "store", label: "", labelAt: [0, 0],
      countAt: [0, near ? height / 2 - band - inset - 98 : -(height / 2 - band - inset - 98)], salt: 90 + owner,
    });
  }
  return done({ width, height, text: 28, seed: 16, band, inset, radius: height / 2.7, places });
}

/** Points equally far apart along an ellipse, clockwise, the first of them at the top left. */
export function around(count: number, rx: number, ry: number): [number, number][] {
  const steps = 7200;
  const line: [number, number][] = [];
  const length = [0];
  const first = Math.PI; // from the left end, so that eight lie above and eight below
  for (let k = 0; k <= steps; k++) {
    const angle = first + (k / steps) * 2 * Math.PI;
    line.push([rx * Math.cos(angle), ry * Math.sin(angle)]);
    if (k) length.push(length[k - 1]! + Math.hypot(line[k]![0] - line[k - 1]![0], line[k]![1] - line[k - 1]![1]));
  }
  const points: [number, number][] = [];
  let step = 0;
  for (let k = 0; k < count; k++) {
    while (length[step]! < (length[steps]! * (k + 0.5)) / count) step++;
    points.push(line[step]!);
  }
  return points;
}

/** Two-colour Awale: a ring of sixteen; on a phone two columns of eight, still clockwise. */
export function ring(seat: Player, narrow: boolean): Layout {
  const places: Place[] = [];
  if (narrow) {
    const width = 390, band = 12, inset = 4, pitch = UPRIGHT, top = inset + band + 38;
    const rx = 61, ry = 27;
    const height = top + 7 * pitch + 38 + band + inset;
    for (let k = 0; k < 16; k++) {
      const left = k >= 8; // 1..8 go down on the right, 9..16 up on the left: clockwise
      const x = left ? inset + band + rx + 27 : width - inset - band - rx - 27;
      const y = top + (left ? 15 - k : k) * pitch;
      places.push({
        id: String(k + 1), x, y, rx, ry, owner: (k % 2) as Player, kind: "hole", label: String(k + 1),
        labelAt: [left ? -rx - 15 : rx + 15, 0], countAt: [0, 0], salt: k, split: { x: 21, y: 0, reach: 19, countX: 50, countY: 0 },
      });
    }
    for (const owner of [0, 1] as const) {
      const near = owner === seat;
      places.push({
        id: STORES[owner], x: width / 2, y: height / 2 + (near ? 1 : -1) * 104, rx: 22, ry: 86, owner, kind: "store", label: "",
        labelAt: [0, 0], countAt: [0, near ? 68 : -68], salt: 90 + owner,
      });
    }
    return done({ width, height, text: 16, seed: 6.3, band, inset, radius: 40, places });
  }
  const width = 1060, height = 640;
  const points = around(16, 424, 226);
  points.forEach(([x, y], k) => {
    const far = Math.hypot(x / 424, y / 226);
    const out = Math.hypot(x, y);
    places.push({
      id: String(k + 1), x: width / 2 + x, y: height / 2 + y, rx: 58, ry: 49, owner: (k % 2) as Player, kind: "hole",
      label: String(k + 1), labelAt: [(-x / out / far) * 78, (-y / out / far) * 68], countAt: [0, 0], salt: k,
      split: { x: 26, y: -9, reach: 27, countX: 24, countY: 31 },
    });
  });
  for (const owner of [0, 1] as const) {
    const near = owner === seat;
    places.push({
      id: STORES[owner], x: width / 2, y: height / 2 + (near ? 50 : -50), rx: 200, ry: 40, owner, kind: "store", label: "",
      labelAt: [0, 0], countAt: [162, 0], salt: 90 + owner,
    });
  }
  return done({ width, height, text: 21, seed: 9.8, band: 22, inset: 14, radius: height / 2, places });
}

/** Urubugu: four rows of eight; upright on a phone, the player's own rows then on the right. */
export function fourRows(seat: Player, narrow: boolean): Layout {
  const places: Place[] = [];
  const band = narrow ? 12 : 22, inset = narrow ? 4 : 14;
  const wide = { width: 1060, height: 620, x: 112, y: 118, rx: 50, ry: 46, ridge: 34 };
  for (const owner of [0, 1] as const) {
    const near = owner === seat;
    for (let k = 0; k < 16; k++) {
      const front = k >= 8;
      // From the player's own seat: the back row runs left to right, the front row right to left.
      let column = front ? 15 - k : k;
      let row = front ? 2 : 3;
      if (!near) { column = 7 - column; row = 3 - row; }
      const salt = owner * 16 + k, id = `${"SN".charAt(owner)}${k + 1}`, label = String(k + 1);
      if (narrow) {
        const pitch = UPRIGHT, size = 80, gap = row >= 2 ? 11 : -11;
        const x = 195 + (row - 1.5) * size + gap;
        const y = inset + band + 36 + (7 - column) * pitch;
        places.push({ id, x, y, rx: 36, ry: 27.5, owner, kind: "hole", label, labelAt: [-20, -12], countAt: [20, 11], light: front, salt });
      } else {
        const x = wide.width / 2 + (column - 3.5) * wide.x;
        const y = wide.height / 2 + (row - 1.5) * wide.y + (row >= 2 ? 1 : -1) * (wide.ridge / 2);
        places.push({ id, x, y, rx: wide.rx, ry: wide.ry, owner, kind: "hole", label, labelAt: [0, -58], countAt: [28, 23], light: front, salt });
      }
    }
  }
  if (narrow) return done({ width: 390, height: 2 * (inset + band + 36) + 7 * UPRIGHT, text: 16, seed: 7.4, band, inset, radius: 30, places });
  return done({ width: wide.width, height: wide.height, text: 21, seed: 12.2, band, inset, radius: 46, places });
}

/** One player's rows alone, for laying the beads; upright on a phone, front on the left. */
export function ownRows(narrow: boolean): Layout {
  const whole = fourRows(0, narrow);
  const own = whole.places.filter((place) => place.owner === 0);
  const places = narrow
    ? own.map((place): Place => ({ ...place, x: place.light ? 113 : 293, y: place.y * 0.9, rx: 66, ry: 24, labelAt: [-79, 0], countAt: [44, 0] }))
    : own.map((place): Place => ({ ...place, y: place.y - 290, labelAt: [-43, -38], countAt: [37, 36] }));
  return done({ ...whole, height: narrow ? whole.height * 0.9 : 310, places });
}

export interface MillLayout {
  width: number;
  height: number;
  text: number;
  cow: number;
  band: number;
  inset: number;
  radius: number;
  at: Record<string, { x: number; y: number }>;
  herd: [Herd, Herd];
}

/** Where a player's cows in hand wait, and where those that he shot lie. */
export interface Herd { hand: [number, number]; kraal: [number, number]; step: [number, number] }

export function mill(seat: Player, narrow: boolean): MillLayout {
  const side = narrow ? 390 : 700;
  const band = narrow ? 12 : 22, inset = narrow ? 4 : 14;
  const margin = narrow ? 44 : 84;
  const cow = narrow ? 18.5 : 32;
  const tray = narrow ? 46 : 0;
  const wing = narrow ? 0 : 150;
  const unit = (side - 2 * margin) / 6;
  const at: MillLayout["at"] = {};
  for (const point of POINTS) {
    const column = point.charCodeAt(0) - 97, row = Number(point.charAt(1)) - 1;
    const turned = seat === 1;
    at[point] = {
      x: wing + margin + (turned ? 6 - column : column) * unit,
      y: tray + margin + (turned ? row : 6 - row) * unit,
    };
  }
  const near: Herd = narrow
    ? { hand: [24, side + tray + 24], kraal: [366, side + tray + 24], step: [14, 0] }
    : { hand: [wing + side + 62, side - 40], kraal: [wing + side + 62, 46], step: [0, -24] };
  const far: Herd = narrow
    ? { hand: [24, 22], kraal: [366, 22], step: [14, 0] }
    : { hand: [wing - 62, 40], kraal: [wing - 62, side - 46], step: [0, 24] };
  const herd: [Herd, Herd] = seat === 0 ? [near, far] : [far, near];
  return { width: side + 2 * wing, height: side + 2 * tray, text: narrow ? 16 : 21, cow, band, inset, radius: narrow ? 22 : 34, at, herd };
}

/** How large the picture of a game is, for those who lay out the page around it. */
export function sizeOf(game: GameName, pits: number, narrow: boolean): { width: number; height: number; text: number } {
  switch (game) {
    case "awale2": return ring(0, narrow);
    case "urubugu": return fourRows(0, narrow);
    case "morabaraba": return mill(0, narrow);
    default: return twoRows(game, pits, 0, narrow);
  }
}
