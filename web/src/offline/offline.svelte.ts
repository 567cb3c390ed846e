/** The page's half of living without a network: the service worker, new versions, a server that comes back. */

import { away, base, home, version } from "../lib/link";

const LOOK = 15_000; // milliseconds between looks whether the server is back
const HOUR = 3_600_000;

class Offline {
  news = $state<"" | "version" | "server" | "fleeting">(""); // what the person should know
  whole = $state(false); // whether all is here that a start without a network needs
  #registration: ServiceWorkerRegistration | null = null;
  #fresh: ServiceWorker | null = null;
  #looked = 0;

  /** Begins when the screen is there: what is kept for later shall not keep anybody waiting. */
  async begin(): Promise<void> {
    if (away) this.#awaitServer();
    if (home === "tab") await this.#startPython().catch(() => undefined); // whoever asks for it is told
    if (!version || !navigator.serviceWorker) return; // only secure pages and this computer have one
    try {
      const worker = new URL("sw.js", new URL(base, location.href));
      const found = await navigator.serviceWorker.register(worker, { scope: base, updateViaCache: "none" });
      this.#follow(found);
      await navigator.serviceWorker.ready;
      await this.#keep();
    } catch {
      /* private browsing, or no room: the app goes on, with a network */
    }
  }

  /** The whole of the new version, at a moment that the person chooses. */
  reload(): void {
    const waiting = this.#registration?.waiting;
    if (!waiting) {
      location.reload();
      return;
    }
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage({ t: "begin" });
  }

  /** Python first, also on a screen that has not needed it yet: somebody who waits goes before what is kept. */
  async #startPython(): Promise<void> {
    const { wake } = await import("../tab/client");
    const { lasting } = await wake();
    if (!lasting) this.news = "fleeting";
  }

  #follow(registration: ServiceWorkerRegistration): void {
    this.#registration = registration;
    const look = () => void this.#compare(registration.waiting ?? navigator.serviceWorker.controller);
    registration.addEventListener("updatefound", () => {
      const coming = registration.installing;
      coming?.addEventListener("statechange", () => coming.state === "installed" && look());
    });
    navigator.serviceWorker.addEventListener("controllerchange", look);
    look();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - this.#looked < HOUR) return;
      this.#looked = Date.now();
      void registration.update().catch(() => undefined); // no network
    });
    this.#looked = Date.now();
  }

  /** A page of another version than the worker's should be loaded again. */
  async #compare(worker: ServiceWorker | null): Promise<void> {
    if (!worker || worker === this.#fresh) return;
    this.#fresh = worker;
    const told = await ask(worker, "version");
    if (told !== version) this.news = "version";
    else if (worker === this.#registration?.waiting) worker.postMessage({ t: "begin" });
  }

  async #keep(): Promise<void> {
    const worker = navigator.serviceWorker.controller ?? this.#registration?.active;
    const sparing = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
    if (!worker) return;
    if (home === "tab" || !sparing) this.whole = (await ask(worker, "all")) === "kept";
    if ((await ask(worker, "version")) === version) worker.postMessage({ t: "tidy" });
  }

  #awaitServer(): void {
    const look = async () => {
      const found = await fetch("/health", { cache: "no-store" }).catch(() => null);
      if (found?.ok) this.news = "server";
      else setTimeout(look, LOOK);
    };
    addEventListener("online", () => void look());
    setTimeout(look, LOOK);
  }
}

function ask(worker: ServiceWorker, question: string): Promise<string> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(data as string);
    worker.postMessage({ t: question }, [port2]);
  });
}

export const offline = new Offline();
