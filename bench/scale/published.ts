// Reads figures of docs/benchmarks.md, for which the benches run one at a time.
import { readFile } from 'node:fs/promises'
import type { Cost, Operation, Point } from './inputs.ts'

const PAGE = new URL('../../docs/benchmarks.md', import.meta.url)
const CASES: Record<Operation, string> = {
  get: 'GET one record',
  list: 'list 50 records',
  create: 'create one record',
  patch: 'patch one record',
  bulk: 'bulk create 100 records',
}

export interface Published {
  costOf(operation: Operation): Cost
  pointOf(operation: Operation): Point
  /** CPU ms of PostgreSQL for one prepared statement that reads one record: the limit of GET. */
  statementMs: number
}

export async function readPublished(): Promise<Published> {
  const lines = (await readFile(PAGE, 'utf8'))
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const figure = (operation: Operation, unit: string, column = 2) => {
    const cells = lines.find(([, name, , its]) => name === CASES[operation] && its === unit)
    const value = Number(cells?.[column]?.replaceAll(',', ''))
    if (!Number.isFinite(value))
      throw new Error(`docs/benchmarks.md has no "${unit}" of "${CASES[operation]}"`)
    return value
  }
  const ofPostgres = 'CPU ms of PostgreSQL per request'
  return {
    costOf: (operation) => ({
      nodeMs: figure(operation, 'CPU ms of Node per request'),
      postgresMs: figure(operation, ofPostgres),
    }),
    pointOf: (operation) => ({
      rate: figure(operation, 'requests/s'),
      p50Ms: figure(operation, 'ms, p50'),
      p99Ms: figure(operation, 'ms, p99'),
    }),
    statementMs: figure('get', ofPostgres, 4),
  }
}
