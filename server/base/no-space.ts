// Error messages for operators about a full disk: the folder, the free and needed bytes, and advice.
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from './error-code.ts'
import { sizeText } from './size-text.ts'

const NO_SPACE: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT'])

/** Whether the error or its cause is a full disk. */
export const isNoSpace = (error: unknown): boolean =>
  NO_SPACE.has(errorCode(error)) || (error instanceof Error && isNoSpace(error.cause))

/** Free bytes on the disk of a folder, or of its nearest existing parent; 0 if unknown. */
export function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return dirname(folder) === folder ? 0 : freeBytesOf(dirname(folder))
  }
}

/** Such as `12 MiB free, 60 MiB needed`. @param neededBytes undefined if unknown */
export function freeText(folder: string, neededBytes?: number): string {
  const free = `${sizeText(freeBytesOf(folder))} free`
  return neededBytes === undefined ? free : `${free}, ${sizeText(neededBytes)} needed`
}

/** Runs work that writes to a folder of the operator. @param advice an alternative to freeing space */
export async function explainingNoSpace<Result>(
  { folder, advice }: { folder: string; advice: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isNoSpace(error)) throw error
    throw new Error(`The disk of ${folder} is full (${freeText(folder)}): free some space, or ${advice}`, {
      cause: error,
    })
  }
}
