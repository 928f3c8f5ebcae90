import { describe, expect, test } from 'vitest'
import { AppError, attempt } from '../../base/errors.ts'
import { type ProbeResult, WatchedDiskSpace } from './disk-space.ts'
import type { Space, Volume } from './volumes.ts'

const MIB = 1024 ** 2
const VOLUMES: Volume[] = [
  { name: 'database', folder: '/data/postgres' },
  { name: 'log', folder: '/log' },
  { name: 'files', folder: '/files' },
]

function open(volumes = VOLUMES) {
  const free: Record<string, number | Error> = { '/data/postgres': 500, '/log': 500, '/files': 500 }
  const lines: [object | string, string?][] = []
  const answers: ProbeResult[] = []
  const asked: ProbeResult[] = []
  const log = {
    info: (...line: [object | string, string?]) => void lines.push(line),
    warn: (...line: [object | string, string?]) => void lines.push(line),
  }
  const measure = async (folder: string): Promise<Space> => {
    const found = free[folder]
    if (typeof found !== 'number') throw found
    return { device: 1, freeBytes: found * MIB, sizeBytes: 1000 * MIB }
  }
  const probe = async () => {
    const answer = answers.shift() ?? 'free'
    asked.push(answer)
    return answer
  }
  const space = new WatchedDiskSpace({
    ...{ volumes, measure, probe, minBytes: 100 * MIB, probeMs: 1 },
    log: log as never,
  })
  const changes: boolean[] = []
  space.onChange(() => changes.push(space.shortage !== undefined))
  return { space, free, lines, answers, asked, changes }
}

const refusalOf = (work: () => void) => {
  const outcome = attempt(work)
  return outcome instanceof AppError ? outcome : undefined
}

describe('measured disks', () => {
  test.each(['/data/postgres', '/log'])(
    '%s full: writes are refused until it has space again',
    async (folder) => {
      const { space, free, changes, lines } = open()
      await space.look()
      expect(space.refusal).toBeUndefined()
      const refused: boolean[] = []
      for (const mib of [100, 99, 149, 150, 120]) {
        free[folder] = mib
        await space.look()
        refused.push(space.refusal !== undefined)
      }
      expect(refused).toEqual([false, true, true, false, false])
      expect(changes).toEqual([true, false])
      expect(lines).toEqual([
        [
          { folder, free: '99 MiB', min: '100 MiB', until: '150 MiB' },
          'the disk of the database is full: writes are refused',
        ],
        ['the disk of the database has space again: writes are accepted'],
      ])
    },
  )

  test('the refusal names the full disk, the free bytes and the needed bytes', async () => {
    const { space, free } = open()
    free['/log'] = 3
    await space.look()
    expect(space.refusal).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The disk of the database is full, .*: tell the operator/),
      details: { reason: 'disk_full', retryAfter: 10, freeBytes: 3 * MIB, neededBytes: 150 * MIB },
    })
  })

  test('a full disk of files refuses uploads, not writes to the database', async () => {
    const { space, free, changes } = open()
    free['/files'] = 120
    await space.look()
    expect(refusalOf(() => space.requireForFile(20 * MIB))).toBeUndefined()
    expect(refusalOf(() => space.requireForFile(20 * MIB + 1))).toMatchObject({
      message:
        'The disk for files is full (120 MiB free, 120 MiB needed): tell the operator, and try again later',
      cause: new Error('The disk of /files is full'),
    })
    free['/files'] = 99
    await space.look()
    expect(refusalOf(() => space.requireForFile(0))).toMatchObject({ details: { reason: 'disk_full' } })
    expect(space.refusal).toBeUndefined()
    expect(changes).toEqual([])
  })

  test('a disk that cannot be measured keeps its last state', async () => {
    const { space, free } = open()
    free['/log'] = 3
    await space.look()
    free['/log'] = new Error('not mounted')
    await space.look()
    expect(space.shortage).toMatchObject({ volume: { name: 'log', freeBytes: 3 * MIB } })
  })
})

describe('a PostgreSQL that reports a full disk', () => {
  test('is probed first: the disk counts as free if the probe succeeds', async () => {
    const { space, changes, asked } = open([])
    space.report()
    await expect.poll(() => asked).toEqual(['free'])
    expect(space.shortage).toBeUndefined()
    expect(changes).toEqual([])
  })

  test('gets no writes until a probe succeeds, also when a probe in between gets no response', async () => {
    const { space, changes, answers, asked } = open([])
    answers.push('full', 'unknown', 'full', 'free')
    space.report()
    space.report()
    await expect.poll(() => changes).toEqual([true, false])
    expect(asked).toEqual(['full', 'unknown', 'full', 'free'])
    answers.push('full')
    space.report()
    await expect.poll(() => changes).toEqual([true, false, true, false])
  })

  test('counts as free when the first probe gets no response', async () => {
    const { space, answers, asked } = open([])
    answers.push('unknown')
    space.report()
    await expect.poll(() => asked).toEqual(['unknown'])
    expect(space.shortage).toBeUndefined()
  })
})
