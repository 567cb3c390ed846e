/** Where seeds lie in a hole: the same number in the same hole always lies the same way. */

export interface Spot {
  x: number;
  y: number;
  turn: number;
  shade: number;
}

/** From here on seeds are drawn as a heap: fewer than there are, piled up; the number tells the rest. */
export const HEAP = 13;
const DRAWN = 22;

const GOLDEN = Math.PI * (3 - Math.sqrt(5));

function noise(seed: number): number {
  const x = Math.sin(seed * 127.1 + 311.7) * 43758.5453;
  return x - Math.floor(x);
}

const known = new Map<string, Spot[]>();

/** Spots in a hole of radius 1 (scale x and y for an oval). `salt` varies the holes. */
export function scatter(count: number, salt: number): Spot[] {
  const key = `${count}/${salt}`;
  let spots = known.get(key);
  if (!spots) {
    spots = count >= HEAP ? heap(count, salt) : single(count, salt);
    known.set(key, spots);
  }
  return spots;
}

// One, two, three … twelve: laid so that each can be counted.
const RINGS: number[][] = [
  [],
  [1],
  [2],
  [3],
  [4],
  [1, 4],
  [1, 5],
  [1, 6],
  [1, 7],
  [2, 7],
  [3, 7],
  [3, 8],
  [4, 8],
];
const REACH: number[][] = [
  [],
  [0],
  [0.34],
  [0.4],
  [0.46],
  [0, 0.56],
  [0, 0.57],
  [0, 0.59],
  [0, 0.62],
  [0.24, 0.66],
  [0.27, 0.67],
  [0.27, 0.68],
  [0.3, 0.7],
];

function single(count: number, salt: number): Spot[] {
  const spots: Spot[] = [];
  const start = noise(salt) * Math.PI * 2;
  (RINGS[count] ?? []).forEach((seeds, ring) => {
    const reach = REACH[count]?.[ring] ?? 0;
    for (let k = 0; k < seeds; k++) {
      const n = salt * 31 + ring * 7 + k;
      const angle = start + ring * 0.4 + (k / seeds) * Math.PI * 2 + (noise(n) - 0.5) * 0.22;
      const far = reach + (noise(n + 0.5) - 0.5) * 0.05;
      spots.push({
        x: far * Math.cos(angle),
        y: far * Math.sin(angle),
        turn: noise(n + 0.25) * 180,
        shade: Math.floor(noise(n + 0.75) * 3),
      });
    }
  });
  return spots;
}

function heap(count: number, salt: number): Spot[] {
  const seeds = Math.min(DRAWN, HEAP + Math.floor((count - HEAP) / 2));
  const spots: Spot[] = [];
  // A sunflower; a seed more only moves the others a little closer together.
  for (let k = 0; k < seeds; k++) {
    const n = salt * 17 + k;
    const far = 0.76 * Math.sqrt((k + 0.4) / seeds);
    const angle = k * GOLDEN + noise(salt) * 6;
    spots.push({
      x: far * Math.cos(angle),
      y: far * Math.sin(angle),
      turn: noise(n) * 180,
      shade: Math.floor(noise(n + 0.75) * 3),
    });
  }
  return spots;
}
