// Where a run of tests keeps its temporary files: in memory, where the machine has enough of it. On ext4 without a
// journal a new file takes up to a millisecond while thousands of files were just deleted, and a database is 400 files.
import { readFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** Bytes that the processes of a run need. */
const PROCESSES = 4 * 1024 ** 3

export interface Machine {
  /** Given by the environment, which wins. */
  given: string | undefined
  /** What the system has mounted, as /proc/self/mounts says it. */
  mounts: string
  /** Bytes that are free in /dev/shm. */
  free: number
  /** Bytes that processes may still take. */
  memory: number
}

function isUsable({ mounts, free, memory }: Machine, space: number): boolean {
  const [, , type, options] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === MEMORY) ?? []
  // Tests run programs that they unpack.
  const mayRun = options !== undefined && !options.split(',').includes('noexec')
  return type === 'tmpfs' && mayRun && free >= space && memory >= space + PROCESSES
}

/** @returns a folder */
export const placeOn = (machine: Machine, space: number): string =>
  machine.given === undefined && isUsable(machine, space) ? MEMORY : tmpdir()

/**
 * @param space bytes that the files may take
 * @returns a folder; the system's own where nothing is known about memory
 */
export async function placeForTemporaryFiles(space: number): Promise<string> {
  try {
    const [mounts, { bavail, bsize }] = await Promise.all([
      readFile('/proc/self/mounts', 'utf8'),
      statfs(MEMORY),
    ])
    const given = process.env['TMPDIR']
    return placeOn({ given, mounts, free: bavail * bsize, memory: process.availableMemory() }, space)
  } catch {
    return tmpdir()
  }
}
