/**
 * The service worker: keeps one whole version of the app for the time without a network.
 *
 * A version is a list of files with their hashes (`MBEGU`, written before this script by mbegu.server.api.offline).
 * Contents are kept by hash, checked before they are kept; a version is used only when all of it is there. Answers
 * of a server are never kept: only files of the list are.
 */

interface Version {
  version: string;
  home: "server" | "tab"; // who keeps the games: a server sends its own pages as long as it is there
  page: string; // what is shown for every address when nobody sends a page
  files: Record<string, string>; // hash by path below the scope
  later: string[]; // files that come when the page asks for them: not everybody needs Python
}
declare const MBEGU: Version;

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface MessageEventHere extends ExtendableEvent {
  readonly data: { t: string };
  readonly ports: readonly MessagePort[];
}
interface Scope {
  registration: { scope: string; waiting: unknown; installing: unknown };
  clients: { claim(): Promise<void>; matchAll(options: object): Promise<unknown[]> };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", work: (event: ExtendableEvent) => void): void;
  addEventListener(kind: "fetch", work: (event: FetchEvent) => void): void;
  addEventListener(kind: "message", work: (event: MessageEventHere) => void): void;
}
const scope = self as unknown as Scope;

const ROOT = new URL(scope.registration.scope);
const STORE = `mbegu ${ROOT.pathname}`;
const HASHES = "/.mbegu/hash/"; // addresses within the store, which no server is ever asked for
const LISTS = "/.mbegu/version/";
const AT_ONCE = 4;
const PATIENCE = 5000; // milliseconds for a server's page, before our own is shown
/** Files whose address names their content: they are the same in every version that has them. */
const ADDRESSED = /^(assets|tab)\//;

const store = () => caches.open(STORE);

async function hashOf(data: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The file as its host has it, if that is what it should be. */
async function fetched(path: string, hash: string, cache: RequestCache): Promise<Response | null> {
  const response = await fetch(new URL(path, ROOT), { cache });
  if (!response.ok) return null;
  const data = await response.arrayBuffer();
  if ((await hashOf(data)) !== hash) return null;
  const headers = new Headers(response.headers); // its policy among them
  headers.delete("content-encoding"); // it is unpacked now
  headers.delete("content-length");
  return new Response(data, { headers });
}

async function keep(path: string): Promise<void> {
  const hash = MBEGU.files[path] as string,
    kept = await store();
  if (await kept.match(HASHES + hash)) return; // of an older version, or of an attempt that was cut
  const usual = ADDRESSED.test(path) ? "default" : "no-cache";
  const found = (await fetched(path, hash, usual)) ?? (await fetched(path, hash, "reload"));
  if (!found) throw new Error(`${path} is not the file of version ${MBEGU.version}`);
  await kept.put(HASHES + hash, found);
}

/** All of these, a few at a time; fails if one does. */
async function keepAll(paths: string[]): Promise<void> {
  const waiting = [...paths];
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await keep(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function install(): Promise<void> {
  await keepAll(Object.keys(MBEGU.files).filter((path) => !MBEGU.later.includes(path)));
  await (await store()).put(LISTS + MBEGU.version, new Response(JSON.stringify(MBEGU.files)));
  // A server's pages name their own files, so nothing can be mixed: the new one begins at once.
  if (MBEGU.home === "server") await scope.skipWaiting();
}

/** A file of this version. */
async function file(path: string, request?: Request): Promise<Response> {
  const kept = await store();
  const found = await kept.match(HASHES + MBEGU.files[path]);
  if (found) return found;
  const answer = await fetch(request ?? new URL(path, ROOT));
  void keep(path).catch(() => undefined); // the browser has thrown it away
  return answer;
}

/** A file of an earlier version, for a tab that has not been loaded again since. */
async function earlier(path: string, request: Request): Promise<Response> {
  const kept = await store();
  for (const list of await kept.keys()) {
    if (!new URL(list.url).pathname.startsWith(LISTS)) continue;
    const files = (await (await kept.match(list))?.json()) as Record<string, string> | undefined;
    const found = files?.[path] ? await kept.match(HASHES + files[path]) : undefined;
    if (found) return found;
  }
  return fetch(request);
}

/** The page that the server sends, or our own when it sends none. */
async function serverPage(request: Request): Promise<Response> {
  const late = new Promise<null>((done) => setTimeout(done, PATIENCE, null));
  const sent = fetch(request).catch(() => null);
  const first = await Promise.race([sent, late]);
  if (first && first.status < 500) return first;
  const own = await (await store()).match(HASHES + MBEGU.files[MBEGU.page]);
  return own ?? (await sent) ?? Response.error();
}

function answer(event: FetchEvent): Promise<Response> | null {
  const { request } = event,
    url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== ROOT.origin || !url.pathname.startsWith(ROOT.pathname))
    return null;
  const path = url.pathname.slice(ROOT.pathname.length);
  if (request.mode === "navigate" && MBEGU.home === "server")
    return /^(api|ws)\//.test(path) ? null : serverPage(request);
  if (request.mode === "navigate" && (path === "" || path === "index.html")) return file(MBEGU.page, request);
  if (url.search) return null; // whoever adds a question wants it from the network
  if (path in MBEGU.files) return file(path, request);
  return ADDRESSED.test(path) ? earlier(path, request) : null;
}

/** Forgets what only earlier versions need, once no tab of them is left. */
async function tidy(): Promise<void> {
  const { waiting, installing } = scope.registration;
  if (waiting || installing || (await scope.clients.matchAll({ type: "window" })).length > 1) return;
  const kept = await store(),
    own = LISTS + MBEGU.version;
  const needed = new Set([own, ...Object.values(MBEGU.files).map((hash) => HASHES + hash)]);
  const all = (await kept.keys()).map((key) => new URL(key.url).pathname);
  if (!all.some((path) => path.startsWith(LISTS) && path !== own)) return; // what is half there may become whole
  for (const path of all) if (!needed.has(path)) await kept.delete(path);
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  const found = answer(event);
  if (found) event.respondWith(found);
});
scope.addEventListener("message", (event) => {
  const told = (text: string) => event.ports[0]?.postMessage(text);
  if (event.data.t === "version") told(MBEGU.version);
  else if (event.data.t === "begin") void scope.skipWaiting();
  else if (event.data.t === "tidy") event.waitUntil(tidy());
  else if (event.data.t === "all")
    event.waitUntil(
      keepAll(MBEGU.later).then(
        () => told("kept"),
        () => told("not kept"),
      ),
    );
});
