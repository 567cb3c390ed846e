/** The address of a server as somebody writes it, made whole; null if it is none. */

const MOST = 300;
/** Names and numbers of computers nearby, which seldom have a certificate. */
const NEAR = /^(localhost|[\d.]+|\[[\da-f:]+\]|[^.]+|.*\.(local|lan|home|internal|test))$/i;

export function serverAddress(value: unknown): string | null {
  const text = typeof value === "string" ? value.trim() : "";
  if (!text || text.length > MOST || /[\s<>"'\\]/.test(text)) return null;
  let address = whole(text);
  // Without a scheme `localhost:8765` reads like one of its own.
  if (!address || !/^https?:\/\//i.test(text)) {
    if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(text)) return null;
    address = whole(`https://${text}`);
    if (address && NEAR.test(address.hostname)) address = whole(`http://${text}`);
  }
  if (!address || !/^https?:$/.test(address.protocol)) return null;
  if (!address.hostname || address.username || address.password) return null;
  return `${address.origin}/`;
}

function whole(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
