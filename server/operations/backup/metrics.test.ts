import pino from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { BackupMetrics } from './metrics.ts'
import { Verifier } from './scheduled-verification.ts'
import type { BackupSource } from './source.ts'
import { openVault } from './vault.ts'
import { keepHistory } from './verification-history.ts'

const CHAIN = '20261123t000000z-0001'
const HOUR_MS = 3600_000

const folder = await temporaryFolder('backup-metrics')

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

/** Whole hours by what, and the gaps of verifications. */
async function shown(metrics: BackupMetrics): Promise<Record<string, number>> {
  const registry = new Registry()
  metrics.measure(registry)
  const [ages, gaps] = await registry.getMetricsAsJSON()
  const rows = [...(ages?.values ?? []), ...(gaps?.values ?? [])]
  return Object.fromEntries(
    rows.map(({ labels, value }) => {
      const { what, found_by: finder } = labels as { what?: string; found_by?: string }
      return what ? [what, Math.floor((value + 60) / 3600)] : [`gaps by ${finder}`, value]
    }),
  )
}

test('before the first backup, its age counts from the start of the archiver', async () => {
  const metrics = new BackupMetrics()
  expect(await shown(metrics)).toEqual({})
  metrics.noteArchiver(hoursAgo(40))
  metrics.noteArchiver(hoursAgo(2))
  expect(await shown(metrics)).toEqual({ archive: 40, backup: 40 })
  metrics.noteBackup(hoursAgo(1))
  expect(await shown(metrics)).toEqual({ archive: 40, backup: 1 })
})

test('with BACKUP_VERIFY_HOURS=0 the age is that of the verification of another machine', async () => {
  const vault = openVault(openFolderStore(folder), undefined)
  const metrics = new BackupMetrics()
  const verifier = () =>
    new Verifier({
      ...{ config: readConfig({ BACKUP_VERIFY_HOURS: '0' }), source: {} as BackupSource, vault, metrics },
      ...{ log: pino({ level: 'silent' }), signal: AbortSignal.any([]) },
    })
  await verifier().lookAt(CHAIN)
  expect(await shown(metrics)).not.toHaveProperty('verification')
  const passed = { firstBackupAt: hoursAgo(90).toISOString(), lastPassedAt: hoursAgo(30).toISOString() }
  await keepHistory(vault.store, CHAIN, { ...passed, lastFailedAt: null })
  await verifier().lookAt(CHAIN)
  expect(await shown(metrics)).toMatchObject({ verification: 30, 'gaps by verification': 0 })
  await keepHistory(vault.store, CHAIN, { ...passed, lastFailedAt: hoursAgo(5).toISOString() })
  await verifier().lookAt(CHAIN)
  expect(await shown(metrics)).toMatchObject({ verification: 30, 'gaps by verification': 1 })
})
