/**
 * What this tab does for a server's game against the computer: it thinks instead of the server where it may, and
 * while the server is away the game goes on here. When it is back, the game is handed in: the server has it once,
 * however often it is told.
 */

import { askTab, away, files, home } from "./link";
import { newId } from "./room-terms";
import { recall, remember } from "./settings.svelte";
import type { Clock, Move, Player, RoomInfo, Told } from "./types";

const KEY = "mbegu-away"; // the rooms that have gone on here; all tabs of this browser know them

const awayRooms = (): string[] => recall<string[]>(KEY, []).filter((id) => typeof id === "string");

/** Whether a game has gone on here, and the server does not know of it. */
export function isAway(id: string): boolean {
  return home === "server" && awayRooms().includes(id);
}

function mark(id: string, on: boolean): void {
  const others = awayRooms().filter((one) => one !== id);
  remember(KEY, on ? [...others, id] : others);
}

/** Whether this tab may do something for a game: Python for browsers is there, and the server says so. */
export function mayGoOn(info: RoomInfo | null): boolean {
  const mine = info?.seats.some((seat) => seat.yours);
  return Boolean(home === "server" && files !== null && info?.tab && info.status === "playing" && mine);
}

async function tell(path: string, body: object): Promise<Response> {
  return askTab(path, { method: "POST", body: JSON.stringify(body) });
}

const at = (id: string, what: string): string => `/rooms/${encodeURIComponent(id)}/${what}`;

/** A game as this tab knows it from the server. */
export interface Known {
  version: number | null;
  room: RoomInfo;
  moves: readonly Told[];
  clock: Clock | null;
}

/** Takes a game up where the server has left it; `commands` were on their way. */
export async function goOn(shot: Known, commands: string[]): Promise<boolean> {
  try {
    if (shot.version === null) return false;
    const taken = await tell(at(shot.room.id, "adopt"), { snapshot: shot, commands: commands.slice(0, 8) });
    if (taken.ok) mark(shot.room.id, true);
    return taken.ok;
  } catch {
    return false;
  }
}

/** The clock as it stands now, so many milliseconds after it was told. */
export function clockNow(clock: Clock | null, since: number): Clock | null {
  if (!clock) return null;
  const left = clock.left.map((seconds, player) =>
    seconds !== null && clock.running === player ? Math.max(0, seconds - since / 1000) : seconds,
  ) as Clock["left"];
  return { ...clock, left };
}

/** Whether the server answers again. */
export async function isBack(): Promise<boolean> {
  try {
    return (await fetch("/ready", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

interface Handed {
  done: boolean;
  problem: string; // why the server has not taken it, if it has not: then it is a record of its own there
}

/** Hands a game in; what has gone on meanwhile, too. */
export async function handIn(id: string): Promise<Handed> {
  let problem = "";
  try {
    for (let tries = 0; tries < 3; tries++) {
      const asked = await askTab(at(id, "continuation"));
      if (asked.status === 404) return over(id, problem);
      const told = (await asked.json()) as { device?: string; count?: number };
      if (told.device) {
        const answer = await post(`/api/v1${at(id, "continue")}`, told);
        if (answer.status >= 500 || answer.status === 429) break;
        if (!answer.ok) {
          problem = ((await answer.json()) as { error?: string }).error ?? "?";
          if (!(await keepAsRecord(id))) break;
        }
      }
      const forgotten = told.device
        ? await tell(at(id, "handed"), { count: told.count })
        : await askTab(`/rooms/${encodeURIComponent(id)}`, { method: "DELETE" });
      if (forgotten.ok || forgotten.status === 404) return over(id, problem);
    }
  } catch {
    /* it is away again: later */
  }
  return { done: false, problem: "" };
}

function over(id: string, problem: string): Handed {
  mark(id, false);
  return { done: true, problem };
}

function post(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** What the server does not take as the same game it keeps as a record: nothing is lost. */
async function keepAsRecord(id: string): Promise<boolean> {
  const text = await (await askTab(at(id, "record"))).text();
  return (await post("/api/v1/records", { text })).ok;
}

const GRACE = 6000; // milliseconds: a tab in which such a game is played hands it in before

/** Hands in whatever was left, but for what is in use; later, if the server is away. */
export async function handInAll(inUse: (room: string) => boolean): Promise<void> {
  if ((home !== "server" && !away) || files === null || !(await isBack())) return;
  await new Promise((done) => setTimeout(done, GRACE));
  for (const id of awayRooms()) if (!inUse(id)) await handIn(id);
}

// ---- thinking

interface Thought {
  game: string;
  start: string | null;
  moves: Move[];
  level: number;
}

/** The move of a computer of a level; null if this tab has none. */
async function think(asked: Thought): Promise<Move | null> {
  try {
    const answer = await tell("/think", asked);
    return answer.ok ? ((await answer.json()) as { move: Move }).move : null;
  } catch {
    return null;
  }
}

export const THOUGHT = "thought-"; // how the ids of what is said for the computer begin

/** What is told to the server: this tab can think, or cannot any more. */
export function thinks(on: boolean): object {
  return { t: "thinks", on, id: `${THOUGHT}${newId()}` };
}

/** What this tab has thought of for the computer on a seat; or that it cannot. */
export async function computed(info: RoomInfo, played: readonly Told[], player: Player): Promise<object> {
  const moves = played.map((one) => one.move);
  const level = info.seats[player].level ?? 1;
  const move = await think({ game: info.game, start: info.start, moves, level });
  if (move === null) return thinks(false);
  return { t: "computed", ply: moves.length + 1, move, id: `${THOUGHT}${newId()}` };
}

/** Whether this tab can think: it has tried. Whoever pays for every byte does not load megabytes for it. */
export async function canThink(game: string, start: string | null): Promise<boolean> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || start === null) return false;
  return (await think({ game, start, moves: [], level: 1 })) !== null;
}
