/** What the server answers. A Problem carries a sentence for people. */

import type { Games } from "./api_types";
import { brought } from "./prefetched";
import { lang, t } from "./i18n.svelte";
import { home, request } from "./link";
import type { LinkOpened } from "./api_types";
import type { Card, Help, Invitation, Lesson, Move, SeatAsked, Snapshot, Step, Summary, View } from "./types";

export class Problem extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly line?: number,
  ) {
    super(message);
  }
}

export async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const ready = init ? undefined : brought<T>(path, lang());
  if (ready !== undefined) return ready;
  let response: Response;
  const question = `${path}${path.includes("?") ? "&" : "?"}lang=${lang()}`;
  try {
    response = await request(question, init);
  } catch (error) {
    const why =
      home === "tab" ? (error as Error).message : t("The server does not answer. Is it still running?");
    throw new Problem(why, 0);
  }
  if (response.status === 204) return undefined as T;
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    throw new Problem(t("The server gave an answer that cannot be read."), response.status);
  }
  if (!response.ok) {
    const { error, line } = body as { error?: string; line?: number };
    throw new Problem(error ?? t("Something went wrong."), response.status, line);
  }
  return body as T;
}

export function post<T>(path: string, body: unknown): Promise<T> {
  return ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

export type { Games };
let known: { lang: string; games: Promise<Games> } | null = null;

export const api = {
  /** The cards of the games; asked once a language. */
  games(): Promise<Games> {
    if (known?.lang !== lang()) {
      const games = ask<Games>("/games");
      known = { lang: lang(), games };
      games.catch(() => {
        known = null;
      });
    }
    return (known as { games: Promise<Games> }).games;
  },
  async card(name: string): Promise<Card> {
    const card = (await api.games()).games.find((one) => one.name === name);
    if (!card) throw new Problem(t("There is no game called {name} here.", { name }), 404);
    return card;
  },
  view: (game: string, position?: string | null) =>
    ask<View>(
      `/view?game=${encodeURIComponent(game)}${position ? `&position=${encodeURIComponent(position)}` : ""}`,
    ),
  try: (game: string, position: string, move: Move) => post<Step>("/try", { game, position, move }),
  async tryAll(game: string, position: string, moves: Move[]): Promise<Step[]> {
    return moves.length ? (await post<{ steps: Step[] }>("/try", { game, position, moves })).steps : [];
  },
  lesson: (game: string) => ask<Lesson>(`/lessons/${game}`),
  create: (asked: {
    game: string;
    seats: SeatAsked[];
    clock?: string;
    position?: string | null;
    setups?: unknown;
    pace?: number;
    lot?: boolean;
    rated?: boolean;
    help?: Help;
  }) => post<{ room: string }>("/rooms", asked),
  rooms: (status?: string, before?: string | null, limit = 20) => {
    const query = new URLSearchParams({ limit: String(limit) });
    if (status) query.set("status", status);
    if (before) query.set("before", before);
    return ask<{ rooms: Summary[]; next: string | null }>(`/rooms?${query}`);
  },
  room: (id: string) => ask<Snapshot>(`/rooms/${encodeURIComponent(id)}`),
  invitation: (token: string) => ask<Invitation>(`/invites/${encodeURIComponent(token)}`),
  qrUrl: (token: string) => `/api/v1/invites/${encodeURIComponent(token)}/qr.svg`,
  remove: (id: string) => ask<void>(`/rooms/${encodeURIComponent(id)}`, { method: "DELETE" }),
  read: (text: string) => post<{ rooms: string[]; known?: number }>("/records", { text }),
  openLink: (link: string) => post<LinkOpened>("/links/open", { link }),
  /** A link that carries a game, as the word behind `#/r/`. */
  async makeLink(game: string, position: string, moves: Move[], players?: [string, string]): Promise<string> {
    return (await post<{ link: string }>("/links", { game, position, moves, players })).link;
  },
  recordUrl: (id: string, format: string) =>
    `/api/v1/rooms/${encodeURIComponent(id)}/record?format=${format}`,
  /** The server's own drawing of a position, as the text of an SVG. */
  async picture(game: string, position: string): Promise<string> {
    const response = await request(`${pictureOf(game, position)}&lang=${lang()}`);
    if (!response.ok) throw new Problem(t("The server gave an answer that cannot be read."), response.status);
    return response.text();
  },
  pictureUrl: (game: string, position: string) => `/api/v1${pictureOf(game, position)}`,
};

function pictureOf(game: string, position: string): string {
  return `/picture.svg?game=${encodeURIComponent(game)}&position=${encodeURIComponent(position)}`;
}

/** `name(pits=6,seeds=3)` out of a name and the options that were chosen. */
export function gameText(card: Card, chosen: Record<string, number | string | boolean>): string {
  const told = card.options.filter(
    (option) => chosen[option.name] !== undefined && chosen[option.name] !== option.default,
  );
  const write = (value: unknown) => {
    if (typeof value === "boolean") return value ? "True" : "False";
    return String(value);
  };
  return told.length
    ? `${card.name}(${told.map((option) => `${option.name}=${write(chosen[option.name])}`).join(",")})`
    : card.name;
}
