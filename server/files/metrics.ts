// Metrics of files, for operators.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import { selectLargest, sumUsage } from './store.ts'

/** The number of labels must be limited: only this many organizations are named, those with the most bytes. */
const NAMED_MAX = 100

/** Adds gauges that read the database when they are collected: NaN if it does not respond. */
export function measureFiles(registry: Registry, db: Db): void {
  const stored = new Gauge({
    aggregator: 'first',
    name: 'rapport_files_stored',
    help: 'Stored files of all organizations, by number and bytes',
    labelNames: ['what'],
    registers: [registry],
    async collect() {
      const total = await sumUsage(db).catch(() => undefined)
      for (const what of ['files', 'bytes'] as const) stored.set({ what }, total?.[what] ?? Number.NaN)
    },
  })
  const ofOrganizations = new Gauge({
    aggregator: 'first',
    name: 'rapport_files_organization_bytes',
    help: `Bytes of the files of an organization, for the ${NAMED_MAX} largest`,
    labelNames: ['organization'],
    registers: [registry],
    async collect() {
      const largest = await selectLargest(db, NAMED_MAX).catch(() => [])
      ofOrganizations.reset()
      for (const { organization, bytes } of largest) ofOrganizations.set({ organization }, bytes)
    },
  })
}
