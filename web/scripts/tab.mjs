// Builds Python for the browser: Pyodide with Mbegu already imported, as an image of its memory.
//
// Starting Pyodide takes seconds, nearly all of them for reading and compiling the standard library. An
// image of the memory after that starts in a fraction of it, and needs neither library nor sources at
// run time. Four steps: compile everything without docstrings by the very Python that will run it; import
// what the tab needs; write the memory down; take out of the program what the tab cannot need (thin.mjs).
// docs/site.md tells what is loaded when.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";
import { foldData, headerOf } from "./image.mjs";
import { places } from "./places.mjs";
import { blank, thinGlue, thinProgram } from "./thin.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const root = process.env.MBEGU_SOURCE ?? join(web, "..");
const source = join(root, "src", "mbegu");
const pyodide = join(web, "node_modules", "pyodide");
const target = process.argv[2] ?? join(web, "public", "tab");

/** What is not needed to play in a tab, and what cannot run there. */
const LEFT_OUT =
  /__pycache__|\/static\/|\/prebuilt\/|^site\/tab\/|\.(po|pot|pyc|so|dll|dylib|md)$|^(cli|lab|rl|terminal)\//;
/** What is imported into the image; everything else that Python needs comes with it. */
const ENTRY = "mbegu.server.tab";

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

/** A catalogue with only what can be said in a tab, where one was made (tools/tab.py). */
function catalogue(path) {
  const [, language] = /\/locale\/(\w+)\/LC_MESSAGES\/mbegu\.mo$/.exec(path) ?? [];
  const own =
    language && process.env.MBEGU_CATALOGUES && join(process.env.MBEGU_CATALOGUES, `${language}.mo`);
  return own && existsSync(own) ? own : path;
}

/** The sources by their name under site-packages, with the metadata by which games are found. */
function sources() {
  const found = {};
  for (const path of files(source).sort()) {
    const name = relative(source, path);
    if (!LEFT_OUT.test(`/${name}`) && !LEFT_OUT.test(name))
      found[`mbegu/${name}`] = readFileSync(catalogue(path));
  }
  const project = readFileSync(join(root, "pyproject.toml"), "utf8");
  const told = ["mbegu.games", "mbegu.kernels"].map((group) => {
    const [, lines] = new RegExp(`\\[project\\.entry-points\\."${group}"\\]\\n([^[]*)`).exec(project);
    const points = lines.split("\n").filter((line) => /^\w+ = "/.test(line));
    return `[${group}]\n${points.join("\n").replaceAll('"', "")}\n`;
  });
  found["mbegu-0.dist-info/METADATA"] = Buffer.from("Metadata-Version: 2.1\nName: mbegu\nVersion: 0\n");
  found["mbegu-0.dist-info/entry_points.txt"] = Buffer.from(told.join(""));
  return found;
}

/** Compiles the standard library and our own modules to optimised bytecode; a zip of each. */
async function compiled(own) {
  const python = await loadPyodide({ packageBaseUrl: "" });
  python.FS.mkdirTree("/in/own");
  python.FS.writeFile("/in/library.zip", bytes(join(pyodide, "python_stdlib.zip")));
  for (const [name, data] of Object.entries(own)) {
    python.FS.mkdirTree(`/in/own/${dirname(name)}`);
    python.FS.writeFile(`/in/own/${name}`, new Uint8Array(data));
  }
  python.runPython(readFileSync(join(web, "scripts", "compile.py"), "utf8"));
  return { library: python.FS.readFile("/in/library-o.zip"), own: python.FS.readFile("/in/own-o.zip") };
}

function bytes(path) {
  return new Uint8Array(readFileSync(path));
}

/** Starts from the bytecode, imports, and takes the image. */
async function image({ library, own }) {
  const zip = join(target, "library.zip");
  writeFileSync(zip, library);
  const python = await loadPyodide({ stdLibURL: zip, _makeSnapshot: true, packageBaseUrl: "" });
  python.unpackArchive(own, "zip", { extractDir: "/lib/python3.14/site-packages" });
  python.runPython(`
import gc, importlib, linecache, sys, zipimport
importlib.import_module("${ENTRY}").prepare()
linecache.clearcache(); sys.path_importer_cache.clear(); zipimport._zip_directory_cache.clear()
gc.collect()
for size in range(1, 480, 16):  # free places among small objects, filled with zeros
    held = [bytes(size) for _ in range(400_000 // (size + 33))]
    del held
gc.collect()
`);
  const loaded = python.runPython("list(sys.modules)").toJs();
  scrub(python._module);
  rmSync(zip);
  return { memory: python.makeMemorySnapshot(), loaded };
}

/** Writes zeros over memory that is free: what nobody needs shall not be sent to anybody. */
function scrub(module) {
  const held = [];
  for (let size = 1 << 20; size >= 64; size >>= 1) {
    while (module._sbrk(0) + 2 * size <= module.HEAPU8.length) {
      const at = module._malloc(size);
      if (!at) break;
      module.HEAPU8.fill(0, at, at + size);
      held.push(at);
    }
  }
  for (const at of held) module._free(at);
}

let packer = null; // a Python that packs

/** Packs a file by Zstandard, which Python knows and which a few kilobytes of JavaScript can read. */
async function keep(name, data) {
  const python = (packer ??= await loadPyodide({ packageBaseUrl: "" }));
  python.FS.writeFile("/whole", data);
  python.runPython(`
from compression import zstd
from pathlib import Path
Path("/packed").write_bytes(zstd.compress(Path("/whole").read_bytes(), ${process.env.MBEGU_PACKING ?? 19}))
`);
  const stored = python.FS.readFile("/packed");
  writeFileSync(join(target, name), stored);
  const sha256 = createHash("sha256").update(stored).digest("hex");
  return { bytes: stored.length, whole: data.length, sha256 };
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const whole = bytes(join(pyodide, "pyodide.asm.wasm"));
const script = readFileSync(join(pyodide, "pyodide.mjs"), "utf8");
const glue = thinGlue(readFileSync(join(pyodide, "pyodide.asm.mjs"), "utf8"), whole, script);
const { memory, loaded } = await image(await compiled(sources()));
const unneeded = places(await loadPyodide({ packageBaseUrl: "" }), loaded);
const wasm = thinProgram(whole, glue, unneeded);
blank(memory, unneeded, headerOf(memory));
const kept = {
  "python.wasm.zst": await keep("python.wasm.zst", wasm),
  "memory.bin.zst": await keep("memory.bin.zst", foldData(memory, wasm)),
};
for (const [name, text] of [
  ["pyodide.mjs", script],
  ["pyodide.asm.mjs", glue],
]) {
  writeFileSync(join(target, name), text);
  kept[name] = { bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
}
const version = createHash("sha256").update(JSON.stringify(kept)).digest("hex").slice(0, 12);
/** The engine in WebAssembly and its endgame tables, if they were built (`python -m mbegu.engine.ahead`). */
async function keepEngine() {
  const prebuilt = process.env.MBEGU_PREBUILT ?? join(source, "engine", "ahead", "prebuilt");
  if (!prebuilt || !existsSync(join(prebuilt, "manifest.json"))) return;
  mkdirSync(join(target, "engine"));
  const told = {};
  for (const [name, library] of Object.entries(
    JSON.parse(readFileSync(join(prebuilt, "manifest.json"), "utf8")).libraries,
  )) {
    if (!library.sha256.wasm) continue;
    const module = await keep(`engine/${name}.wasm.zst`, bytes(join(prebuilt, "wasm", `${name}.wasm`)));
    told[name] = { ...library, ...module, file: `${name}.wasm.zst` };
    if (library.table) {
      const { file } = library.table;
      const stored = await keep(`engine/${file}.zst`, bytes(join(prebuilt, "tables", file)));
      told[name].table = { ...library.table, ...stored, file: `${file}.zst` };
    }
  }
  writeFileSync(join(target, "engine", "engine.json"), JSON.stringify(told));
}
await keepEngine();
const { info } = JSON.parse(readFileSync(join(pyodide, "pyodide-lock.json"), "utf8"));
const lock = { info, packages: {} }; // Pyodide wants a list of packages, and we need none
writeFileSync(join(target, "tab.json"), `${JSON.stringify({ version, lock, files: kept }, null, 1)}\n`);
for (const [name, { bytes: size }] of Object.entries(kept))
  console.log(`${name}: ${(size / 1e6).toFixed(2)} MB`);
