import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import type { Space } from '../../db/disk-space/volumes.ts'
import { checkDisk } from './disk.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

const EMBEDDED = { DATA_DIR: '/data' }
const EXTERNAL = { ...EMBEDDED, DATABASE_URL: 'postgres://db/rapport' }
const BUCKET = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }

interface Case {
  env: Record<string, string>
  /** Free bytes by folder; other folders are on a large disk. */
  free?: Record<string, number>
  status: 'ok' | 'warn' | 'fail'
  detail: string
}

const CASES: Case[] = [
  {
    env: EMBEDDED,
    status: 'ok',
    detail: "60.0 GiB free on the disk of the database, the database's log, files (/data/postgres)",
  },
  {
    env: EMBEDDED,
    free: { '/data/files': 2 * GIB },
    status: 'warn',
    detail:
      "60.0 GiB free on the disk of the database, the database's log (/data/postgres); 2.0 GiB free on the disk of files (/data/files)",
  },
  {
    env: EMBEDDED,
    free: { '/data/postgres/pg_wal': 512 * MIB, '/data/files': 2 * GIB },
    status: 'fail',
    detail:
      "60.0 GiB free on the disk of the database (/data/postgres); 512 MiB free on the disk of the database's log (/data/postgres/pg_wal): writes are refused until 1.5 GiB are free; 2.0 GiB free on the disk of files (/data/files)",
  },
  {
    env: { ...EXTERNAL, DISK_FREE_MIN_BYTES: String(100 * GIB) },
    status: 'fail',
    detail: '60.0 GiB free on the disk of files (/data/files): uploads are refused until 100.5 GiB are free',
  },
  // Keys and sockets are in DATA_DIR.
  { env: { ...EXTERNAL, ...BUCKET }, status: 'ok', detail: '60.0 GiB free on the disk of files (/data)' },
]

test.each(CASES)('$status: $detail', async ({ env, free = {}, status, detail }) => {
  const measure = async (folder: string): Promise<Space> => ({
    device: Object.keys(free).indexOf(folder),
    freeBytes: free[folder] ?? 60 * GIB,
    sizeBytes: 100 * GIB,
  })
  const finding = await checkDisk(readConfig(env), undefined, measure)
  expect(finding).toMatchObject({ check: 'disk', status, detail })
  expect(finding.advice === undefined).toBe(status === 'ok')
})

test('a disk that was full is reported as full as long as the service refuses writes', async () => {
  const measure = async () => ({ device: 1, freeBytes: 1.2 * GIB, sizeBytes: 100 * GIB })
  const config = readConfig(EMBEDDED)
  expect(await checkDisk(config, { volumes: [] }, measure)).toMatchObject({ status: 'warn' })
  const volumes = [{ name: 'log', fill: 'full' }] as const
  expect(await checkDisk(config, { volumes }, measure)).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('writes are refused until 1.5 GiB are free'),
  })
})

test('counts a disk as one although its free space changes during the measurement', async () => {
  let freeBytes = 1.5 * GIB
  const measure = async () => {
    freeBytes -= 0.3 * GIB
    return { device: 1, freeBytes, sizeBytes: 100 * GIB }
  }
  const { status, detail } = await checkDisk(readConfig(EMBEDDED), undefined, measure)
  expect({ status, detail }).toEqual({
    status: 'fail',
    detail:
      "922 MiB free on the disk of the database, the database's log, files (/data/postgres/pg_wal): writes are refused until 1.5 GiB are free",
  })
})

test('for a folder that does not exist yet, the disk of its parent is measured', async () => {
  const { detail } = await checkDisk(readConfig({ DATA_DIR: '/tmp/not/there/yet' }))
  expect(detail).toMatch(/free on the disk of .* \(\/tmp\/not\/there\/yet\/postgres\)/)
})
