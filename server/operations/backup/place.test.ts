import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { backupPrefix } from './manifest.ts'
import type { ObjectStore } from './object-store.ts'
import { isMarked, preparePlace, requirePlace } from './place.ts'

const MARKER = 'rapport-backups.json'
const BEGUN = `${backupPrefix({ chain: '20261123t000000z-0001', id: '20261123t030000z-0001' })}database/000000`

const root = await temporaryFolder('place')
let store: ObjectStore
beforeEach(async () => {
  store = openFolderStore(await mkdtemp(join(root, 'store-')))
})

test('a damaged marker is replaced by the command', async () => {
  await store.put(MARKER, Buffer.from('{"format": 1, "prep'))
  await expect(isMarked(store)).rejects.toThrow('was not prepared')
  expect(await preparePlace(store)).toBe(true)
  expect(await isMarked(store)).toBe(true)
  expect(await preparePlace(store)).toBe(false)
})

test('a damaged marker is replaced in a place that has backups when the next backup is made', async () => {
  await store.put(MARKER, Buffer.alloc(0))
  await store.put(BEGUN, Buffer.from('part'))
  expect(await requirePlace(store)).toEqual({ isAdopted: true })
  expect(await requirePlace(store)).toEqual({ isAdopted: false })
})

test('a place of an earlier version is accepted also if its first backup was not completed', async () => {
  await store.put(BEGUN, Buffer.from('part'))
  expect(await isMarked(store)).toBe(false)
  expect(await requirePlace(store)).toEqual({ isAdopted: true })
  expect(await isMarked(store)).toBe(true)
})
