// Files in figures, for operators.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import { selectUsage } from './store.ts'

/** Labels must not grow without end: only so many organizations are named, those with the most. */
const NAMED_MAX = 100

/** Adds gauges that ask the database when they are collected: NaN when it does not answer. */
export function measureFiles(registry: Registry, db: Db): void {
  const stored = new Gauge({
    name: 'rapport_files_stored',
    help: 'Files that are stored',
    registers: [registry],
  })
  const bytes = new Gauge({ name: 'rapport_files_bytes', help: 'Bytes of all files', registers: [registry] })
  const ofOrganizations = new Gauge({
    name: 'rapport_files_organization_bytes',
    help: `Bytes of the files of an organization, for the ${NAMED_MAX} that have the most`,
    labelNames: ['organization'],
    registers: [registry],
    async collect() {
      const usage = await selectUsage(db, NAMED_MAX).catch(() => undefined)
      stored.set(usage?.files ?? Number.NaN)
      bytes.set(usage?.bytes ?? Number.NaN)
      ofOrganizations.reset()
      for (const one of usage?.largest ?? [])
        ofOrganizations.set({ organization: one.organizationId }, one.bytes)
    },
  })
}
