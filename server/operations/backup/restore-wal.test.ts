import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { segmentName } from './lsn.ts'
import type { BackupManifest } from './manifest.ts'
import { restoreLog } from './restore-wal.ts'
import { openVault, type Vault } from './vault.ts'

const CHAIN = '20261123t000000z-0001'
const SIZE = 1024
const BACKUP = { chain: CHAIN, timeline: 1, segmentBytes: SIZE, startLsn: '0/400', endLsn: '0/700' }
const HEAD = { lsn: '0/C00', at: '2026-11-23T00:00:00.000Z' }

const folder = await temporaryFolder('restore-wal')
let vault: Vault

const put = (name: string, bytes: Buffer) => vault.put(`${CHAIN}/wal/${name}`, bytes).then(() => undefined)

beforeEach(async () => {
  vault = openVault(openFolderStore(await mkdtemp(join(folder, 'store-'))), undefined)
  for (const at of [0x400n, 0x800n]) {
    const segment = Buffer.alloc(SIZE)
    segment.writeBigUInt64LE(at, 8)
    await put(segmentName(1, at, SIZE), segment)
  }
})

const restored = async () => {
  const cluster = await mkdtemp(join(folder, 'cluster-'))
  const signal = new AbortController().signal
  return restoreLog(vault, BACKUP as BackupManifest, { cluster, head: HEAD, signal })
}

test('skips objects that are not segments of the log', async () => {
  for (const name of ['README', segmentName(2, 0x400n, SIZE), `${segmentName(1, 0x400n, SIZE)}.history`])
    await put(name, Buffer.from('stray'))
  expect(await restored()).toEqual({ segments: 2, problems: [] })
})

test('a stray segment far ahead does not cause a search for all segments before it', async () => {
  await put(segmentName(1, 0xffff_ffff_0000n, SIZE), Buffer.from('stray'))
  const { segments, problems } = await restored()
  expect(segments).toBe(2)
  expect(problems).toHaveLength(100)
})
