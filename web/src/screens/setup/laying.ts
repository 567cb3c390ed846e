/** Ways of laying pieces on one's places. */

/** As many in each of these places as there are, the rest in the first of them. */
export function spread(pieces: number, size: number, chosen: (k: number) => boolean): number[] {
  const all = Array.from({ length: size }, (_place, k) => k),
    places = all.filter(chosen),
    each = Math.floor(pieces / places.length);
  return all.map((k) => {
    if (!places.includes(k)) return 0;
    return k === places[0] ? each + pieces - each * places.length : each;
  });
}

/** Every piece where the lot puts it. */
export function scattered(pieces: number, size: number): number[] {
  const laid = Array<number>(size).fill(0);
  for (let piece = 0; piece < pieces; piece++) laid[Math.floor(Math.random() * size)]! += 1;
  return laid;
}
