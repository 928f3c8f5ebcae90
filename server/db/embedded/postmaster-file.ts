import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddedFolder } from './folder.ts'

/** The content of postmaster.pid: the server that runs, or last ran, on the folder. */
export interface PostmasterFile {
  pid: number
  /** Empty at the beginning of a start. */
  socketDirectory: string
  /** True while the server accepts connections; false while it starts, recovers or stops. */
  isReady: boolean
}

export function postmasterPath(folder: EmbeddedFolder): string {
  return join(folder.cluster, 'postmaster.pid')
}

/** Lines of the file: pid, data directory, start time, port, socket directory, address, shared memory, state. */
export async function readPostmasterFile(folder: EmbeddedFolder): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterPath(folder), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0)) return undefined
  return { pid, socketDirectory: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' }
}
