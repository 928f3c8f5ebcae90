// Metrics of workflows.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../../db/pool.ts'
import { countOpen, countStuckRuns, RUNS_COUNTED_MAX } from './sweeper-store.ts'

const OPEN = ['queued', 'running', 'waiting'] as const

/** Counts steps of this process. It stays 0 in a process without a worker. */
const steps = new Counter({
  name: 'rapport_workflow_steps_total',
  help: 'Steps of workflows that this process performed, without control steps',
  labelNames: ['type', 'status'],
  registers: [],
})

export const countStep = (type: string, status: 'completed' | 'failed'): void => steps.inc({ type, status })

export const measureSteps = (registry: Registry): void => registry.registerMetric(steps)

/** Adds gauges that query the database when they are collected: NaN if it does not respond. */
export function measureWorkflows(registry: Registry, db: Db): void {
  measureSteps(registry)
  const runs = new Gauge({
    aggregator: 'first',
    name: 'rapport_workflow_runs_open',
    help: `Runs of workflows that have not ended, counted up to ${RUNS_COUNTED_MAX}`,
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const found = await countOpen(db).catch(() => undefined)
      for (const status of OPEN) {
        const row = found?.find((one) => one.status === status)
        runs.set({ status }, found ? (row?.count ?? 0) : Number.NaN)
      }
    },
  })
  const stuck = new Gauge({
    aggregator: 'first',
    name: 'rapport_workflows_stuck',
    help: `Runs and events (counted up to ${RUNS_COUNTED_MAX}) that are overdue by a minute; normally zero`,
    labelNames: ['what'],
    registers: [registry],
    async collect() {
      const found = await countStuckRuns(db).catch(() => undefined)
      stuck.set({ what: 'runs' }, found?.runs ?? Number.NaN)
      stuck.set({ what: 'events' }, found?.events ?? Number.NaN)
    },
  })
}
