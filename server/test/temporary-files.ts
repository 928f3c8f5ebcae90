// The folder for temporary files of a run of tests: in memory, if the machine has enough. On ext4 without a journal a
// new file takes up to a millisecond after thousands of deletions, and a database has 400 files.
import { readFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** Bytes that the processes of a run need. */
const PROCESSES = 4 * 1024 ** 3

export interface Machine {
  /** The folder that the environment sets, which has precedence. */
  given: string | undefined
  /** The contents of /proc/self/mounts. */
  mounts: string
  /** Free bytes in /dev/shm. */
  free: number
  /** Bytes of memory that processes may still take. */
  memory: number
}

function isUsable({ mounts, free, memory }: Machine, space: number): boolean {
  const [, , type, options] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === MEMORY) ?? []
  // Tests unpack programs into the folder and run them.
  const mayRun = options !== undefined && !options.split(',').includes('noexec')
  return type === 'tmpfs' && mayRun && free >= space && memory >= space + PROCESSES
}

/** @returns a folder */
export const placeOn = (machine: Machine, space: number): string =>
  machine.given === undefined && isUsable(machine, space) ? MEMORY : tmpdir()

/**
 * @param space bytes that the files may take
 * @returns a folder; the system's folder if nothing is known about memory
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
