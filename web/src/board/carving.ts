/** The carving of a frame: a motif that walks around the edge, corners and curves included. */

import type { Skin } from "../lib/settings.svelte";

export interface Edge {
  x: number;
  y: number;
  width: number;
  height: number;
  rx: number;
  ry: number;
}
/** A path with the token of its colour; `line` is its width if it is drawn and not filled. */
export interface Cut {
  d: string;
  paint: string;
  line?: number;
}

type Point = [number, number];
/** The point so far along the edge (from 0 to 1), so deep inside it. */
type Walk = (along: number, depth: number) => Point;

/** The edge as many short pieces: straight sides and quarter ellipses, clockwise from the top left. */
function outline({ x, y, width, height, rx, ry }: Edge): Point[] {
  const points: Point[] = [],
    steps = 40;
  const centres: Point[] = [
    [x + width - rx, y + ry],
    [x + width - rx, y + height - ry],
    [x + rx, y + height - ry],
    [x + rx, y + ry],
  ];
  centres.forEach(([cx, cy], corner) => {
    for (let k = 0; k <= steps; k++) {
      const angle = ((corner - 1) * Math.PI) / 2 + ((k / steps) * Math.PI) / 2;
      points.push([cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)]);
    }
  });
  points.push(points[0]!);
  return points;
}

function walker(edge: Edge): { walk: Walk; length: number } {
  const points = outline(edge),
    far = [0];
  for (let k = 1; k < points.length; k++)
    far.push(far[k - 1]! + Math.hypot(points[k]![0] - points[k - 1]![0], points[k]![1] - points[k - 1]![1]));
  const length = far[far.length - 1]!;
  const walk: Walk = (along, depth) => {
    const wanted = (((along % 1) + 1) % 1) * length;
    let low = 0,
      high = far.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (far[middle]! <= wanted) low = middle;
      else high = middle;
    }
    const [ax, ay] = points[low]!,
      [bx, by] = points[high]!;
    const piece = far[high]! - far[low]! || 1,
      part = (wanted - far[low]!) / piece;
    const nx = -(by - ay) / piece,
      ny = (bx - ax) / piece; // inwards, because we walk clockwise
    return [ax + (bx - ax) * part + nx * depth, ay + (by - ay) * part + ny * depth];
  };
  return { walk, length };
}

const at = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const shape = (...points: Point[]) => `M${points.map(at).join("L")}Z`;

/** Chip carving: a row of notches, each with a face in the light and one in the shade. */
function notches(walk: Walk, count: number, band: number): Cut[] {
  let shade = "",
    light = "";
  for (let k = 0; k < count; k++) {
    const tip = walk((k + 0.5) / count, band * 0.24),
      foot = walk((k + 0.5) / count, band * 0.86);
    shade += shape(walk((k + 0.06) / count, band * 0.86), tip, foot);
    light += shape(walk((k + 0.94) / count, band * 0.86), tip, foot);
  }
  return [
    { d: shade, paint: "--band-2" },
    { d: light, paint: "--band-4" },
  ];
}

/** Imigongo: teeth in ochre and black with a white ridge between them. */
function ridges(walk: Walk, count: number, band: number): Cut[] {
  let teeth = "",
    ridge = "";
  for (let k = 0; k < count; k++) {
    const from = walk(k / count, band * 0.06),
      tip = walk((k + 0.5) / count, band * 0.8),
      to = walk((k + 1) / count, band * 0.06);
    teeth += shape(from, tip, to);
    ridge += `${k ? "L" : "M"}${at(walk(k / count, band * 0.24))}L${at(walk((k + 0.5) / count, band * 0.9))}`;
  }
  return [
    { d: teeth, paint: "--band-3" },
    { d: `${ridge}Z`, paint: "--band-2", line: band * 0.17 },
  ];
}

/** Litema: petals from corner to corner of every square, four of them a flower, with a seed between. */
function petals(walk: Walk, count: number, band: number): Cut[] {
  let leaves = "",
    seeds = "",
    veins = "";
  const top = band * 0.08,
    bottom = band * 0.92,
    middle = (top + bottom) / 2;
  for (let k = 0; k < count; k++) {
    const heart = walk((k + 0.5) / count, middle);
    for (const [side, depth] of [
      [0, top],
      [1, top],
      [1, bottom],
      [0, bottom],
    ] as const) {
      const corner = walk((k + side) / count, depth);
      const one = walk((k + 0.5) / count, depth + (middle - depth) * 0.12),
        other = walk((k + side + (side ? -0.06 : 0.06)) / count, middle);
      leaves += `M${at(corner)}Q${at(one)} ${at(heart)}Q${at(other)} ${at(corner)}Z`;
      veins += `M${at(corner)}L${at(heart)}`;
    }
    const reach = 0.16;
    seeds += shape(
      walk((k - reach) / count, middle),
      walk(k / count, middle - band * 0.17),
      walk((k + reach) / count, middle),
      walk(k / count, middle + band * 0.17),
    );
  }
  return [
    { d: leaves, paint: "--band-2" },
    { d: veins, paint: "--band-3", line: band * 0.05 },
    { d: seeds, paint: "--band-4" },
  ];
}

const MOTIFS: Record<Skin, [(walk: Walk, count: number, band: number) => Cut[], number] | null> = {
  wood: [notches, 0.92],
  imigongo: [ridges, 1.05],
  litema: [petals, 1.3],
  contrast: null,
};

export function carve(skin: Skin, edge: Edge, band: number): Cut[] {
  const motif = MOTIFS[skin];
  if (!motif) return [];
  const { walk, length } = walker(edge);
  return motif[0](walk, Math.max(8, Math.round(length / (band * motif[1]))), band);
}
