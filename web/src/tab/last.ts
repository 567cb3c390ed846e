/** The last game as it stood: on a later visit its board is there before Python is. */

import { lang } from "../lib/i18n.svelte";
import { version } from "../lib/link";
import { recall, remember } from "../lib/settings.svelte";

interface Last {
  version: string | null; // another version may show boards otherwise
  lang: string;
  room: string;
  shot: Record<string, unknown>;
}

const KEY = "mbegu-last";
const MOST = 200_000; // letters: a browser keeps few of them at hand
const QUIET = 700; // milliseconds in which nothing has happened

let timer = 0;

/** Keeps a game as it stands, once nothing happens any more; `look` asks for it. */
export function keepLast(room: string, look: (room: string) => Promise<Response>): void {
  clearTimeout(timer);
  timer = setTimeout(() => void keep(room, look), QUIET) as unknown as number;
}

async function keep(room: string, look: (room: string) => Promise<Response>): Promise<void> {
  const answer = await look(room).catch(() => null);
  const text = answer?.ok ? await answer.text() : "";
  if (!text || text.length > MOST) return;
  remember(KEY, { version, lang: lang(), room, shot: JSON.parse(text) } satisfies Last);
}

/** Keeps a game that has just begun as it is told first. */
export function keepFirst(room: string, shot: string): void {
  remember(KEY, { version, lang: lang(), room, shot: JSON.parse(shot) as Last["shot"] } satisfies Last);
}

/** What a line to this game would be told first, if it is the last one. */
export function lastShot(room: string): string | null {
  const last = recall<Partial<Last> | null>(KEY, null);
  if (last?.room !== room || last.version !== version || last.lang !== lang() || !last.shot) return null;
  return JSON.stringify({ ...last.shot, early: true });
}
