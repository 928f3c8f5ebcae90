// What an import creates in addition to the records of its rows.
import sql from 'sql-template-tag'
import { IMPORT_RELATED_NAMES_MAX } from '../../contract/import-states.ts'
import type { RelatedRecords } from '../../contract/imports.ts'
import type { Db } from '../db/pool.ts'
import type { ImportRef } from './store.ts'

const NAME_CHARACTERS = 100

/** The name in a form that jsonb can store. */
const shown = (name: string) => name.slice(0, NAME_CHARACTERS).replaceAll('\0', '').toWellFormed()

function added(all: readonly RelatedRecords[], objectId: string, names: readonly string[]): RelatedRecords[] {
  const known = all.find((one) => one.objectId === objectId) ?? { objectId, created: 0, names: [] }
  const kept = [...known.names, ...names.map(shown)].slice(0, IMPORT_RELATED_NAMES_MAX)
  return [
    ...all.filter((one) => one !== known),
    { objectId, created: known.created + names.length, names: kept },
  ]
}

/** Runs in the transaction that locks the import. */
export async function addRelated(
  tx: Db,
  { org, id }: ImportRef,
  objectId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const all = await tx.value<RelatedRecords[]>(
    sql`select related from imports where org = ${org} and id = ${id}`,
  )
  await tx.run(sql`
    update imports set related = ${JSON.stringify(added(all, objectId, names))}::jsonb
    where org = ${org} and id = ${id}`)
}
