/** Names of people and things that several screens say. */

import { t } from "./i18n.svelte";
import type { Seat } from "./types";

export function levelName(level: number): string {
  return [t("beginner"), t("casual"), t("steady"), t("strong"), t("master")][Math.min(Math.floor((level - 1) / 2), 4)] as string;
}

export function seatName(seat: Seat | undefined, side: string): string {
  if (!seat) return side;
  if (seat.kind === "computer") return t("Computer, level {level}", { level: seat.level ?? 1 });
  return seat.name || side;
}

/** 75.2 → 1:15 ; under ten seconds with tenths. */
export function clockText(seconds: number): string {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.ceil(left), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  const two = (n: number) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
