// A file that is being written: it has a temporary name, and moves to its final path only when it is complete.
import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError, filesFull, unavailable } from '../../base/errors.ts'
import { freeBytesOf, isNoSpace } from '../../base/no-space.ts'
import { inheritOwner, makeFolder, syncFolder } from '../../base/ownership.ts'
import type { DiskSpace } from '../../db/disk-space/disk-space.ts'
import { errorCode } from '../../db/pool.ts'
import type { FileDraft } from '../storage.ts'

/** The folder of drafts. No organization's id begins with a dot. */
export const DRAFTS = '.drafts'

/** Turns errors of the disk, such as a full disk, into 503: the client cannot fix them, and they are no defect. */
export async function onDisk<Result>(
  folder: string,
  work: () => Promise<Result>,
  neededBytes?: number,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isNoSpace(error)) throw filesFull({ folder, neededBytes, freeBytes: freeBytesOf(folder) })
    throw unavailable(
      `Files cannot be stored or read now (${errorCode(error) ?? 'unknown'}): try again later`,
    )
  }
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error
}

/** Does work that needs a folder, and creates the folder only after a failure: it nearly always exists. */
async function inFolder<Result>(make: () => Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    await make()
    return work()
  }
}

async function linkTo(draft: string, place: string): Promise<void> {
  try {
    await link(draft, place)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    // A process ended after it linked this file and before its commit: no row has the file as stored.
    await unlink(place)
    await link(draft, place)
  }
}

async function putInPlace(draft: string, place: string): Promise<void> {
  const folder = dirname(place)
  await inFolder(
    () => makeFolder(folder),
    () => linkTo(draft, place),
  )
  await syncFolder(folder)
}

/** writev may write only a part of its input, for example if the disk is nearly full. */
async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  let left = pieces
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left)
    left = left.flatMap((piece) => {
      const rest = piece.subarray(Math.min(bytesWritten, piece.length))
      bytesWritten -= piece.length - rest.length
      return rest.length > 0 ? [rest] : []
    })
  }
}

async function createFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx', 0o600)
  inheritOwner(path)
  return file
}

export type FileSpace = Pick<DiskSpace, 'requireForFile'>

interface DraftOptions {
  /** The final path of a key's file, on the same disk. */
  placeOf: (key: string) => string
  space: FileSpace
  /** The least size of the file; undefined if unknown. */
  bytes: number | undefined
}

export async function openDraft(folder: string, { placeOf, space, bytes }: DraftOptions): Promise<FileDraft> {
  space.requireForFile(bytes ?? 0)
  const path = join(folder, randomUUID())
  const onThis = <Result>(work: () => Promise<Result>) => onDisk(folder, work, bytes)
  const file = await onThis(() =>
    inFolder(
      () => makeFolder(folder),
      () => createFile(path),
    ),
  )
  return {
    async write(pieces) {
      space.requireForFile(0)
      await onThis(() => writeAll(file, pieces))
    },
    finish: () =>
      onThis(async () => {
        await file.datasync()
        await file.close()
      }),
    publish: (key) => onThis(() => putInPlace(path, placeOf(key))),
    discard: () =>
      onThis(async () => {
        await file.close()
        await unlink(path).catch(ignoreMissing)
      }),
  }
}
