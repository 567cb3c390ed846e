/**
 * Who thinks: a worker of its own, so that whoever clicks is answered meanwhile. Where memory can be shared it is told
 * when nobody wants to know any more; elsewhere, and if it does not listen, that ends the worker.
 */

import { canShare } from "../engine/host";
import type { FromMind, ToMind } from "./messages";

export interface Job {
  done: Promise<string>; // empty, or why it came to nothing
  stop(): void;
}
interface Waiting {
  message: ToMind & { t: "think" };
  more: (answer: string) => void;
  end: (problem: string) => void;
}

const GRACE = 1000; // milliseconds to end a thought by itself

export class Minds {
  #worker: Worker | null = null;
  #count = 0;
  #queue: Waiting[] = [];
  #current: Waiting | null = null;
  readonly #stopped = canShare() ? new SharedArrayBuffer(4) : null; // the number of the job that may end

  constructor(readonly files: string) {}

  think(kind: string, question: string, more: (answer: string) => void): Job {
    const n = ++this.#count;
    let end: Waiting["end"] = () => undefined;
    const done = new Promise<string>((resolve) => {
      end = resolve;
    });
    this.#queue.push({ message: { t: "think", n, kind, question }, more, end });
    this.#next();
    return { done, stop: () => this.#stop(n) };
  }

  /** Starts whoever thinks, and lets him have what he needs for a game, before anybody waits for it. */
  prepare(question: string): void {
    this.#begin().postMessage({ t: "prepare", question } satisfies ToMind);
  }

  #next(): void {
    if (this.#current || !this.#queue.length) return;
    this.#current = this.#queue.shift() as Waiting;
    this.#begin().postMessage(this.#current.message);
  }

  #begin(): Worker {
    if (this.#worker) return this.#worker;
    this.#worker = new Worker(new URL("./mind.ts", import.meta.url), { type: "module", name: "mind" });
    this.#worker.onmessage = ({ data }: MessageEvent<FromMind>) => this.#hear(data);
    this.#worker.onerror = (event) => {
      this.#worker?.terminate(); // it answers nothing any more: the next job has a new one
      this.#worker = null;
      this.#over(event.message || "missing mind");
    };
    this.#worker.postMessage({ t: "start", files: this.files, stop: this.#stopped } satisfies ToMind);
    return this.#worker;
  }

  #hear(message: FromMind): void {
    if (message.n !== this.#current?.message.n) return;
    if (message.t === "more") this.#current.more(message.answer);
    else this.#over(message.problem);
  }

  #over(problem: string): void {
    this.#current?.end(problem);
    this.#current = null;
    this.#next();
  }

  /** Nobody wants to know any more. */
  #stop(n: number): void {
    this.#queue = this.#queue.filter((one) => one.message.n !== n);
    if (this.#current?.message.n !== n) return;
    this.#current.end("stopped");
    this.#current.more = () => undefined; // whoever listened is gone
    if (!this.#stopped) return this.#dismiss(n);
    Atomics.store(new Int32Array(this.#stopped), 0, n);
    setTimeout(() => this.#dismiss(n), GRACE);
  }

  /** Whoever is still at a job that is over goes; the next job has a new worker. */
  #dismiss(n: number): void {
    if (this.#current?.message.n !== n) return;
    this.#worker?.terminate();
    this.#worker = null;
    this.#over("stopped");
  }
}
