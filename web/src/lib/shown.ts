/**
 * A game as an embedded board shows it: every position and every event is written down, so that whoever reads it needs
 * neither rules nor a server. What was written elsewhere is checked before it is drawn.
 */

import { t } from "./i18n.svelte";
import type { BoardInfo, Event, Outcome, Player, Step, View } from "./types";

const HEAD = "e1"; // a written game, version 1
const MOST_PACKED = 60_000; // letters
const MOST_WRITTEN = 2_000_000;
const MOST_STEPS = 2000;
const MOST_PLACES = 200;

type Places = Record<string, number[]>;
interface WrittenStep {
  w: string; // the word
  s: string; // the story
  p: Player;
  e: Event[];
  d: Places; // what has changed
  c: [number, number];
}
interface Written {
  g: string;
  n: string; // what people call the game
  b: BoardInfo;
  s: [string, string]; // sides, or who sits there
  l: string; // a link that carries the record
  p: Places;
  c: [number, number];
  m: WrittenStep[];
  o: Outcome | null;
}

export interface Shown {
  start: View;
  steps: Step[];
  link: string;
  outcome: Outcome | null;
}

const FAMILIES = ["two_rows", "four_rows", "ring", "mill"];

// ---- writing

/** Whether a board can be drawn without asking anybody for its picture. */
export function canWrite(board: BoardInfo): boolean {
  return FAMILIES.includes(board.family);
}

function changed(before: Places, after: Places): Places {
  return Object.fromEntries(
    Object.entries(after).filter(([name, counts]) => String(before[name]) !== String(counts)),
  );
}

/** Events without their sentences: the story of the move says the same. */
function silent(events: Event[]): Event[] {
  return events.map(({ told: _told, ...event }) => event as Event);
}

/** A game as a word that stands behind the # of an address. */
export async function write(
  start: View,
  steps: Step[],
  link: string,
  names: [string, string] = start.sides,
  outcome: Outcome | null = null,
): Promise<string> {
  let places = start.places;
  const written: Written = {
    g: start.game,
    n: start.title,
    b: start.board,
    s: names,
    l: link,
    p: places,
    c: start.scores,
    m: steps.map((step) => {
      const d = changed(places, step.view.places);
      places = step.view.places;
      return { w: step.word, s: step.story, p: step.player, e: silent(step.events), d, c: step.view.scores };
    }),
    o: outcome ?? steps.at(-1)?.view.outcome ?? null,
  };
  const word = HEAD + (await packed(JSON.stringify(written)));
  if (word.length > MOST_PACKED) throw new Error(t("This game is too long to be embedded."));
  return word;
}

async function through(data: BlobPart, stream: GenericTransformStream, most: number): Promise<Uint8Array> {
  const reader = new Blob([data])
    .stream()
    .pipeThrough(stream as ReadableWritablePair)
    .getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array };
    if (done || !value) break;
    size += value.length;
    if (size > most) throw new Error("too large");
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function packed(text: string): Promise<string> {
  const data = await through(text, new CompressionStream("deflate-raw"), MOST_WRITTEN);
  let letters = "";
  for (const byte of data) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(word: string): Promise<string> {
  const letters = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
  const data = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(
    await through(data, new DecompressionStream("deflate-raw"), MOST_WRITTEN),
  );
}

// ---- reading

/** Whether a word is a written game, and not a link that carries a record. */
export function isWritten(word: string): boolean {
  return word.startsWith("e");
}

/** The game of a word; an Error with a sentence if it is none. */
export async function read(word: string): Promise<Shown> {
  const damaged = new Error(t("This board cannot be shown: its address is damaged."));
  if (/^e\d/.test(word) && !word.startsWith(HEAD))
    throw new Error(t("This board was written by a newer Mbegu."));
  if (word.length > MOST_PACKED || !word.startsWith(HEAD)) throw damaged;
  let written: unknown;
  try {
    written = JSON.parse(await unpacked(word.slice(HEAD.length)));
  } catch {
    throw damaged;
  }
  if (!isGame(written)) throw damaged;
  return shown(written);
}

function shown(written: Written): Shown {
  const blank = { legal: [], barred: {}, marks: {}, text: "", outcome: null };
  const start: View = {
    ...blank,
    game: written.g,
    title: written.n,
    board: written.b,
    sides: written.s,
    places: written.p,
    scores: written.c,
    turn: written.m[0]?.p ?? null,
  };
  let places = written.p;
  const steps = written.m.map((step, k): Step => {
    places = { ...places, ...step.d };
    const last = k === written.m.length - 1;
    const turn = written.m[k + 1]?.p ?? null;
    const view: View = { ...start, places, scores: step.c, turn, outcome: last ? written.o : null };
    return { word: step.w, story: step.s, player: step.p, move: step.w, events: step.e, view };
  });
  return { start, steps, link: written.l, outcome: written.o };
}

const isText = (value: unknown, most = 300): value is string =>
  typeof value === "string" && value.length <= most;
const isCount = (value: unknown) => Number.isInteger(value) && Math.abs(value as number) <= 1000;
const isNumber = (value: unknown) => typeof value === "number" && Math.abs(value) <= 1000;
const isPair = (value: unknown, fits: (one: unknown) => boolean) =>
  Array.isArray(value) && value.length === 2 && value.every(fits);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown, most: number, fits: (one: unknown) => boolean) =>
  Array.isArray(value) && value.length <= most && value.every(fits);

function isPlaces(value: unknown, known: Set<string>): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, counts]) => known.has(name) && isList(counts, 4, isCount))
  );
}

function isPlace(value: unknown): boolean {
  return (
    isObject(value) &&
    [value.name, value.label, value.key, value.role].every((one) => isText(one, 40)) &&
    [value.row, value.column].every(isNumber) &&
    [0, 1, null].includes(value.owner as Player | null)
  );
}

function isBoard(value: unknown): value is BoardInfo {
  if (!isObject(value)) return false;
  const words = [value.piece, value.pieces, value.score, value.hole, value.family];
  return (
    FAMILIES.includes(value.family as string) &&
    words.every((word) => isText(word)) &&
    isList(value.places, MOST_PLACES, isPlace) &&
    isList(value.stores, 8, isPlace) &&
    isList(value.kinds, 4, (kind) => isText(kind, 40)) &&
    isList(value.lines, MOST_PLACES, (line) => isList(line, MOST_PLACES, (one) => isText(one, 40)))
  );
}

/** An event is plain: words, numbers, and lists of words; the board knows the rest, or leaves it out. */
function isEvent(value: unknown): boolean {
  if (!isObject(value) || !isText(value.event, 40)) return false;
  if (value.event === "end") return isOutcome(value.outcome);
  return Object.values(value).every(
    (one) =>
      one === null || isText(one) || isNumber(one) || isList(one, MOST_PLACES, (part) => isText(part, 40)),
  );
}

function isOutcome(value: unknown): boolean {
  return (
    isObject(value) &&
    [0, 1, null].includes(value.winner as Player | null) &&
    isPair(value.scores, isNumber) &&
    isText(value.reason, 60) &&
    (value.sentence === undefined || isText(value.sentence))
  );
}

function isGame(value: unknown): value is Written {
  if (!isObject(value) || !isBoard(value.b)) return false;
  const known = new Set([...value.b.places, ...value.b.stores].map(({ name }) => name));
  const isStep = (step: unknown) =>
    isObject(step) &&
    isText(step.w, 60) &&
    isText(step.s, 1000) &&
    [0, 1].includes(step.p as number) &&
    isList(step.e, 2000, isEvent) &&
    isPlaces(step.d, known) &&
    isPair(step.c, isNumber);
  return (
    isText(value.g) &&
    isText(value.n) &&
    isPair(value.s, (side) => isText(side, 80)) &&
    isText(value.l, 6000) &&
    /^[A-Za-z0-9_-]*$/.test(value.l) &&
    isPlaces(value.p, known) &&
    isPair(value.c, isNumber) &&
    isList(value.m, MOST_STEPS, isStep) &&
    (value.o === null || isOutcome(value.o))
  );
}
