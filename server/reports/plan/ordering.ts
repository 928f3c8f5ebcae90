// Checks the keys of columns: they are unique, and references to them exist.
import type { ReportDefinition, ResultColumn } from '../../../contract/reports.ts'
import { instead, sentName } from '../../base/suggestions.ts'
import type { Planning } from './planning.ts'

export interface ReportOrder {
  /** Index in the columns of the results. */
  index: number
  order: 'asc' | 'desc'
}

const keysOf = (columns: readonly ResultColumn[]) => columns.map(({ key }) => key)

type Keyed = readonly { key: string }[]

export function checkColumnKeys(
  planning: Planning,
  lists: Readonly<Record<string, Keyed | undefined>>,
): void {
  const taken = new Set<string>()
  for (const [name, list = []] of Object.entries(lists))
    for (const [index, { key }] of list.entries()) {
      if (taken.has(key))
        planning.note(
          `${name}[${index}].key`,
          'duplicate',
          `must differ from the other keys: ${key} is already in use`,
        )
      taken.add(key)
    }
}

export function planOrders(
  planning: Planning,
  columns: readonly ResultColumn[],
  sort: ReportDefinition['sort'] = [],
): ReportOrder[] {
  return sort.flatMap(({ key, order = 'asc' }, place) => {
    const index = columns.findIndex((column) => column.key === key)
    if (index !== -1) return [{ index, order }]
    planning.note(
      `sort[${place}].key`,
      'unknown_key',
      `no column has the key ${sentName(key)}: ${instead(key, keysOf(columns))}`,
    )
    return []
  })
}

export function checkChart(
  planning: Planning,
  columns: readonly ResultColumn[],
  chart: ReportDefinition['chart'],
): void {
  const { x, y = [], series } = chart ?? {}
  const named: [string, string | undefined][] = [
    ['chart.x', x],
    ['chart.series', series],
    ...y.map((key, index): [string, string] => [`chart.y[${index}]`, key]),
  ]
  for (const [path, key] of named)
    if (key !== undefined && !columns.some((column) => column.key === key))
      planning.note(
        path,
        'unknown_key',
        `no column has the key ${sentName(key)}: ${instead(key, keysOf(columns))}`,
      )
}
