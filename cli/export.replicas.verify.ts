import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { startPrimary, startStandby } from '../server/test/standby.ts'
import { OWNER, openCli } from './cli.fixture.ts'

const COMPANIES = fileURLToPath(new URL('../samples/companies.csv', import.meta.url))
const OF_COMPANIES = ['--org', 'acme', '--object', 'companies']
const primary = await startPrimary()
const standby = await startStandby(primary)
const { rapport } = await openCli()
const env = { DATABASE_URL: primary.databaseUrl, DATABASE_REPLICA_URLS: standby.databaseUrl }

const scans = () =>
  standby.pool.value<number>(sql`
    select seq_scan + idx_scan as scans from pg_stat_user_tables where relname = 'records'`)

test('an export reads from a replica', async () => {
  expect(await rapport(['org', 'create', '--name', 'Acme', ...OWNER], env)).toMatchObject({ code: 0 })
  const importing = ['import', ...OF_COMPANIES, COMPANIES, '--map', 'Security=name', '--json']
  expect(await rapport(importing, env)).toMatchObject({ code: 0 })
  await standby.caughtUp()
  const before = await scans()
  const { code, stdout } = await rapport(['export', ...OF_COMPANIES, '--format', 'csv'], env)
  expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 504])
  await expect.poll(scans).toBeGreaterThan(before)
})
