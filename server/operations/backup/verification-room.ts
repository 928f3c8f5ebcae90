// The copy that is verified must not fill a disk that the service may share with it: one that is too full refuses writes.
import { setTimeout as delay } from 'node:timers/promises'
import { sizeText } from '../../base/size-text.ts'
import { limitsOf } from '../../db/disk-space/judge.ts'
import { type MeasureSpace, measureSpace } from '../../db/disk-space/volumes.ts'
import { BackupError } from './object-store.ts'

export interface DiskRoom {
  /** Where the copy lies. */
  folder: string
  /** The setting DISK_FREE_MIN_BYTES. */
  minBytes: number | undefined
  measure?: MeasureSpace
}

/** For what the service and the copy write meanwhile. */
const MEANWHILE_BYTES = 1024 ** 3
/** As the service looks at its own disks. */
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

/** Before writes are refused. @returns why the work must end; undefined: `signal` ended the watch */
async function shortageOf(
  { folder, minBytes, measure = measureSpace }: DiskRoom,
  signal: AbortSignal,
): Promise<BackupError | undefined> {
  while (!signal.aborted) {
    // A disk that cannot be measured is as it was.
    const space = await measure(folder).catch(() => undefined)
    if (space && space.freeBytes < limitsOf(space.sizeBytes, minBytes).resumeBytes)
      return new BackupError(
        `The verification was broken off, because ${folder} has only ${sizeText(space.freeBytes)} free: ${ADVICE}`,
      )
    await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
  return undefined
}

/** Runs work that stops by its signal, which a disk that fills aborts too. */
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
