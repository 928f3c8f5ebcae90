// A file on its way to its place: written under a name of its own, and there whole or not at all.
import { randomUUID } from 'node:crypto'
import { createWriteStream, type WriteStream } from 'node:fs'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { errorCode } from '../../db/pool.ts'
import { AppError, unavailable } from '../../errors.ts'
import type { Draft } from '../storage.ts'

/** The folder of drafts. No organization's id begins with a dot. */
export const DRAFTS = '.drafts'

/** So much waits in memory for the disk, for each upload. */
const BUFFER_BYTES = 256 * 1024

/** What the disk says, such as that it is full, is nothing the caller can mend, and no defect. */
export async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unavailable(
      `Files cannot be stored or read now (${errorCode(error) ?? 'unknown'}): try again later`,
    )
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes the folder, and sees that it is found again after the power went. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function linkTo(draft: string, place: string): Promise<void> {
  try {
    await link(draft, place)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    // A process that ended between its link and its commit left it: no row says that it is stored.
    await rm(place)
    await link(draft, place)
  }
}

async function putInPlace(draft: string, place: string): Promise<void> {
  await makeFolder(dirname(place))
  await linkTo(draft, place)
  await syncFolder(dirname(place))
}

async function discard(stream: WriteStream, path: string): Promise<void> {
  if (!stream.closed) {
    stream.destroy()
    await finished(stream).catch(() => undefined)
  }
  await rm(path, { force: true })
}

/** @param placeOf where a key's file belongs, on the same disk */
export function openDraft(folder: string, placeOf: (key: string) => string): Draft {
  const path = join(folder, randomUUID())
  const stream = createWriteStream(path, {
    flags: 'wx',
    mode: 0o600,
    flush: true,
    highWaterMark: BUFFER_BYTES,
  })
  // Whoever waits for it to be finished hears of it; nobody may be waiting yet.
  stream.on('error', () => undefined)
  return {
    stream,
    finished: () => onDisk(() => finished(stream)),
    publish: (key) => onDisk(() => putInPlace(path, placeOf(key))),
    discard: () => onDisk(() => discard(stream, path)),
  }
}
