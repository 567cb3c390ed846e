// Where in the memory of a running Pyodide lies what a tab cannot need: [first address, end] of each place.

const CODECS = ["cn", "hk", "jp", "kr", "tw"].map((country) => `_codecs_${country}`);
const ROWS = 256; // of an index of characters: a pointer, the first and the last column
const ROW = 8;
const MOST = 200_000; // bytes of one place

function text(module, address) {
  const end = module.HEAPU8.indexOf(0, address);
  return new TextDecoder().decode(module.HEAPU8.slice(address, end));
}

const word = (module, address) => module.HEAPU32[address >>> 2];

/** Modules that are frozen into the program and have been read: nobody reads them twice. */
function frozen(module, loaded) {
  const found = [];
  for (const table of ["Bootstrap", "Stdlib", "Test"]) {
    const first = word(module, module[`__PyImport_Frozen${table}`]);
    for (let at = first; word(module, at); at += 16) {
      const [, code, size] = [0, 4, 8].map((step) => word(module, at + step));
      if (loaded.has(text(module, word(module, at)))) found.push([code, code + size]);
    }
  }
  return found;
}

/** The characters of an index: two bytes each, from the first to the last column of each row. */
function characters(module, index) {
  const found = [];
  for (let at = index; index && at < index + ROWS * ROW; at += ROW) {
    const start = word(module, at);
    const [first, last] = module.HEAPU8.subarray(at + 4, at + 6);
    if (start) found.push([start, start + 2 * (last - first + 1)]);
  }
  return found;
}

/** Tables of East Asian encodings; all that is kept and sent here is Unicode. */
function encodings(python) {
  const module = python._module;
  const name = module.stringToNewUTF8("multibytecodec.map");
  const found = [];
  for (const codec of CODECS) {
    const names = python.runPython(
      `import ${codec} as it; [each for each in dir(it) if each.startswith("__map_")]`,
    );
    // Tables of pairs have another shape.
    for (const each of names.toJs()) if (!each.endsWith("pair")) found.push([codec, each]);
  }
  const addresses = found.map(([codec, each]) => {
    const id = python.runPython(`import ${codec}; id(${codec}.${each})`);
    return module._PyCapsule_GetPointer(id, name);
  });
  return addresses.flatMap((map) => [4, 8].flatMap((step) => characters(module, word(module, map + step))));
}

/** The same once more in the C library, for iconv: 126 rows of 190 characters, as GB 18030 has them. */
function chinese(python) {
  const rows = python.runPython(`
cells = [bytes((row, column)) for row in range(0x81, 0xFF) for column in range(0x40, 0xFF) if column != 0x7F]
b"".join(cell.decode("gb18030", "replace")[:1].encode("utf-16-le") for cell in cells[:190 * 31])
`);
  const wanted = rows.toJs();
  const at = Buffer.from(python._module.HEAPU8.buffer).indexOf(wanted);
  return at < 0 ? [] : [[at, at + 126 * 190 * 2]];
}

/** Everything of that kind; `loaded` are the names of the modules in the image. */
export function places(python, loaded) {
  const found = [...frozen(python._module, new Set(loaded)), ...encodings(python), ...chinese(python)];
  const wrong = found.filter(([start, end]) => !(start > 0 && start <= end && end - start < MOST));
  if (wrong.length) throw new Error(`Pyodide is built otherwise: ${JSON.stringify(wrong.slice(0, 3))}`);
  return found;
}
