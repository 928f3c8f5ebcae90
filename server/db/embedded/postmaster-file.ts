import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddedFolder } from './folder.ts'

/** What postmaster.pid says about the server that runs, or ran last, on the folder. */
export interface PostmasterFile {
  pid: number
  /** Empty while the server is only beginning to start. */
  socketDirectory: string
  /** True once it serves; false while it starts, recovers or stops. */
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
