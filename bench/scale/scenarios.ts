// The scenarios of docs/operators/scaling.md, each with a table.
import type { Row } from '../harness/figures.ts'
import { allowed, reported } from '../harness/rows.ts'
import {
  BUSY_MAX,
  type Capacity,
  CORES,
  capacityOf,
  nodeMs,
  type Plan,
  postgresMs,
  type Store,
} from './capacity.ts'
import { type Inputs, OPERATIONS } from './inputs.ts'
import { ofBusiestCell, ofMeasuredMachine } from './latency.ts'
import { zipf } from './organizations.ts'
import { percent, short, tableOf, thousands } from './tables.ts'

export const ORGANIZATIONS = 1_000_000
const CELLS = [1, 2, 3, 10, 30, 100]
const EXPONENTS = [0, 0.6, 0.8, 1]
const GROWTH_MIN = 0.8
/** Exponent of a usual distribution: the largest of a million organizations has one percent of all load. */
const USUAL_EXPONENT = 0.8

export interface Answer {
  tables: Record<string, string>
  rows: Row[]
}

export function costs({ operations, admission, renewal }: Inputs): Answer {
  const rows = OPERATIONS.map((name) => [
    name,
    short(operations[name].nodeMs),
    short(operations[name].postgresMs),
  ])
  const keys = [
    ['key checked and request counted', short(admission.nodeMs), short(admission.postgresMs)],
    ['one key renewed, in bulk', short(renewal.nodeMs), short(renewal.postgresMs)],
  ]
  const head = ['CPU ms of one', 'Node', 'PostgreSQL']
  return { tables: { costs: tableOf(head, [...rows, ...keys]) }, rows: [] }
}

/** Maximum of the simulated throughput, divided by the measured throughput. */
const AGREEMENT_MAX = 1.5

export function validation(inputs: Inputs): Answer {
  const found = OPERATIONS.map((operation) => {
    const [measured, simulated] = [inputs.points[operation], ofMeasuredMachine(inputs, operation)]
    const cells = (['rate', 'p50Ms', 'p99Ms'] as const).flatMap((name) => [measured[name], simulated[name]])
    return { operation, cells: cells.map(short), times: simulated.rate / measured.rate }
  })
  const head = ['one cell', 'requests/s', 'simulated', 'p50, ms', 'simulated', 'p99, ms', 'simulated']
  const rowOf = ({ operation, times }: (typeof found)[number]) =>
    allowed(`${operation}, 64 connections`, 'throughput, simulated by measured', times, AGREEMENT_MAX)
  return {
    tables: {
      validation: tableOf(
        head,
        found.map(({ operation, cells }) => [operation, ...cells]),
      ),
    },
    rows: found.map(rowOf),
  }
}

const perCell = (rate: number, first: number, cells: number) => rate / first / cells

function latencyOf(inputs: Inputs, { store }: Plan, capacity: Capacity) {
  const { rate, busiestShare, processes } = capacity
  const ofCell = rate * busiestShare
  return ofBusiestCell(inputs, {
    perProcess: rate / processes,
    perCell: ofCell,
    store,
  })
}

const shares = new Map(EXPONENTS.map((exponent) => [exponent, zipf(ORGANIZATIONS, exponent)]))

const planOf = (cells: number, store: Store, exponent: number, isMoved: boolean): Plan => ({
  cells,
  store,
  isMoved,
  shares: shares.get(exponent) ?? zipf(ORGANIZATIONS, exponent),
})

const STORES: Readonly<Record<Store, string>> = {
  database: 'in the cells',
  memory: 'in memory',
  affine: 'in memory, a key always by the same process',
}

/** Each number of cells, with each way to count requests. */
export function growth(inputs: Inputs): Answer {
  const answers = (Object.keys(STORES) as Store[]).map((store) => {
    const found = CELLS.map((cells) => {
      const plan = planOf(cells, store, USUAL_EXPONENT, true)
      return { cells, plan, capacity: capacityOf(inputs, plan) }
    })
    const first = found[0]?.capacity.rate ?? 1
    const rows = found.map(({ cells, plan, capacity }) => {
      const { p50Ms, p99Ms } = latencyOf(inputs, plan, capacity)
      return [
        ...[String(cells), thousands(capacity.rate), short(perCell(capacity.rate, first, cells))],
        ...[short(p50Ms), short(p99Ms), thousands(capacity.processes), percent(capacity.directoryBusy)],
        capacity.limit,
      ]
    })
    const head = [
      'cells',
      'requests/s',
      'of linear',
      'p50, ms',
      'p99, ms',
      'API processes',
      'directory busy',
      'limit',
    ]
    const last = found.at(-1)
    const share = last ? perCell(last.capacity.rate, first, last.cells) : 0
    const name = `growth from 1 to 100 cells, requests counted ${STORES[store]}`
    const row: Row = { ...reported(name, 'of linear', share), target: GROWTH_MIN, met: share >= GROWTH_MIN }
    return { name: `growth-${store}`, table: tableOf(head, rows), row }
  })
  return {
    tables: Object.fromEntries(answers.map(({ name, table }) => [name, table])),
    rows: answers.map(({ row }) => row),
  }
}

/** Uneven organizations at 100 cells, as they were placed and after the largest were moved. */
export function uneven(inputs: Inputs): Answer {
  const first = capacityOf(inputs, planOf(1, 'affine', USUAL_EXPONENT, false)).rate
  const of = (exponent: number, cells: number, isMoved: boolean, largestCores = 1) =>
    short(
      capacityOf(inputs, { ...planOf(cells, 'affine', exponent, isMoved), largestCores }).rate /
        first /
        cells,
    )
  const rows = EXPONENTS.slice(1).flatMap((exponent) =>
    [10, 100].map((cells) => [
      `${percent(shares.get(exponent)?.[0] ?? 0)} (exponent ${exponent})`,
      ...[String(cells), of(exponent, cells, false), of(exponent, cells, true), of(exponent, cells, true, 2)],
    ]),
  )
  const head = [
    'load of the largest organization',
    'cells',
    'as placed',
    'after moves',
    'and twice the cores for it',
  ]
  return { tables: { uneven: tableOf(head, rows) }, rows: [] }
}

/** The capacity of one cell, of one process and of the directory. */
export function limits(inputs: Inputs): Answer {
  const machineMs = 1000 * CORES * BUSY_MAX
  const ofCell = (store: Store) => machineMs / postgresMs(inputs, store)
  const inCells = (store: Store) =>
    short(capacityOf(inputs, planOf(1000, store, 0, true)).rate / ofCell(store))
  const rows = [
    [`a cell of ${CORES} cores, requests counted there`, `${thousands(ofCell('database'))} requests/s`],
    ['the same, counted in memory', `${thousands(ofCell('memory'))} requests/s`],
    ['an API process', `${thousands((1000 * BUSY_MAX) / nodeMs(inputs, 'database'))} requests/s`],
    [`a directory of ${CORES} cores, requests counted in cells`, `${inCells('database')} of such cells`],
    ['the same, counted in memory', `${inCells('memory')} of such cells`],
  ]
  return { tables: { limits: tableOf(['part', 'holds'], rows) }, rows: [] }
}
