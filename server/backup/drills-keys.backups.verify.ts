// Drills: an installation whose rows, files and keys change, with three backups, restored to ten moments: from the newest
// backup before each, and from the oldest. What comes back equals what there was then, secrets decrypted.
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createSecretBox, openSecretBox } from '../secrets/box.ts'
import {
  askRestored,
  type Backups,
  type Installation,
  NO_SETTINGS,
  openBackups,
  openInstallation,
  restore,
  silent,
  temporaryRoot,
} from './backup.fixture.ts'
import { createKeyArchive } from './key-archive.ts'
import { listBackups } from './manifest.ts'

const MOMENTS = 10

/** What there is at a moment. */
interface Accounts {
  notes: number[]
  secrets: string[]
  /** Contents, by key. */
  files: Record<string, string>
}

const root = await temporaryRoot()
const accounts: Accounts = { notes: [], secrets: [], files: {} }
const moments: { at: Date; accounts: Accounts }[] = []

let service: Installation
let stores: Backups[]
let key = randomBytes(32)

/** The clock of a file system is some milliseconds behind. */
const pause = () => service.client.query('select pg_sleep(0.05)')

async function remember(): Promise<void> {
  await pause()
  const { rows } = await service.client.query<{ now: Date }>('select clock_timestamp() as now')
  moments.push({ at: rows[0]?.now ?? new Date(), accounts: structuredClone(accounts) })
  await pause()
}

async function addNote(id: number): Promise<void> {
  await service.client.query('insert into notes (id) values ($1)', [id])
  accounts.notes.push(id)
}

async function addFile(): Promise<void> {
  const bytes = randomBytes(300)
  accounts.files[await service.addFile(bytes)] = bytes.toString('base64')
}

const about = (id: number) => `secret:${id}`

/** All of them under the key of now, as after a rotation that has ended. */
async function sealAll(): Promise<void> {
  const box = createSecretBox([key])
  await service.client.query('begin')
  await service.client.query('delete from secrets')
  for (const [id, text] of accounts.secrets.entries())
    await service.client.query('insert into secrets values ($1, $2)', [id, box.seal(text, about(id))])
  await service.client.query('commit')
}

async function addSecret(text: string): Promise<void> {
  accounts.secrets.push(text)
  await sealAll()
}

/** The earlier key is nowhere then but in the backups. */
async function replaceKey(): Promise<void> {
  key = randomBytes(32)
  const path = join(service.source.dataDir, 'secrets-key')
  await writeFile(`${path}.new`, key.toString('base64'))
  await rename(`${path}.new`, path)
  await sealAll()
}

async function passAll(): Promise<void> {
  const { dataDir } = service.source
  for (const { vault, chain, pass } of stores) {
    await pass()
    await createKeyArchive(vault, chain.id, { ...NO_SETTINGS, dataDir }, silent).pass()
  }
}

async function backUpAll(): Promise<void> {
  for (const { backUp } of stores) await backUp()
}

async function happen(): Promise<void> {
  await addNote(1)
  await replaceKey()
  await addSecret('first')
  await backUpAll()
  await remember()
  await addFile()
  await addNote(2)
  await remember()
  await replaceKey()
  await remember()
  await addSecret('second')
  await passAll()
  await remember()
  await service.client.query('delete from notes where id = 1')
  accounts.notes = [2]
  await remember()
  await backUpAll()
  await addFile()
  await remember()
  await replaceKey()
  await service.client.query('select pg_switch_wal()')
  await addNote(3)
  await remember()
  await passAll()
  await service.client.query('delete from notes')
  accounts.notes = []
  await remember()
  await backUpAll()
  await addNote(4)
  await remember()
  await replaceKey()
  await addSecret('third')
  await remember()
  await passAll()
}

beforeAll(async () => {
  service = await openInstallation(join(root, 'data'))
  await service.client.query('create table secrets (id int, sealed bytea)')
  stores = [
    await openBackups(service, join(root, 'plain')),
    await openBackups(service, join(root, 'encrypted'), [randomBytes(32)]),
  ]
  await happen()
})

const ALL = `
  select (select coalesce(json_agg(id order by id), '[]') from notes) as notes,
    (select coalesce(json_agg(encode(sealed, 'base64') order by id), '[]') from secrets) as secrets,
    (select coalesce(json_agg(key order by key), '[]') from files) as files`

async function accountsIn(dataDir: string): Promise<Accounts> {
  const [found] = await askRestored<{ notes: number[]; secrets: string[]; files: string[] }>(dataDir, ALL)
  const box = openSecretBox({ secretsKeys: undefined, dataDir })
  const files: Accounts['files'] = {}
  for (const name of found?.files ?? []) files[name] = await readFile(join(dataDir, 'files', name), 'base64')
  return {
    notes: found?.notes ?? [],
    secrets: (found?.secrets ?? []).map((text, id) => box.open(Buffer.from(text, 'base64'), about(id))),
    files,
  }
}

const oldest = async ({ vault }: Backups) => (await listBackups(vault.store)).backups[0]?.id ?? ''

/** Of the two stores, the one that is encrypted for one age and not for the other. */
async function restoreTo(index: number, age: 'newest' | 'oldest'): Promise<Accounts> {
  const backups = stores[(index + Number(age === 'oldest')) % 2]
  if (backups === undefined) throw new Error('there is no store')
  const target = join(root, `${age}-${index}`)
  const id = age === 'oldest' ? { id: await oldest(backups) } : {}
  const restored = await restore(backups.vault, target, { to: moments[index]?.at ?? new Date(), ...id })
  expect(restored).toMatchObject({ reached: true, logProblem: null, keyGaps: [] })
  return accountsIn(target)
}

test.each(Array.from({ length: MOMENTS }, (_, index) => index))(
  'moment %i, from the newest and from the oldest backup',
  async (index) => {
    const expected = moments[index]?.accounts
    const found = await Promise.all([restoreTo(index, 'newest'), restoreTo(index, 'oldest')])
    expect(found).toEqual([expected, expected])
  },
)

test('there were three backups and ten moments', async () => {
  expect(moments).toHaveLength(MOMENTS)
  for (const { vault } of stores) expect((await listBackups(vault.store)).backups).toHaveLength(3)
})
