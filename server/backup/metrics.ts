// How old the last backup and the archive are, in the process that makes them; other processes have no value.
import { Gauge, type Registry } from 'prom-client'

const times: { backup: Date | undefined; archive: Date | undefined } = {
  backup: undefined,
  archive: undefined,
}

export function noteBackup(at: Date): void {
  times.backup = at
}

/** @param at everything that was committed before is archived */
export function noteArchive(at: Date): void {
  times.archive = at
}

export function measureBackups(registry: Registry): void {
  const age = new Gauge({
    aggregator: 'first',
    name: 'rapport_backup_age_seconds',
    help: 'Seconds since the last backup ended (backup), and since the last pass of the archiver (archive)',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      for (const what of ['backup', 'archive'] as const) {
        const at = times[what]
        if (at) age.set({ what }, (Date.now() - at.getTime()) / 1000)
      }
    },
  })
}
