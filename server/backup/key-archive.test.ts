import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFolderStore } from './folder-store.ts'
import {
  createKeyArchive,
  firstVersion,
  type KeyVersion,
  newVersions,
  readKeyArchive,
  versionAt,
} from './key-archive.ts'
import { openVault } from './vault.ts'

const CHAIN = '20261123t000000z-0001'
const KEY = 'auth-secret'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-key-archive-'))
})
afterAll(() => rm(folder, { recursive: true }))

const version = (minute: number, content: string | null, name = KEY): KeyVersion => ({
  name,
  at: new Date(minute * 60_000).toISOString(),
  content,
})

test.each([
  ['before the first one: none', 0, undefined],
  ['of the first one', 5, 'one'],
  ['of a change', 10, 'two'],
  ['after a setting replaced the file', 25, null],
  ['after all', 99, 'three'],
  ['without a moment', undefined, 'three'],
])('the version at a moment: %s', (_, minute, content) => {
  const versions = [
    ...[version(2, 'one'), version(3, 'other', 'secrets-key')],
    ...[version(10, 'two'), version(20, null), version(30, 'three')],
  ]
  const time = minute === undefined ? undefined : new Date(minute * 60_000)
  expect(versionAt(versions, KEY, time)?.content).toBe(content)
  expect(versionAt(versions, 'none', time)).toBeUndefined()
  expect(firstVersion(versions, KEY)?.content).toBe('one')
})

test('only what differs from the last version is new', () => {
  const known = [version(1, 'one'), version(2, 'two')]
  expect(newVersions(known, [version(9, 'two')])).toEqual([])
  expect(newVersions(known, [version(9, 'one')])).toEqual([version(9, 'one')])
  expect(newVersions(known, [version(9, null)])).toEqual([version(9, null)])
  expect(newVersions([], [version(9, 'one')])).toEqual([version(9, 'one')])
})

test('a pass stores what has changed, also after a restart, and an idle one stores nothing', async () => {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const vault = openVault(openFolderStore(await mkdtemp(join(folder, 'store-'))), undefined)
  const place = { dataDir, authSecret: undefined, secretsKeys: [], databaseUrl: undefined }
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/rapport.password'), 'password')
  const open = () => createKeyArchive(vault, CHAIN, place)
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
