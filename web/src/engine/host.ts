// A module of the engine in WebAssembly and its memory. What Python asks of it is told in README.md, and
// in `mbegu.engine.machine.Host`. No framework, and nothing of the browser: it runs in Node as well.

import { lendClock, now } from "./clock";
import { DONE, doorsOf, LETTERBOX_BYTES, ORDERS, WHICH, type Door, type Lent } from "./helper";
import { forSharedMemory, limitsOf } from "./module";

export type Kind = "int8" | "int16" | "int32" | "int64" | "uint64";
type Whole = number | bigint;

/** Starts a worker that calls `helper` with what it is lent; done when the worker is ready. */
export type Hire = (lent: Lent) => Promise<void>;

const SIZES: Record<Kind, number> = { int8: 1, int16: 2, int32: 4, int64: 8, uint64: 8 };
const PAGE = 65536;
const LINE = 64; // bytes of a cache line
const BLOCK_WORDS = 128;
const STACK_BYTES = 1 << 20;

/** What this browser lacks and the engine needs; empty if it lacks nothing. */
export function whyNot(): string {
  if (typeof WebAssembly !== "object") return "WebAssembly";
  if (typeof BigInt64Array !== "function") return "BigInt64Array";
  return "";
}

/** Whether workers may share memory here: the page must be isolated from others (docs/site.md). */
export function canShare(): boolean {
  return typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated !== false;
}

export class Host {
  readonly #memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;
  readonly #doors: string[];
  readonly #block: number;
  readonly #helpers: Lent[] = [];
  #free: number;
  #clock = 0;
  #table = 0;
  /** When another thread sets the first number to that of the job, the search ends at its next look at the clock. */
  stop: Int32Array | null = null;
  job = 1;

  private constructor(instance: WebAssembly.Instance, memory: WebAssembly.Memory) {
    this.#exports = instance.exports;
    this.#memory = memory;
    this.#doors = doorsOf(instance.exports);
    this.#free = aligned(Number((instance.exports.__heap_base as WebAssembly.Global).value));
    this.#block = this.allocate(8 * BLOCK_WORDS);
  }

  /** A module, ready to be called; with so many helpers, if somebody hires them and memory can be shared. */
  static async open(source: BufferSource, helpers = 0, hire?: Hire): Promise<Host> {
    const bytes = ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source);
    const shared = helpers > 0 && hire !== undefined && canShare();
    const module = await WebAssembly.compile(shared ? forSharedMemory(bytes) : (source as BufferSource));
    const memory = new WebAssembly.Memory({ ...limitsOf(bytes), shared });
    const host = new Host(await WebAssembly.instantiate(module, { env: { memory } }), memory);
    for (let i = 0; shared && i < helpers; i++) await host.#hire(module, hire);
    return host;
  }

  async #hire(module: WebAssembly.Module, hire: Hire): Promise<void> {
    const lent = {
      module,
      memory: this.#memory,
      letterbox: this.allocate(LETTERBOX_BYTES),
      block: this.allocate(8 * BLOCK_WORDS),
      stack: this.allocate(STACK_BYTES) + STACK_BYTES,
    };
    await hire(lent);
    this.#helpers.push(lent);
  }

  /** Calls a function with a block of words; as many words as it may have answered with, unsigned. */
  call(entry: string, words: ArrayLike<Whole>, answer = 16): bigint[] {
    const door = this.#exports[`mbegu_${entry}`] as Door | undefined;
    if (door === undefined) throw new Error(`the module has no ${entry}`);
    this.#fillBlock(this.#block, words);
    if (door(BigInt(this.#block)) !== 0) throw new Error(`${entry} failed`);
    return Array.from(new BigUint64Array(this.#memory.buffer, this.#block, answer));
  }

  #fillBlock(at: number, words: ArrayLike<Whole>): void {
    const block = new BigUint64Array(this.#memory.buffer, at, BLOCK_WORDS);
    for (let i = 0; i < words.length; i++) block[i] = BigInt.asUintN(64, BigInt(words[i]!));
  }

  // ---- helpers, from 1 on

  helpers(): number {
    return this.#helpers.length;
  }

  /** Lets a helper call a function; nobody waits for it. */
  begin(helper: number, entry: string, words: ArrayLike<Whole>): void {
    this.finish(helper);
    const { block } = this.#helpers[helper - 1]!;
    this.#fillBlock(block, words);
    const letters = this.#letters(helper);
    Atomics.store(letters, WHICH, this.#doors.indexOf(`mbegu_${entry}`));
    Atomics.add(letters, ORDERS, 1);
    Atomics.notify(letters, ORDERS);
  }

  /** Waits until a helper has returned; at once if it does nothing. */
  finish(helper: number): void {
    const letters = this.#letters(helper);
    for (let done; (done = Atomics.load(letters, DONE)) !== Atomics.load(letters, ORDERS);)
      Atomics.wait(letters, DONE, done);
  }

  #letters(helper: number): Int32Array {
    return new Int32Array(this.#memory.buffer, this.#helpers[helper - 1]!.letterbox, 3);
  }

  // ---- memory

  /** The address of so many bytes, full of zeros, on a cache line, after all others. */
  allocate(size: number): number {
    const address = this.#free;
    this.#free = aligned(address + size);
    this.#room(this.#free);
    new Uint8Array(this.#memory.buffer, address, size).fill(0);
    return address;
  }

  /** Gives back everything that was allocated from this address on. */
  release(address: number): void {
    this.#free = address;
  }

  /** Keeps an endgame table for as long as the module is open. */
  keepTable(bytes: Uint8Array): void {
    this.#table = this.allocate(bytes.length);
    new Uint8Array(this.#memory.buffer, this.#table, bytes.length).set(bytes);
  }

  /** Where the endgame table lies; 0 if there is none. */
  table(): number {
    return this.#table;
  }

  /** So many numbers of a kind, each so many numbers after the other. */
  read(kind: Kind, address: number, count: number, step: number): Whole[] {
    const seen = this.#view(kind, address, (count - 1) * step + 1);
    return Array.from({ length: count }, (_, i) => seen[i * step]!);
  }

  write(kind: Kind, address: number, values: ArrayLike<Whole>): void {
    const seen = this.#view(kind, address, values.length);
    for (let i = 0; i < values.length; i++)
      seen[i] = SIZES[kind] === 8 ? BigInt(values[i]!) : Number(values[i]);
  }

  fill(kind: Kind, address: number, count: number, value: Whole): void {
    const seen = this.#view(kind, address, count);
    if (SIZES[kind] === 8) (seen as BigInt64Array).fill(BigInt(value));
    else (seen as Int32Array).fill(Number(value));
  }

  // ---- time

  /** The number of the function that tells the time to the search. */
  clock(): number {
    if (this.#clock === 0)
      this.#clock = lendClock(
        this.#exports,
        this.#memory,
        () => this.stop !== null && Atomics.load(this.stop, 0) === this.job,
      );
    return this.#clock;
  }

  /** What it tells, in nanoseconds. */
  now(): bigint {
    return now();
  }

  #view(kind: Kind, address: number, count: number): Record<number, Whole> {
    const memory = this.#memory.buffer;
    if (kind === "int64") return new BigInt64Array(memory, address, count);
    if (kind === "uint64") return new BigUint64Array(memory, address, count);
    if (kind === "int32") return new Int32Array(memory, address, count);
    if (kind === "int16") return new Int16Array(memory, address, count);
    return new Int8Array(memory, address, count);
  }

  #room(end: number): void {
    const missing = end - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
  }
}

function aligned(address: number): number {
  return Math.ceil(address / LINE) * LINE;
}
