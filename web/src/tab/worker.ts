/** Python in a worker: it answers the questions of the API and speaks the protocol of rooms, as a server does. */

import { keeper } from "./keeper";
import { Minds } from "./minds";
import type { FromWorker, ToWorker } from "./messages";
import { checkScripts, startPython } from "./python";

type More = (answer: string) => void;

/** What `mbegu.server.tab` offers. */
interface Office {
  ask(n: number, method: string, path: string, body: string, lang: string): void;
  open(line: number, path: string, lang: string): void;
  say(line: number, text: string): void;
  close(line: number): void;
  elsewhere(room: string): void;
}

const scope = self as unknown as {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};
const OFTEN = 250; // milliseconds
const waiting: ToWorker[] = [];
let office: Office | null = null;

function obey(message: ToWorker): void {
  if (message.t === "start") return;
  if (!office) {
    waiting.push(message);
    return;
  }
  switch (message.t) {
    case "ask":
      office.ask(message.n, message.method, message.path, message.body, message.lang);
      break;
    case "open":
      office.open(message.line, message.path, message.lang);
      break;
    case "say":
      office.say(message.line, message.text);
      break;
    case "close":
      office.close(message.line);
      break;
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

/** Tells the page how much has come, a few times a second. */
function progress(): (have: number, of: number) => void {
  let timer = 0,
    latest: FromWorker = { t: "coming", have: 0, of: 0 };
  const tell = () => {
    clearTimeout(timer);
    timer = 0;
    scope.postMessage(latest);
  };
  return (have, of) => {
    latest = { t: "coming", have, of };
    if (have >= of) tell();
    else timer ||= setTimeout(tell, OFTEN) as unknown as number;
  };
}

async function start(files: string): Promise<void> {
  const began = performance.now();
  const [python, kept] = await Promise.all([startPython(files, progress()), keeper()]);
  const minds = new Minds(files);
  const told = {
    think: (kind: string, question: string, more: More) => minds.think(kind, question, more),
    prepare: (question: string) => minds.prepare(question),
    answer: (n: number, status: number, type: string, body: string) =>
      scope.postMessage({ t: "answer", n, status, type, body }),
    opened: (line: number) => scope.postMessage({ t: "opened", line }),
    said: (line: number, text: string) => scope.postMessage({ t: "said", line, text }),
    closed: (line: number, code: number) => scope.postMessage({ t: "closed", line, code }),
  };
  office = python.pyimport("mbegu.server.tab").begin?.(kept.keeper, told) as Office;
  kept.keeper.listen((room) => office?.elsewhere(room));
  for (const message of waiting.splice(0)) obey(message);
  scope.postMessage({ t: "ready", milliseconds: performance.now() - began, lasting: kept.lasting });
}

scope.onmessage = ({ data }) => {
  if (data.t === "start")
    start(data.files).catch(async (error: unknown) => {
      const cause: unknown = await checkScripts(data.files).catch((found: unknown) => found);
      scope.postMessage({ t: "broken", why: lastLine(String(cause ?? error)) });
    });
  else obey(data);
};
