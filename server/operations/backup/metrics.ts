// The age of the last backup, of the archive and of the last verification, and the number of missing objects. Only the
// process that makes backups has values.
import { Gauge, type Registry } from 'prom-client'

const AGES = ['backup', 'archive', 'verification'] as const
const FINDERS = ['listing', 'verification'] as const

const times = new Map<(typeof AGES)[number], Date>()
const gaps = new Map<(typeof FINDERS)[number], number>()

export function noteBackup(at: Date): void {
  times.set('backup', at)
}

/**
 * Until the first pass and the first backup, their ages count from here. Otherwise a store that is never reachable, and a
 * backup that always fails, would have no age.
 */
export function noteArchiver(startedAt: Date): void {
  for (const what of ['archive', 'backup'] as const) if (!times.has(what)) times.set(what, startedAt)
}

/** @param at time up to which all commits are archived */
export function noteArchive(at: Date): void {
  times.set('archive', at)
}

/** @param at time of the last successful verification; before the first one, the time of the first backup */
export function noteVerification(at: Date): void {
  times.set('verification', at)
}

export function noteGaps(finder: (typeof FINDERS)[number], count: number): void {
  gaps.set(finder, count)
}

export function measureBackups(registry: Registry): void {
  const age = new Gauge({
    aggregator: 'first',
    name: 'rapport_backup_age_seconds',
    help: 'Seconds since the last backup ended (backup), since the last pass of the archiver (archive), or since the archiver started while there was none, and since a verification last passed, or since the first backup (verification)',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      for (const what of AGES) {
        const at = times.get(what)
        if (at) age.set({ what }, (Date.now() - at.getTime()) / 1000)
      }
    },
  })
  const missing = new Gauge({
    aggregator: 'first',
    name: 'rapport_backup_gaps',
    help: 'What is missing or damaged in the last backup and the log after it, by the names in the store (listing), and as the last verification found it (verification)',
    labelNames: ['found_by'],
    registers: [registry],
    collect() {
      for (const finder of FINDERS) {
        const count = gaps.get(finder)
        if (count !== undefined) missing.set({ found_by: finder }, count)
      }
    },
  })
}
