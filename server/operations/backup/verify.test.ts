import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { type BackupManifest, verifiedName } from './manifest.ts'
import { BackupError, readJson } from './object-store.ts'
import { openVault } from './vault.ts'
import { readHistory } from './verification-history.ts'
import { type Verification, verifyBackup } from './verify.ts'

const BACKUP: BackupManifest = {
  ...{
    format: 1,
    id: '20261123t030000z-0001',
    chain: '20261123t000000z-0001',
    postgres: '18.6',
    schema: null,
  },
  ...{ startedAt: '2026-11-23T03:00:00.000Z', endedAt: '2026-11-23T03:00:10.000Z' },
  ...{ startLsn: '0/2000000', endLsn: '0/3000000', timeline: 1, segmentBytes: 16 * 1024 * 1024 },
  ...{ isEncrypted: false, packs: [], files: null, keys: [] },
}

const root = await temporaryFolder('verify-backup')

/** Verifies a backup in a store in which none of its objects can be read. */
async function verify(error: Error) {
  const store = openFolderStore(await mkdtemp(join(root, 'store-')))
  const isOfBackup = (name: string) => !name.endsWith('.json')
  const vault = openVault(
    { ...store, get: (name) => (isOfBackup(name) ? Promise.reject(error) : store.get(name)) },
    undefined,
  )
  const folder = await mkdtemp(join(root, 'work-'))
  const { signal } = new AbortController()
  const verified = verifyBackup({
    ...{ config: readConfig({}), vault, backup: BACKUP },
    folder,
    to: undefined,
    signal,
  })
  await expect(verified).rejects.toBe(error)
  expect(await readdir(folder)).toEqual([])
  const verification = await readJson<Verification>(store, verifiedName(BACKUP))
  return { verification, history: await readHistory(store, BACKUP.chain) }
}

test('a backup that cannot be restored fails its verification', async () => {
  const error = new BackupError('a part of it is damaged')
  const { verification, history } = await verify(error)
  expect(verification).toMatchObject({ ok: false, gaps: ['a part of it is damaged'] })
  expect(history).toEqual({
    ...{ firstBackupAt: BACKUP.endedAt, lastPassedAt: null },
    lastFailedAt: verification?.at,
  })
})

test('a restore that fails because of the machine gives no verdict on the backup', async () => {
  const cause = Object.assign(new Error('too many open files'), { code: 'EMFILE', syscall: 'open' })
  expect(await verify(new BackupError('The folder cannot be used', { cause }))).toEqual({})
})

test('a missing folder for the copy is reported before anything is done', async () => {
  const vault = openVault(openFolderStore(root), undefined)
  const folder = join(root, 'missing')
  const { signal } = new AbortController()
  await expect(
    verifyBackup({ ...{ config: readConfig({}), vault, backup: BACKUP }, folder, to: undefined, signal }),
  ).rejects.toThrow(`The folder ${folder} for copies that are verified cannot be used`)
})
