import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { KeySettings } from '../../secrets/key-files.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { createKeyArchive } from './key-archive.ts'
import { type BackupManifest, keyName } from './manifest.ts'
import { findKeyGaps, findKeys, replaceKeys } from './restored-keys.ts'
import { openVault, type Vault } from './vault.ts'

const CHAIN = '20261123t000000z-0001'
const NAMES = ['auth-secret', 'secrets-key', 'postgres/rapport.password']
const UNSET: KeySettings = { authSecret: undefined, secretsKeys: undefined, databaseUrl: undefined }
const SET: KeySettings = { ...UNSET, secretsKeys: [Buffer.alloc(32, 1)] }

const LOST = 'without it the secrets of webhook endpoints and workflows cannot be decrypted'
const LATER = 'key files that were made or changed after the backup b are lost'

const silent = pino({ level: 'silent' })

const BACKUP = { chain: CHAIN, id: 'b', keys: NAMES, hasKeyArchive: true }

const KEY = Buffer.alloc(32, 3).toString('base64')
const textOf = (name: string) => (name === 'secrets-key' ? KEY : name)

const folder = await temporaryFolder('restored-keys')

describe.each([
  ['a backup that is not encrypted', undefined],
  ['an encrypted backup', [Buffer.alloc(32, 7)]],
])('%s', (_, keys) => {
  let vault: Vault
  let dataDir: string

  const archive = (settings = UNSET, chain = CHAIN) =>
    createKeyArchive(vault, chain, { ...settings, dataDir }, silent).pass()

  /** Stores copies with other texts than the files, so that copies and archive can be distinguished. */
  const copies = async (names = NAMES) => {
    for (const name of names) await vault.put(keyName(BACKUP, name), Buffer.from(`copy of ${name}`))
  }

  const find = async (
    backup: Partial<Record<keyof BackupManifest, unknown>> = {},
    keySettings = UNSET,
    to?: Date,
  ) => {
    const { files, gaps } = await findKeys({
      ...{ vault, backup: { ...BACKUP, ...backup } as BackupManifest },
      ...{ to, keySettings },
    })
    return { gaps, files: Object.fromEntries([...files].map(([name, content]) => [name, String(content)])) }
  }

  const ofNames = (text: (name: string) => string) =>
    Object.fromEntries(NAMES.map((name) => [name, text(name)]))
  const archived = ofNames(textOf)
  const copied = ofNames((name) => `copy of ${name}`)

  beforeEach(async () => {
    dataDir = await mkdtemp(join(folder, 'data-'))
    vault = openVault(openFolderStore(await mkdtemp(join(folder, 'store-'))), keys)
    await mkdir(join(dataDir, 'postgres'))
    for (const name of NAMES) await writeFile(join(dataDir, name), textOf(name))
  })

  test('files of the archive are used, also files that the backup lacks', async () => {
    await archive()
    await copies(['auth-secret'])
    expect(await find({ keys: ['auth-secret'] })).toEqual({ gaps: [], files: archived })
  })

  test('without an archive, as in earlier versions, the backup’s copies are used', async () => {
    await copies()
    expect(await find({ hasKeyArchive: undefined })).toEqual({ gaps: [], files: copied })
  })

  test('for a time before the archive began, the backup’s copies are used', async () => {
    await archive()
    await copies(['secrets-key'])
    const backup = { keys: ['secrets-key'], hasKeyArchive: undefined }
    const files = { ...archived, 'secrets-key': copied['secrets-key'] }
    expect(await find(backup, UNSET, new Date(0))).toEqual({ gaps: [], files })
    expect(await find(backup)).toEqual({ gaps: [], files: archived })
  })

  test('an archive that is missing, torn or of another chain is named, and the copies are used', async () => {
    await copies()
    const path = join(vault.store.where, CHAIN, 'keys')
    const gap = (what: string) => [`${CHAIN}/keys ${what}: ${LATER}`]
    expect(await find()).toEqual({ gaps: gap('is missing'), files: copied })
    await archive()
    await truncate(path, 20)
    expect(await find()).toEqual({ gaps: gap('is damaged or of another chain'), files: copied })
    await archive(UNSET, 'other')
    const other = await vault.store.get('other/keys')
    await vault.store.put(`${CHAIN}/keys`, other ?? Buffer.alloc(0))
    expect(await find()).toEqual({ gaps: gap('is damaged or of another chain'), files: copied })
  })

  test('a key file that is found nowhere is named with its consequence', async () => {
    await rm(join(dataDir, 'secrets-key'))
    await archive()
    const keys = NAMES.filter((name) => name !== 'secrets-key')
    expect((await find({ keys })).gaps).toEqual([`the key file secrets-key is not in the backup: ${LOST}`])
    expect((await find({ keys }, SET)).gaps).toEqual([])
  })

  test('a missing or torn copy is named if the key file is found nowhere else', async () => {
    await copies(NAMES.filter((name) => name !== 'secrets-key'))
    const name = keyName(BACKUP, 'secrets-key')
    expect((await find()).gaps.at(-1)).toBe(`${name} is missing: ${LOST}`)
    await copies()
    await truncate(join(vault.store.where, name), 12)
    expect((await find()).gaps.at(-1)).toMatch(
      /keys\/secrets-key .*(damaged|cannot be decrypted).*: without it/,
    )
  })

  describe('after a gap of the log', () => {
    const search = () => {
      const backup = { ...BACKUP, hasKeyArchive: undefined } as unknown as BackupManifest
      return { vault, backup, to: new Date(0), keySettings: UNSET }
    }
    const written = { files: new Map([['secrets-key', Buffer.from('later')]]), gaps: ['a gap'] }
    const secretsKey = () => readFile(join(dataDir, 'secrets-key'), 'utf8')

    test('the keys of the reached time replace later keys', async () => {
      await copies()
      expect(await replaceKeys(written, search(), dataDir)).toEqual([])
      expect(await secretsKey()).toBe('copy of secrets-key')
    })

    test('a later key that cannot be replaced is named', async () => {
      await copies(NAMES.filter((name) => name !== 'secrets-key'))
      expect(await replaceKeys(written, search(), dataDir)).toEqual([
        `${keyName(BACKUP, 'secrets-key')} is missing: ${LOST}`,
        'the restored secrets-key may be of a later time',
      ])
      expect(await secretsKey()).toBe(KEY)
    })

    test('a failure of the store is named, and no key is replaced', async () => {
      await copies()
      vi.spyOn(vault.store, 'get').mockRejectedValue(new Error('socket hang up'))
      expect(await replaceKeys(written, search(), dataDir)).toEqual([
        'a gap',
        expect.stringMatching(
          /^the key files of 1970-01-01T00:00:00.000Z could not be read \(socket hang up\)/,
        ),
      ])
      expect(await secretsKey()).toBe(KEY)
    })
  })

  test('a setting that replaced a key file must also be set for the restore', async () => {
    await archive(SET)
    const { gaps } = await find({ keys: ['auth-secret'] })
    expect(gaps).toEqual([
      `SECRETS_KEY is not set, which this installation used in place of the file secrets-key: ${LOST}`,
    ])
    expect((await find({ keys: ['auth-secret'] }, SET)).gaps).toEqual([])
  })
})

test.each([
  ['with another key', [Buffer.alloc(32, 8)], /was not encrypted with this BACKUP_KEY/],
  ['without a key', undefined, /is encrypted, and BACKUP_KEY is not set/],
])('an encrypted backup cannot be restored with its keys %s', async (_, keys, reason) => {
  const vault = openVault(openFolderStore(await mkdtemp(join(folder, 'store-'))), keys)
  const backup = { ...BACKUP, isEncrypted: true, mac: 'of the first key' } as unknown as BackupManifest
  const gaps = await findKeyGaps({ vault, backups: [backup], keySettings: UNSET })
  expect(gaps).toEqual([[expect.stringMatching(reason)]])
})

test('the key archive of a chain is read once for all its backups', async () => {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const vault = openVault(openFolderStore(await mkdtemp(join(folder, 'store-'))), undefined)
  const other = '20261124t000000z-0002'
  for (const chain of [CHAIN, other]) await createKeyArchive(vault, chain, { ...SET, dataDir }, silent).pass()
  const get = vi.spyOn(vault.store, 'get')
  const backups = ['a', 'b', 'c'].map((id) => ({ ...BACKUP, id, keys: [] }) as unknown as BackupManifest)
  const ofOther = { ...BACKUP, chain: other, keys: [] } as unknown as BackupManifest
  const gaps = await findKeyGaps({ vault, backups: [...backups, ofOther], keySettings: SET })
  expect(get.mock.calls).toEqual([[`${CHAIN}/keys`], [`${other}/keys`]])
  expect(gaps).toHaveLength(4)
})
