// Files of which the store has lost a piece are stored again.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { PACK_BYTES } from './packs.ts'
import { restoreFile, syncFiles } from './stored-files.ts'
import { openVault } from './vault.ts'

const CHAIN = '20261123t000000z-0001'

const folder = await temporaryFolder('stored-files')

const root = join(folder, 'files')
const vault = openVault(openFolderStore(await mkdtemp(join(folder, 'store-'))), undefined)
const sync = () => syncFiles(vault, CHAIN, root, AbortSignal.any([]))

const large = { key: 'organization/bucket/a-large', bytes: PACK_BYTES + 10 }
const files = [
  large,
  { key: 'organization/bucket/b-empty', bytes: 0 },
  { key: 'organization/bucket/c', bytes: 3 },
]

const nameOf = (piece: number) => `${CHAIN}/files/${large.key}/${piece}`

test.each([0, 1])('a large file without its piece %i is stored again, and can be restored', async (piece) => {
  await mkdir(join(root, 'organization/bucket'), { recursive: true })
  for (const { key, bytes } of files) await writeFile(join(root, key), Buffer.alloc(bytes, 'x'))
  await sync()
  expect(await sync()).toEqual({ files: 3, bytes: PACK_BYTES + 13, added: 0, deleted: [] })
  await vault.store.delete(nameOf(piece))
  expect(await sync()).toMatchObject({ added: 1, deleted: [] })
  const copy = join(folder, `copy-${piece}`)
  expect(await restoreFile(vault, CHAIN, copy, large)).toBe(true)
  expect((await readFile(join(copy, large.key))).length).toBe(large.bytes)
})

test('a file that is no longer on the disk is named, also if the store has only a part of it', async () => {
  await sync()
  await rm(join(root, large.key))
  await vault.store.delete(nameOf(0))
  expect(await sync()).toMatchObject({ added: 0, deleted: [large.key] })
})
