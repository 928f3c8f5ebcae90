import { mkdir, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { keepDiskUsable } from './disk-keeper.ts'

const MIB = 1024 ** 2

/** A server that cannot be reached. `asked` counts connections for a checkpoint. */
function noServer() {
  let asked = 0
  const administration = () => {
    asked++
    throw new Error('no server')
  }
  return { server: { administration }, asked: () => asked }
}

test('a reserve that cannot be released is logged once, and a checkpoint is requested', async () => {
  const dataDir = await realpath(await temporaryFolder('keeper'))
  const run = join(dataDir, 'postgres-run')
  // A folder in place of the file cannot be removed like a file.
  await mkdir(join(run, 'reserve', 'taken'), { recursive: true })
  const lines: { level: number; msg: string; folder?: string }[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const config = { dataDir, diskFreeMinBytes: Number.MAX_SAFE_INTEGER, diskReserveBytes: 0 }
  const { server, asked } = noServer()
  const stop = keepDiskUsable({ config: config as never, log, server })
  onTestFinished(stop)
  const tried = () => lines.filter(({ level }) => level === 20)
  await expect.poll(() => tried().length).toBeGreaterThan(1)
  const [told, ...more] = lines.filter(({ level }) => level === 40)
  expect(told).toMatchObject({ msg: expect.stringContaining('cannot be given up'), folder: run })
  expect(more).toEqual([])
  expect(asked()).toBe(1)
})

test.each([
  { name: 'the database', full: 'postgres' },
  { name: 'the log, on another disk', full: 'pg_wal' },
])('while the disk of $name is full, a checkpoint is requested', async ({ full }) => {
  const dataDir = await realpath(await temporaryFolder('keeper'))
  const looked: string[] = []
  const measure = async (folder: string) => {
    looked.push(folder)
    return { device: 1, freeBytes: (basename(folder) === full ? 1 : 5000) * MIB, sizeBytes: 10_000 * MIB }
  }
  const { server, asked } = noServer()
  const config = { dataDir, diskFreeMinBytes: undefined, diskReserveBytes: 0 }
  onTestFinished(keepDiskUsable({ config: config as never, log: pino({ level: 'silent' }), server, measure }))
  await expect.poll(asked).toBe(1)
  expect(looked).toContain(join(dataDir, 'postgres', 'pg_wal'))
})
