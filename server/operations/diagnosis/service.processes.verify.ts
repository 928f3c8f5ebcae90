import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { startStandIn as startStore } from '../../files/s3/stand-in.fixture.ts'
import { createTestDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { startStandIn, TOKEN } from '../../webhooks/svix/stand-in.fixture.ts'
import { judgeClock, judgeReplication } from './conditions.ts'
import {
  checkDatabase,
  checkFiles,
  checkSvix,
  judgeAnswer,
  judgeRetention,
  judgeSettings,
} from './service.ts'
import type { ServiceState } from './work.ts'

const { pool, connection } = await createTestDatabase()
const subject = { config: readConfig({}), db: pool, connection, now: Date.now }
/** A service that has been able to work for a long time. */
const service = { role: 'all', runningSeconds: 3600, writableSeconds: 3600 } as const

/** The mark that a worker sets every minute. */
const work = () => pool.run(sql`update deletion_clock set followed_at = now()`)

test('a healthy database', async () => {
  await work()
  const findings = await checkDatabase(subject, { embedded: undefined })
  expect(findings.map(({ check, status }) => [check, status])).toEqual([
    ['database', expect.stringMatching(/ok|warn/)],
    ['descriptors', 'ok'],
    ['pooler', 'ok'],
    ['migrations', 'ok'],
    ['version', 'ok'],
    ['writing', 'ok'],
    ['space', 'ok'],
    ['clock', 'ok'],
    ['replication', 'ok'],
    ['retention', 'ok'],
    ['vacuum', 'ok'],
    ['worker', 'ok'],
    ['work', 'ok'],
  ])
  expect(findings[0]?.detail).toMatch(/^PostgreSQL 18\S*, external \(DATABASE_URL\), \d+ MiB, responds in/)
})

test.each([
  ['ok', { standbys: 0, names: '', commit: 'on' }],
  ['ok', { standbys: 2, names: 'ANY 1 (a, b)', commit: 'on' }],
  // With synchronous_standby_names and no standby, the primary waits, so no acknowledged write is lost.
  ['ok', { standbys: 0, names: '*', commit: 'on' }],
  ['warn', { standbys: 2, names: '', commit: 'on' }],
  ['warn', { standbys: 2, names: 'ANY 1 (a, b)', commit: 'local' }],
])('%s: replication with %o', (status, facts) => {
  expect(judgeReplication(facts)).toMatchObject({ check: 'replication', status })
})

test('stuck work is counted', async () => {
  const id = '00000000-0000-7000-8000-000000000001'
  const { org } = await pool.one<{ org: number }>(
    sql`insert into organizations (id, name, slug) values (${id}, 'A', 'a') returning org`,
  )
  await pool.run(sql`
    insert into objects (org, id, type, plural_name, singular_name, description, slug, deleted_at)
    values (${org}, ${id}, 'custom', 'A', 'A', '', 'a', now() - interval '2 hours')`)
  await pool.run(sql`
    insert into events (org, id, type, subject, data) values (${org}, ${id}, 'record.created', ${id}, '{}')`)
  const findings = await checkDatabase(subject, { embedded: undefined })
  expect(findings.filter(({ check }) => check === 'work')).toMatchObject([
    { status: 'warn', detail: '1 deleted object or attribute is not purged after an hour' },
    { status: 'warn', detail: '1 event is outside the partition of the day' },
  ])
})

test('a worker that does not work is found by the marks of workers in the database', async () => {
  await pool.run(sql`update deletion_clock set followed_at = now() - interval '10 minutes'`)
  const found = async (state: ServiceState | undefined) =>
    (await checkDatabase(subject, { embedded: undefined, service: state })).find(
      ({ check }) => check === 'worker',
    )
  // PostgreSQL itself may have started just before.
  expect(await found(undefined)).toMatchObject({
    status: expect.stringMatching(/fail|warn/),
    detail: expect.not.stringContaining('no service runs'),
  })
  expect(await found({ ...service, runningSeconds: 1 })).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('has been possible again for 1 s'),
  })
  expect(await found({ ...service, writableSeconds: undefined })).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('it rests while the disk is full'),
  })
  await work()
})

test('a database of a newer version is a failure, of an older version only a warning', async () => {
  const statusOf = async () =>
    (await checkDatabase(subject, { embedded: undefined })).find(({ check }) => check === 'migrations')
  await pool.run(
    sql`insert into schema_migrations (version, name, checksum) values (9999, '9999-x.sql', 'x')`,
  )
  expect(await statusOf()).toMatchObject({ status: 'fail', detail: expect.stringContaining('newer version') })
  await pool.run(sql`delete from schema_migrations`)
  expect(await statusOf()).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('0068-baseline'),
  })
})

test.each([
  [judgeSettings({ production: true, egressAllowPrivate: false }), 'ok'],
  [judgeSettings({ production: false, egressAllowPrivate: true }), 'ok'],
  [judgeSettings({ production: true, egressAllowPrivate: true }), 'warn'],
  [judgeClock(-1500), 'ok'],
  [judgeClock(-5000), 'warn'],
  [judgeClock(90_000), 'fail'],
  [judgeAnswer({ version: '18.4', bytes: 1 }, 80, 'embedded'), 'warn'],
  [judgeRetention(undefined), 'ok'],
  [judgeRetention('the clocks differ by 90 s'), 'warn'],
])('%j', (finding, status) => {
  expect(finding.status).toBe(status)
  // Each problem comes with advice.
  expect(finding.advice === undefined).toBe(status === 'ok')
})

describe('files', async () => {
  const store = await startStore()
  const checked = (access: Partial<typeof store.access>) =>
    checkFiles({ ...readConfig({}), s3: { ...store.access, ...access } })

  test('can be stored on the disk if the folder can be made', async () => {
    const folder = await temporaryFolder('doctor')
    const config = readConfig({ DATA_DIR: join(folder, 'not/yet') })
    expect(await checkFiles(config)).toMatchObject({ check: 'files', status: 'ok' })
    expect(await readdir(folder)).toEqual([])
    await writeFile(join(folder, 'not'), 'in the way')
    expect(await checkFiles(config)).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('is not a folder'),
      advice: expect.stringContaining('DATA_DIR'),
    })
  })

  test('can be stored in the bucket', async () => {
    expect(await checked({})).toMatchObject({ check: 'files', status: 'ok' })
    expect(store.asked).toEqual(['HEAD '])
  })

  test.each([
    [{ secretAccessKey: 'wrong' }, 'it refuses the access key'],
    [{ bucket: 'another' }, 'there is no such bucket'],
    [{ endpoint: 'http://127.0.0.1:9' }, 'it does not respond'],
  ])('cannot be stored: %j', async (access, why) => {
    const finding = await checked(access)
    expect(finding).toMatchObject({ status: 'fail', advice: expect.stringContaining('S3_ENDPOINT') })
    expect(finding.detail).toContain(why)
    expect(JSON.stringify(finding)).not.toContain('hush')
  })
})

describe('Svix', async () => {
  const standIn = await startStandIn()
  const checked = (token: string, url = standIn.url) => checkSvix({ svix: { token, url } })

  test('is not checked unless it is configured', async () => {
    expect(await checkSvix({ svix: undefined })).toEqual([])
  })

  test('is ok if Svix accepts the token', async () => {
    expect(await checked(TOKEN)).toEqual([
      { check: 'webhooks', status: 'ok', detail: `Svix at ${new URL(standIn.url).host} accepts the token` },
    ])
    expect(standIn.faults).toEqual([])
  })

  test('fails if Svix refuses the token', async () => {
    const [finding] = await checked('another')
    expect(finding).toMatchObject({ status: 'fail', detail: expect.stringContaining('responded with 401') })
    expect(finding?.advice).toMatch(/SVIX_TOKEN/)
    expect(JSON.stringify(finding)).not.toContain('another')
  })

  test('fails if Svix cannot be reached', async () => {
    const [finding] = await checked(TOKEN, 'http://127.0.0.1:9')
    expect(finding).toMatchObject({ status: 'fail', detail: expect.stringContaining('refused') })
    expect(finding?.advice).toMatch(/SVIX_SERVER_URL/)
  })
})
