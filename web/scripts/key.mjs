/**
 * The key of a message in the catalogues of the browser: FNV-1a, four letters or so instead of a whole sentence.
 * @param {string} message
 */
export function keyOf(message) {
  let hash = 0x811c9dc5;
  for (let k = 0; k < message.length; k++) hash = Math.imul(hash ^ message.charCodeAt(k), 0x01000193);
  return ((hash >>> 0) % 0x1000000).toString(36);
}
