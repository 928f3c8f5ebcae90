// Cells for operators: added to the directory, listed, closed to new organizations.

import { AppError, invalidField, notFound } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { Cells } from '../db/databases.ts'
import type { Db } from '../db/pool.ts'
import { cellConnection } from './connection.ts'
import {
  type CellRow,
  type CellState,
  countOrganizationsByCell,
  dropUniqueNames,
  getInstallation,
  getLastMigration,
  insertCell,
  limitNumbers,
  lockCells,
  noteCopyChanges,
  selectCells,
  startNumbers,
  updateInstallation,
  updateState,
} from './store.ts'

const refused = (name: string, why: string) =>
  new AppError('validation_error', `The database of ${name} ${why}: give the cell another, empty database`)

/**
 * Refuses a database that is already something else, or that would replace a cell with organizations.
 * @param known the cell of this name
 */
async function requireOwn(tx: Db, db: Db, name: string, known: CellRow | undefined): Promise<void> {
  const [own, there] = [await getInstallation(tx), await getInstallation(db)]
  const isOfThis = there.id === own.id
  if (isOfThis && there.cell === 0) throw refused(name, 'is the directory')
  if (isOfThis && known?.cell === there.cell) return
  const other = (await selectCells(tx)).find(({ cell }) => isOfThis && cell === there.cell)
  if (other) throw refused(name, `is the cell ${other.name}`)
  if (!isOfThis && there.cell !== 0) throw refused(name, 'is a cell of another installation')
  if ((await countOrganizationsByCell(db)).length > 0) throw refused(name, 'has organizations already')
  if (known && (await countOrganizationsByCell(tx)).some(({ cell }) => cell === known.cell))
    throw refused(name, 'is empty, and the cell of this name has organizations elsewhere')
}

/**
 * Makes an empty, migrated database a cell. Repeating it has no effect.
 * @param db of the new cell @throws AppError validation_error
 */
export function addCell(directory: Db, db: Db, name: string): Promise<CellRow> {
  return directory.transaction(async (tx) => {
    await lockCells(tx)
    const known = (await selectCells(tx)).find((one) => one.name === name)
    await requireOwn(tx, db, name, known)
    await limitNumbers(tx)
    await noteCopyChanges(tx)
    const row = known ?? (await insertCell(tx, name))
    const { id } = await getInstallation(tx)
    // Committed before the directory, so that processes find the database ready when they see the cell.
    await db.transaction(async (cell) => {
      if ((await getInstallation(cell)).id === id) return
      await dropUniqueNames(cell)
      await startNumbers(cell, row.cell)
      await updateInstallation(cell, { id, cell: row.cell })
    })
    return row
  })
}

export interface CellStatus extends Omit<CellRow, 'state'> {
  state: CellState
  organizations: number
  /** The last migration of its database; null: the database does not respond. */
  version: string | null
}

/** By number; the directory itself is not listed. */
export async function listCells({
  db,
  cells,
}: {
  db: Db
  cells: Pick<Cells<{ db: Db }>, 'opened'>
}): Promise<CellStatus[]> {
  const counts = new Map((await countOrganizationsByCell(db)).map((one) => [one.cell, one.organizations]))
  const rows = await selectCells(db)
  return Promise.all(
    rows.map(async (row) => {
      const ctx = cells.opened.get(row.cell)
      const version = ctx ? await getLastMigration(ctx.db).catch(() => null) : null
      return { ...row, organizations: counts.get(row.cell) ?? 0, version }
    }),
  )
}

/** draining: the cell gets no new organizations. @throws AppError not_found */
export async function setState(directory: Db, name: string, state: CellState): Promise<CellRow> {
  const row = await updateState(directory, name, state)
  if (!row) throw notFound(`cell ${name}`, 'see rapport cells list')
  return row
}

/** @throws AppError validation_error if CELLS does not name it */
export function connectionOf({ config }: { config: Config }, name: string) {
  const connection = cellConnection(config, name)
  if (connection) return connection
  throw invalidField('name', 'unknown_cell', `is not in CELLS: set CELLS="${name}=postgres://…" first`)
}
