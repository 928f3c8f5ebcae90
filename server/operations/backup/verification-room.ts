// Limits the copy of a verification: it must not fill a disk of the service, which would then refuse writes.
import { setTimeout as delay } from 'node:timers/promises'
import { sizeText } from '../../base/size-text.ts'
import { limitsOf } from '../../db/disk-space/judge.ts'
import { type MeasureSpace, measureSpace } from '../../db/disk-space/volumes.ts'
import { BackupError } from './object-store.ts'

export interface DiskRoom {
  /** The folder of the copy. */
  folder: string
  /** The setting DISK_FREE_MIN_BYTES. */
  minBytes: number | undefined
  measure?: MeasureSpace
}

/** A reserve for what the service and the copy write during the verification. */
const MEANWHILE_BYTES = 1024 ** 3
/** The same interval as for the service's own disks. */
const LOOK_MS = 250

const ADVICE = 'free some space, or set BACKUP_VERIFY_DIR to a folder with more room'

/** @param copyBytes of the whole copy @throws BackupError */
export async function requireDiskRoom(
  { folder, minBytes, measure = measureSpace }: DiskRoom,
  copyBytes: number,
): Promise<void> {
  const { freeBytes, sizeBytes } = await measure(folder)
  const needed = copyBytes + limitsOf(sizeBytes, minBytes).lowBytes + MEANWHILE_BYTES
  if (freeBytes >= needed) return
  throw new BackupError(
    `The backup is not verified, because ${folder} has ${sizeText(freeBytes)} free and ${sizeText(needed)} are needed: ${ADVICE}`,
  )
}

/** Waits for a shortage, before writes are refused. @returns why to stop; undefined: `signal` ended the wait */
async function shortageOf(
  { folder, minBytes, measure = measureSpace }: DiskRoom,
  signal: AbortSignal,
): Promise<BackupError | undefined> {
  while (!signal.aborted) {
    // Ignores a disk that cannot be measured.
    const space = await measure(folder).catch(() => undefined)
    if (space && space.freeBytes < limitsOf(space.sizeBytes, minBytes).resumeBytes)
      return new BackupError(
        `The verification was broken off, because ${folder} has only ${sizeText(space.freeBytes)} free: ${ADVICE}`,
      )
    await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
  return undefined
}

/** Runs `work` with a signal that also aborts when the disk fills up. */
export async function whileRoom<Result>(
  room: DiskRoom,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [short, ended] = [new AbortController(), new AbortController()]
  const watched = shortageOf(room, ended.signal).then((reason) => reason && short.abort(reason))
  try {
    return await work(AbortSignal.any([signal, short.signal]))
  } finally {
    ended.abort()
    await watched
  }
}
