/** How a change on a board of points is acted out: stones that fly, a mill that glows. */

import { tick } from "svelte";
import type { Player } from "../lib/types";
import type { Frame } from "./frames";
import type { MillLayout } from "./layout";
import { Motion, move } from "./motion";

interface Scene {
  layout: MillLayout;
  narrow: boolean;
  svg: SVGSVGElement | undefined;
}
type Point = [number, number];

/** The path along the points of a line: it may bend, and come back to where it began. */
export function grooveOf(layout: MillLayout, points: string[]): string {
  const spots = points.flatMap((name) => layout.at[name] ?? []);
  return spots.length ? `M${spots.map(({ x, y }) => `${x} ${y}`).join("L")}` : "";
}

export class MillFilm {
  ghost = $state.raw<{ player: Player; x: number; y: number } | null>(null); // the stone in the air
  hidden = $state<string | null>(null); // the point that it has left
  glowing = $state.raw<string[][]>([]);
  #motion = new Motion();
  #scene: () => Scene;

  constructor(scene: () => Scene) {
    this.#scene = scene;
  }

  /** Where the k-th stone waits that is still in hand. */
  handSpot(player: Player, k: number): Point {
    const { hand, step } = this.#scene().layout.herd[player];
    return [hand[0] + step[0] * k, hand[1] + step[1] * k];
  }

  /** Where the k-th stone lies that was shot. */
  kraalSpot(player: Player, k: number): Point {
    const { layout, narrow } = this.#scene();
    const { kraal, step } = layout.herd[player];
    return narrow ? [kraal[0] - 12 * k, kraal[1]] : [kraal[0], kraal[1] - step[1] * 0.82 * k];
  }

  async before(from: Frame, to: Frame, ms: number): Promise<void> {
    const event = to.event;
    switch (event?.event) {
      case "place": {
        const hand = this.handSpot(event.player, Math.max(from.hands[event.player] - 1, 0));
        return this.#fly(event.player, hand, this.#at(event.point), ms, 30, null);
      }
      case "slide":
        return this.#fly(event.player, this.#at(event.start), this.#at(event.end), ms, 0, event.start);
      case "fly":
        return this.#fly(event.player, this.#at(event.start), this.#at(event.end), ms, 60, event.start);
      case "shoot": {
        const kraal = this.kraalSpot(event.player, from.shot[event.player]);
        const shot = (1 - event.player) as Player;
        return this.#fly(shot, this.#at(event.point), kraal, ms, 40, event.point, 0.6);
      }
      case "own":
        return this.#own(from, to, ms);
    }
  }

  async after(_from: Frame, to: Frame, ms: number): Promise<void> {
    const event = to.event;
    await tick();
    if (event?.event === "place") this.#settle(event.point);
    else if (event?.event === "slide" || event?.event === "fly") this.#settle(event.end);
    else if (event?.event === "mill") await this.#glow(event.points, ms);
  }

  finish(): void {
    this.#motion.finish();
    this.ghost = null;
    this.hidden = null;
    this.glowing = [];
  }

  #at(point: string): Point {
    const { x, y } = this.#scene().layout.at[point]!;
    return [x, y];
  }

  /** An event of the game's own: whoever has come to a point flies there, whoever is gone flies off. */
  async #own(from: Frame, to: Frame, ms: number): Promise<void> {
    const gone = Object.keys(from.cows).find((point) => !(point in to.cows));
    const come = Object.keys(to.cows).find((point) => !(point in from.cows));
    if (!gone) return;
    const player = from.cows[gone]!;
    if (come) await this.#fly(player, this.#at(gone), this.#at(come), ms, 30, gone);
    else await this.#fly(player, this.#at(gone), this.kraalSpot(to.player ?? 0, 0), ms, 40, gone, 0.6);
  }

  async #fly(
    player: Player,
    from: Point,
    to: Point,
    ms: number,
    high: number,
    hide: string | null,
    scale = 1,
  ): Promise<void> {
    this.hidden = hide;
    this.ghost = { player, x: from[0], y: from[1] };
    await tick();
    const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    await this.#motion.run(
      this.#scene().svg?.querySelector(".ghost"),
      [
        { transform: move(from[0], from[1]) },
        { transform: move(x, y - high, 1 + high / 200), offset: 0.5 },
        { transform: move(to[0], to[1], scale) },
      ],
      ms,
    );
    this.ghost = null;
    this.hidden = null;
  }

  #settle(point: string): void {
    void this.#motion.run(
      this.#scene().svg?.querySelector(`[data-cow="${point}"] .stone`),
      [{ transform: "scale(1.12,.9)" }, { transform: "scale(1)" }],
      150,
    );
  }

  async #glow(points: string[], ms: number): Promise<void> {
    this.glowing = [...this.glowing, points];
    await tick();
    const lines = [...(this.#scene().svg?.querySelectorAll(".glowing") ?? [])];
    const steps = [{ strokeOpacity: 0 }, { strokeOpacity: 1, offset: 0.4 }, { strokeOpacity: 0.2 }];
    await Promise.all(lines.map((element) => this.#motion.run(element, steps, ms)));
    this.glowing = [];
  }
}
