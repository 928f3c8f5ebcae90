// A new installation: its first backup has every key file, and a pass archives a changed key file.
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addressOf, embeddedEnv, startService } from '../../entry/service-process.fixture.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { readKeyArchive } from './key-archive.ts'
import { listBackups } from './manifest.ts'
import { preparePlace } from './place.ts'
import { openVault } from './vault.ts'

const POLL = { interval: 100 }

test('the first backup has the keys, although nothing has needed them', async () => {
  const store = await temporaryFolder()
  await preparePlace(openFolderStore(store))
  const env = { ...(await embeddedEnv()), BACKUP_URL: store, BACKUP_WAL_SECONDS: '1' }
  await addressOf(startService(env))
  const vault = openVault(openFolderStore(store), undefined)
  const manifests = async () => (await listBackups(vault.store)).backups
  await expect.poll(async () => (await manifests()).length, POLL).toBe(1)
  const [manifest] = await manifests()
  expect(manifest).toMatchObject({
    keys: ['auth-secret', 'secrets-key', 'postgres/rapport.password'],
    hasKeyArchive: true,
  })
  const path = join(env.DATA_DIR, 'secrets-key')
  const first = await readFile(path, 'utf8')
  const both = `${randomBytes(32).toString('base64')},${first}`
  await writeFile(path, both)
  const archived = async () =>
    (await readKeyArchive(vault, manifest?.chain ?? '')).versions
      .filter(({ name }) => name === 'secrets-key')
      .map(({ content }) => Buffer.from(content ?? '', 'base64').toString())
  await expect.poll(archived, POLL).toEqual([first, both])
})
