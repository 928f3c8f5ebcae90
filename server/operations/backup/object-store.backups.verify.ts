import { randomBytes } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStandIn } from '../../files/s3/stand-in.fixture.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { isMarked, preparePlace, requirePlace } from './place.ts'
import { openS3Store } from './s3-store.ts'
import { openVault } from './vault.ts'

const folder = await temporaryFolder('store')
const standIn = await startStandIn()
standIn.pageSize = 2

const stores = [
  { name: 'a folder', open: () => openFolderStore(join(folder, 'backups')) },
  { name: 'a bucket', open: () => openS3Store(standIn.access, 'some/backups') },
]

describe.each(stores)('$name', ({ open }) => {
  const store = open()
  const bytes = randomBytes(1000)
  beforeAll(() => store.prepare())
  afterAll(() => store.close())

  test('is empty at first', async () => {
    expect(await store.folders('')).toEqual([])
    expect(await store.get('a/b')).toBeUndefined()
    expect(await Array.fromAsync(store.list('a/'))).toEqual([])
    await store.delete('a/b')
    await store.deleteAll('a/')
  })

  test('stores an object, and replaces it unless `ifAbsent` is set', async () => {
    expect(await store.put('a/b', Buffer.from('first'))).toBe(true)
    expect(await store.put('a/b', bytes)).toBe(true)
    expect(await store.put('a/b', Buffer.from('other'), { ifAbsent: true })).toBe(false)
    expect(await store.put('a/c', bytes, { ifAbsent: true })).toBe(true)
    expect(await store.get('a/b')).toEqual(bytes)
  })

  test('lists names in order over several pages, and folders without their content', async () => {
    for (const name of ['n/b/1', 'n/b-c/1', 'n/a', 'n/b/0', 'm/1']) await store.put(name, bytes)
    expect(await Array.fromAsync(store.list('n/'))).toEqual(['n/a', 'n/b-c/1', 'n/b/0', 'n/b/1'])
    expect((await store.folders('')).sort()).toEqual(['a', 'm', 'n'])
    expect((await store.folders('n/')).sort()).toEqual(['b', 'b-c'])
  })

  test('deletes one object, or all below a name', async () => {
    await store.delete('n/a')
    await store.deleteAll('n/b/')
    expect(await Array.fromAsync(store.list('n/'))).toEqual(['n/b-c/1'])
  })
})

test('a folder contains no half-written object', async () => {
  expect(await readdir(join(folder, 'backups', '.partial'))).toEqual([])
})

test('remains of a killed process are removed from a folder after a day', async () => {
  const partial = join(folder, 'backups', '.partial')
  const yesterday = new Date(Date.now() - 25 * 3600_000)
  for (const name of ['old', 'new']) await writeFile(join(partial, name), 'half')
  await utimes(join(partial, 'old'), yesterday, yesterday)
  await openFolderStore(join(folder, 'backups')).sweep()
  expect(await readdir(partial)).toEqual(['new'])
})

test('a request that fails twice in a bucket is repeated', async () => {
  const store = openS3Store(standIn.access, 'some/backups', 1)
  standIn.failures = 2
  expect(await store.put('again', Buffer.from('bytes'))).toBe(true)
  standIn.failures = 2
  expect(await store.get('again')).toEqual(Buffer.from('bytes'))
  await store.close()
})

test('a bucket that fails is an error, and does not look empty', async () => {
  const store = openS3Store(standIn.access, 'some/backups', 1)
  standIn.mood = 'fail'
  await expect(store.folders('')).rejects.toThrow(/responds with 500/)
  await expect(store.put('a/x', Buffer.alloc(1))).rejects.toThrow(/responds with 500/)
  standIn.mood = 'well'
  await store.close()
})

describe('an encrypted object', () => {
  const store = openFolderStore(join(folder, 'encrypted'))
  beforeAll(() => store.prepare())
  const [old, current, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const text = Buffer.from('customers'.repeat(50))

  test('can be read with any of the keys, but only under its own name', async () => {
    await openVault(store, [old]).put('a', text)
    const vault = openVault(store, [current, old])
    expect(await vault.get('a')).toEqual(text)
    await store.put('b', (await store.get('a')) ?? Buffer.alloc(0))
    await expect(vault.get('b')).rejects.toThrow(/b cannot be decrypted/)
    expect((await store.get('a'))?.includes('customers')).toBe(false)
  })

  test('cannot be read with another key, or without a key', async () => {
    await expect(openVault(store, [other]).get('a')).rejects.toThrow(/not encrypted with this BACKUP_KEY/)
    await expect(openVault(store, undefined).get('a')).rejects.toThrow(
      /a is encrypted, and BACKUP_KEY is not set/,
    )
  })
})

test('an object that was changed in the store is refused', async () => {
  const store = openFolderStore(join(folder, 'changed'))
  await store.prepare()
  const vault = openVault(store, undefined)
  const { sha256 } = await vault.put('a', Buffer.from('before'))
  await vault.put('a', Buffer.from('after'))
  await expect(vault.get('a', { sha256 })).rejects.toThrow(
    'a of the backup is damaged (its checksum differs)',
  )
  await store.put('b', (await store.get('a')) ?? Buffer.alloc(0))
  await expect(vault.get('b')).rejects.toThrow('b of the backup is damaged (it is the object "a")')
})

test('objects of earlier versions, which do not contain their names, can be read', async () => {
  const store = openFolderStore(join(folder, 'changed'))
  await store.put('c', zstdCompressSync('text'))
  expect(String(await openVault(store, undefined).get('c'))).toBe('text')
})

describe('the folder of backups', () => {
  const at = (name: string) => openFolderStore(join(folder, name))

  test('is not made when an object is stored: its disk may not be mounted', async () => {
    await expect(at('unmounted').put('a/b', Buffer.alloc(1))).rejects.toThrow(
      /unmounted does not exist: mount its disk, or make the folder by rapport backup init/,
    )
    await expect(readdir(join(folder, 'unmounted'))).rejects.toThrow('ENOENT')
  })

  test('is accepted once prepared, and refused if it is empty without a marker', async () => {
    await expect(requirePlace(at('prepared'))).rejects.toThrow(/was not prepared: mount its disk/)
    expect(await preparePlace(at('prepared'))).toBe(true)
    expect(await preparePlace(at('prepared'))).toBe(false)
    expect(await requirePlace(at('prepared'))).toEqual({ isAdopted: false })
    await mkdir(join(folder, 'mount-point', 'lost+found'), { recursive: true })
    await expect(requirePlace(at('mount-point'))).rejects.toThrow(/was not prepared/)
  })

  test('with backups of an earlier version gets its marker', async () => {
    const backup = join(folder, 'earlier', '20261126t060000z-1f3a', 'backups', '20261126t060001z-2f3a')
    await mkdir(backup, { recursive: true })
    const manifest = { chain: '20261126t060000z-1f3a', id: '20261126t060001z-2f3a', endedAt: '2026-11-26' }
    await writeFile(join(backup, 'manifest.json'), JSON.stringify(manifest))
    expect(await isMarked(at('earlier'))).toBe(false)
    expect(await requirePlace(at('earlier'))).toEqual({ isAdopted: true })
    expect(await isMarked(at('earlier'))).toBe(true)
  })
})
