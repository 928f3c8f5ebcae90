// Memory of bytes that only pass through.

/**
 * Gives the memory of a piece back at once, after which it is empty. Left to the garbage collector it would cost more
 * than all else that is done with the piece: V8 counts such memory, and marks the whole heap every few dozen megabytes.
 * Only for pieces without another holder; one that shares its memory is left alone.
 */
export function giveBack({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
