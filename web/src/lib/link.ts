/** The way to whoever keeps the games: a server, or Python in this tab. Screens do not know which. */

import { t } from "./i18n.svelte";

export type Home = "server" | "tab";

/** What a screen needs of a WebSocket. */
export interface Connection {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason?: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

function told(name: string): string | null {
  if (typeof document === "undefined") return null;
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null;
}

/** Who keeps the games: the page says it, because it was built for one of the two. */
export const home: Home = told("mbegu-home") === "tab" ? "tab" : "server";
/** Where the files of this site lie, with a slash at the end. */
export const base: string = new URL(told("mbegu-base") ?? "/", location.href).pathname;
/** Whether this is a folder of files, which has one page only: addresses stand behind the #. */
export const isFolder = told("mbegu-base") !== null;
/** Where Python for this page lies, if it comes along. */
export const files: string | null = told("mbegu-files") && new URL(told("mbegu-files")!, here()).href;
/** Which version of the app this page belongs to. */
export const version = told("mbegu-version");
/** Whether the server's own page could not be had: what is played meanwhile is kept on this device. */
export const away = told("mbegu-away") !== null;

/** Whether this page is a board on somebody else's page. */
export const isEmbed =
  told("mbegu-page") === "embed" || (!isFolder && /^\/embed\/?$/.test(location.pathname));

/** A whole address that opens on every Mbegu: what it says stands behind the #. */
export function address(path: string): string {
  return `${here().href}#${path}`;
}

/** The address of a board for other pages. */
export function embedAddress(word: string): string {
  return `${new URL("embed/", here()).href}#${word}`;
}

function here(): URL {
  return new URL(base, location.href);
}

export const notArrived = () =>
  t("A file did not arrive, or came only in part. Is there a network? Your games are kept.");

/** The page's half of Python in this tab; where its file did not come, an error for people. */
const tab = () =>
  import("../tab/client").catch(() => {
    throw new Error(notArrived());
  });

/** Asks the API. */
export async function request(path: string, init?: RequestInit): Promise<Response> {
  if (home === "server") return fetch(`/api/v1${path}`, init);
  return (await tab()).request(path, init);
}

/** Asks Python in this tab, also where a server keeps the games. */
export async function askTab(path: string, init?: RequestInit): Promise<Response> {
  return (await tab()).request(path, init);
}

/** Saves an answer as a file, where no server sends one. */
export async function download(path: string, name: string): Promise<void> {
  const response = await request(path);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name || path.replace(/\?.*$/, "").split("/").slice(-2).join("-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Opens a line, `/ws/rooms/…` or `/ws/analysis`. */
export function openConnection(path: string): Connection {
  if (home === "tab") return new LaterConnection(path);
  return new WebSocket(
    `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`,
  ) as unknown as Connection;
}

/** A line into this tab, also where a server keeps the games. */
export function openTabConnection(path: string): Connection {
  return new LaterConnection(path);
}

const CANNOT = 4500; // as tab/client.ts has it: it is of no use to try again

/** A line into this tab; its code comes when it is first wanted. */
class LaterConnection implements Connection {
  readyState: number = WebSocket.CONNECTING;
  onopen: Connection["onopen"] = null;
  onmessage: Connection["onmessage"] = null;
  onclose: Connection["onclose"] = null;
  #send: ((text: string) => void) | null = null;
  #hangUp: (() => void) | null = null;

  constructor(path: string) {
    void tab().then(
      ({ connect }) => {
        if (this.readyState === WebSocket.CLOSED) return;
        const { send, close } = connect(path, {
          opened: () => {
            this.readyState = WebSocket.OPEN;
            this.onopen?.();
          },
          said: (text) => this.onmessage?.({ data: text }),
          closed: (code, why) => this.#closed(code, why),
        });
        this.#send = send;
        this.#hangUp = close;
      },
      (error: Error) => this.#closed(CANNOT, error.message),
    );
  }

  send(text: string): void {
    this.#send?.(text);
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.#hangUp?.();
    this.#closed(1000);
  }

  #closed(code: number, reason = ""): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code, reason });
  }
}
