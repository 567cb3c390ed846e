/** A worker that thinks: Python with the engine, one job after the other. */

import type { FromMind, ToMind } from "./messages";
import { startPython } from "./python";

interface Mind {
  think(kind: string, question: string, more: (answer: string) => void): void;
}

const scope = self as unknown as {
  postMessage(message: FromMind): void;
  onmessage: ((event: MessageEvent<ToMind>) => void) | null;
};
let mind: Promise<Mind> | null = null;

async function start(files: string): Promise<Mind> {
  const python = await startPython(files);
  return python.pyimport("mbegu.server.tab").thinker?.() as Mind;
}

async function think(n: number, kind: string, question: string): Promise<void> {
  try {
    const thinker = await (mind as Promise<Mind>);
    thinker.think(kind, question, (answer) => scope.postMessage({ t: "more", n, answer }));
    scope.postMessage({ t: "done", n, problem: null });
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
