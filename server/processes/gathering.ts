// Metrics of all processes as one, for whichever of them is asked.
import type { Worker } from 'node:cluster'
import { AggregatorRegistry, Gauge } from 'prom-client'
import { sendTo } from './children.ts'
import type { FromChild, Metrics, ToChild } from './messages.ts'

/** A process that does not answer in time is left out. */
const WAIT_MS = 3000

/** Asks one process. @returns no metrics where it does not answer */
function collect(child: Worker, id: number): Promise<Metrics> {
  return new Promise((resolve) => {
    const end = (metrics: Metrics) => {
      clearTimeout(timer)
      child.off('message', hear)
      resolve(metrics)
    }
    const hear = (message: FromChild) => {
      if (message.kind === 'metrics' && message.id === id) end(message.metrics)
    }
    const timer = setTimeout(() => end([]), WAIT_MS)
    child.on('message', hear)
    child.send({ kind: 'collect', id } satisfies ToChild, undefined, (error) => error && end([]))
  })
}

let last = 0

/** Counts of processes are added; what all of them read from the database is taken once. */
async function gatherMetrics(children: readonly Worker[]): Promise<string> {
  const id = ++last
  const all = await Promise.all(children.map((child) => collect(child, id)))
  const answered = all.filter((metrics) => metrics.length > 0)
  const registry = AggregatorRegistry.aggregate(answered)
  const help = 'Processes of the service that answer requests or do background work'
  new Gauge({ name: 'rapport_processes', help, registers: [registry] }).set(answered.length)
  return registry.metrics()
}

/** Answers a process that is asked for metrics. @param id of its question */
export async function answerGather(id: number, asker: Worker, children: readonly Worker[]): Promise<void> {
  const answer: ToChild = { kind: 'gathered', id, text: await gatherMetrics(children) }
  if (asker.isConnected()) sendTo(asker, answer)
}
