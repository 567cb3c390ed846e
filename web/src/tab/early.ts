/** The first game while Python is still on its way: its board was written down when the site was built. */

import { recall, remember } from "../lib/settings.svelte";

interface Seat {
  kind: string;
  level?: number | null;
  name?: string;
}
interface Asked {
  game: string;
  seats: Seat[];
  clock?: string;
  position?: unknown;
  setups?: unknown;
  help?: string;
}
interface Shot {
  room: { id: string; created: string; updated: string; seats: Seat[] };
  view?: unknown;
}
type Shots = Record<string, Record<string, Shot>>; // by game and who plays: "hc" or "hh"

export interface EarlyRoom {
  id: string;
  shot: string; // what a line to it is told first
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Whether it is a game as most begin: by the usual rules, from the usual start, with a person to move. */
function isUsual({ clock, position, setups, help }: Asked): boolean {
  return (clock ?? "-") === "-" && !position && !setups && (help ?? "full") === "full";
}

/** The room that a form asks for, if its board is known before Python is there; an error if the file is not sound. */
export async function earlyRoom(body: string, shots: URL, view: (game: string) => Promise<unknown>) {
  const asked = JSON.parse(body) as Asked;
  if (!isUsual(asked)) return null;
  const all = (await (await fetch(shots)).json()) as Shots;
  const shot = all[asked.game]?.[asked.seats.map(({ kind }) => kind.charAt(0)).join("")];
  const seen = shot && (await view(asked.game));
  if (!shot || !seen) return null;
  const id = newId(),
    now = new Date().toISOString();
  const seats = shot.room.seats.map((seat, k) => ({ ...seat, ...asked.seats[k] }));
  const room = { ...shot.room, id, created: now, updated: now, seats };
  return { id, shot: JSON.stringify({ ...shot, room, view: seen, early: true }) } satisfies EarlyRoom;
}

// ---- a page that is loaded again, or a second tab, before Python has made the room

const KEY = "mbegu-begun";

interface Begun {
  id: string;
  body: string;
}

/** Keeps what was asked for, until Python has made it. */
export function noteBegun(id: string, body: string): void {
  remember(KEY, { id, body } satisfies Begun);
}

/** What was asked for by this name, if Python has not made it yet. */
export function begun(id: string): string | null {
  const kept = recall<Partial<Begun> | null>(KEY, null);
  return kept?.id === id && typeof kept.body === "string" ? kept.body : null;
}

export function forgetBegun(id: string): void {
  if (begun(id) !== null) remember(KEY, null);
}
