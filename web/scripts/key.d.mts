/** The key of a message in the catalogues of the browser. */
export function keyOf(message: string): string;
