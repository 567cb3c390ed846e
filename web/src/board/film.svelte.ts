/** Shows the frames of a move one after the other: plays, pauses, steps forwards and back, skips. */

import { play as sound, type Sound } from "../lib/sound";
import { settings, SPEEDS } from "../lib/settings.svelte";
import type { Frame } from "./frames";
import { kindOf, pace } from "./pace";

/** A board that can act out the change from one frame to the next. */
export interface Stage {
  before(from: Frame, to: Frame, ms: number): Promise<void>;
  after(from: Frame, to: Frame, ms: number): Promise<void>;
  finish(): void;
}

const SOUNDS: Record<string, Sound> = {
  lift: "lift",
  relay: "lift",
  sow: "seed",
  capture: "capture",
  sweep: "capture",
  place: "cow",
  slide: "cow",
  fly: "cow",
  mill: "mill",
  shoot: "shoot",
  move: "cow",
  take: "capture",
  mark: "store",
  lock: "mill",
};

/** Beyond this nobody watches: the board shows the end. */
const MOST = 4_000;

export class Film {
  frames = $state.raw<Frame[]>([]);
  index = $state(0);
  running = $state(false);
  paused = $state(false);
  stage: Stage | null = null;
  #chain: Promise<void> = Promise.resolve();
  #waiting = 0;
  #run = 0;
  #reel = 0; // what was to be played before a board was shown at rest is not played any more
  #wake: (() => void) | null = null;

  get frame(): Frame | undefined {
    return this.frames[this.index];
  }
  get atEnd(): boolean {
    return this.index >= this.frames.length - 1;
  }
  get steps(): number {
    return Math.max(0, this.frames.length - 1);
  }

  /** A board at rest, at once. */
  show(frames: Frame[], at = frames.length - 1): void {
    this.#reel += 1;
    this.#stop();
    this.frames = frames;
    this.index = at;
  }

  /** Plays a move after those that are still being played; `begun` is called when it is its turn. */
  play(frames: Frame[], begun: () => void = () => {}): Promise<void> {
    const reel = this.#reel;
    this.#waiting += 1;
    if (this.#waiting > 2) this.skip();
    this.#chain = this.#chain.then(async () => {
      if (reel === this.#reel) {
        begun();
        this.frames = frames;
        this.index = 0;
        await this.#roll();
      }
      this.#waiting -= 1;
    });
    return this.#chain;
  }

  /** When all that is to be played has been played. */
  get over(): Promise<void> {
    return this.#chain;
  }

  /** The same move again. */
  replay(): void {
    this.#stop();
    this.index = 0;
    void this.#roll();
  }

  /** On from where it stands. */
  resume(): void {
    this.paused = false;
    if (this.#wake) {
      this.#wake();
      this.#wake = null;
    } else if (!this.running) void this.#roll();
  }

  pause(): void {
    if (this.running) this.paused = true;
  }

  /** To the end of the move, at once. */
  skip(): void {
    if (!this.running) return;
    const end = this.frames.length - 1;
    this.#stop();
    this.index = end;
  }

  step(by: number): void {
    if (this.running) this.paused = true;
    this.stage?.finish();
    const before = this.frame;
    const to = Math.min(Math.max(this.index + by, 0), this.frames.length - 1);
    if (to === this.index || !before) return;
    this.index = to;
    const now = this.frame as Frame;
    if (by > 0) {
      const name = SOUNDS[kindOf(now)];
      if (name) sound(name);
      void this.stage?.after(before, now, 160);
    }
  }

  #stop(): void {
    this.#run += 1;
    this.running = false;
    this.paused = false;
    this.stage?.finish();
    this.#wake?.();
    this.#wake = null;
  }

  /** What cannot be acted out, as a story of places that the board has not, is shown at once. */
  async #act(when: "before" | "after", from: Frame, to: Frame, ms: number): Promise<void> {
    try {
      await this.stage?.[when](from, to, ms);
    } catch (error) {
      this.stage?.finish();
      reportError(error);
    }
  }

  async #roll(): Promise<void> {
    const run = ++this.#run;
    const live = () => this.#run === run;
    const frames = this.frames;
    const speed = SPEEDS[settings.speed];
    if (!speed || frames.length > MOST || document.hidden) {
      this.index = frames.length - 1;
      return;
    }
    const times = pace(frames, speed);
    this.running = true;
    while (live() && this.index < frames.length - 1) {
      if (this.paused)
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      if (!live()) return;
      const at = this.index;
      if (at >= frames.length - 1) break;
      const from = frames[at] as Frame,
        to = frames[at + 1] as Frame,
        ms = times[at] ?? 0,
        acted = ms > 14 && !settings.still;
      if (acted) await this.#act("before", from, to, ms);
      else if (ms) await pauseFor(settings.still ? Math.max(ms * 0.7, 40) : ms);
      if (!live()) return;
      if (this.index !== at) continue; // somebody stepped meanwhile
      this.index = at + 1;
      const name = SOUNDS[kindOf(to)];
      if (name) sound(name);
      if (acted) await this.#act("after", from, to, ms);
    }
    if (live()) this.running = false;
  }
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}
