// The image of a memory without what the program brings itself.
//
// A WebAssembly program carries the initial contents of its memory (its data section). They lie in the
// image as well; XOR makes zeros of whatever is still the same, and zeros weigh nothing once packed.

/** The active data segments of a module: [offset in memory, first byte, length]. */
export function dataSegments(wasm) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < wasm.length) {
    const kind = wasm[at++];
    const length = number();
    if (kind !== 11) {
      at += length;
      continue;
    }
    const found = [];
    for (let left = number(); left > 0; left--) {
      const flags = number();
      const opcode = wasm[at++];
      if (flags !== 0 || opcode !== 0x41) throw new Error("a data segment without a constant place");
      const offset = number();
      at++; // end of the expression
      const size = number();
      found.push([offset, at, size]);
      at += size;
    }
    return found;
  }
  return [];
}

/** Folds the data of a program out of an image, or back into it: the same step both ways. */
export function foldData(image, wasm, header = headerOf(image)) {
  const folded = new Uint8Array(image);
  for (const [offset, from, size] of dataSegments(wasm)) {
    const to = header + offset;
    for (let k = 0; k < size; k++) folded[to + k] ^= wasm[from + k];
  }
  return folded;
}

/** Pyodide puts a header before the memory; its length stands in its second word. */
export function headerOf(image) {
  const words = new Uint32Array(image.buffer, image.byteOffset, 4);
  return words[1];
}
