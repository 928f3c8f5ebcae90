// How old the last backup, the archive and the last verification are, and what is missing, in the process that makes
// backups; other processes have no value.
import { Gauge, type Registry } from 'prom-client'

const AGES = ['backup', 'archive', 'verification'] as const
const FINDERS = ['listing', 'verification'] as const

const times = new Map<(typeof AGES)[number], Date>()
const gaps = new Map<(typeof FINDERS)[number], number>()

export function noteBackup(at: Date): void {
  times.set('backup', at)
}

/** Counts from here until the first pass: a store that is away from the start must not look as if there were no backups. */
export function noteArchiver(startedAt: Date): void {
  if (!times.has('archive')) times.set('archive', startedAt)
}

/** @param at everything that was committed before is archived */
export function noteArchive(at: Date): void {
  times.set('archive', at)
}

/** @param at of the last one that passed; before the first, when there was a backup to verify */
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
    help: 'Seconds since the last backup ended (backup), since the last pass of the archiver (archive), and since a verification last passed, or since the first backup (verification)',
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
