// A helper of a search: another worker with the same module over the same memory. It sleeps until it is told to
// call a function, and tells when it has returned. Nothing of the browser here: Node's threads do it as well.

import { lendClock } from "./clock";

export type Door = (block: bigint) => number;

/** What a helper is given: the module and its memory, and the places there that are its own. */
export interface Lent {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  letterbox: number;
  block: number;
  stack: number; // its end: stacks grow downwards
}

/** The words of a letterbox: how many orders there were, how many are done, and which function is to be called. */
export const ORDERS = 0;
export const DONE = 1;
export const WHICH = 2;
export const LETTERBOX_BYTES = 64; // a cache line of its own

/** The functions of a module, in one order for everybody. */
export function doorsOf(exports: WebAssembly.Exports): string[] {
  return Object.keys(exports)
    .filter((name) => name.startsWith("mbegu_"))
    .sort();
}

/** A helper that is ready to `serve`. */
export function helper({ module, memory, letterbox, block, stack }: Lent): { serve: () => never } {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  (exports.__stack_pointer as WebAssembly.Global).value = stack;
  lendClock(exports, memory, () => false);
  const doors = doorsOf(exports);
  const letters = new Int32Array(memory.buffer, letterbox, 3);
  const serve = (): never => {
    for (let orders = 0; ;) {
      Atomics.wait(letters, ORDERS, orders);
      orders = Atomics.load(letters, ORDERS);
      if (orders === Atomics.load(letters, DONE)) continue;
      try {
        (exports[doors[Atomics.load(letters, WHICH)]!] as Door)(BigInt(block));
      } finally {
        Atomics.store(letters, DONE, orders);
        Atomics.notify(letters, DONE);
      }
    }
  };
  return { serve };
}
