// The doctor's checks of cells: each database is checked like the directory, and for being the expected cell.
import type pg from 'pg'
import { cellConnection } from '../../cells/connection.ts'
import { type OrganizationMove, selectMoves } from '../../cells/move/store.ts'
import { findMisplaced, type Misplaced } from '../../cells/places.ts'
import {
  type CellRow,
  countOrganizationsByCell,
  countWaitingCopies,
  isCell,
  selectCells,
} from '../../cells/store.ts'
import type { Config } from '../../config/config.ts'
import { openForLook } from '../../db/look.ts'
import type { Db } from '../../db/pool.ts'
import { judgeAway } from './database-away.ts'
import { type Finding, isMigrated } from './finding.ts'
import { checkSecrets } from './secrets.ts'
import { checkDatabase } from './service.ts'
import { checkStoredFiles } from './stored-files.ts'
import type { ServiceState } from './work.ts'

/** In a healthy installation, changes wait for about a second. */
const WAITING_MAX = 100

async function checkPlace(directory: Db, db: Db, { cell, name }: CellRow): Promise<Finding> {
  if (await isCell(directory, db, cell))
    return { check: 'place', status: 'ok', detail: `it is cell ${cell} of this installation` }
  const detail = 'it is not the database that was added under this name'
  return { check: 'place', status: 'fail', detail, advice: `correct the address of ${name} in CELLS` }
}

async function checkCopies(directory: Db, { cell }: CellRow): Promise<Finding> {
  const waiting = await countWaitingCopies(directory, cell)
  const detail = `${waiting} changes of members and keys wait to be copied`
  if (waiting <= WAITING_MAX) return { check: 'copies', status: 'ok', detail }
  const advice =
    'a process with ROLE=all or worker copies them every second: see whether one runs, and its log'
  return { check: 'copies', status: 'warn', detail, advice }
}

/** Texts of at most this many organizations are in a finding. */
const NAMED_MAX = 5

const misplacedText =
  (name: string) =>
  ({ slug, named, isHere }: Misplaced): string => {
    if (!isHere) return `${slug} is not in it, although the directory names ${name}`
    return named === null
      ? `${slug} is in it, and the directory does not know it`
      : `${slug} is in it, although the directory names cell ${named}`
  }

export function judgePlaces(misplaced: readonly Misplaced[], name: string): Finding {
  const check = 'organizations'
  if (misplaced.length === 0)
    return { check, status: 'ok', detail: 'its organizations are those that the directory names' }
  const named = misplaced.slice(0, NAMED_MAX).map(misplacedText(name)).join('; ')
  const more = misplaced.length > NAMED_MAX ? `; and ${misplaced.length - NAMED_MAX} others` : ''
  return {
    ...{ check, status: 'fail', detail: `${named}${more}` },
    advice:
      'stop the service, and read "Restored to a time before a move" in docs/operators/cells.md: the directory or the cell was restored to a time before a move',
  }
}

interface Installation {
  config: Config
  directory: Db
  service: ServiceState | undefined
}

/** Only a cell's PostgreSQL reports whether the cell's disk is full. */
const onItsDisk = (service: ServiceState | undefined) =>
  service && { ...service, writableSeconds: service.runningSeconds }

async function examine(
  { config, directory, service }: Installation,
  row: CellRow,
  connection: pg.ClientConfig,
): Promise<Finding[]> {
  const db = openForLook(connection)
  try {
    const findings = await checkDatabase(
      { config, db, connection, now: Date.now },
      { embedded: undefined, service: onItsDisk(service) },
    )
    if (!isMigrated(findings)) return findings
    const place = await checkPlace(directory, db, row)
    const misplaced = place.status === 'ok' ? await findMisplaced(directory, db, row.cell) : undefined
    return [
      ...findings,
      await checkSecrets(db, config),
      ...(await checkStoredFiles(config, db)),
      place,
      ...(misplaced ? [judgePlaces(misplaced, row.name)] : []),
      await checkCopies(directory, row),
    ]
  } finally {
    await db.close()
  }
}

async function checkAddress(directory: Db, { cell, name, state }: CellRow): Promise<Finding> {
  const isUsed = (await countOrganizationsByCell(directory)).some((one) => one.cell === cell)
  if (state === 'draining' && !isUsed)
    return { check: 'address', status: 'ok', detail: 'it is not in CELLS: drained, without organizations' }
  const detail = 'CELLS does not name its address: the service refuses to start'
  return { check: 'address', status: 'fail', detail, advice: `add ${name}=postgres://… to CELLS` }
}

async function checkCell(installation: Installation, row: CellRow): Promise<Finding[]> {
  const connection = cellConnection(installation.config, row.name)
  if (!connection) return [await checkAddress(installation.directory, row)]
  return examine(installation, row, connection).catch((error: unknown): Finding[] => [
    judgeAway(error, { connection, setting: 'CELLS' }),
  ])
}

const textOf = ({ slug, from, to, state, startedAt }: OrganizationMove) =>
  `${slug} from ${from} to ${to} (${state}, since ${startedAt})`

export function movesFinding(moves: readonly OrganizationMove[]): Finding {
  const check = 'moves'
  if (moves.length === 0) return { check, status: 'ok', detail: 'no organization is being moved' }
  const left = moves.filter(({ isWorking }) => !isWorking)
  if (left.length === 0)
    return { check, status: 'ok', detail: `being moved: ${moves.map(textOf).join(', ')}` }
  return {
    check,
    status: 'warn',
    detail: `moves that no command works on: ${left.map(textOf).join(', ')}`,
    advice: `go on with rapport org move ${left[0]?.slug} --to ${left[0]?.to}, or end it with --cancel`,
  }
}

const checkMoves = async (directory: Db): Promise<Finding> => movesFinding(await selectMoves(directory))

/** For a migrated directory. The name of each check begins with the name of its cell. */
export async function checkCells(
  config: Config,
  directory: Db,
  service: ServiceState | undefined,
): Promise<Finding[]> {
  const rows = await selectCells(directory)
  const found = await Promise.all(
    rows.map(async (row) => {
      const findings = await checkCell({ config, directory, service }, row)
      return findings.map((one) => ({ ...one, check: `${row.name}: ${one.check}` }))
    }),
  )
  return rows.length === 0 ? [] : [...found.flat(), await checkMoves(directory)]
}
