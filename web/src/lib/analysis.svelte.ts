/** The engine's opinion of a position, as it grows. */

import { type Connection, openConnection } from "./link";
import type { Info } from "./types";

export class Analysis {
  info = $state.raw<Info | null>(null);
  state = $state<"off" | "starting" | "compiling" | "thinking" | "done" | "refused">("off");
  error = $state("");
  #socket: Connection | null = null;
  #id = "";
  #count = 0;
  #asked: object | null = null;
  #done: ((info: Info | null) => void) | null = null;

  /** Looks at a position; ends what was looked at before. Resolves with the last word. */
  look(game: string, position: string, lines = 3, seconds = 8): Promise<Info | null> {
    this.#done?.(null);
    this.info = null;
    this.error = "";
    this.state = "starting";
    this.#id = `analysis-${++this.#count}`;
    this.#asked = { t: "analyse", id: this.#id, game, position, lines, seconds };
    this.#open();
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(this.#asked));
    return new Promise((done) => {
      this.#done = done;
    });
  }

  off(): void {
    this.#done?.(null);
    this.#done = null;
    this.#asked = null;
    this.state = "off";
    this.info = null;
    this.#socket?.close();
    this.#socket = null;
  }

  #open(): void {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const socket = openConnection(`/ws/analysis`);
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#asked) socket.send(JSON.stringify(this.#asked));
    };
    socket.onclose = () => {
      if (this.#socket === socket) {
        this.#socket = null;
        if (this.state === "thinking" || this.state === "starting") {
          this.state = "refused";
          this.#finish(null);
        }
      }
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as { t: string; id: string; error?: string };
      if (message.id !== this.#id) return;
      if (message.t === "compiling") this.state = "compiling";
      else if (message.t === "refused") {
        this.state = "refused";
        this.error = message.error ?? "";
        this.#finish(null);
      } else if (message.t === "info") {
        const info = message as unknown as Info;
        if (info.lines.length || !this.info) this.info = info;
        this.state = info.final ? "done" : "thinking";
        if (info.final) this.#finish(this.info);
      }
    };
  }

  #finish(info: Info | null): void {
    const done = this.#done;
    this.#done = null;
    done?.(info);
  }
}
