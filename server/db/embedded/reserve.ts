// A file that reserves disk space for PostgreSQL's log on a full disk: without space for its log PostgreSQL ends, and
// cannot recover.
import { open, rm, stat, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { inheritOwner } from '../../base/ownership.ts'
import type { EmbeddedFolder } from './folder.ts'

/** A file of the log. Recovery ends with a checkpoint, which needs one such file and prepares the next. */
const SEGMENT_BYTES = 16 * 1024 ** 2
const RECOVERY_BYTES = 2 * SEGMENT_BYTES

const PIECE_BYTES = 1024 ** 2

type Folder = Pick<EmbeddedFolder, 'run'>

const pathOf = ({ run }: Folder) => join(run, 'reserve')

export async function reservedBytes(folder: Folder): Promise<number> {
  return (await stat(pathOf(folder)).catch(() => undefined))?.size ?? 0
}

export interface ReserveFacts {
  heldBytes: number
  /** The setting DISK_RESERVE_BYTES. */
  wantedBytes: number
  freeBytes: number
  /** From this free space on, writes are accepted. */
  resumeBytes: number
}

/**
 * How large the reserve should be. On a full disk half of it is released to the running server, for the log that reads
 * write. The other half is for a recovery (`yieldToRecovery`). The reserve is restored when `resumeBytes` remain free.
 */
export function reserveTarget({ heldBytes, wantedBytes, freeBytes, resumeBytes }: ReserveFacts): number {
  if (freeBytes < SEGMENT_BYTES) return Math.min(heldBytes, Math.floor(wantedBytes / 2))
  return heldBytes > wantedBytes || freeBytes >= resumeBytes + wantedBytes - heldBytes
    ? wantedBytes
    : heldBytes
}

/** Not zeros: some disks do not store zeros. */
const piece = Buffer.alloc(PIECE_BYTES, 'reserve ')

async function grow(path: string, from: number, to: number): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    inheritOwner(path)
    for (let size = from; size < to; size += PIECE_BYTES)
      await file.writeFile(piece.subarray(0, Math.min(PIECE_BYTES, to - size)))
    await file.datasync()
  } finally {
    await file.close()
  }
}

const REFUSED = ['EACCES', 'EPERM']

async function resize(path: string, held: number, bytes: number): Promise<void> {
  try {
    if (bytes < held) await truncate(path, bytes)
    else if (bytes > held) await grow(path, held, bytes)
  } catch (error) {
    if (!REFUSED.includes(errorCode(error) ?? '')) throw error
    // The file belongs to another account, but the folder is ours.
    await rm(path)
    await grow(path, 0, bytes)
  }
}

/** @throws errors of the file system, such as a full disk */
export async function setReserve(folder: Folder, bytes: number): Promise<void> {
  const path = pathOf(folder)
  if (bytes === 0) await rm(path, { force: true })
  else await resize(path, await reservedBytes(folder), bytes)
}

async function isShort(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize < RECOVERY_BYTES
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Whether the disk of the log has too little space for a recovery. */
export const lacksSpace = ({ cluster }: EmbeddedFolder): Promise<boolean> => isShort(join(cluster, 'pg_wal'))

/** Before a start: removes the reserve if a recovery would lack space. @returns whether it was removed */
export async function yieldToRecovery(folder: EmbeddedFolder): Promise<boolean> {
  if (!(await lacksSpace(folder)) || (await reservedBytes(folder)) === 0) return false
  await setReserve(folder, 0)
  return true
}
