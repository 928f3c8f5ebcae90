// Metrics of the databases of cells, in addition to those of the directory, with the number of the cell as a label.
import { AggregatorRegistry, Registry } from 'prom-client'
import type { Cells } from '../db/databases.ts'
import type { ReadMetrics } from '../http/metrics.ts'

/** @param measure adds the metrics of one database */
export function withCells<Context>(
  registry: Registry,
  cells: Cells<Context>,
  measure: (registry: Registry, ctx: Context) => void,
): ReadMetrics {
  const registries = new Map<number, Registry>()
  const registryOf = (cell: number, ctx: Context) => {
    const known = registries.get(cell)
    if (known) return known
    const added = new Registry()
    added.setDefaultLabels({ cell })
    measure(added, ctx)
    registries.set(cell, added)
    return added
  }
  const collect = () => {
    const others = [...cells.opened].filter(([cell]) => cell > 0)
    const all = [registry, ...others.map(([cell, ctx]) => registryOf(cell, ctx))]
    return Promise.all(all.map((one) => one.getMetricsAsJSON()))
  }
  return {
    metrics: async () =>
      cells.opened.size === 1 ? registry.metrics() : AggregatorRegistry.aggregate(await collect()).metrics(),
    getMetricsAsJSON: async () => (await collect()).flat(),
  }
}
