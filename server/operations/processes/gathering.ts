// Merges the metrics of all processes. Any process can be asked for them.
import type { Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { AggregatorRegistry, Counter, Gauge, type PrometheusContentType, type Registry } from 'prom-client'
import type { ProcessReplacement } from '../diagnosis/processes.ts'
import { sendTo } from './children.ts'
import type { FromChild, Metrics, ToChild } from './messages.ts'

/** A process that does not answer in time keeps its counters, and is left out of the gauges. */
const WAIT_MS = 3000

/** Restores NaN, which JSON turns into null. NaN means that the database does not answer, and alerts depend on it. */
const restored = (metrics: Metrics): Metrics =>
  metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((one) => ({ ...one, value: one.value ?? Number.NaN })),
  }))

/** Requests the metrics of one process. @returns no metrics if it does not answer */
function collect(child: Worker, id: number): Promise<Metrics> {
  return new Promise((resolve) => {
    const end = (metrics: Metrics) => {
      clearTimeout(timer)
      child.off('message', hear)
      resolve(metrics)
    }
    const hear = (message: FromChild) => {
      if (message.kind === 'metrics' && message.id === id) end(restored(message.metrics))
    }
    const timer = setTimeout(() => end([]), WAIT_MS)
    child.on('message', hear)
    child.send({ kind: 'collect', id } satisfies ToChild, undefined, (error) => error && end([]))
  })
}

interface Asked {
  ready: readonly Worker[]
  replacements: readonly ProcessReplacement[]
}

type Metric = Metrics[number]
type Value = Metric['values'][number]

// Types of metrics as text, because the channel sends text, not the number that the type declares.
const COUNTED = new Set<string>(['counter', 'histogram', 'summary'])

/** Without gauges, which have no meaning after a process has ended. */
const countedOf = (metrics: Metrics): Metrics => metrics.filter(({ type }) => COUNTED.has(String(type)))

/** Buckets of a histogram differ by their labels, its sum and count by their names. */
function keyOf(value: Value): string {
  const { metricName = '' } = value as Value & { metricName?: string }
  return JSON.stringify([metricName, Object.entries(value.labels).sort(([a], [b]) => (a < b ? -1 : 1))])
}

function addValues(values: readonly Value[], more: readonly Value[]): Value[] {
  const sums = new Map(values.map((one) => [keyOf(one), { ...one }]))
  for (const one of more) {
    const sum = sums.get(keyOf(one))
    if (sum) sum.value += one.value
    else sums.set(keyOf(one), { ...one })
  }
  return [...sums.values()]
}

function addMetrics(metrics: Metrics, more: Metrics): Metrics {
  const sums = new Map(metrics.map((one) => [one.name, one]))
  for (const one of more) {
    const sum = sums.get(one.name)
    sums.set(one.name, sum ? { ...sum, values: addValues(sum.values, one.values) } : one)
  }
  return [...sums.values()]
}

/**
 * Counters of several processes, merged so that they only grow: counts of a process are kept when it ends, and while it
 * does not answer.
 */
export class Counters<Key> {
  /** The last collected counters of the running processes. */
  readonly #last = new Map<Key, Metrics>()
  /** The sum of the counters of ended processes. */
  #ended: Metrics = []

  /** @param metrics the complete answer of the process */
  note(process: Key, metrics: Metrics): void {
    this.#last.set(process, countedOf(metrics))
  }

  /** For a process that has ended; its successor begins at zero. */
  end(process: Key): void {
    this.#ended = addMetrics(this.#ended, this.#last.get(process) ?? [])
    this.#last.delete(process)
  }

  /** The metrics to add to those of the processes that have answered. */
  besides(answered: ReadonlySet<Key>): Metrics[] {
    const silent = [...this.#last].filter(([process]) => !answered.has(process))
    return [this.#ended, ...silent.map(([, metrics]) => metrics)].filter(({ length }) => length > 0)
  }
}

export class Gathering {
  readonly #counters = new Counters<Worker>()
  readonly #log: Pick<Logger, 'warn'>
  #last = 0

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log
  }

  /** Keeps the counters of an ended process. */
  end(child: Worker): void {
    this.#counters.end(child)
  }

  /** Answers a request for metrics. @param id of the request */
  async answer(id: number, asker: Worker, children: Asked): Promise<void> {
    const text = await this.#gather(children).catch((err: unknown) => {
      this.#log.warn({ err }, 'the metrics of the processes could not be put together')
      return undefined
    })
    if (asker.isConnected()) sendTo(asker, { kind: 'gathered', id, text })
  }

  async #collect(child: Worker, id: number): Promise<Metrics> {
    const metrics = await collect(child, id)
    if (metrics.length > 0 && !child.isDead()) this.#counters.note(child, metrics)
    return metrics
  }

  /** Adds counts of processes. Values that all of them read from the database are taken once. */
  async #gather({ ready, replacements }: Asked): Promise<string> {
    const id = ++this.#last
    const collected = await Promise.all(
      ready.map(async (child) => [child, await this.#collect(child, id)] as const),
    )
    // The counters of a process that has just ended are already part of `besides`.
    const answered = collected.filter(([child, metrics]) => metrics.length > 0 && !child.isDead())
    const besides = this.#counters.besides(new Set(answered.map(([child]) => child)))
    const all = [...answered.map(([, metrics]) => metrics), ...besides]
    const registry = AggregatorRegistry.aggregate<PrometheusContentType>(all)
    addProcesses(registry, answered.length, replacements)
    return registry.metrics()
  }
}

function addProcesses(
  registry: Registry,
  answered: number,
  replacements: readonly ProcessReplacement[],
): void {
  const help = 'Processes of the service that answer requests or do background work'
  new Gauge({ name: 'rapport_processes', help, registers: [registry] }).set(answered)
  const replaced = new Counter({
    name: 'rapport_process_replacements_total',
    help: 'Processes that were replaced; reason: ended by themselves, or hung and were killed',
    labelNames: ['process', 'reason'],
    registers: [registry],
  })
  for (const { name, reason, count } of replacements) replaced.inc({ process: name, reason }, count)
}
