/** The page's half of Python in this tab: questions and lines go to a worker, which never keeps the page waiting. */

import { base } from "../lib/link";
import { lang } from "../lib/i18n.svelte";
import type { FromWorker, ToWorker } from "./messages";

interface Ends {
  opened: () => void;
  said: (text: string) => void;
  closed: (code: number) => void;
}

let worker: Worker | null = null;
let count = 0;
const asked = new Map<number, { done: (response: Response) => void; failed: (error: Error) => void }>();
const lines = new Map<number, Ends>();
let broken: string | null = null; // why Python does not run here

function begin(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "mbegu" });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
  worker.onerror = (event) => fail(event.message);
  tell({ t: "start", files: new URL("tab/", new URL(base, location.href)).href });
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
      lines.get(message.line)?.said(message.text);
      break;
    case "closed":
      lines.get(message.line)?.closed(message.code);
      lines.delete(message.line);
      break;
    case "broken":
      fail(message.why);
      break;
  }
}

/** Python does not run: whoever waits is told, and whoever asks later too. */
function fail(why: string): void {
  broken = why || "?";
  for (const { failed } of asked.values()) failed(new Error(broken));
  asked.clear();
  for (const line of lines.values()) line.closed(1011);
  lines.clear();
}

/** Starts Python before anybody needs it. */
export function wake(): void {
  begin();
}

export async function request(path: string, init?: RequestInit): Promise<Response> {
  const ready = init?.method && init.method !== "GET" ? null : await prepared(path);
  if (ready !== null) return new Response(ready, { headers: { "content-type": "application/json" } });
  if (broken !== null) throw new Error(broken);
  begin();
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
  lines.set(line, ends);
  if (broken !== null) queueMicrotask(() => fail(broken as string));
  tell({ t: "open", line, path, lang: lang() });
  return {
    send: (text) => tell({ t: "say", line, text }),
    close: () => {
      lines.delete(line);
      tell({ t: "close", line });
    },
  };
}

// ---- answers that were written down when the site was built: the first board does not wait for Python

const written = new Map<string, Promise<Record<string, unknown>>>();

async function prepared(path: string): Promise<string | null> {
  const language = lang();
  if (!written.has(language)) {
    const url = new URL(`first/${language}.json`, new URL(base, location.href));
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
