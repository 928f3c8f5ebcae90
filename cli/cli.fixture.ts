// The command as a person runs it: in a process of its own, on a database with one organization.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { afterAll, expect } from 'vitest'
import type { Pool } from '../server/db/pool.ts'
import { createTestDatabase, testDatabaseUrl } from '../server/test/database.ts'

export const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
/** Each command starts Node and reads the service. */
export const SLOW = { timeout: 120_000 }

export const OWNER = [
  ...['--owner-name', 'Ada', '--owner-email', 'ada@example.com'],
  ...['--owner-password', 'correct horse'],
]

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

export function run(args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'] ?? '', ...env }, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(process.execPath, [...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** The document a command printed; it must be all it printed. */
export async function json<Document>(outcome: Promise<Outcome>): Promise<Document> {
  const { code, stdout, stderr } = await outcome
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.endsWith('\n')).toBe(true)
  return JSON.parse(stdout)
}

export interface Cli {
  pool: Pool
  /** DATA_DIR: the key that secrets are sealed under lies there. */
  folder: string
  env: Record<string, string>
  rapport(args: readonly string[], more?: Record<string, string>): Promise<Outcome>
  /** Internal number of the organization `acme`, which Ada owns. */
  org: number
}

/** At the top of a test file or in beforeAll; everything is gone after the file's tests. */
export async function openCli(overrides: Record<string, string> = {}): Promise<Cli> {
  const { pool, connection } = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'rapport-cli-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: testDatabaseUrl(connection.database), DATA_DIR: folder, ...overrides }
  const rapport: Cli['rapport'] = (args, more = {}) => run([MAIN, ...args], { ...env, ...more })
  expect(await rapport(['org', 'create', '--name', 'Acme', ...OWNER])).toMatchObject({ code: 0 })
  const { org } = await pool.one<{ org: number }>(sql`select org from organizations where slug = 'acme'`)
  return { pool, folder, env, rapport, org }
}
