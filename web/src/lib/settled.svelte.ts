/** Whether the first board is on the screen: what nobody looks at before it comes after it. */

let shown = $state(false);

export function settled(): boolean {
  return shown;
}

/** The grain of the wood waits, too: it takes a slow phone a while to draw. */
export function settle(): void {
  shown = true;
  document.documentElement.dataset.settled = "";
}
