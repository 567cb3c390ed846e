/** Starts Python from the image of its memory (scripts/tab.mjs makes it). */

import { decompress } from "fzstd";
import { foldData } from "../../scripts/image.mjs";

export interface Python {
  runPython(code: string): unknown;
  pyimport(name: string): Record<string, (...given: unknown[]) => unknown>;
}
interface Pyodide {
  loadPyodide(options: object): Promise<Python>;
}
interface Kept {
  bytes: number;
  whole: number; // unpacked; scripts are not packed
  sha256: string;
}
interface Described {
  version: string;
  lock: object;
  files: Record<string, Kept>;
}

type Came = (bytes: number) => void;

async function sha256(data: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function fetched(url: URL, how?: RequestInit): Promise<Response> {
  const response = await fetch(url, how).catch(() => null);
  if (!response?.ok) throw new Error(`missing ${nameOf(url)}`);
  return response;
}

function nameOf(url: URL): string {
  return url.pathname.split("/").at(-1) ?? "";
}

/** What a response brings; `came` hears of each piece. */
function body(response: Response, came?: Came): Promise<ArrayBuffer> {
  if (!response.body || !came) return response.arrayBuffer();
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, to) {
      came(piece.byteLength);
      to.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(counted)).arrayBuffer();
}

/** A file, whole and as it was built, or an error that says that it is not. */
export async function whole(url: URL, wanted: string, came?: Came): Promise<ArrayBuffer> {
  const data = await body(await fetched(url), came);
  // crypto.subtle is there only on secure pages; elsewhere compilers and unpackers find out.
  if (!globalThis.crypto?.subtle || (await sha256(data)) === wanted) return data;
  // What the browser has kept may be spoilt: once more, past everything that is kept.
  await forget(wanted);
  const again = await (await fetched(new URL(`${url.href}?again`), { cache: "reload" })).arrayBuffer();
  if ((await sha256(again)) !== wanted) throw new Error(`damaged ${nameOf(url)}`);
  return again;
}

/** Takes a file out of what the service worker keeps (src/offline/sw.ts), which then fetches it anew. */
async function forget(hash: string): Promise<void> {
  for (const name of await caches.keys())
    await (await caches.open(name)).delete(`/.mbegu/hash/${hash.slice(0, 16)}`);
}

async function unpacked(
  files: string,
  name: string,
  told: Described,
  came: Came,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept = told.files[name] as Kept;
  const packed = await whole(new URL(name, files), kept.sha256, came);
  const room = new Uint8Array(kept.whole);
  decompress(new Uint8Array(packed), room);
  return room;
}

/** What the files must be. */
async function description(files: string): Promise<Described> {
  const response = await fetched(new URL("tab.json", files));
  return response.json().catch(() => {
    throw new Error("damaged tab.json");
  }) as Promise<Described>;
}

/** Browsers read scripts by themselves, unchecked: when nothing comes of them, an error that names the damaged one. */
export async function checkScripts(files: string): Promise<void> {
  const told = await description(files);
  for (const name of ["pyodide.mjs", "pyodide.asm.mjs"])
    await whole(new URL(name, files), (told.files[name] as Kept).sha256);
}

const LARGE = ["python.wasm.zst", "memory.bin.zst"] as const;

/** Python, with all of Mbegu that a tab needs imported already; `told` hears how many bytes of how many are here. */
export async function startPython(
  files: string,
  told: (have: number, of: number) => void = () => undefined,
): Promise<Python> {
  const described = await description(files);
  const of = LARGE.reduce((sum, name) => sum + (described.files[name]?.bytes ?? 0), 0);
  let have = 0;
  const came = (bytes: number) => told((have += bytes), of);
  const [wasm, folded, { loadPyodide }] = await Promise.all([
    unpacked(files, LARGE[0], described, came),
    unpacked(files, LARGE[1], described, came),
    import(/* @vite-ignore */ new URL("pyodide.mjs", files).href) as Promise<Pyodide>,
  ]);
  // Pyodide fetches its program by itself; it gets the one that we have unpacked and checked.
  const usual = globalThis.fetch;
  globalThis.fetch = (asked, init) => {
    if (String(asked).endsWith("pyodide.asm.wasm"))
      return Promise.resolve(new Response(wasm, { headers: { "content-type": "application/wasm" } }));
    if (String(asked).endsWith("python_stdlib.zip")) return Promise.resolve(new Response(EMPTY_ZIP));
    return usual(asked, init);
  };
  try {
    return await loadPyodide({
      indexURL: files,
      lockFileContents: JSON.stringify(described.lock),
      _loadSnapshot: foldData(folded, wasm),
      packageBaseUrl: files,
    });
  } finally {
    globalThis.fetch = usual;
  }
}

/** The library lies in the image; Pyodide wants a file all the same. */
const EMPTY_ZIP = new Uint8Array([0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0)]);
