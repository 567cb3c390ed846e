/** Names of people and things that several screens say. */

import { lang, t } from "./i18n.svelte";
import type { Speed } from "./settings.svelte";
import type { BoardInfo, Seat } from "./types";

export function levelName(level: number): string {
  return [t("beginner"), t("casual"), t("steady"), t("strong"), t("master")][
    Math.min(Math.floor((level - 1) / 2), 4)
  ] as string;
}

export function speedNames(): Record<Speed, string> {
  return { slow: t("Slow"), normal: t("Normal"), fast: t("Fast"), instant: t("At once") };
}

export function seatName(seat: Seat | undefined, side: string): string {
  if (!seat) return side;
  if (seat.kind === "open") return t("Somebody");
  if (seat.simple) return t("A simple bot, without engine");
  if (seat.kind === "computer" && seat.level === 0) return seat.name; // a bot of the ladder
  if (seat.kind === "computer") return t("Computer, level {level}", { level: seat.level ?? 1 });
  return seat.name || side;
}

/** How days are written; Kirundi borrows French. */
const locale = () => ({ en: "en-GB", rn: "fr" })[lang()] ?? lang();

/** Today the hour, before that the day; the year only if it is another one. */
export function moment(when: string): string {
  const date = new Date(when),
    now = new Date();
  const parts: Intl.DateTimeFormatOptions =
    date.toDateString() === now.toDateString()
      ? { hour: "2-digit", minute: "2-digit" }
      : {
          day: "numeric",
          month: "short",
          year: date.getFullYear() === now.getFullYear() ? undefined : "numeric",
        };
  return new Intl.DateTimeFormat(locale(), parts).format(date);
}

/** 75.2 → 1:15 ; under ten seconds with tenths. */
export function clockText(seconds: number): string {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.ceil(left),
    hours = Math.floor(whole / 3600),
    minutes = Math.floor(whole / 60) % 60;
  const two = (n: number) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** `300+3` as people say it. */
export function controlText(control: string): string {
  if (control === "-") return t("No clock");
  if (control.endsWith("/move")) return t("{seconds} s a move", { seconds: control.slice(0, -5) });
  const [bank, increment] = control.split("+").map(Number) as [number, number];
  const long =
    bank % 60 === 0 ? t("{minutes} min", { minutes: bank / 60 }) : t("{seconds} s", { seconds: bank });
  return increment ? `${long} + ${t("{seconds} s", { seconds: increment })}` : long;
}

/** What players may say to one another: the server knows the names, we know the words. */
export function phrases(): Record<string, string> {
  return {
    hello: t("Hello!"),
    good_luck: t("Good luck!"),
    well_played: t("Well played!"),
    thanks: t("Thank you!"),
    sorry: t("Sorry!"),
    one_moment: t("One moment, please."),
    good_game: t("A good game!"),
    goodbye: t("Goodbye!"),
  };
}

/** +12 or −7: what a game has made of a rating. */
export function change({ before, rating }: { before: number; rating: number }): string {
  return `${rating >= before ? "+" : "−"}${Math.abs(rating - before)}`;
}

/** What a margin counts, under the graph of a game. */
export function marginName(board: BoardInfo): string {
  return t("Expected margin in {pieces}", { pieces: board.pieces });
}

/** A kind of piece, as far as it is told by a colour. */
export function kindName(kind: string): string {
  return { red: t("red"), blue: t("blue"), dark: t("dark"), light: t("light") }[kind] ?? kind;
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** 2026-11-15T… → a day as people write it. */
export function day(moment: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(moment));
}
