// Metrics of the replicas of one database, and of the reads that could use them.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replicas } from './replicas.ts'

type Measured = Pick<Replicas<unknown>, 'status' | 'counts'>

// Each process measures separately: the metric shows the worst value.
const WORST = { labelNames: ['replica'], aggregator: 'max' } as const

function measureStates(registry: Registry, replicas: Measured): void {
  new Gauge({
    ...WORST,
    name: 'rapport_replica_lag_seconds',
    help: 'What a replica lacks at most, in time; absent where it is unknown',
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, lagMs } of replicas.status)
        if (lagMs !== undefined) this.set({ replica: name }, lagMs / 1000)
    },
  })
  new Gauge({
    ...WORST,
    name: 'rapport_replica_lag_bytes',
    help: 'Write-ahead log that a replica has not replayed; absent where it is unknown',
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, lagMs, lagBytes } of replicas.status)
        if (lagMs !== undefined) this.set({ replica: name }, lagBytes)
    },
  })
  new Gauge({
    name: 'rapport_replica_up',
    help: '1: the replica responds and is a standby of the database; 0: it is not read',
    labelNames: ['replica', 'state'],
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, state } of replicas.status)
        this.set({ replica: name, state }, Number(state === 'ready'))
    },
  })
}

export function measureReplicas(registry: Registry, replicas: Measured): void {
  measureStates(registry, replicas)
  new Counter({
    name: 'rapport_replica_reads_total',
    help: 'Reads that could use a replica, by the server that answered; reason: why it was the primary',
    labelNames: ['kind', 'target', 'reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { count, ...labels } of replicas.counts) this.inc(labels, count)
    },
  })
}
