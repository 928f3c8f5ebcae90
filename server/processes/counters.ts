// Counters of several processes as one that only grows: what a process has counted stays when it ends, and while it does
// not answer.
import type { Metrics } from './messages.ts'

type Metric = Metrics[number]
type Value = Metric['values'][number]

// Over the channel between processes it is the text, not the number that the type declares.
const COUNTED = new Set<string>(['counter', 'histogram', 'summary'])

/** Without gauges, which say nothing of a process that has ended. */
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

export class Counters<Key> {
  /** Of the processes that run, as they were last collected. */
  readonly #last = new Map<Key, Metrics>()
  /** Of the processes that have ended, together. */
  #ended: Metrics = []

  /** @param metrics all that the process answered */
  note(process: Key, metrics: Metrics): void {
    this.#last.set(process, countedOf(metrics))
  }

  /** The process has ended: a successor begins at zero. */
  end(process: Key): void {
    this.#ended = addMetrics(this.#ended, this.#last.get(process) ?? [])
    this.#last.delete(process)
  }

  /** What is to be added to the metrics of the processes that have answered. */
  besides(answered: ReadonlySet<Key>): Metrics[] {
    const silent = [...this.#last].filter(([process]) => !answered.has(process))
    return [this.#ended, ...silent.map(([, metrics]) => metrics)].filter(({ length }) => length > 0)
  }
}
