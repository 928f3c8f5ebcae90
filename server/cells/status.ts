// The directory and its cells as an operator looks at them: nothing is migrated or changed by it.
import type { Config } from '../config.ts'
import { explainFault } from '../db/explain.ts'
import { pendingMigrations, readMigrations } from '../db/migrate.ts'
import { type Db, openPool } from '../db/pool.ts'
import { cellConnection } from './connection.ts'
import {
  type Backlog,
  type CellState,
  countOrganizations,
  getSizes,
  getVersion,
  getWaiting,
  isCell,
  type Sizes,
  selectCells,
} from './store.ts'

export interface PlaceStatus extends Sizes {
  /** 0: the directory. */
  cell: number
  name: string
  state: CellState
  /** The last migration that was applied. */
  version: string
  organizations: number
  /** Changes of the directory that are not copied to it yet. */
  copies: Backlog
  /** What is wrong, in words; none is as it should be. */
  problems: string[]
}

/** A database that does not respond, or is not known, has no figures. */
export type ReportedStatus = Pick<PlaceStatus, 'cell' | 'name' | 'state' | 'organizations' | 'problems'> &
  Partial<PlaceStatus> & { isReachable: boolean }

/** Copies and events wait for a second where all is well. */
const WAITING_SECONDS_MAX = 60

interface Place extends Pick<PlaceStatus, 'cell' | 'name' | 'state'> {
  organizations: number
}

async function migrationProblems(db: Db): Promise<string[]> {
  try {
    const { length } = await pendingMigrations(db)
    const { length: all } = await readMigrations()
    if (length === 0) return []
    return [
      `${length} of ${all} migrations are not applied: a process of this version applies them when it starts`,
    ]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

const late = (what: string, { rows, seconds }: Backlog): string[] =>
  seconds > WAITING_SECONDS_MAX
    ? [`${rows} ${what} wait, the first for ${seconds} s: does a process with ROLE=all or worker run?`]
    : []

async function examine(directory: Db, db: Db, place: Place): Promise<ReportedStatus> {
  const isSame = await isCell(directory, db, place.cell)
  const copies = await getWaiting(directory, place.cell)
  const sizes = await getSizes(db)
  return {
    ...place,
    isReachable: true,
    version: await getVersion(db),
    copies,
    ...sizes,
    problems: [
      ...(isSame
        ? []
        : ['it is not the database that was added under this name: correct its address in CELLS']),
      ...(await migrationProblems(db)),
      ...late('changes of members and keys', copies),
      ...late('entries of the outbox', sizes.outbox),
    ],
  }
}

const unreachable = (place: Place, problem: string): ReportedStatus => ({
  ...{ ...place, isReachable: false, problems: [problem] },
})

/** It may be left out of CELLS. */
const isUnused = ({ state, organizations }: Place) => state === 'draining' && organizations === 0

const CONNECT_MS = 5000

async function statusOf(config: Config, directory: Db, place: Place): Promise<ReportedStatus> {
  const connection = cellConnection(config, place.name)
  if (!connection && isUnused(place)) return { ...place, isReachable: false, problems: [] }
  if (!connection) return unreachable(place, 'CELLS does not name its address: the service refuses to start')
  const limits = { max: 1, statementTimeoutMs: 30_000, connectMs: CONNECT_MS, retries: false }
  const pool = openPool({ connection, ...limits, onError: () => undefined })
  try {
    return await examine(directory, pool, place)
  } catch (error) {
    const problem = `it does not respond: ${error instanceof Error ? error.message : error}`
    return unreachable(place, explainFault(error, connection, 'CELLS') ?? problem)
  } finally {
    await pool.close()
  }
}

const DIRECTORY = { cell: 0, name: 'directory', state: 'active' } as const

/** The directory first, then its cells by number. Of a directory that is not migrated to this version, that alone. */
export async function cellStatus(config: Config, directory: Db): Promise<ReportedStatus[]> {
  const problems = await migrationProblems(directory)
  if (problems.length > 0) return [{ ...DIRECTORY, organizations: 0, isReachable: true, problems }]
  const counts = new Map((await countOrganizations(directory)).map((one) => [one.cell, one.organizations]))
  const places = (await selectCells(directory)).map(({ cell, name, state }) => ({
    ...{ cell, name, state, organizations: counts.get(cell) ?? 0 },
  }))
  return Promise.all([
    examine(directory, directory, { ...DIRECTORY, organizations: counts.get(0) ?? 0 }),
    ...places.map((place) => statusOf(config, directory, place)),
  ])
}
