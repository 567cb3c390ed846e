/** Animations of a board that run now, all of which can be ended at once. */
export class Motion {
  #running = new Set<Animation>();

  async run(
    element: Element | undefined | null,
    keyframes: Keyframe[],
    ms: number,
    easing = "cubic-bezier(.4,0,.3,1)",
  ): Promise<void> {
    if (!element) return;
    const animation = element.animate(keyframes, { duration: ms, easing, fill: "backwards" });
    this.#running.add(animation);
    try {
      await animation.finished;
    } catch {
      /* cancelled */
    } finally {
      this.#running.delete(animation);
    }
  }

  finish(): void {
    for (const animation of this.#running) animation.cancel();
    this.#running.clear();
  }
}

export const move = (x: number, y: number, scale = 1) => `translate(${x}px, ${y}px) scale(${scale})`;
