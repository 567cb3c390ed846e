// What a module of the engine says about the memory that it wants, and how it is told to share one.

/** What stands in a module before the limits of its memory: import "env" "memory", a memory. */
const BEFORE = [3, ...bytesOf("env"), 6, ...bytesOf("memory"), 2];
const WITH_MOST = 1; // the limits name a maximum
const SHARED = 3; // and the memory is shared

export interface Limits {
  initial: number; // pages
  maximum: number;
}

function bytesOf(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}

function placeOfLimits(bytes: Uint8Array): number {
  for (let at = 8; at + BEFORE.length < bytes.length; at++)
    if (BEFORE.every((byte, i) => bytes[at + i] === byte)) return at + BEFORE.length;
  throw new Error("this is not a module of the engine: it wants no memory");
}

/** A number as WebAssembly writes it, seven bits a byte (LEB128), and where the next one begins. */
function numberAt(bytes: Uint8Array, at: number): [number, number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

export function limitsOf(bytes: Uint8Array): Limits {
  const at = placeOfLimits(bytes);
  if (bytes[at] !== WITH_MOST) throw new Error("this module has memory of another kind");
  const [initial, next] = numberAt(bytes, at + 1);
  return { initial, maximum: numberAt(bytes, next)[0] };
}

/**
 * The same module, for memory that workers share. One module serves both kinds of pages: its code is the same,
 * and only one byte says which memory it is given.
 */
export function forSharedMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const changed = new Uint8Array(bytes);
  changed[placeOfLimits(bytes)] = SHARED;
  return changed;
}
