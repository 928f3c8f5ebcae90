// Metrics of jobs that need an operator. `rapport doctor` names the kinds.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import { selectStuckJobs } from './stuck-jobs.ts'

/** Adds gauges that query the database when they are collected: NaN if it does not respond. */
export function measureJobs(registry: Registry, db: Db): void {
  const stuck = new Gauge({
    aggregator: 'first',
    name: 'rapport_jobs_stuck',
    help: 'Jobs that failed within the last day (failed), and kinds of jobs that wait for ten minutes while none is running (waiting)',
    labelNames: ['what'],
    registers: [registry],
    async collect() {
      const found = await selectStuckJobs(db).catch(() => undefined)
      stuck.set({ what: 'failed' }, found?.failed ?? Number.NaN)
      stuck.set({ what: 'waiting' }, found?.waiting.length ?? Number.NaN)
    },
  })
}
