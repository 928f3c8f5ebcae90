// Backups and restores: to the end of the archive, to a time, with torn or missing log, and in a bucket.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { DATABASE_NAME } from '../../db/database.ts'
import { startStandIn } from '../../files/s3/stand-in.fixture.ts'
import { serverFolder } from '../../test/temporary-folder.ts'
import {
  askRestored,
  type Backups,
  KEY,
  openBackups,
  openInstallation,
  placesIn,
  restore,
} from './backup.fixture.ts'
import { dropOtherChains, ensureChain } from './chain.ts'
import { inBackupTurn } from './create.ts'
import { openFolderStore } from './folder-store.ts'
import { parseLsn, segmentName } from './lsn.ts'
import { backupPrefix, listBackups, putManifest } from './manifest.ts'
import { removeOutdated } from './retention.ts'
import { openS3Store } from './s3-store.ts'
import { openVault } from './vault.ts'
import { createWalArchive } from './wal-archive.ts'

const root = await serverFolder('backup')
const place = placesIn(root)

const service = await openInstallation(join(root, 'data'))

// A server allows ten replication slots.
afterEach(() => dropOtherChains(service.client, undefined))

const add = (...ids: number[]) =>
  service.client.query('insert into notes (id) select unnest($1::int[])', [ids])
const clear = () => service.client.query('delete from notes')

async function now(): Promise<Date> {
  const { rows } = await service.client.query<{ now: Date }>('select clock_timestamp() as now')
  // The time of a commit has microseconds, which this time lacks: so later commits have later times.
  return rows[0]?.now ?? new Date()
}

const idsIn = async (dataDir: string) => {
  const rows = await askRestored<{ id: number }>(dataDir, 'select id from notes order by id')
  return rows.map(({ id }) => id)
}

/** Waits until the database's clock has passed a millisecond, as it does between real commits. */
const nextMillisecond = () => service.client.query('select pg_sleep(0.002)')

/** Makes a backup in a separate place, of a table with only these rows. */
async function backedUp(...ids: number[]): Promise<Backups> {
  await clear()
  await add(...ids)
  const backups = await openBackups(service, place('store'))
  await backups.backUp()
  return backups
}

test('a backup is restored into another folder: the database, its files and its keys', async () => {
  const [small, large] = [randomBytes(100), randomBytes(1000)]
  const keys = [await service.addFile(small), await service.addFile(large)]
  const backups = await backedUp(1, 2)
  const later = await service.addFile(randomBytes(10))
  const target = place('restored')
  const restored = await restore(backups.vault, target)
  expect(restored).toMatchObject({ dataDir: target, reached: true, logProblem: null, files: { restored: 2 } })
  expect(await idsIn(target)).toEqual([1, 2])
  expect(await readFile(join(target, 'secrets-key'), 'utf8')).toBe(KEY)
  expect(await readFile(join(target, 'files', keys[0] ?? ''))).toEqual(small)
  expect(await readFile(join(target, 'files', keys[1] ?? ''))).toEqual(large)
  expect(await readdir(target)).not.toContain('restore-unfinished')
  expect(later).toBeDefined()
  await expect(restore(backups.vault, target)).rejects.toThrow(/is not empty: restore into a new folder/)
})

test('refuses a manifest that names a key file outside the folder, and writes nothing', async () => {
  const backups = await backedUp(1)
  for (const backup of (await listBackups(backups.vault.store)).backups)
    await putManifest(backups.vault, { ...backup, keys: ['../escaped'] })
  const target = place('restored')
  await expect(restore(backups.vault, target)).rejects.toThrow('names an unknown key file, ../escaped')
  await expect(readdir(target)).rejects.toThrow('ENOENT')
})

test('also restores everything that was archived after the backup', async () => {
  const backups = await backedUp(1)
  await add(2)
  await backups.pass()
  await add(3)
  const target = place('restored')
  await restore(backups.vault, target)
  expect(await idsIn(target)).toEqual([1, 2])
})

test('a restore to the time before a mass deletion has the deleted rows, and nothing later', async () => {
  const backups = await backedUp(1)
  await add(2, 3)
  await nextMillisecond()
  const until = await now()
  await nextMillisecond()
  await clear()
  await add(4)
  await backups.pass()
  const target = place('restored')
  const restored = await restore(backups.vault, target, { to: until })
  expect(restored.reached).toBe(true)
  expect(Date.parse(restored.lastCommitAt ?? '')).toBeLessThanOrEqual(until.getTime())
  expect(await idsIn(target)).toEqual([1, 2, 3])
  const [clock] = await askRestored<{ ahead: string }>(target, 'select ahead from event_clock')
  expect(clock?.ahead).toBe(String(2 ** 33))
})

test('a time is restored from the newest backup before it; a time before the oldest backup is refused', async () => {
  const before = await now()
  const backups = await backedUp(1)
  await nextMillisecond()
  const between = await now()
  await add(2)
  const second = await backups.backUp()
  const target = place('restored')
  const restored = await restore(backups.vault, target, { to: between })
  expect(restored.backup).not.toBe(second.id)
  expect(await idsIn(target)).toEqual([1])
  await expect(restore(backups.vault, place('restored'), { to: before })).rejects.toThrow(
    /nothing can be restored to an earlier time/,
  )
  await expect(restore(backups.vault, place('restored'), { to: between, id: second.id })).rejects.toThrow(
    /cannot be restored to an earlier time/,
  )
  await expect(restore(backups.vault, place('restored'), { id: 'none' })).rejects.toThrow(
    /There is no backup none/,
  )
})

test('a time after the end of the archive restores everything, and reports that the time was not reached', async () => {
  const backups = await backedUp(1)
  await add(2)
  await backups.pass()
  const target = place('restored')
  const tomorrow = new Date(Date.now() + 24 * 3600_000)
  expect(await restore(backups.vault, target, { to: tomorrow })).toMatchObject({ reached: false })
  expect(await idsIn(target)).toEqual([1, 2])
})

const lastSegment = async ({ vault, chain }: Backups) =>
  (await Array.fromAsync(vault.store.list(`${chain.id}/wal/`))).at(-1) ?? ''

test('a torn last segment is restored up to its last complete record, and reported', async () => {
  const backups = await backedUp(1)
  await add(2)
  const filler = `insert into notes (id, note) select i, md5(i::text) from generate_series(1000, 60000) i`
  await service.client.query(filler)
  await add(3)
  await backups.pass()
  const path = join(backups.vault.store.where, await lastSegment(backups))
  const { length } = await readFile(path)
  await truncate(path, Math.floor(length * 0.9))
  const target = place('restored')
  const restored = await restore(backups.vault, target)
  expect(restored.logProblem).toMatch(/is torn/)
  expect(await idsIn(target)).toEqual([1, 2])
})

test('with a missing segment, everything before it is restored, and the segment is reported', async () => {
  const backups = await backedUp(1)
  await add(2)
  await service.client.query('select pg_switch_wal()')
  await add(3)
  const { rows } = await service.client.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  await service.client.query('select pg_switch_wal()')
  await add(4)
  await backups.pass()
  const missing = segmentName(1, parseLsn(rows[0]?.lsn ?? ''), 16 * 1024 * 1024)
  await backups.vault.store.delete(`${backups.chain.id}/wal/${missing}`)
  const target = place('restored')
  const restored = await restore(backups.vault, target)
  expect(restored.logProblem).toBe(`${missing} is missing`)
  expect(await idsIn(target)).toEqual([1, 2])
})

test('without the log that the backup needs, or with a damaged part, nothing is restored', async () => {
  const backups = await backedUp(1)
  const [manifest] = (await listBackups(backups.vault.store)).backups
  const { store } = backups.vault
  const [pack] = manifest?.packs ?? []
  const whole = await store.get(pack?.name ?? '')
  await store.put(pack?.name ?? '', Buffer.from('other'))
  const target = place('restored')
  await expect(restore(backups.vault, target)).rejects.toThrow(/its checksum differs/)
  await store.put(pack?.name ?? '', whole ?? Buffer.alloc(0))
  await store.deleteAll(`${backups.chain.id}/wal/`)
  await expect(restore(backups.vault, target)).rejects.toThrow(
    /the write-ahead log that it needs is not complete/,
  )
  expect(await readdir(target)).toEqual([])
})

test('a stopped backup leaves nothing, and the next backup is complete', async () => {
  await clear()
  const backups = await openBackups(service, place('store'))
  const stop = new AbortController()
  const stopped = backups.backUp({
    signal: stop.signal,
    packBytes: 1024 * 1024,
    onProgress: () => stop.abort(new Error('stopped by SIGINT')),
  })
  await expect(stopped).rejects.toThrow('stopped by SIGINT')
  expect(await listBackups(backups.vault.store)).toEqual({ backups: [], unfinished: [], damaged: [] })
  const { id } = await backups.backUp()
  expect((await listBackups(backups.vault.store)).backups).toMatchObject([{ id }])
})

test('remains of a killed backup are not a backup, and are removed by retention', async () => {
  const backups = await backedUp(1)
  const { chain, vault } = backups
  const left = { chain: chain.id, id: '20200101t000000z-dead' }
  await vault.store.put(`${backupPrefix(left)}database/000000`, Buffer.alloc(10))
  expect(await listBackups(vault.store)).toMatchObject({ backups: [{}], unfinished: [left] })
  await removeOutdated(vault, { days: 1, now: new Date(), chain: chain.id })
  expect(await listBackups(vault.store)).toMatchObject({ backups: [{}], unfinished: [] })
})

test('of two concurrent backups, the second is refused', async () => {
  const other = new pg.Client(service.source.administration(DATABASE_NAME))
  await other.connect()
  const refused = await inBackupTurn(service.client, () => inBackupTurn(other, async () => 'made'))
  expect(refused).toBeUndefined()
  expect(await inBackupTurn(other, async () => 'made')).toBe('made')
  await other.end()
})

test('an encrypted backup can be restored only with its key', async () => {
  await clear()
  await add(1)
  const store = place('store')
  const key = randomBytes(32)
  const { backUp } = await openBackups(service, store, [key])
  expect(await backUp()).toMatchObject({ isEncrypted: true })
  await expect(
    restore(openVault(openFolderStore(store), [randomBytes(32)]), place('restored')),
  ).rejects.toThrow(/was not encrypted with this BACKUP_KEY/)
  await expect(restore(openVault(openFolderStore(store), undefined), place('restored'))).rejects.toThrow(
    /is encrypted, and BACKUP_KEY is not set/,
  )
  const target = place('restored')
  await restore(openVault(openFolderStore(store), [randomBytes(32), key]), target)
  expect(await idsIn(target)).toEqual([1])
})

test('with a key, a manifest that was changed without the key is refused', async () => {
  await clear()
  await add(1)
  const { vault, backUp } = await openBackups(service, place('store'), [randomBytes(32)])
  const { chain, id } = await backUp()
  const name = `${backupPrefix({ chain, id })}manifest.json`
  const written = JSON.parse(String(await vault.store.get(name)))
  const { mac, ...withoutMac } = written
  const put = (manifest: object) => vault.store.put(name, Buffer.from(JSON.stringify(manifest)))
  for (const [changed, why] of [
    [{ ...written, keys: [] }, /was changed/],
    [{ ...written, files: null }, /was changed/],
    [{ ...written, mac: `${mac}`.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')) }, /was changed/],
    [{ ...withoutMac, keys: [] }, /has no MAC/],
    [{ ...withoutMac, isEncrypted: false }, /has no MAC/],
  ] as const) {
    await put(changed)
    const target = place('restored')
    await expect(restore(vault, target)).rejects.toThrow(why)
    await expect(readdir(target)).rejects.toThrow('ENOENT')
  }
  const target = place('restored')
  await restore(vault, target, { isUnauthenticated: true })
  expect(await idsIn(target)).toEqual([1])
})

test('backups in a bucket work like backups in a folder', async () => {
  await clear()
  await add(1)
  const standIn = await startStandIn()
  standIn.pageSize = 3
  const store = openS3Store(standIn.access, 'backups/rapport')
  const backups = await openBackups(service, store)
  await backups.backUp({ packBytes: 1024 * 1024 })
  await add(2)
  await backups.pass()
  const target = place('restored')
  await restore(backups.vault, target)
  expect(await idsIn(target)).toEqual([1, 2])
  await store.close()
})

test('an idle server stores nothing', async () => {
  const backups = await backedUp(1)
  const head = await backups.pass()
  const names = () => Array.fromAsync(backups.vault.store.list(''))
  const before = await names()
  await rm(join(backups.vault.store.where, backups.chain.id, 'head.json'))
  expect((await backups.pass()).lsn).toBe(head.lsn)
  expect(await names()).toEqual(before.filter((name) => !name.endsWith('head.json')))
})

test('retention keeps what the period needs, and removes log and deleted files of older backups only', async () => {
  const key = await service.addFile(randomBytes(10))
  const backups = await backedUp(1)
  const { vault, chain } = backups
  await rm(join(service.source.dataDir, 'files', key))
  await service.client.query('delete from files where key = $1', [key])
  await service.client.query('select pg_switch_wal()')
  const kept = await backups.backUp()
  const isStored = async () =>
    (await Array.fromAsync(vault.store.list(`${chain.id}/files/${key}/`))).length > 0
  const days = (count: number) => new Date(Date.now() + count * 24 * 3600_000)
  const early = await removeOutdated(vault, { days: 7, now: days(1), chain: chain.id })
  expect(early.backups).toEqual([])
  expect(await isStored()).toBe(true)
  const removed = await removeOutdated(vault, { days: 7, now: days(8), chain: chain.id })
  expect(removed.backups).toHaveLength(1)
  expect(removed.segments).toBeGreaterThan(0)
  expect(await isStored()).toBe(false)
  expect((await listBackups(vault.store)).backups).toMatchObject([{ id: kept.id }])
  const target = place('restored')
  await restore(vault, target)
  expect(await idsIn(target)).toEqual([1])
})

test('a chain whose log was removed before it was archived ends, and a new chain begins', async () => {
  const small = { max_slot_wal_keep_size: '64MB', max_wal_size: '32MB', min_wal_size: '32MB' }
  const installation = await openInstallation(place('data'), small)
  const { client } = installation
  const { vault, chain, pass, backUp } = await openBackups(installation, place('store'))
  await backUp()
  for (let segment = 0; segment < 8; segment++) {
    await client.query(`select pg_logical_emit_message(false, 'test', repeat('x', 1000000))`)
    await client.query('select pg_switch_wal()')
  }
  await client.query('checkpoint')
  await expect(pass()).rejects.toThrow(/removed before it was archived/)
  expect(await dropOtherChains(client, vault.store.where)).toBe(true)
  const next = await ensureChain(client, vault.store.where, new Date(Date.now() + 1000))
  expect(next.id).not.toBe(chain.id)
})

test('a slot is dropped when its place is no longer in use', async () => {
  const { vault, chain } = await openBackups(service, place('store'))
  const slots = () =>
    service.client.query('select from pg_replication_slots where slot_name = $1', [chain.slot])
  expect(await dropOtherChains(service.client, vault.store.where)).toBe(false)
  expect((await slots()).rowCount).toBe(1)
  expect(await dropOtherChains(service.client, undefined)).toBe(false)
  expect((await slots()).rowCount).toBe(0)
})

test('two installations that archive to one place do not mix their logs', async () => {
  const { vault, chain } = await openBackups(service, place('store'))
  const { rows } = await service.client.query<{ name: string }>(
    `select pg_walfile_name(restart_lsn) as name from pg_replication_slots where slot_name = $1`,
    [chain.slot],
  )
  await vault.put(`${chain.id}/wal/${rows[0]?.name}`, Buffer.from('the log of another'))
  await service.client.query('select pg_switch_wal()')
  const archive = createWalArchive(vault, chain, join(service.source.dataDir, 'postgres'))
  await expect(archive.pass(service.client, new AbortController().signal)).rejects.toThrow(
    /two installations archive to the same place/,
  )
})

test('a file that cannot be restored is counted', async () => {
  const key = await service.addFile(randomBytes(10))
  const backups = await backedUp(1)
  await backups.vault.store.deleteAll(`${backups.chain.id}/files/${key}/`)
  const target = place('restored')
  const { files } = await restore(backups.vault, target)
  expect(files).toMatchObject({ missingCount: 1, missing: [key] })
})

test('a folder that contains a file is refused and left unchanged', async () => {
  const backups = await backedUp(1)
  const target = place('restored')
  await mkdir(target)
  await writeFile(join(target, 'note.txt'), 'mine')
  await expect(restore(backups.vault, target)).rejects.toThrow(/is not empty/)
  expect(await readdir(target)).toEqual(['note.txt'])
})
