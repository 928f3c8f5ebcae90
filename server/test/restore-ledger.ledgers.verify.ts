// Backs up the service under the load of the ledger. Then all records are deleted and the machine is lost. The test
// restores the backup to a time before the deletion, and compares the data with the answers to writers up to that time.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MAIN, run } from '../../cli/cli.fixture.ts'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/database.ts'
import { type Db, openPool } from '../db/pool.ts'
import { openFolderStore } from '../operations/backup/folder-store.ts'
import { type BackupManifest, listBackups, verifiedName } from '../operations/backup/manifest.ts'
import { putJson, readJson } from '../operations/backup/object-store.ts'
import type { RestoredBackup } from '../operations/backup/restore.ts'
import { keepHistory } from '../operations/backup/verification-history.ts'
import type { Verification } from '../operations/backup/verify.ts'
import { readHead } from '../operations/backup/wal-archive.ts'
import { afterFile } from './after-file.ts'
import { type EmbeddedStage, openEmbeddedStage } from './faults/embedded-stage.ts'
import { SECRETS_KEY, SEED } from './faults/options.ts'
import { environment, probe } from './faults/stage.ts'
import { audit, countHappened, logUntil } from './ledger/accounts.ts'
import { createLives } from './ledger/life.ts'
import { countDisagreements, selectEvents, selectRecords } from './ledger/state.ts'
import { startReceiver } from './receiver.ts'
import { temporaryFolder } from './temporary-folder.ts'

const POLL = { interval: 50, timeout: 300_000 }

const lives = createLives()
let folder = ''
let stage: EmbeddedStage
let env: Record<string, string>
let backup: Record<string, string>
const logged: string[] = []

const store = () => openFolderStore(join(folder, 'backups'))
const rapport = (...args: string[]) => run([MAIN, ...args], env)
const restoredFolder = () => join(folder, 'restored')

beforeAll(async () => {
  folder = await temporaryFolder('restore')
  afterFile(lives.killAll)
  const receiver = await startReceiver({ isRecording: false })
  backup = {
    BACKUP_URL: join(folder, 'backups'),
    BACKUP_KEY: randomBytes(32).toString('base64'),
    BACKUP_WAL_SECONDS: '1',
  }
  const initialized = await run([MAIN, 'backup', 'init'], { ...environment(folder, SECRETS_KEY), ...backup })
  expect(initialized).toMatchObject({ code: 0, stdout: expect.stringMatching(/is prepared for backups/) })
  const setting = { lives, receiver, secretsKey: SECRETS_KEY, seed: SEED }
  stage = await openEmbeddedStage(setting, {
    onSmallDisk: false,
    more: { ...backup, LOG_LEVEL: 'info' },
    onLog: (line) => logged.push(line),
  })
  env = { ...environment(folder, SECRETS_KEY), ...backup, DATA_DIR: stage.dataDir }
})

// A backup that is not made has its reason only in the log of the service.
afterEach(({ task }) => {
  const lines = logged.splice(0)
  if (task.result?.state === 'fail') process.stdout.write(`The log of the service:\n${lines.join('\n')}\n`)
})

const count = async () => (await listBackups(store())).backups.length

/** Resolves after this number of further changes. */
const written = (more: number) => {
  const wanted = stage.log.entries.length + more
  return expect.poll(() => stage.log.entries.length, POLL).toBeGreaterThan(wanted)
}

/** Resolves when all current commits are archived. */
async function archived(): Promise<void> {
  const chain = (await listBackups(store())).backups.at(-1)?.chain ?? ''
  const now = new Date().toISOString()
  const at = async () => (await readHead({ store: store() }, chain))?.at ?? ''
  await expect.poll(async () => (await at()) > now, POLL).toBe(true)
}

async function inRestored<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(readConfig({ DATA_DIR: restoredFolder() }), { mode: 'attach' })
  const { connection } = database
  const pool = openPool({ connection, max: 2, statementTimeoutMs: 30_000, onError: () => undefined })
  try {
    return await work(pool)
  } finally {
    await pool.close()
    await database.stop()
  }
}

describe(`a machine that is lost under load (seed ${SEED})`, () => {
  let until = 0

  test('the service makes its first backup by itself, and a command makes another', async () => {
    await expect.poll(count, POLL).toBe(1)
    await written(100)
    const made = await rapport('backup', '--json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({ isEncrypted: true })
    expect(await count()).toBe(2)
  })

  test('all records are deleted, and then the machine is lost', async () => {
    await written(300)
    until = Date.now()
    await written(100)
    await stage.rest()
    expect(await stage.db.run(sql`delete from records`)).toBeGreaterThan(0)
    await archived()
    await stage.life.kill()
    await rm(stage.dataDir, { recursive: true, maxRetries: 10, retryDelay: 100 })
  })

  test('the restored data matches the accounts of the ledger at the time before the deletion', async () => {
    const to = new Date(until).toISOString()
    const outcome = await rapport('restore', '--to', to, '--data-dir', restoredFolder(), '--json')
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    const restored: RestoredBackup = JSON.parse(outcome.stdout)
    expect(restored).toMatchObject({ reached: true, logProblem: null })
    expect(restored.lastCommitAt?.localeCompare(to)).toBeLessThanOrEqual(0)
    const log = logUntil(stage.log.entries, until)
    const book = await inRestored(async (db) => {
      expect(await countDisagreements(db)).toEqual({ records: 0, uniques: 0 })
      return { log, events: await selectEvents(db), records: await selectRecords(db) }
    })
    const of = (outcome: string) => log.filter((entry) => entry.outcome === outcome).length
    process.stdout.write(
      `restore: ${of('ok')} requests answered before that time, ${of('unknown')} on their way (${countHappened(book)} carried out), ${book.records.length} records, ${book.events.length} events\n`,
    )
    expect(of('ok')).toBeGreaterThan(300)
    expect(audit(book)).toEqual([])
  })

  test('the service starts on the restored data, and new events follow after the lost ones', async () => {
    const last = (db: Db) => db.value<string>(sql`select max(tx)::text as last from events`)
    const before = BigInt(await inRestored(last))
    const life = await lives.begin({ env: { ...env, DATA_DIR: restoredFolder() }, onLog: () => undefined })
    // On a machine that is busy with other tests the service may not be ready immediately.
    await expect.poll(() => probe(life.address, '/readyz')).toMatchObject({ status: 200 })
    const answer = await fetch(`${life.address}/api/v1/objects/companies/records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.world.orgs[0]?.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { name: 'After the restore' } }),
    })
    expect(answer.status).toBe(201)
    // The restored service archives into a separate chain.
    await expect
      .poll(async () => new Set((await listBackups(store())).backups.map(({ chain }) => chain)).size, POLL)
      .toBe(2)
    expect(await life.stop()).toBe(0)
    expect(BigInt(await inRestored(last))).toBeGreaterThan(before + 2n ** 32n)
  })

  test('the verification of the backup passes', async () => {
    const verified = await rapport('backup', 'verify', '--work-dir', folder, '--json')
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true })
    const listed = await rapport('backup', 'list', '--json')
    expect(JSON.parse(listed.stdout).at(-1)).toMatchObject({ verifiedAt: expect.any(String), gaps: [] })
  })

  test('the service verifies a backup by itself if the last verification is too old', async () => {
    const newest = (await listBackups(store())).backups.at(-1) as BackupManifest
    const old = new Date(Date.now() - 200 * 3600_000).toISOString()
    await putJson(store(), verifiedName(newest), { ok: true, at: old, findings: [], gaps: [] })
    const history = { firstBackupAt: newest.endedAt, lastPassedAt: old, lastFailedAt: null }
    await keepHistory(store(), newest.chain, history)
    const more = { DATA_DIR: restoredFolder(), BACKUP_VERIFY_DIR: folder }
    const life = await lives.begin({ env: { ...env, ...more }, onLog: () => undefined })
    const last = async () => (await readJson<Verification>(store(), verifiedName(newest)))?.at ?? ''
    await expect.poll(async () => (await last()) > old, { timeout: 120_000, interval: 200 }).toBe(true)
    const metrics = async () => (await fetch(`${life.address}/metrics`)).text()
    await expect.poll(metrics, POLL).toMatch(/^rapport_backup_gaps\{found_by="verification"\} 0$/m)
    expect(await metrics()).toMatch(/^rapport_backup_gaps\{found_by="listing"\} 0$/m)
    expect(await metrics()).toMatch(/^rapport_backup_age_seconds\{what="verification"\} \d{1,2}\.\d+$/m)
    expect(await life.stop()).toBe(0)
  })

  test('the verification fails if log is lost and names the segment, and the list shows the gap', async () => {
    const newest = (await listBackups(store())).backups.at(-1) as BackupManifest
    const log = await Array.fromAsync(store().list(`${newest.chain}/wal/`))
    await store().delete(log.at(-1) ?? '')
    const segment = log.at(-1)?.split('/').at(-1)?.replace('.partial', '')
    const verified = await rapport('backup', 'verify', '--work-dir', folder)
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${segment} is missing`) })
    const listed = await rapport('backup', 'list', '--json')
    expect(JSON.parse(listed.stdout).at(-1)).toMatchObject({
      ...{ id: newest.id, gaps: [`${segment} is missing`] },
      ...{ verifiedAt: null, failedAt: expect.any(String) },
    })
  })
})
