// Frees the memory of bytes that are only passed on.

/**
 * Frees the memory of a piece immediately; the piece is empty afterwards. Garbage collection would cost more than all
 * other work on the piece: V8 counts such memory, and marks the whole heap every few dozen megabytes. Only for pieces
 * that no other code uses. A piece that shares its memory is not changed.
 */
export function giveBack({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
