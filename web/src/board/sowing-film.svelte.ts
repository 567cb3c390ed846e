/** How a change on a sowing board is acted out: the hand that sows, seeds that glide, a house that shakes. */

import { tick } from "svelte";
import type { View } from "../lib/types";
import { initial } from "./board";
import { storeOf, total, type Frame, type Seeds } from "./frames";
import type { Layout } from "./layout";
import { Motion, move } from "./motion";

interface Scene {
  layout: Layout;
  view: View;
  svg: SVGSVGElement | undefined;
}
interface Moved {
  id: string;
  seeds: Seeds;
  to: [number, number];
}

export class SowingFilm {
  ghosts = $state.raw<{ id: string; seeds: Seeds; x: number; y: number }[]>([]);
  hidden = $state.raw<string[]>([]); // holes whose seeds are on their way
  hand = $state<SVGGElement>(); // as it is drawn
  #motion = new Motion();
  #scene: () => Scene;

  constructor(scene: () => Scene) {
    this.#scene = scene;
  }

  get lift(): number {
    return this.#layout.seed * 2.6;
  }

  get #layout(): Layout {
    return this.#scene().layout;
  }

  async before(from: Frame, to: Frame, ms: number): Promise<void> {
    const event = to.event;
    switch (event?.event) {
      case "sow":
        return from.hand ? this.#carry(from.hand.at, event.hole, ms) : undefined;
      case "capture":
        return this.#capture(from, to, event.hole, Boolean(event.to), ms);
      case "sweep":
        return this.#gather(
          event.holes.filter((id) => total(from.seeds[id]) !== total(to.seeds[id])),
          from,
          storeOf(this.#scene().view.board, event.player) ?? "",
          ms,
        );
      case "own":
        return this.#own(from, to, ms);
      case "forfeit":
        await Promise.all(event.holes.map((hole) => this.#shake(hole, ms)));
    }
  }

  async after(_from: Frame, to: Frame, ms: number): Promise<void> {
    await tick();
    const event = to.event;
    if (event?.event === "sow") this.#fall(event.hole, event.colour, ms);
    else if ((event?.event === "lift" || event?.event === "relay") && to.hand)
      await this.#raise(to.hand.at, ms);
  }

  finish(): void {
    this.#motion.finish();
    this.ghosts = [];
    this.hidden = [];
  }

  /** The hand goes on to the next hole. */
  async #carry(from: string, to: string, ms: number): Promise<void> {
    const a = this.#layout.at[from],
      b = this.#layout.at[to],
      lift = this.lift;
    if (!a || !b) return;
    const far = Math.hypot(b.x - a.x, b.y - a.y);
    const longer = far > this.#layout.width / 3 ? 1.8 : 1;
    await this.#motion.run(
      this.hand,
      [
        { transform: move(a.x, a.y - lift) },
        { transform: move((a.x + b.x) / 2, (a.y + b.y) / 2 - lift * 1.35), offset: 0.5 },
        { transform: move(b.x, b.y - lift) },
      ],
      ms * longer,
      "cubic-bezier(.4,.1,.4,1)",
    );
  }

  /** Captured seeds go to a store, or into the hand to be sown on. */
  async #capture(from: Frame, to: Frame, id: string, stored: boolean, ms: number): Promise<void> {
    const seeds = from.seeds[id];
    const goal = this.#layout.at[stored ? this.#receiving(from, to) : (from.last ?? id)];
    if (seeds && goal)
      await this.#glide([{ id, seeds, to: [goal.x, stored ? goal.y : goal.y - this.lift] }], ms);
  }

  async #gather(ids: string[], from: Frame, store: string, ms: number): Promise<void> {
    const goal = this.#layout.at[store];
    if (goal && ids.length)
      await this.#glide(
        ids.map((id) => ({ id, seeds: from.seeds[id]!, to: [goal.x, goal.y] })),
        ms,
      );
  }

  /** An event of the game's own: what has become less goes where there is more, or what is marked shakes. */
  async #own(from: Frame, to: Frame, ms: number): Promise<void> {
    const store = this.#receiving(from, to);
    const moved = Object.keys(from.seeds).filter(
      (id) => this.#layout.at[id] && total(from.seeds[id]) > total(to.seeds[id]),
    );
    if (this.#layout.at[store] && moved.length) await this.#gather(moved, from, store, ms);
    else await Promise.all(to.marked.map((id) => this.#shake(id, ms)));
  }

  async #glide(moved: Moved[], ms: number): Promise<void> {
    const { layout, svg } = this.#scene(),
      lift = this.lift;
    this.hidden = moved.map(({ id }) => id);
    this.ghosts = moved.map(({ id, seeds }) => ({ id, seeds, x: layout.at[id]!.x, y: layout.at[id]!.y }));
    await tick();
    await Promise.all(
      moved.map(({ id, to }) => {
        const { x, y } = layout.at[id]!;
        return this.#motion.run(
          svg?.querySelector(`[data-ghost="${CSS.escape(id)}"]`),
          [
            { transform: move(x, y) },
            { transform: move(x, y - lift * 0.6, 0.92), offset: 0.25 },
            { transform: move(to[0], to[1], 0.7) },
          ],
          ms,
          "cubic-bezier(.5,0,.3,1)",
        );
      }),
    );
    this.ghosts = [];
    this.hidden = [];
  }

  /** The last seed of a hole drops with a small squash. */
  #fall(hole: string, colour: string | undefined, ms: number): void {
    const { layout, view, svg } = this.#scene();
    const second = colour === initial(view.board.kinds[1] ?? "") ? "blue" : "red";
    const pile = layout.at[hole]?.split ? second : "plain";
    const seeds = svg?.querySelectorAll(`[data-pile="${CSS.escape(hole)}/${pile}"] > .lies > g`);
    void this.#motion.run(
      seeds?.[seeds.length - 1],
      [
        { transform: "translateY(-2.6px) scale(1)" },
        { transform: "translateY(0) scale(1.18,.78)", offset: 0.6 },
        { transform: "translateY(0) scale(1)" },
      ],
      Math.min(ms * 1.1, 190),
      "cubic-bezier(.5,0,.6,1)",
    );
  }

  async #raise(hole: string, ms: number): Promise<void> {
    const { x, y } = this.#layout.at[hole]!,
      lift = this.lift;
    await this.#motion.run(
      this.hand,
      [
        { transform: move(x, y, 0.85) },
        { transform: move(x, y - lift * 1.3, 1.08), offset: 0.7 },
        { transform: move(x, y - lift) },
      ],
      ms,
      "cubic-bezier(.3,.6,.3,1)",
    );
  }

  /** The place, most often a store, in which there is more than before. */
  #receiving(from: Frame, to: Frame): string {
    return this.#layout.places.find(({ id }) => total(to.seeds[id]) > total(from.seeds[id]))?.id ?? "";
  }

  #shake(id: string, ms: number): Promise<void> {
    const steps = ["0 0", "5px 0", "-5px 0", "3px 0", "0 0"];
    return this.#motion.run(
      this.#scene().svg?.querySelector(`[data-pile^="${CSS.escape(id)}/"]`),
      steps.map((translate) => ({ translate })),
      ms,
      "ease-in-out",
    );
  }
}
