/** A worker that thinks: Python with the engine, one job after the other. */

import { Host, whyNot } from "../engine/host";
import type { FromMind, ToMind } from "./messages";
import { startPython, whole } from "./python";

interface Mind {
  think(kind: string, question: string, more: (answer: string) => void): void;
}

const scope = self as unknown as {
  postMessage(message: FromMind): void;
  onmessage: ((event: MessageEvent<ToMind>) => void) | null;
};
let mind: Promise<Mind> | null = null;

interface Library {
  state: string;
  sha256: string;
}

/** The engine's modules, each checked and open: calling one is at once, opening it is not. */
async function openHosts(files: string): Promise<{ hosts: Record<string, Host>; libraries: string }> {
  if (whyNot()) return { hosts: {}, libraries: "{}" };
  const response = await fetch(new URL("engine/engine.json", files));
  const libraries = response.ok ? ((await response.json()) as Record<string, Library>) : {};
  const hosts: Record<string, Host> = {};
  for (const [name, { sha256 }] of Object.entries(libraries))
    hosts[name] = await Host.open(await whole(new URL(`engine/${name}.wasm`, files), sha256));
  return { hosts, libraries: JSON.stringify(libraries) };
}

async function start(files: string): Promise<Mind> {
  const [python, { hosts, libraries }] = await Promise.all([startPython(files), openHosts(files)]);
  return python.pyimport("mbegu.server.tab").thinker?.(hosts, libraries) as Mind;
}

async function think(n: number, kind: string, question: string): Promise<void> {
  try {
    const thinker = await (mind as Promise<Mind>);
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
  if (data.t === "start") mind = start(data.files);
  else void think(data.n, data.kind, data.question);
};
