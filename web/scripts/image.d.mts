export function dataSegments(wasm: Uint8Array): [number, number, number][];
export function foldData(image: Uint8Array, wasm: Uint8Array, header?: number): Uint8Array<ArrayBuffer>;
export function headerOf(image: Uint8Array): number;
