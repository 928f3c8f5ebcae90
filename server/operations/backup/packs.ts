// A stream of any length as objects of a bounded size. Storing and reading need memory for only one of them.
import { BackupError } from './object-store.ts'
import type { Vault } from './vault.ts'

export const PACK_BYTES = 16 * 1024 * 1024

export interface Pack {
  name: string
  /** Size in the store. */
  bytes: number
  sha256: string
}

/** Pieces of exactly `size` bytes, the last one shorter. Reading the next piece overwrites the previous one. */
export async function* piecesOf(stream: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafe(size)
  let filled = 0
  for await (const chunk of stream)
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.copy(piece, filled, at)
      at += taken
      filled += taken
      if (filled < size) continue
      yield piece
      filled = 0
    }
  if (filled > 0) yield piece.subarray(0, filled)
}

/** @param prefix of the objects' names; ends with a slash */
export async function storePacks(
  vault: Vault,
  prefix: string,
  stream: AsyncIterable<Buffer>,
  packBytes = PACK_BYTES,
): Promise<Pack[]> {
  const packs: Pack[] = []
  for await (const piece of piecesOf(stream, packBytes)) {
    const name = `${prefix}${String(packs.length).padStart(6, '0')}`
    const { bytes, sha256 } = await vault.put(name, piece)
    packs.push({ name, bytes, sha256 })
  }
  return packs
}

/** @throws BackupError if an object is missing or damaged */
export async function* readPacks(vault: Vault, packs: readonly Pack[]): AsyncGenerator<Buffer> {
  for (const pack of packs) {
    const bytes = await vault.get(pack.name, pack)
    if (bytes === undefined)
      throw new BackupError(`${pack.name} of the backup is missing: restore another backup`)
    yield bytes
  }
}
