// The service behind HAProxy, with one organization and its key, as an operator sets it up.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { startProgram } from '../harness/child.ts'
import type { Lab } from '../harness/lab.ts'
import { addressOfService } from '../harness/service.ts'
import type { Target } from './load.ts'
import { HAPROXY_PORT } from './plan.ts'

const CLI = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))
const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
const DATABASE = `127.0.0.1:${HAPROXY_PORT}`
const run = promisify(execFile)

async function createDatabase(): Promise<void> {
  const client = new pg.Client(`postgresql://postgres@${DATABASE}/postgres`)
  await client.connect()
  await client.query('create role rapport login')
  await client.query('create database rapport owner rapport')
  await client.end()
}

const environmentOf = (lab: Lab) => ({
  ...{ DATABASE_URL: `postgresql://rapport@${DATABASE}/rapport`, DATA_DIR: join(lab.folder, 'service') },
  ...{ PORT: '0', HOST: '127.0.0.1', RAPPORT_DEMO: 'off', LOG_LEVEL: 'warn', API_PROCESSES: '1' },
  RATE_LIMIT_PER_MINUTE: '1000000000',
})

/** Starts the service, which migrates the database. It ends with the lab. */
export async function startInstallation(lab: Lab): Promise<Target> {
  await createDatabase()
  const env = environmentOf(lab)
  const child = startProgram(lab, { name: 'The service', file: MAIN, env })
  const url = await addressOfService(child)
  const rapport = async (...words: string[]) => {
    const { stdout } = await run(process.execPath, [CLI, ...words, '--json'], {
      env: { ...process.env, ...env },
    })
    return JSON.parse(stdout) as Record<string, string>
  }
  const owner = ['--owner-name', 'Olivia', '--owner-email', 'olivia@example.com']
  const secret = ['--owner-password', 'correct-horse-battery-staple-41']
  await rapport('org', 'create', '--name', 'Ledger', '--slug', 'ledger', ...owner, ...secret)
  const { key = '' } = await rapport('keys', 'create', '--org', 'ledger', '--name', 'ledger', '--full-access')
  return { url, key }
}
