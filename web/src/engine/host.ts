// A module of the engine in WebAssembly and its memory. What Python asks of it is told in README.md, and
// in `mbegu.engine.machine.Host`. No framework, and nothing of the browser: it runs in Node as well.

export type Kind = "int8" | "int16" | "int32" | "int64" | "uint64";
type Whole = number | bigint;
type Door = (block: bigint) => number;

const SIZES: Record<Kind, number> = { int8: 1, int16: 2, int32: 4, int64: 8, uint64: 8 };
const PAGE = 65536;
const LINE = 64; // bytes of a cache line
const BLOCK_WORDS = 128;
const LATE = 1n << 40n; // seconds

// (module (import "m" "f" (func (param i32 i32) (result i32))) (export "f" (func 0))): only a function of
// WebAssembly may stand in a module's table, so the clock of JavaScript goes through this one.
const THROUGH = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 2, 7, 1, 1, 109, 1, 102, 0, 0, 7, 5, 1, 1,
  102, 0, 0,
]);

/** The sentence for a browser that cannot run the engine; empty if it can. */
export function whyNot(): string {
  if (typeof WebAssembly !== "object") return "WebAssembly";
  if (typeof BigInt64Array !== "function") return "BigInt64Array";
  return "";
}

export class Host {
  readonly #memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;
  readonly #block: number;
  #free: number;
  #clock = 0;
  /** Set the first number from another thread, and the search ends at its next look at the clock. */
  stop: Int32Array | null = null;

  private constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports;
    this.#memory = instance.exports.memory as WebAssembly.Memory;
    this.#block = aligned(Number((instance.exports.__heap_base as WebAssembly.Global).value));
    this.#free = aligned(this.#block + 8 * BLOCK_WORDS);
    this.#room(this.#free);
  }

  /** A module, ready to be called. */
  static async open(source: BufferSource | WebAssembly.Module): Promise<Host> {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    return new Host(await WebAssembly.instantiate(module, {}));
  }

  /** Calls a function with a block of words; as many words as it may have answered with, unsigned. */
  call(entry: string, words: ArrayLike<Whole>, answer = 16): bigint[] {
    const door = this.#exports[`mbegu_${entry}`] as Door | undefined;
    if (door === undefined) throw new Error(`the module has no ${entry}`);
    const block = new BigUint64Array(this.#memory.buffer, this.#block, BLOCK_WORDS);
    for (let i = 0; i < words.length; i++) block[i] = BigInt.asUintN(64, BigInt(words[i]!));
    if (door(BigInt(this.#block)) !== 0) throw new Error(`${entry} failed`);
    return Array.from(new BigUint64Array(this.#memory.buffer, this.#block, answer));
  }

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

  /** The number of the function that tells the time to the search. */
  clock(): number {
    if (this.#clock === 0) {
      const tell = (_which: number, into: number): number => this.#tell(into);
      const through = new WebAssembly.Instance(new WebAssembly.Module(THROUGH), { m: { f: tell } });
      const table = this.#exports.__indirect_function_table as WebAssembly.Table;
      this.#clock = table.grow(1);
      table.set(this.#clock, through.exports.f);
    }
    return this.#clock;
  }

  /** What it tells, in nanoseconds. */
  now(): bigint {
    return BigInt(Math.floor(performance.now() * 1e6));
  }

  #tell(into: number): number {
    const time = this.now();
    const words = new BigInt64Array(this.#memory.buffer, into, 2);
    words[0] = this.stop !== null && Atomics.load(this.stop, 0) !== 0 ? LATE : time / 1_000_000_000n;
    words[1] = time % 1_000_000_000n;
    return 0;
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
