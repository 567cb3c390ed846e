import { expect, test } from "vitest";
import { canShare, Host, whyNot } from "./host";
import { forSharedMemory, limitsOf } from "./module";

/** The parts of a module, each with its number and its length. */
function section(number: number, ...bytes: number[]): number[] {
  return [number, bytes.length, ...bytes];
}
const text = (word: string) => [word.length, ...Array.from(word, (letter) => letter.charCodeAt(0))];

// A module like the engine's, by hand: it wants from 2 to 300 pages of memory, and its function `mbegu_twice(block)`
// doubles the first word of a block. (i64.store (i32.wrap_i64 b) (i64.shl (i64.load (i32.wrap_i64 b)) 1); 0)
const TWICE = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...section(1, 1, 96, 1, 126, 1, 127),
  ...section(2, 1, ...text("env"), ...text("memory"), 2, 1, 2, 0xac, 2),
  ...section(3, 1, 0),
  ...section(4, 1, 0x70, 0, 1),
  ...section(6, 2, 127, 1, 65, 0x80, 0x80, 4, 11, 127, 0, 65, 0x80, 0x80, 4, 11),
  ...section(
    7,
    4,
    ...[...text("mbegu_twice"), 0, 0, ...text("__stack_pointer"), 3, 0],
    ...[...text("__heap_base"), 3, 1, ...text("__indirect_function_table"), 1, 0],
  ),
  ...section(10, 1, 19, 0, 32, 0, 167, 32, 0, 167, 41, 3, 0, 66, 1, 134, 55, 3, 0, 65, 0, 11),
]);

test("a module tells how much memory it wants", () => {
  expect(limitsOf(TWICE)).toEqual({ initial: 2, maximum: 300 });
  expect(() => limitsOf(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))).toThrow("not a module of the engine");
});

test("one module serves memory of its own and shared memory", async () => {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 300, shared: true });
  const shared = await WebAssembly.compile(forSharedMemory(TWICE));
  await WebAssembly.instantiate(shared, { env: { memory } });
  await expect(WebAssembly.instantiate(TWICE, { env: { memory } })).rejects.toThrow();
  expect(TWICE).not.toEqual(forSharedMemory(TWICE)); // what was given is not changed
});

test("a function is called with a block of words", async () => {
  const host = await Host.open(TWICE);
  expect(host.call("twice", [21n])[0]).toBe(42n);
  expect(host.call("twice", [-1])[0]).toBe(2n ** 64n - 2n);
  expect(() => host.call("thrice", [1])).toThrow("the module has no thrice");
  expect(host.helpers()).toBe(0);
});

test("memory is zeroed, grows, and is given back from an address on", async () => {
  const host = await Host.open(TWICE);
  const first = host.allocate(8);
  host.write("int64", first, [7]);
  const large = host.allocate(5_000_000);
  expect(large % 64).toBe(0);
  expect(host.read("int64", first, 1, 1)).toEqual([7n]);
  host.release(first);
  expect(host.read("int64", host.allocate(8), 1, 1)).toEqual([0n]);
  host.keepTable(new Uint8Array([1, 2, 3]));
  expect(host.read("int8", host.table(), 3, 1)).toEqual([1, 2, 3]);
});

test("half a module is refused, and so is something else", async () => {
  await expect(Host.open(TWICE.slice(0, 60))).rejects.toThrow();
  await expect(Host.open(new TextEncoder().encode("<!doctype html>"))).rejects.toThrow();
});

test("helpers are hired where memory can be shared, and nowhere else", async () => {
  const hired: number[] = [];
  const hire = async ({ stack, memory }: { stack: number; memory: WebAssembly.Memory }) => {
    expect(memory.buffer).toBeInstanceOf(SharedArrayBuffer);
    hired.push(stack);
  };
  const host = await Host.open(TWICE, 2, hire);
  expect([host.helpers(), hired.length]).toEqual([2, 2]);
  expect(host.call("twice", [4])[0]).toBe(8n);
  Object.assign(globalThis, { crossOriginIsolated: false });
  expect(canShare()).toBe(false);
  expect((await Host.open(TWICE, 2, hire)).helpers()).toBe(0);
  Object.assign(globalThis, { crossOriginIsolated: undefined });
});

test("what a browser lacks is named", () => {
  const { BigInt64Array: kept } = globalThis;
  expect(whyNot()).toBe("");
  Object.assign(globalThis, { BigInt64Array: undefined });
  expect(whyNot()).toBe("BigInt64Array");
  Object.assign(globalThis, { BigInt64Array: kept });
});
