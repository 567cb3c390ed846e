/** How long the steps of a move take at normal speed, in milliseconds. */

import type { Frame } from "./frames";

const NORMAL: Record<string, number> = {
  lift: 220,
  sow: 165,
  skip: 60,
  capture: 430,
  relay: 380,
  sweep: 1100,
  place: 300,
  slide: 340,
  fly: 420,
  mill: 620,
  shoot: 480,
  forfeit: 700,
  end: 60,
  move: 380,
  take: 430,
  mark: 500,
  lock: 700,
};

/** The name of the event that led to a frame; of one that only its game knows, the effect. */
export function kindOf({ event }: Frame): string {
  if (!event) return "";
  return event.event === "own" ? event.effect : event.event;
}

/** A turn of a hundred laps is still watched to its end in this time. */
const LONGEST = 12_000;

/** How long each event takes: seeds fall quicker as a lap gets long, and a long turn hurries as a whole. */
export function pace(frames: Frame[], speed: number): number[] {
  let sown = 0;
  const times = frames.slice(1).map((frame) => {
    const kind = kindOf(frame);
    const base = NORMAL[kind] ?? 0;
    if (kind !== "sow") {
      if (kind !== "skip") sown = 0;
      return base;
    }
    sown += 1;
    return base * Math.max(0.5, 1.04 - 0.04 * sown);
  });
  const all = times.reduce((sum, time) => sum + time, 0);
  const hurry = all > LONGEST ? LONGEST / all : 1;
  return times.map((time) => time * hurry * speed);
}
