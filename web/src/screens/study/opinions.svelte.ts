/** What the engine thinks of the positions of a record: looked at one by one, or all of them in a sweep. */

import { Analysis } from "../../lib/analysis.svelte";
import { worth, worthOfEnd, worths, type Worth } from "../../lib/judge";
import { recall, remember } from "../../lib/settings.svelte";
import type { Move, View } from "../../lib/types";

const KEPT = "mbegu-every-move";
const MOST = 64; // moves that can be asked for at once

export class Opinions {
  readonly analysis = new Analysis();
  on = $state(false); // whether the engine looks at what is shown
  every = $state(recall(KEPT, true)); // at each of its moves
  sweeping = $state(false);
  swept = $state(0); // positions that the sweep has seen
  #values = $state<Record<string, number>>({}); // by position, for player 0
  #bests = $state<Record<string, string>>({}); // by position, the word of the best move

  get count(): number {
    return Object.keys(this.#values).length;
  }

  /** What has been found for a position, if it was looked at. */
  found(view: View): number | undefined {
    return this.#values[view.text];
  }

  best(view: View): string | undefined {
    return this.#bests[view.text];
  }

  /** What a position is worth as far as is known now. */
  worth(view: View): number | null {
    if (view.outcome) return worthOfEnd(view.outcome.winner);
    const info = this.analysis.info;
    return (this.on && info ? worth(info) : null) ?? this.found(view) ?? null;
  }

  /** One value for each position: the engine's, or the difference of the scores as long as it has seen none. */
  curve(views: readonly View[]): (number | null)[] {
    const any = this.count > 0;
    return views.map((view) => {
      if (!any) return view.scores[0] - view.scores[1];
      return this.found(view) ?? (view.outcome ? worthOfEnd(view.outcome.winner) : null);
    });
  }

  look(view: View | null): void {
    if (!view || view.outcome) {
      this.analysis.off();
      return;
    }
    const lines = this.every ? Math.min(view.legal.length, MOST) : 3;
    void this.#ask(view, lines, 10, () => !this.sweeping);
  }

  /** What each move is worth, if that is wanted and known. */
  worths(view: View): Map<Move, Worth> {
    const info = this.analysis.info;
    return this.on && this.every && info ? worths(info, view.sides) : new Map<Move, Worth>();
  }

  toggleEvery(view: View): void {
    this.every = !this.every;
    remember(KEPT, this.every);
    if (this.on) this.look(view);
  }

  toggle(view: View | null): void {
    this.on = !this.on;
    this.sweeping = false;
    if (this.on) this.look(view);
    else this.analysis.off();
  }

  /** Every position in turn, for the graph and the marks; asked again, it stops. */
  async sweep(views: readonly View[]): Promise<void> {
    if (this.sweeping) {
      this.sweeping = false;
      return;
    }
    this.on = false;
    this.sweeping = true;
    for (this.swept = 0; this.swept < views.length && this.sweeping; this.swept++) {
      const view = views[this.swept] as View;
      if (view.outcome || this.found(view) !== undefined) continue;
      await this.#ask(view, 1, 0.4, () => this.sweeping);
      if (this.analysis.state === "refused") break;
    }
    this.sweeping = false;
  }

  close(): void {
    this.sweeping = false;
    this.analysis.off();
  }

  async #ask(view: View, lines: number, seconds: number, wanted: () => boolean): Promise<void> {
    const found = await this.analysis.look(view.game, view.text, lines, seconds);
    const value = found && worth(found);
    if (value === null || !wanted()) return;
    this.#values[view.text] = value;
    this.#bests[view.text] = found?.lines[0]?.words[0] ?? "";
  }
}
