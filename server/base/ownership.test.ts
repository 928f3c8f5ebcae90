import { chown, lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDiskStorage } from '../files/disk/storage.ts'
import { ensureKeyFiles } from '../secrets/key-files.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { inheritOwner, makeFolder, otherOwner } from './ownership.ts'

const ACCOUNT = { uid: 54_321, gid: 54_322 }
const isRoot = process.getuid?.() === 0

const folder = await temporaryFolder('owners')

const ownerOf = async (path: string) => {
  const { uid, gid } = await lstat(path)
  return { uid, gid }
}

const own = () => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })

test('folders made in a folder of the same account keep their owner', async () => {
  await makeFolder(join(folder, 'own', 'below'))
  expect(otherOwner(join(folder, 'own'))).toBeUndefined()
  expect(await ownerOf(join(folder, 'own', 'below'))).toEqual(own())
})

describe.runIf(isRoot)('root in the folder of another account', () => {
  const foreign = async (name: string) => {
    const path = join(folder, name)
    await mkdir(path)
    await chown(path, ACCOUNT.uid, ACCOUNT.gid)
    return path
  }

  test('gives new folders and files to that account', async () => {
    const path = await foreign('made')
    await makeFolder(join(path, 'one', 'two'))
    await writeFile(join(path, 'one', 'two', 'file'), '')
    inheritOwner(join(path, 'one', 'two', 'file'))
    for (const made of ['one', 'one/two', 'one/two/file'])
      expect(await ownerOf(join(path, made))).toEqual(ACCOUNT)
  })

  test('gives key files to that account', async () => {
    const dataDir = await foreign('keys')
    ensureKeyFiles({ authSecret: undefined, secretsKeys: undefined, databaseUrl: undefined, dataDir })
    for (const name of ['auth-secret', 'secrets-key'])
      expect(await ownerOf(join(dataDir, name))).toEqual(ACCOUNT)
  })

  test('gives stored files, their folders and the folder of drafts to that account', async () => {
    const dataDir = await foreign('files')
    const storage = createDiskStorage({ dataDir, baseUrl: 'http://localhost', secretsKeys: undefined })
    const draft = await storage.draft()
    await draft.write([Buffer.from('text')])
    await draft.finish()
    await draft.publish('organization/bucket/file')
    await draft.discard()
    for (const name of [
      ...['files', 'files/.drafts', 'files/organization', 'files/organization/bucket'],
      'files/organization/bucket/file',
    ])
      expect(await ownerOf(join(dataDir, name))).toEqual(ACCOUNT)
  })
})
