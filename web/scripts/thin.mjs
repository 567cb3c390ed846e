// Takes out of Python's program what nobody can need in a tab.
//
// Pyodide is built for everything that Python can do. A tab never asks SQLite, never reads Big5, and has read
// the modules that are frozen into the program before its image is taken. Data of that kind become zeros and
// functions of such libraries become traps, which weigh nothing once packed; places and numbers stay as they
// are, so that the image and the program still belong together.

import { dataSegments } from "./image.mjs";

const FUNCTION = 0; // kinds of exports
const EXPORTS = 7; // kinds of sections
const CODE = 10;
const TRAP = [3, 0, 0x00, 0x0b]; // a body of three bytes: no locals, unreachable, end
const SMALL = 48; // bytes: linkers make one of equal functions, and small ones may serve anybody
const LIBRARIES = [/^_?(sqlite3|SQLITE)/, /^(lzma)_/, /^BZ2_/, /^(ZSTD|HUF|FSE|ZDICT|HIST)/];

const WORD = /[\w$]+/g;

// ---- reading and writing a module

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  name() {
    return new TextDecoder().decode(this.take(this.number()));
  }
}

function leb(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** The sections of a module: [kind, contents]. */
function sectionsOf(wasm) {
  const reader = new Reader(wasm, 8);
  const found = [];
  while (reader.at < wasm.length) found.push([reader.byte(), reader.take(reader.number())]);
  return found;
}

function assembled(wasm, sections) {
  const parts = [wasm.subarray(0, 8)];
  for (const [kind, contents] of sections)
    parts.push(Uint8Array.from([kind, ...leb(contents.length)]), contents);
  return new Uint8Array(Buffer.concat(parts));
}

function exportsOf(contents) {
  const reader = new Reader(contents);
  return Array.from({ length: reader.number() }, () => {
    const name = reader.name();
    return { name, kind: reader.byte(), index: reader.number() };
  });
}

/** How many functions a module imports: the numbers of its own come after them. */
function importedFunctions(wasm) {
  return WebAssembly.Module.imports(new WebAssembly.Module(wasm)).filter(({ kind }) => kind === "function")
    .length;
}

// ---- what is left out

/** Functions of a library: between the first and the last that bear its name, with nobody else's among them. */
function runsOf(library, named, sizeOf) {
  const runs = [];
  let run = null;
  for (const { name, index } of named) {
    if (library.test(name)) (run ??= runs[runs.push([index, index]) - 1])[1] = index;
    else if (sizeOf(index) > SMALL) run = null;
  }
  return runs;
}

/** Bodies of functions that cannot be called, because no module that would is in the image. */
function trapped(contents, named, imported) {
  const reader = new Reader(contents);
  const bodies = Array.from({ length: reader.number() }, () => reader.take(reader.number()));
  const sizeOf = (index) => bodies[index - imported]?.length ?? 0;
  const out = new Set();
  for (const library of LIBRARIES)
    for (const [first, last] of runsOf(library, named, sizeOf))
      for (let index = first; index <= last; index++) if (sizeOf(index) > SMALL) out.add(index - imported);
  const parts = [Uint8Array.from(leb(bodies.length))];
  bodies.forEach((body, k) =>
    parts.push(out.has(k) ? Uint8Array.from(TRAP) : Uint8Array.from([...leb(body.length), ...body])),
  );
  return new Uint8Array(Buffer.concat(parts));
}

/** What the program's JavaScript, or the program itself, asks for by name. */
function wanted(exports, glue, imports) {
  const words = new Set(glue.match(WORD));
  const asked = new Set(imports.map(({ name }) => name));
  return exports.filter(({ name }) => asked.has(name) || words.has(name));
}

function exportSection(exports) {
  const bytes = leb(exports.length);
  for (const { name, kind, index } of exports) {
    const letters = new TextEncoder().encode(name);
    bytes.push(...leb(letters.length), ...letters, kind, ...leb(index));
  }
  return Uint8Array.from(bytes);
}

/** The program without functions and names that nobody asks for, and with zeros in these places of its memory. */
export function thinProgram(wasm, glue, places) {
  const sections = sectionsOf(wasm);
  const exports = exportsOf(sections.find(([kind]) => kind === EXPORTS)[1]);
  const named = exports.filter(({ kind }) => kind === FUNCTION).sort((a, b) => a.index - b.index);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  const made = sections.map(([kind, contents]) => {
    if (kind === CODE) return [kind, trapped(contents, named, importedFunctions(wasm))];
    return [kind, kind === EXPORTS ? exportSection(wanted(exports, glue, imports)) : contents];
  });
  const thin = assembled(wasm, made);
  for (const [offset, from, size] of dataSegments(thin))
    blank(thin, places, from - offset, offset, offset + size);
  return thin;
}

/** Writes zeros over places of a memory that begins `shift` bytes into an array; only between two addresses. */
export function blank(bytes, places, shift, first = 0, last = Infinity) {
  for (const [start, end] of places)
    if (start < last && end > first)
      bytes.fill(0, Math.max(start, first) + shift, Math.min(end, last) + shift);
}

// ---- its JavaScript

/** Names of the program that its JavaScript takes and never uses: `_x=Module["_x"]=wasmExports["x"];`. */
const TAKEN = /([\w$]+)=Module\["\1"\]=wasmExports\["([\w$]+)"\](\.value>>>0)?;/g;
const DECLARED = /var ([\w$]+,){1000,}[\w$]+;/; // all of them in one line

/** The JavaScript of the program without names that stand nowhere else; `others` are scripts that use it. */
export function thinGlue(glue, wasm, others) {
  const counted = new Map();
  for (const [word] of `${glue} ${others}`.matchAll(WORD)) counted.set(word, (counted.get(word) ?? 0) + 1);
  const asked = new Set(WebAssembly.Module.imports(new WebAssembly.Module(wasm)).map(({ name }) => name));
  const gone = new Set();
  const fewer = glue.replace(TAKEN, (statement, own, name) => {
    // once declared, twice here; its name in the program once
    if (asked.has(name) || counted.get(own) > 3 || (name !== own && counted.get(name) > 1)) return statement;
    gone.add(own);
    return "";
  });
  return fewer.replace(DECLARED, (line) => {
    const kept = line
      .slice(4, -1)
      .split(",")
      .filter((name) => !gone.has(name));
    return `var ${kept.join(",")};`;
  });
}
