/** A line to a room that is found again by itself when it is lost. */

import type { Connection } from "./link";
import { newId } from "./room-terms";

export interface Ends {
  find: () => Connection; // a new line, to wherever the room is now
  opened: () => void;
  heard: (message: Record<string, unknown>) => void;
  lost: (tries: number) => void; // how often it has been looked for since it was last good
  gone: (why: string) => void; // there is no such room, or it cannot be here
  waits: () => boolean; // whether an answer is due
}

const NO_ROOM = 4004;
const CANNOT = 4500;

export class ReconnectingConnection {
  #line: Connection | null = null;
  #tries = 0;
  #heard = 0; // when something came last
  #asked = 0; // when it was asked whether anybody is there
  #watch: ReturnType<typeof setInterval> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;
  #held = false;

  constructor(readonly ends: Ends) {
    // Soon: what is heard at once must find whoever has made this.
    queueMicrotask(() => {
      if (!this.#over) this.#connect();
    });
    this.#watch = setInterval(() => this.#listen(), 2500);
  }

  get isOpen(): boolean {
    return this.#line?.readyState === WebSocket.OPEN;
  }

  send(message: object): void {
    if (this.isOpen) this.#line?.send(JSON.stringify(message));
  }

  /** The other side has told how things stand: the line is good. */
  good(): void {
    this.#tries = 0;
  }

  close(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#line?.close();
  }

  #connect(): void {
    if (this.#over || this.#held) return;
    const line = this.ends.find();
    this.#line = line;
    this.#heard = performance.now();
    this.#asked = 0;
    line.onopen = () => this.ends.opened();
    line.onmessage = ({ data }) => {
      this.#heard = performance.now();
      this.#asked = 0;
      this.ends.heard(JSON.parse(data as string) as Record<string, unknown>);
    };
    line.onclose = ({ code, reason }) => {
      if (this.#over || this.#line !== line) return;
      if (code === NO_ROOM || code === CANNOT) {
        this.#over = true;
        clearInterval(this.#watch);
        this.ends.gone(reason ?? "");
        return;
      }
      this.#timer = setTimeout(() => this.#connect(), Math.min(400 * 2 ** this.#tries++, 8000));
      this.ends.lost(this.#tries);
    };
  }

  /** A dead line says nothing, not even that it is dead: whoever hears nothing asks, and then looks for another. */
  #listen(): void {
    const now = performance.now();
    if (this.#asked) {
      if (now - this.#asked > 6000) this.cut();
    } else if (this.isOpen && now - this.#heard > (this.ends.waits() ? 4000 : 10000)) {
      this.#asked = now;
      this.send({ t: "ping", id: newId() });
    }
  }

  /** Gives a line up, and looks for another in a moment. */
  cut = (): void => {
    const line = this.#line;
    if (!line || this.#over) return;
    this.#line = null; // its good-bye may take minutes
    line.close();
    this.#asked = 0;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), 1500);
    this.ends.lost(++this.#tries);
  };

  /** Looks for another line at once. */
  again = (): void => {
    if (this.#over) return;
    this.#held = false;
    this.#line?.close();
    this.#line = null;
    clearTimeout(this.#timer);
    this.#connect();
  };

  /** Hangs up until somebody wants it `again`. */
  hold(): void {
    this.#held = true;
    clearTimeout(this.#timer);
    this.#line?.close();
    this.#line = null;
  }
}
