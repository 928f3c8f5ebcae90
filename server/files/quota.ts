// Limits the bytes of an organization's files, including files that are still arriving.

import { AppError } from '../base/errors.ts'
import type { BaseContext } from '../db/base-context.ts'
import { selectUsedBytes } from './store.ts'

type QuotaContext = Pick<BaseContext, 'config' | 'db'>

export function storageFull(limitBytes: number, usedBytes: number): AppError {
  const message = `The files of this organization, with its imports and uploads in progress, may use at most ${limitBytes} bytes: remove some and delete them from the trash, or ask the operator to raise FILES_BYTES_PER_ORGANIZATION`
  return new AppError('storage_full', message, { limitBytes, usedBytes })
}

/** Bytes written by uploads in this process that no row counts yet, by organization. */
const arriving = new Map<number, number>()

export interface ArrivingFile {
  /** Counts bytes that arrived. @throws 409 storage_full if they are too many */
  add(bytes: number): void
  /** Must be called when a row counts the file, or when its bytes are deleted. */
  end(): void
}

/** @throws 409 storage_full if `size` more bytes are too many */
export async function requireFileRoom(
  { db, config }: QuotaContext,
  org: number,
  size: number,
): Promise<number> {
  const [used, limit] = [await selectUsedBytes(db, org), config.filesBytesPerOrganization]
  const inUse = used + (arriving.get(org) ?? 0)
  if (inUse + size > limit) throw storageFull(limit, inUse)
  return used
}

/**
 * Starts to count a file that arrives.
 * @param size the least size of the file, if known
 * @throws 409 storage_full
 */
export async function countArriving(ctx: QuotaContext, org: number, size = 1): Promise<ArrivingFile> {
  const used = await requireFileRoom(ctx, org, size)
  const limit = ctx.config.filesBytesPerOrganization
  let own = 0
  const change = (bytes: number) => {
    own += bytes
    const all = (arriving.get(org) ?? 0) + bytes
    if (all === 0) arriving.delete(org)
    else arriving.set(org, all)
    return all
  }
  return {
    add(bytes) {
      const all = change(bytes)
      if (used + all > limit) throw storageFull(limit, used + all)
    },
    end: () => void change(-own),
  }
}
