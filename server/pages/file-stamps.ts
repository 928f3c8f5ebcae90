// Detects changes of files without reading them.
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** The time of the last change, in milliseconds since 1970, and the size in bytes. An edit changes at least one. */
export type FileStamp = readonly [modifiedMs: number, bytes: number]

/** Path below a root → its stamp. The stamp of a folder changes when an entry is added or removed. */
export type FileStamps = Readonly<Record<string, FileStamp>>

function stampOf(path: string): FileStamp | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && [found.mtimeMs, found.size]
}

/** @param paths below the root; missing files are left out */
export const stampsOf = (root: string, paths: readonly string[]): FileStamps =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const stamp = stampOf(join(root, path))
      return stamp ? [[path, stamp]] : []
    }),
  )

export const isUnchanged = (root: string, stamps: FileStamps): boolean =>
  Object.entries(stamps).every(([path, [modifiedMs, bytes]]) => {
    const now = stampOf(join(root, path))
    return now?.[0] === modifiedMs && now[1] === bytes
  })
