// The age of the last backup, of the archive and of the last verification, and the number of missing objects. Only the
// process that makes backups has values.
import { Gauge, type Registry } from 'prom-client'

type Age = 'backup' | 'archive' | 'verification'
type Finder = 'listing' | 'verification'

export class BackupMetrics {
  private readonly times = new Map<Age, Date>()
  private readonly gaps = new Map<Finder, number>()

  noteBackup(at: Date): void {
    this.times.set('backup', at)
  }

  /**
   * Until the first pass and the first backup, their ages count from here. Otherwise a store that is never reachable, and
   * a backup that always fails, would have no age.
   */
  noteArchiver(startedAt: Date): void {
    for (const what of ['archive', 'backup'] as const)
      if (!this.times.has(what)) this.times.set(what, startedAt)
  }

  /** @param at time up to which all commits are archived */
  noteArchive(at: Date): void {
    this.times.set('archive', at)
  }

  /** @param at time of the last successful verification; before the first one, the time of the first backup */
  noteVerification(at: Date): void {
    this.times.set('verification', at)
  }

  noteGaps(finder: Finder, count: number): void {
    this.gaps.set(finder, count)
  }

  /** Adds the gauges to a registry. */
  measure(registry: Registry): void {
    const { times, gaps } = this
    const age = new Gauge({
      aggregator: 'first',
      name: 'rapport_backup_age_seconds',
      help: 'Seconds since the last backup ended (backup), since the last pass of the archiver (archive), or since the archiver started while there was none, and since a verification last passed, or since the first backup (verification)',
      labelNames: ['what'],
      registers: [registry],
      collect() {
        for (const [what, at] of times) age.set({ what }, (Date.now() - at.getTime()) / 1000)
      },
    })
    const missing = new Gauge({
      aggregator: 'first',
      name: 'rapport_backup_gaps',
      help: 'What is missing or damaged in the last backup and the log after it, by the names in the store (listing), and as the last verification found it (verification)',
      labelNames: ['found_by'],
      registers: [registry],
      collect() {
        for (const [finder, count] of gaps) missing.set({ found_by: finder }, count)
      },
    })
  }
}

export const backupMetrics = new BackupMetrics()
