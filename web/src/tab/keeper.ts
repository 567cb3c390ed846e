/** Games in the browser's own database. Each event is a line of its own: nothing that is kept is written twice. */

const NAME = "mbegu";
const VERSION = 1;

/** What becomes of events: written, not the next ones (another tab plays this game), or of a game that is not here. */
export type Appended = "kept" | "behind" | "gone";

/** Keeps rooms and their events; every promise is kept when the browser says that it is written. */
export interface Keeper {
  load(room: string): Promise<string | undefined>; // Python knows undefined as None
  append(room: string, events: string, summary: string): Promise<Appended>;
  add(rows: string): Promise<void>;
  remove(room: string): Promise<void>;
  list(): Promise<string>;
  listen(changed: (room: string) => void): void;
}

interface Row {
  id: string;
  [name: string]: unknown;
}
interface LogEntry {
  room: string;
  version: number;
  [name: string]: unknown;
}

function open(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("rooms", { keyPath: "id" });
      request.result.createObjectStore("events", { keyPath: ["room", "version"] });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("IndexedDB"));
    request.onblocked = () => failed(new Error("blocked"));
  });
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("IndexedDB"));
  });
}

/** All that is done within, or nothing. */
async function within<T>(database: IDBDatabase, work: (at: IDBTransaction) => Promise<T>): Promise<T> {
  const transaction = database.transaction(["rooms", "events"], "readwrite");
  const over = new Promise<void>((done, failed) => {
    transaction.oncomplete = () => done();
    transaction.onabort = () => failed(transaction.error ?? new Error("not kept"));
  });
  over.catch(() => {
    /* told below */
  });
  const found = await work(transaction).catch((error: unknown) => {
    transaction.abort(); // what was written before is not kept either
    throw error;
  });
  await over;
  return found;
}

function eventsOf(transaction: IDBTransaction, room: string): IDBRequest<LogEntry[]> {
  return transaction.objectStore("events").getAll(IDBKeyRange.bound([room, 0], [room, Infinity]));
}

/** Tabs tell one another which game has gone on: each has the same games, and a worker of its own. */
const CHANNEL = "mbegu-games";

class Database implements Keeper {
  #database: IDBDatabase | null = null;
  #channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL);

  constructor(database: IDBDatabase) {
    this.#take(database);
  }

  /** Calls when another tab has changed a game. */
  listen(changed: (room: string) => void): void {
    if (this.#channel) this.#channel.onmessage = ({ data }) => changed(String(data));
  }

  #take(database: IDBDatabase): IDBDatabase {
    this.#database = database;
    const forget = () => {
      this.#database = null; // wiped: the next wish opens a new one
    };
    database.onclose = forget;
    database.onversionchange = () => {
      database.close();
      forget(); // no event tells of what we close ourselves
    };
    return database;
  }

  async #within<T>(work: (at: IDBTransaction) => Promise<T>): Promise<T> {
    return within(this.#database ?? this.#take(await open()), work);
  }

  load(room: string): Promise<string | undefined> {
    return this.#within(async (at) => {
      const row = await result<Row | undefined>(at.objectStore("rooms").get(room));
      if (!row) return undefined;
      return JSON.stringify({ ...row, log: await result(eventsOf(at, room)) });
    });
  }

  async append(room: string, events: string, summary: string): Promise<Appended> {
    const done = await this.#within<Appended>(async (at) => {
      const row = await result<Row | undefined>(at.objectStore("rooms").get(room));
      const lines = JSON.parse(events) as LogEntry[];
      const first = lines[0]?.version ?? 0;
      if (!row) return "gone";
      if (row.version !== first - 1) return "behind";
      for (const line of lines) at.objectStore("events").add({ ...line, room });
      at.objectStore("rooms").put({ ...row, ...(JSON.parse(summary) as object) });
      return "kept";
    });
    if (done === "kept") this.#channel?.postMessage(room);
    return done;
  }

  add(rows: string): Promise<void> {
    return this.#within(async (at) => {
      for (const { log, ...row } of JSON.parse(rows) as (Row & { log: LogEntry[] })[]) {
        // Two tabs may begin the same game: the one that comes later takes no move back.
        if (!log.length && (await result<Row | undefined>(at.objectStore("rooms").get(row.id)))) continue;
        at.objectStore("rooms").put(row);
        for (const line of log) at.objectStore("events").put({ ...line, room: row.id });
      }
    });
  }

  async remove(room: string): Promise<void> {
    await this.#within(async (at) => {
      at.objectStore("rooms").delete(room);
      at.objectStore("events").delete(IDBKeyRange.bound([room, 0], [room, Infinity]));
    });
    this.#channel?.postMessage(room);
  }

  list(): Promise<string> {
    return this.#within(async (at) => JSON.stringify(await result(at.objectStore("rooms").getAll())));
  }
}

/** Where the browser keeps nothing, games live as long as the tab. */
class Memory implements Keeper {
  #rooms = new Map<string, Row & { log: LogEntry[] }>();

  async load(room: string): Promise<string | undefined> {
    const row = this.#rooms.get(room);
    return row ? JSON.stringify(row) : undefined;
  }
  async append(room: string, events: string, summary: string): Promise<Appended> {
    const row = this.#rooms.get(room);
    if (!row) return "gone";
    Object.assign(row, JSON.parse(summary), { log: [...row.log, ...(JSON.parse(events) as LogEntry[])] });
    return "kept";
  }
  listen(): void {
    /* other tabs have games of their own */
  }
  async add(rows: string): Promise<void> {
    for (const row of JSON.parse(rows) as (Row & { log: LogEntry[] })[]) this.#rooms.set(row.id, row);
  }
  async remove(room: string): Promise<void> {
    this.#rooms.delete(room);
  }
  async list(): Promise<string> {
    return JSON.stringify([...this.#rooms.values()].map(({ log: _log, ...row }) => row));
  }
}

/** The browser's database, or memory where there is none. */
export async function keeper(): Promise<{ keeper: Keeper; lasting: boolean }> {
  try {
    return { keeper: new Database(await open()), lasting: true };
  } catch {
    return { keeper: new Memory(), lasting: false };
  }
}
