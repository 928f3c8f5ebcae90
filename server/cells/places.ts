// Compares where organizations are with where the directory looks for them. They differ after the directory, or a cell,
// was restored to a time before a move.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { isHere } from '../placement/placement.ts'

/** An organization whose data and directory disagree. */
export interface Misplaced {
  id: string
  slug: string
  /** The cell that the directory names; null: the directory does not know the organization. */
  named: number | null
  /** Whether the cell that was compared has the organization. */
  isHere: boolean
}

interface Named {
  id: string
  slug: string
  cell: number
  isMoving: boolean
}

/** A sign-up adds the organization to the cell first; what a failed one leaves is removed after an hour. */
const selectHere = (db: Db) =>
  db.many<{ id: string; slug: string; isNew: boolean }>(sql`
    select o.id, o.slug, o.created_at > now() - interval '2 hours' as "isNew" from organizations o
    where ${isHere(sql`o.org`)}`)

const selectNamed = (directory: Db, cell: number, ids: readonly string[]) =>
  directory.many<Named>(sql`
    select id, slug, cell, moving_to is not null as "isMoving" from organizations
    where cell = ${cell} or id = any(${ids}::uuid[])`)

async function compare(directory: Db, db: Db, cell: number): Promise<Misplaced[]> {
  const here = await selectHere(db)
  const ids = new Set(here.map(({ id }) => id))
  const named = new Map((await selectNamed(directory, cell, [...ids])).map((row) => [row.id, row]))
  const elsewhere = here.flatMap(({ id, slug, isNew }): Misplaced[] => {
    const row = named.get(id)
    if (row ? row.isMoving || row.cell === cell : isNew) return []
    return [{ id, slug, named: row?.cell ?? null, isHere: true }]
  })
  const absent = [...named.values()].filter((row) => row.cell === cell && !row.isMoving && !ids.has(row.id))
  return [...elsewhere, ...absent.map(({ id, slug }) => ({ id, slug, named: cell, isHere: false }))]
}

/** @param db the database of the cell. Looks twice: an organization may be moved or created between two statements. */
export async function findMisplaced(directory: Db, db: Db, cell: number): Promise<Misplaced[]> {
  const first = await compare(directory, db, cell)
  if (first.length === 0) return []
  const ids = new Set(first.map(({ id }) => id))
  return (await compare(directory, db, cell)).filter(({ id }) => ids.has(id))
}
