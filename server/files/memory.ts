// Memory of bytes that only pass through.

/**
 * Frees the memory of a piece immediately; the piece is empty afterwards. The garbage collector would make it cost more
 * than all else that is done with the piece: V8 counts such memory, and marks the whole heap every few dozen megabytes.
 * Only for pieces without another holder; one that shares its memory is not changed.
 */
export function giveBack({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
