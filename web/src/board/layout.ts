/** Where everything lies, in units of the picture: made from the board of a game, drawn from these numbers alone. */

import type { BoardInfo, BoardPlace, Player } from "../lib/types";
import { storeOf } from "./frames";

export interface Place {
  id: string;
  x: number;
  y: number;
  rx: number;
  ry: number;
  owner: Player | null;
  kind: "hole" | "store";
  label: string;
  labelAt: [number, number]; // from the centre
  countAt: [number, number]; // from the centre
  light?: boolean; // a shade lighter than its neighbours
  split?: Split; // two colours lie apart
  salt: number;
}

/** Where the red and the blue seeds of one hole lie, and their counts: from the centre, blue mirrored. */
export interface Split {
  x: number;
  y: number;
  reach: number;
  countX: number;
  countY: number;
}

export interface Layout {
  width: number;
  height: number;
  text: number; // the size of a count
  seed: number; // the radius of a seed
  band: number; // the width of the frame
  inset: number; // from the picture's edge to the board
  radius: number;
  ridge: boolean; // between the halves of the players
  oval: boolean;
  places: Place[];
  at: Record<string, Place>;
}

const UPRIGHT = 60; // from cell to cell, so that a phone shows the board and what is said below it

type Base = Omit<Layout, "at" | "ridge" | "oval"> & Partial<Layout>;

function done(base: Base): Layout {
  const at = Object.fromEntries(base.places.map((place) => [place.id, place]));
  return { ridge: false, oval: false, ...base, at };
}

const span = (numbers: number[]) => Math.max(...numbers) - Math.min(...numbers) + 1;
const whole = (numbers: number[]) => numbers.every(Number.isInteger);

/** The kinds of boards that the browser draws itself; the server draws the others. */
export type Drawn = "two_rows" | "four_rows" | "ring" | "mill";

export function drawn(board: BoardInfo): Drawn | null {
  const { family, places, kinds } = board;
  const rows = places.map(({ row }) => row),
    columns = places.map(({ column }) => column);
  if (!places.length || kinds.length > 2) return null;
  const fits: Record<Drawn, () => boolean> = {
    two_rows: () =>
      kinds.length === 1 && span(rows) === 2 && span(columns) <= 12 && whole([...rows, ...columns]),
    four_rows: () =>
      kinds.length === 1 && span(rows) === 4 && span(columns) <= 12 && whole([...rows, ...columns]),
    ring: () => places.length >= 4 && places.length <= 24 && places.length % 2 === 0,
    mill: () => kinds.length === 2 && board.lines.length > 0 && span(rows) <= 9 && span(columns) <= 9,
  };
  return fits[family as Drawn]?.() ? (family as Drawn) : null;
}

/** The places as they lie for who sits at the bottom: the board is turned if his own lie on top. */
export function seated(board: BoardInfo, seat: Player): BoardPlace[] {
  const middle = (owner: Player) => {
    const rows = board.places.filter((place) => place.owner === owner).map(({ row }) => row);
    return rows.length ? rows.reduce((sum, row) => sum + row, 0) / rows.length : null;
  };
  const [own, other] = [middle(seat), middle((1 - seat) as Player)];
  const turned = own === null || other === null || own === other ? seat === 1 : own < other;
  const rows = board.places.map(({ row }) => row),
    columns = board.places.map(({ column }) => column);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const [bottom, right] = [Math.max(...rows), Math.max(...columns)];
  return board.places.map((place) => ({
    ...place,
    row: turned ? bottom - place.row : place.row - top,
    column: turned ? right - place.column : place.column - left,
  }));
}

/** Each player's store, if the board has them. */
function stores(
  board: BoardInfo,
  make: (owner: Player) => Omit<Place, "id" | "owner" | "kind" | "label" | "labelAt" | "salt">,
): Place[] {
  return ([0, 1] as const).flatMap((owner): Place[] => {
    const id = storeOf(board, owner);
    if (id === null) return [];
    return [{ ...make(owner), id, owner, kind: "store", label: "", labelAt: [0, 0], salt: 90 + owner }];
  });
}

/** Two rows and two stores. `seat` sits at the bottom. */
export function twoRows(board: BoardInfo, seat: Player, narrow: boolean): Layout {
  const holes = seated(board, seat),
    pits = span(holes.map(({ column }) => column));
  return narrow ? twoRowsUpright(board, holes, pits, seat) : twoRowsWide(board, holes, pits, seat);
}

/** A phone: the board fills the width, the stores are trays above and below the rows. */
interface TwoRows {
  pits: number;
  width: number;
  pitch: number;
  rx: number;
  ry: number;
  rows: number[]; // how far down each row is
  label: number; // how far outside a hole its label stands
  count: number; // how far inside the count
}

/** The holes of two rows, about the middle of the board. */
function inTwoRows(holes: BoardPlace[], at: TwoRows): Place[] {
  const { pits, width, pitch, rx, ry, rows } = at;
  return holes.map(({ name, row, column, label, owner }, salt) => ({
    id: name,
    x: width / 2 + (column - (pits - 1) / 2) * pitch,
    y: rows[row]!,
    rx,
    ry,
    owner,
    kind: "hole",
    label,
    salt,
    labelAt: [0, row ? ry + at.label : -ry - at.label],
    countAt: [0, row ? -ry - at.count : ry + at.count],
  }));
}

function twoRowsUpright(board: BoardInfo, holes: BoardPlace[], pits: number, seat: Player): Layout {
  const width = 390,
    band = 12,
    inset = 4;
  const inner = width - 2 * (band + inset) - 8;
  const pitch = Math.min(inner / pits, 92);
  const rx = pitch / 2 - 3,
    ry = Math.max(Math.min(rx * 1.3, 50), Math.min(rx + 16, 42));
  const tray = 27;
  const top = inset + band + 10;
  const rows = [top + tray * 2 + 26 + ry, top + tray * 2 + 26 + ry * 3 + 48];
  const height = rows[1]! + ry + 26 + tray * 2 + 10 + band + inset;
  const places = inTwoRows(holes, { pits, width, pitch, rx, ry, rows, label: 13, count: 12 });
  places.push(
    ...stores(board, (owner) => ({
      x: width / 2,
      y: owner === seat ? height - inset - band - 10 - tray : top + tray,
      rx: inner / 2 - 2,
      ry: tray,
      countAt: [inner / 2 - 30, 0],
    })),
  );
  const seed = Math.min(9, Math.max(4.8, rx / 2.9));
  return done({ width, height, text: 17, seed, band, inset, radius: 40, places });
}

function twoRowsWide(board: BoardInfo, holes: BoardPlace[], pits: number, seat: Player): Layout {
  const pitch = 110,
    storeRx = 56,
    band = 22,
    inset = 14;
  const side = band + inset + 26;
  const width = 2 * side + 4 * storeRx + Math.max(pits, 3) * pitch + 24;
  const rx = 50,
    ry = 66;
  const first = inset + band + 58 + ry,
    rows = [first, first + 2 * ry + 84];
  const height = rows[1]! + ry + 58 + band + inset;
  const places = inTwoRows(holes, { pits, width, pitch, rx, ry, rows, label: 28, count: 20 });
  const count = height / 2 - band - inset - 98;
  places.push(
    ...stores(board, (owner) => ({
      x: owner === seat ? width - side - storeRx : side + storeRx,
      y: height / 2,
      rx: storeRx,
      ry: (height - 2 * (band + inset)) / 2 - 58,
      countAt: [0, owner === seat ? count : -count],
    })),
  );
  return done({ width, height, text: 28, seed: 16, band, inset, radius: height / 2.7, places });
}

/** Points equally far apart along an ellipse, clockwise, the first of them at the top left. */
export function around(count: number, rx: number, ry: number): [number, number][] {
  const steps = 7200;
  const line: [number, number][] = [];
  const length = [0];
  const first = Math.PI; // from the left end, so that as many lie above as below
  for (let k = 0; k <= steps; k++) {
    const angle = first + (k / steps) * 2 * Math.PI;
    line.push([rx * Math.cos(angle), ry * Math.sin(angle)]);
    if (k)
      length.push(length[k - 1]! + Math.hypot(line[k]![0] - line[k - 1]![0], line[k]![1] - line[k - 1]![1]));
  }
  const points: [number, number][] = [];
  let step = 0;
  for (let k = 0; k < count; k++) {
    while (length[step]! < (length[steps]! * (k + 0.5)) / count) step++;
    points.push(line[step]!);
  }
  return points;
}

/** A ring in the order of the places; on a phone two columns, still clockwise. Two colours lie apart. */
export function ring(board: BoardInfo, seat: Player, narrow: boolean): Layout {
  return narrow ? ringUpright(board, seat) : ringWide(board, seat);
}

function ringUpright(board: BoardInfo, seat: Player): Layout {
  const width = 390,
    band = 12,
    inset = 4,
    pitch = UPRIGHT,
    top = inset + band + 38;
  const rx = 61,
    ry = 27,
    half = board.places.length / 2;
  const height = top + (half - 1) * pitch + 38 + band + inset;
  const split = board.kinds.length > 1 ? { x: 21, y: 0, reach: 19, countX: 50, countY: 0 } : undefined;
  const places = board.places.map(({ name, label, owner }, k): Place => {
    const left = k >= half; // the first go down on the right, the others up on the left: clockwise
    const x = left ? inset + band + rx + 27 : width - inset - band - rx - 27;
    const y = top + (left ? 2 * half - 1 - k : k) * pitch;
    return {
      id: name,
      x,
      y,
      rx,
      ry,
      owner,
      kind: "hole",
      label,
      labelAt: [left ? -rx - 15 : rx + 15, 0],
      countAt: [38, 0],
      salt: k,
      split,
    };
  });
  const reach = Math.min(86, height / 4 - 30),
    away = reach + 18;
  places.push(
    ...stores(board, (owner) => ({
      x: width / 2,
      y: height / 2 + (owner === seat ? away : -away),
      rx: 22,
      ry: reach,
      countAt: [0, (owner === seat ? 1 : -1) * (reach - 18)],
    })),
  );
  return done({ width, height, text: 16, seed: 6.3, band, inset, radius: 40, places });
}

function ringWide(board: BoardInfo, seat: Player): Layout {
  const width = 1060,
    height = 640;
  const small = Math.min(1, 16 / board.places.length);
  const split = { x: 26 * small, y: -9 * small, reach: 27 * small, countX: 24 * small, countY: 31 * small };
  const places = around(board.places.length, 424, 226).map(([x, y], k): Place => {
    const { name, label, owner } = board.places[k]!;
    const far = Math.hypot(x / 424, y / 226),
      out = Math.hypot(x, y);
    return {
      id: name,
      x: width / 2 + x,
      y: height / 2 + y,
      rx: 58 * small,
      ry: 49 * small,
      owner,
      kind: "hole",
      label,
      labelAt: [(-x / out / far) * 78, (-y / out / far) * 68],
      countAt: [32 * small, 26 * small],
      salt: k,
      split: board.kinds.length > 1 ? split : undefined,
    };
  });
  places.push(
    ...stores(board, (owner) => ({
      x: width / 2,
      y: height / 2 + (owner === seat ? 50 : -50),
      rx: 200,
      ry: 40,
      countAt: [162, 0],
    })),
  );
  return done({
    width,
    height,
    text: 21,
    seed: 9.8,
    band: 22,
    inset: 14,
    radius: height / 2,
    oval: true,
    places,
  });
}

/** Four rows; upright on a phone, the player's own rows then on the right. */
export function fourRows(board: BoardInfo, seat: Player, narrow: boolean): Layout {
  const holes = seated(board, seat),
    cells = span(holes.map(({ column }) => column));
  const band = narrow ? 12 : 22,
    inset = narrow ? 4 : 14;
  if (narrow) {
    const places = holes.map(({ name, row, column, label, owner }, salt): Place => ({
      id: name,
      x: 195 + (row - 1.5) * 80 + (row >= 2 ? 11 : -11),
      y: inset + band + 36 + (cells - 1 - column) * UPRIGHT,
      rx: 36,
      ry: 27.5,
      owner,
      kind: "hole",
      label,
      labelAt: [-20, -12],
      countAt: [20, 11],
      light: isFront(row),
      salt,
    }));
    const height = 2 * (inset + band + 36) + (cells - 1) * UPRIGHT;
    return done({ width: 390, height, text: 16, seed: 7.4, band, inset, radius: 30, ridge: true, places });
  }
  const width = 1060,
    height = 620,
    pitch = Math.min(112, 896 / cells),
    small = pitch / 112;
  const places = holes.map(({ name, row, column, label, owner }, salt): Place => ({
    id: name,
    x: width / 2 + (column - (cells - 1) / 2) * pitch,
    y: height / 2 + (row - 1.5) * 118 + (row >= 2 ? 17 : -17),
    rx: 50 * small,
    ry: 46,
    owner,
    kind: "hole",
    label,
    labelAt: [0, -58],
    countAt: [28 * small, 23],
    light: isFront(row),
    salt,
  }));
  return done({ width, height, text: 21, seed: 12.2 * small, band, inset, radius: 46, ridge: true, places });
}

const isFront = (row: number) => row === 1 || row === 2;

/**
 * One player's places alone, in order, for laying the pieces; four rows stand upright on a phone, front on the left.
 */
export function ownPlaces(board: BoardInfo, narrow: boolean): Layout {
  const all = layoutOf(board, 0, narrow),
    own = all.places.filter((place) => place.owner === 0 && place.kind === "hole");
  if (drawn(board) === "four_rows" && narrow) {
    const places = own.map((place): Place => ({
      ...place,
      x: place.light ? 113 : 293,
      y: place.y * 0.9,
      rx: 66,
      ry: 24,
      labelAt: [-79, 0],
      countAt: [44, 0],
    }));
    return done({ ...all, ridge: false, height: all.height * 0.9, places });
  }
  const top = Math.min(...own.map(({ y, ry }) => y - ry)),
    bottom = Math.max(...own.map(({ y, ry }) => y + ry));
  const shift = top - 63;
  const places = own.map((place): Place => ({
    ...place,
    y: place.y - shift,
    labelAt: [-0.86 * place.rx, -0.83 * place.ry],
    countAt: [0.74 * place.rx, 0.78 * place.ry],
  }));
  return done({
    ...all,
    ridge: false,
    height: bottom - shift + 63,
    radius: Math.min(all.radius, 46),
    places,
  });
}

export interface MillLayout {
  width: number;
  height: number;
  side: number; // of the square board
  trays: boolean; // whether anything lies beside it
  text: number;
  cow: number;
  band: number;
  inset: number;
  radius: number;
  at: Record<string, { x: number; y: number }>;
  herd: [Herd, Herd];
}

/** Where a player's cows in hand wait, and where those that he shot lie. */
export interface Herd {
  hand: [number, number];
  kraal: [number, number];
  step: [number, number];
}

/** Points on lines, wherever the game says that they lie. */
export function mill(board: BoardInfo, seat: Player, narrow: boolean): MillLayout {
  const beside = board.stores.length > 0; // trays for what is in hand and what was shot
  const side = narrow ? 390 : 700,
    margin = narrow ? 44 : 84,
    tray = narrow && beside ? 46 : 0,
    wing = narrow || !beside ? 0 : 150;
  const points = seated(board, seat);
  const across =
    Math.max(span(points.map(({ column }) => column)), span(points.map(({ row }) => row))) - 1 || 1;
  const unit = (side - 2 * margin) / across;
  const at: MillLayout["at"] = {};
  for (const { name, row, column } of points)
    at[name] = { x: wing + margin + column * unit, y: tray + margin + row * unit };
  const near: Herd = narrow
    ? { hand: [24, side + tray + 24], kraal: [366, side + tray + 24], step: [14, 0] }
    : { hand: [wing + side + 62, side - 40], kraal: [wing + side + 62, 46], step: [0, -24] };
  const far: Herd = narrow
    ? { hand: [24, 22], kraal: [366, 22], step: [14, 0] }
    : { hand: [wing - 62, 40], kraal: [wing - 62, side - 46], step: [0, 24] };
  return {
    width: side + 2 * wing,
    height: side + 2 * tray,
    side,
    text: narrow ? 16 : 21,
    cow: narrow ? 18.5 : 32,
    trays: beside,
    band: narrow ? 12 : 22,
    inset: narrow ? 4 : 14,
    radius: narrow ? 22 : 34,
    at,
    herd: seat === 0 ? [near, far] : [far, near],
  };
}

/** The layout of a board of holes. */
export function layoutOf(board: BoardInfo, seat: Player, narrow: boolean): Layout {
  const family = drawn(board);
  if (family === "ring") return ring(board, seat, narrow);
  return family === "four_rows" ? fourRows(board, seat, narrow) : twoRows(board, seat, narrow);
}

/** How large the picture of a board is, for those who lay out the page around it; a square until it is known. */
export function sizeOf(board: BoardInfo, narrow: boolean): { width: number; height: number; text: number } {
  const family = drawn(board);
  if (family === null) return { width: 640, height: 480, text: 16 };
  return family === "mill" ? mill(board, 0, narrow) : layoutOf(board, 0, narrow);
}
