// The socket of a running service for commands of its machine: a Unix socket in DATA_DIR that only its user can use.
import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Per machine, because several may share one DATA_DIR, and the socket of another machine cannot be used. */
export const socketFolder = (dataDir: string): string => join(dataDir, 'run', hostname())

/** The first group is the process id. */
export const SOCKET = /^(\d+)-[0-9a-f]{8}\.sock$/

/** Unique, even if containers with one hostname and one DATA_DIR have processes with the same id. */
export const socketName = (pid: number): string => `${pid}-${randomBytes(4).toString('hex')}.sock`

// sun_path holds 104 bytes on macOS and 108 on Linux, with the closing zero.
const PATH_BYTES_MAX = 103

/**
 * The path of a socket, short enough to be used. Linux names an open folder by its number.
 * @returns close: to be called when the socket is no longer used
 */
export async function usablePath(
  folder: string,
  name: string,
): Promise<{ path: string; close(): Promise<void> }> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return { path, close: async () => undefined }
  const handle = await open(folder, 'r')
  return { path: `/proc/self/fd/${handle.fd}/${name}`, close: () => handle.close() }
}

/** Advice for a user without access to DATA_DIR. */
export const asServiceUser = (dataDir: string): string =>
  `run this command as the user of the service or as root: sudo -u $(stat -c %U ${dataDir}) …`
