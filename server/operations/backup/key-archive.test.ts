import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import type { KeyPlace } from '../../secrets/key-files.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import {
  createKeyArchive,
  firstVersion,
  type KeyVersion,
  newVersions,
  readKeyArchive,
  versionAt,
} from './key-archive.ts'
import type { ObjectStore } from './object-store.ts'
import { openVault, type Vault } from './vault.ts'

const CHAIN = '20261123t000000z-0001'
const KEY = 'auth-secret'

const silent = pino({ level: 'silent' })

const folder = await temporaryFolder('key-archive')

const version = (minute: number, content: string | null, name = KEY): KeyVersion => ({
  name,
  at: new Date(minute * 60_000).toISOString(),
  content,
})

test.each([
  ['none before the first version', 0, undefined],
  ['the first version', 5, 'one'],
  ['a changed version', 10, 'two'],
  ['none after a setting replaced the file', 25, null],
  ['the last version', 99, 'three'],
  ['the last version without a time', undefined, 'three'],
])('the version of a key file at a time: %s', (_, minute, content) => {
  const versions = [
    ...[version(2, 'one'), version(3, 'other', 'secrets-key')],
    ...[version(10, 'two'), version(20, null), version(30, 'three')],
  ]
  const time = minute === undefined ? undefined : new Date(minute * 60_000)
  expect(versionAt(versions, KEY, time)?.content).toBe(content)
  expect(versionAt(versions, 'none', time)).toBeUndefined()
  expect(firstVersion(versions, KEY)?.content).toBe('one')
})

test('only content that differs from the last version is new', () => {
  const known = [version(1, 'one'), version(2, 'two')]
  expect(newVersions(known, [version(9, 'two')])).toEqual([])
  expect(newVersions(known, [version(9, 'one')])).toEqual([version(9, 'one')])
  expect(newVersions(known, [version(9, null)])).toEqual([version(9, null)])
  expect(newVersions([], [version(9, 'one')])).toEqual([version(9, 'one')])
})

test('a pass stores changes, also after a restart, and stores nothing if nothing changed', async () => {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const vault = openVault(openFolderStore(await mkdtemp(join(folder, 'store-'))), undefined)
  const place = { dataDir, authSecret: undefined, secretsKeys: [], databaseUrl: undefined }
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/rapport.password'), 'password')
  const open = () => createKeyArchive(vault, CHAIN, place, silent)
  const stored = async () =>
    (await readKeyArchive(vault, CHAIN)).versions.map(({ name, content }) => [
      name,
      content && Buffer.from(content, 'base64').toString(),
    ])
  const first = [
    ['secrets-key', null],
    ['postgres/rapport.password', 'password'],
  ]
  const archive = open()
  await archive.pass()
  expect(await stored()).toEqual(first)
  await writeFile(join(dataDir, KEY), 'one')
  await archive.pass()
  expect(await stored()).toEqual([...first, [KEY, 'one']])
  await writeFile(join(dataDir, KEY), '')
  await archive.pass()
  expect(await stored()).toEqual([...first, [KEY, 'one']])
  await writeFile(join(dataDir, KEY), 'one')
  await vault.store.deleteAll(`${CHAIN}/`)
  await archive.pass()
  expect(await readdir(vault.store.where)).not.toContain(CHAIN)
  await open().pass()
  await writeFile(join(dataDir, KEY), 'two')
  await open().pass()
  expect((await stored()).filter(([name]) => name === KEY)).toEqual([
    [KEY, 'one'],
    [KEY, 'two'],
  ])
})

describe('an archive that others write or damage', () => {
  let place: KeyPlace
  let store: ObjectStore

  beforeEach(async () => {
    const dataDir = await mkdtemp(join(folder, 'data-'))
    place = { dataDir, authSecret: undefined, secretsKeys: [], databaseUrl: undefined }
    store = openFolderStore(await mkdtemp(join(folder, 'store-')))
  })

  const change = (text: string) => writeFile(join(place.dataDir, KEY), text)
  const contents = async (vault: Vault) =>
    (await readKeyArchive(vault, CHAIN)).versions
      .filter(({ name }) => name === KEY)
      .map(({ content }) => Buffer.from(content ?? '', 'base64').toString())

  test('keeps versions that another process has stored since the last pass', async () => {
    const vault = openVault(store, undefined)
    const [one, other] = [1, 2].map(() => createKeyArchive(vault, CHAIN, place, silent))
    await change('one')
    await one?.pass()
    await change('two')
    await other?.pass()
    await change('three')
    await one?.pass()
    expect(await contents(vault)).toEqual(['one', 'two', 'three'])
  })

  test.each([
    ['torn', undefined, undefined, (bytes: Buffer) => bytes.subarray(0, 20)],
    ['sealed with another key', [Buffer.alloc(32, 1)], [Buffer.alloc(32, 2)], (bytes: Buffer) => bytes],
  ])('that is %s is kept under another name, which is logged', async (_, before, after, damage) => {
    await change('one')
    await createKeyArchive(openVault(store, before), CHAIN, place, silent).pass()
    const damaged = damage((await store.get(`${CHAIN}/keys`)) ?? Buffer.alloc(0))
    await store.put(`${CHAIN}/keys`, damaged)
    await change('two')
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
    const vault = openVault(store, after)
    await createKeyArchive(vault, CHAIN, place, log).pass()
    expect(await contents(vault)).toEqual(['two'])
    const names = await Array.fromAsync(store.list(`${CHAIN}/`))
    const [kept = ''] = names.filter((name) => name.startsWith(`${CHAIN}/keys.damaged-`))
    expect(await store.get(kept)).toEqual(damaged)
    expect(lines.join('')).toContain(kept)
  })

  test('that is lost while its process runs is stored again after the next look', async () => {
    const vault = openVault(store, undefined)
    const archive = createKeyArchive(vault, CHAIN, place, silent)
    await change('one')
    await archive.pass()
    await change('two')
    await archive.pass()
    await store.delete(`${CHAIN}/keys`)
    await archive.pass()
    expect(await contents(vault)).toEqual([])
    archive.lookAgain()
    await archive.pass()
    expect(await contents(vault)).toEqual(['one', 'two'])
  })

  test('that is damaged while its process runs keeps the versions in the process’s memory', async () => {
    const vault = openVault(store, undefined)
    const archive = createKeyArchive(vault, CHAIN, place, silent)
    await change('one')
    await archive.pass()
    await store.put(`${CHAIN}/keys`, Buffer.from('damaged'))
    await change('two')
    await archive.pass()
    expect(await contents(vault)).toEqual(['one', 'two'])
  })
})
