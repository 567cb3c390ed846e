/** A worker that thinks: Python with the engine, one job after the other. */

import { decompress } from "fzstd";
import { canShare, Host, whyNot } from "../engine/host";
import type { Lent } from "../engine/helper";
import type { FromMind, ToMind } from "./messages";
import { startPython, whole } from "./python";

interface Mind {
  needs(question: string): string; // the module that must be open before
  think(kind: string, question: string, more: (answer: string) => void): void;
}
interface Packed {
  file: string;
  sha256: string;
  whole: number; // bytes, unpacked
}
interface Library extends Packed {
  table?: Packed;
}

const MOST_HELPERS = 3;
const PATIENCE = 10_000; // milliseconds for a helper to be ready

const scope = self as unknown as {
  postMessage(message: FromMind): void;
  onmessage: ((event: MessageEvent<ToMind>) => void) | null;
};
let mind: Promise<Mind> | null = null;
let files = ""; // where Python's files lie
let engine = ""; // where the modules lie
let stop: Int32Array | null = null; // the number of the job that nobody wants any more
let libraries: Record<string, Library> = {};
const hosts: Record<string, Host> = {}; // the modules that are open: Python sees them
const opening: Record<string, Promise<void>> = {};

function helpersHere(): number {
  if (!canShare() || typeof Worker !== "function") return 0;
  return Math.min(MOST_HELPERS, Math.floor((navigator.hardwareConcurrency || 1) / 2));
}

/** A worker that helps: it must be ready before anybody waits for it, because whoever searches hears nothing. */
function hire(lent: Lent): Promise<void> {
  const worker = new Worker(new URL("../engine/worker.ts", import.meta.url), {
    type: "module",
    name: "helper",
  });
  return new Promise((ready, failed) => {
    setTimeout(() => failed(new Error("no helper")), PATIENCE);
    worker.onmessage = () => ready();
    worker.onerror = (event) => failed(new Error(event.message));
    worker.postMessage(lent);
  });
}

/** Has the module open that a question needs; whoever asks meanwhile waits for the same. */
async function openFor(question: string): Promise<Mind> {
  mind ??= start().catch((error: unknown) => {
    mind = null; // whoever asks next tries again: the network may be back
    throw error;
  });
  const thinker = await mind;
  const needed = thinker.needs(question);
  if (needed && !hosts[needed]) {
    opening[needed] ??= open(needed).finally(() => delete opening[needed]);
    await opening[needed];
  }
  return thinker;
}

/** Opens a module, checked; with helpers where there can be some. */
async function open(name: string): Promise<void> {
  const library = libraries[name] as Library;
  const bytes = await unpacked(library);
  const host = await Host.open(bytes, helpersHere(), hire).catch(() => Host.open(bytes));
  host.stop = stop;
  if (library.table) await lendTable(host, library.table);
  hosts[name] = host;
}

async function unpacked(told: Packed): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await whole(new URL(told.file, engine), told.sha256);
  const room = new Uint8Array(told.whole);
  decompress(new Uint8Array(packed), room);
  return room;
}

/** The endgame table: without it the engine thinks all the same. */
async function lendTable(host: Host, table: Packed): Promise<void> {
  try {
    host.keepTable(await unpacked(table));
  } catch (error) {
    console.warn(String(error));
  }
}

async function start(): Promise<Mind> {
  engine = new URL("engine/", files).href;
  const [python, response] = await Promise.all([startPython(files), fetch(new URL("engine.json", engine))]);
  if (response.ok && !whyNot())
    libraries = (await response.json().catch(() => {
      throw new Error("damaged engine.json");
    })) as Record<string, Library>;
  return python.pyimport("mbegu.server.tab").thinker?.(hosts, JSON.stringify(libraries)) as Mind;
}

async function think(n: number, kind: string, question: string): Promise<void> {
  try {
    const thinker = await openFor(question);
    for (const host of Object.values(hosts)) host.job = n;
    thinker.think(kind, question, (answer) => scope.postMessage({ t: "more", n, answer }));
    scope.postMessage({ t: "done", n, problem: "" });
  } catch (error) {
    scope.postMessage({ t: "done", n, problem: lastLine(String(error)) });
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

scope.onmessage = ({ data }) => {
  if (data.t === "start") {
    stop = data.stop && new Int32Array(data.stop);
    files = data.files;
  } else if (data.t === "prepare")
    void openFor(data.question).catch(() => undefined); // whoever asks for a thought is told
  else void think(data.n, data.kind, data.question);
};
