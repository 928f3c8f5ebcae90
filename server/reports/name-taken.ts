// Handles two concurrent renames to one name: the second waits for the first, and then violates the unique
// constraint.
import type { Sql } from 'sql-template-tag'
import { isUniqueViolation } from '../base/error-code.ts'
import type { Db } from '../db/pool.ts'

/** @returns whether a row was changed; false when another row has the name */
export async function changedUnlessTaken(tx: Db, statement: Sql): Promise<boolean> {
  try {
    return (await tx.attempt((db) => db.run(statement))) === 1
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
