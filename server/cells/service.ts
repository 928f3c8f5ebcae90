// Cells for operators: added to the directory, listed, closed to new organizations.
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { AppError, invalidField, notFound } from '../errors.ts'
import {
  type CellRow,
  type CellState,
  countOrganizations,
  countOwnOrganizations,
  getInstallation,
  getVersion,
  insertCell,
  noteChanges,
  selectCells,
  startNumbers,
  updateInstallation,
  updateState,
} from './store.ts'

/** Whether the database is that of the cell already: adding it was broken off, or is repeated. */
const isCell = async (directory: Db, cell: Db, number: number | undefined): Promise<boolean> => {
  const [own, there] = [await getInstallation(directory), await getInstallation(cell)]
  return there.id === own.id && there.cell === number
}

async function requireEmpty(cell: Db, name: string): Promise<void> {
  if ((await countOwnOrganizations(cell)) === 0) return
  throw new AppError(
    'validation_error',
    `The database of ${name} has organizations already: a cell begins with an empty database`,
  )
}

/**
 * Makes an empty, migrated database a cell. Repeating it does nothing more.
 * @param db of the new cell @throws AppError validation_error
 */
export async function addCell(directory: Db, db: Db, name: string): Promise<CellRow> {
  const known = (await selectCells(directory)).find((one) => one.name === name)
  if (!(await isCell(directory, db, known?.cell))) await requireEmpty(db, name)
  const row = known ?? (await insertCell(directory, name))
  if (!row) throw new AppError('validation_error', `The cell ${name} is being added by another command`)
  const { id } = await getInstallation(directory)
  await directory.transaction(noteChanges)
  await db.transaction(async (tx) => {
    if (await isCell(directory, tx, row.cell)) return
    await startNumbers(tx, row.cell)
    await updateInstallation(tx, { id, cell: row.cell })
  })
  return row
}

export interface CellStatus extends Omit<CellRow, 'state'> {
  state: CellState
  organizations: number
  /** Of its database; null: it does not respond. */
  version: string | null
}

/** The directory's own database, then the others. */
export async function listCells({ db, cells }: Pick<Context, 'db' | 'cells'>): Promise<CellStatus[]> {
  const counts = new Map((await countOrganizations(db)).map((one) => [one.cell, one.organizations]))
  const rows = await selectCells(db)
  return Promise.all(
    rows.map(async (row) => {
      const ctx = cells.opened.get(row.cell)
      const version = ctx ? await getVersion(ctx.db).catch(() => null) : null
      return { ...row, organizations: counts.get(row.cell) ?? 0, version }
    }),
  )
}

/** draining: it gets no new organizations. @throws AppError not_found */
export async function setState(directory: Db, name: string, state: CellState): Promise<CellRow> {
  const row = await updateState(directory, name, state)
  if (!row) throw notFound(`cell ${name}: see rapport cells list`)
  return row
}

/** @throws AppError validation_error when CELLS does not name it */
export function addressOf({ config }: Pick<Context, 'config'>, name: string): string {
  const address = config.cells.find((one) => one.name === name)
  if (address) return address.databaseUrl
  throw invalidField('name', 'unknown_cell', `is not in CELLS: set CELLS="${name}=postgres://…" first`)
}
