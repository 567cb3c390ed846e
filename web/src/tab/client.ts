/** The page's half of Python in this tab: questions and lines go to a worker, which never keeps the page waiting. */

import { files, isFolder } from "../lib/link";
import { coming } from "../lib/coming.svelte";
import { lang, t } from "../lib/i18n.svelte";
import { begun, earlyRoom, forgetBegun, noteBegun, type EarlyRoom } from "./early";
import { keepFirst, keepLast, lastShot } from "./last";
import type { FromWorker, ToWorker } from "./messages";

interface Ends {
  room?: string | undefined; // if it leads to one
  opened: () => void;
  said: (text: string) => void;
  closed: (code: number, why?: string) => void;
}

const CANNOT = 4500; // the games cannot run here
let worker: Worker | null = null;
let count = 0;
const asked = new Map<number, { done: (response: Response) => void; failed: (error: Error) => void }>();
const lines = new Map<number, Ends>();
let early: EarlyRoom | null = null; // a game that began before Python was there
let made: Promise<string> = Promise.resolve(""); // when Python has made its room; why not, if it has not
let started = false; // Python is there
let broken: string | null = null; // why Python does not run here
let readied: (how: { lasting: boolean }) => void = () => undefined;
const ready = new Promise<{ lasting: boolean }>((done) => {
  readied = done;
});

/** What Python needs of a browser; the first that is missing. */
function missing(): string | null {
  if (typeof WebAssembly === "undefined") return "WebAssembly";
  if (typeof Worker === "undefined") return "Worker";
  // The numbers came before the arrays of them.
  return typeof BigInt === "undefined" || typeof BigInt64Array === "undefined" ? "BigInt" : null;
}

function begin(): Worker | null {
  if (worker || broken !== null) return worker;
  const what = missing();
  if (what) {
    fail(t("This browser cannot run the games: it has no {what}. A newer browser has.", { what }));
    return null;
  }
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "mbegu" });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
  worker.onerror = (event) => fail(sentence(event.message || "missing worker"));
  tell({ t: "start", files: files ?? location.href });
  return worker;
}

function tell(message: ToWorker): void {
  worker?.postMessage(message);
}

function hear(message: FromWorker): void {
  switch (message.t) {
    case "answer": {
      const { status, type, body } = message;
      asked
        .get(message.n)
        ?.done(new Response(status === 204 ? null : body, { status, headers: { "content-type": type } }));
      asked.delete(message.n);
      break;
    }
    case "opened":
      lines.get(message.line)?.opened();
      break;
    case "said":
      hearLine(message.line, message.text);
      break;
    case "closed":
      hangUp(message.line, message.code);
      break;
    case "coming":
      Object.assign(coming, { have: message.have, of: message.of });
      break;
    case "ready":
      started = true;
      early = null;
      readied({ lasting: message.lasting });
      break;
    case "broken":
      fail(sentence(message.why));
      break;
  }
}

function hearLine(line: number, text: string): void {
  const ends = lines.get(line);
  ends?.said(text);
  if (ends?.room && isFolder) keepLast(ends.room, (room) => pass(`/rooms/${room}`));
}

/** Why it does not run, for people. */
function sentence(why: string): string {
  const [, kind, file] = /(damaged|missing) (\S+)$/.exec(why) ?? [];
  if (kind === "damaged")
    return t("A file is damaged, or came only in part: {file}. Load the page again; your games are kept.", {
      file: file as string,
    });
  if (kind)
    return t("A file did not arrive: {file}. Is there a network? Your games are kept.", {
      file: file as string,
    });
  return t("The games cannot run in this browser: {why}. What is kept stays kept.", { why });
}

/** Python does not run: whoever waits is told, and whoever asks later too. */
function fail(why: string): void {
  broken = why || "?";
  coming.have = coming.of; // nobody waits for it any more
  for (const { failed } of asked.values()) failed(new Error(broken));
  asked.clear();
  for (const line of lines.values()) line.closed(CANNOT, broken);
  lines.clear();
  readied({ lasting: true }); // nothing is lost, because nothing is begun
}

/** There is nobody on a line any more. */
function hangUp(line: number, code: number, why?: string): void {
  lines.get(line)?.closed(code, why);
  lines.delete(line);
}

/** Starts Python before anybody needs it. */
export function wake(): Promise<{ lasting: boolean }> {
  begin();
  return ready;
}

export async function request(path: string, init?: RequestInit): Promise<Response> {
  const ready = init?.method && init.method !== "GET" ? null : await prepared(path);
  if (ready !== null) return new Response(ready, { headers: { "content-type": "application/json" } });
  begin();
  if (broken !== null) throw new Error(broken);
  const begun = await beforehand(path, init);
  if (!begun) await made; // a list of games has the one that has just begun
  return begun ?? pass(path, init);
}

/** A new game does not wait for Python, if its board is known: Python makes the room as soon as it can. */
async function beforehand(path: string, init?: RequestInit): Promise<Response | null> {
  if (started || !isFolder || init?.method !== "POST" || !/^\/rooms(\?|$)/.test(path)) return null;
  const shots = new URL(`first/rooms-${lang()}.json`, files ?? location.href);
  const view = async (game: string) =>
    JSON.parse((await prepared(`/view?game=${game}`)) ?? "null") as unknown;
  early = await earlyRoom(init.body as string, shots, view).catch(() => null); // a damaged file: Python knows, too
  if (!early) return null;
  const { id } = early;
  noteBegun(id, init.body as string);
  keepFirst(id, early.shot);
  made = make(id, init.body as string);
  return new Response(JSON.stringify({ room: id }), { status: 201 });
}

/** Has Python make a room of this name, as soon as it can; why not, if it does not. */
async function make(id: string, body: string): Promise<string> {
  try {
    const answer = await pass(`/rooms?id=${id}`, { method: "POST", body });
    forgetBegun(id);
    return answer.ok ? "" : ((await answer.json()) as { error?: string }).error || "?";
  } catch {
    return ""; // Python does not run: whoever has a line is told
  }
}

/** When a room can be entered: one that was begun before Python was there may have to be made first. */
function entered(room: string | undefined): Promise<string> | null {
  if (early !== null && room === early.id) return made;
  const body = room && isFolder ? begun(room) : null;
  return room && body !== null ? make(room, body) : null; // the page was loaded again meanwhile, or another tab's
}

function pass(path: string, init?: RequestInit): Promise<Response> {
  const n = ++count;
  return new Promise((done, failed) => {
    asked.set(n, { done, failed });
    tell({
      t: "ask",
      n,
      method: init?.method ?? "GET",
      path,
      body: (init?.body as string) ?? "",
      lang: lang(),
    });
  });
}

export function connect(path: string, ends: Ends): { send: (text: string) => void; close: () => void } {
  begin();
  const line = ++count;
  const [, room] = /^\/ws\/rooms\/([\w-]+)$/.exec(path) ?? [];
  lines.set(line, { ...ends, room });
  if (broken !== null) queueMicrotask(() => fail(broken as string)); // when whoever calls is ready to hear it
  const isNew = early !== null && room === early.id;
  const kept = !started && isFolder && room && broken === null ? lastShot(room) : null;
  const shot = isNew ? (early as EarlyRoom).shot : kept;
  const first = broken === null ? entered(room) : null; // nobody enters a room before it is made
  const later = (message: ToWorker) => (first ? void first.then(() => tell(message)) : tell(message));
  void first?.then((why) => why && hangUp(line, CANNOT, why));
  later({ t: "open", line, path, lang: lang() });
  if (shot)
    queueMicrotask(() => {
      ends.opened();
      ends.said(shot);
    });
  return {
    send: (text) => later({ t: "say", line, text }),
    close: () => {
      lines.delete(line);
      later({ t: "close", line });
    },
  };
}

// ---- answers that were written down when the site was built: the first board does not wait for Python

const written = new Map<string, Promise<Record<string, unknown>>>();

async function prepared(path: string): Promise<string | null> {
  const language = lang();
  if (!isFolder) return null; // a server writes nothing beforehand
  if (!written.has(language)) {
    const url = new URL(`first/${language}.json`, files ?? location.href);
    written.set(
      language,
      fetch(url)
        .then((response) => (response.ok ? (response.json() as Promise<Record<string, unknown>>) : {}))
        .catch(() => ({})),
    );
  }
  const question = path.replace(/[?&]lang=[a-z]+$/, "");
  const found = (await (written.get(language) as Promise<Record<string, unknown>>))[question];
  return found === undefined ? null : JSON.stringify(found);
}
