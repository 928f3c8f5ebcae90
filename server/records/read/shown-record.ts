// Responses to API keys that may write but not read records: they contain only values that the request sent.
import type { UndoConflict, UndoneChange } from '../../../contract/undo.ts'
import { type Caller, mayRead } from '../../base/caller.ts'
import { isObject } from '../../base/json.ts'
import type { StoredRecord } from '../rows/stored-record.ts'

type Reader = Pick<Caller, 'scopes'>

const readsRecords = (caller: Reader) => mayRead(caller, 'records:read')

/** The values as sent. Stored values may have parts of the record, such as the currency of an amount. */
const sentText = (sent: unknown): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(isObject(sent) ? sent : {}).filter(([, value]) => value !== null && value !== undefined),
    ),
  )

/** @param sent the data of the request, if it has any */
export const shownRecord = (caller: Reader, record: StoredRecord, sent?: unknown): StoredRecord =>
  readsRecords(caller) ? record : { ...record, data: sentText(sent) }

/** For a key that may not read records: only the slugs of the restored values. */
export const shownChanges = (caller: Reader, changes: UndoneChange['changes']): UndoneChange['changes'] =>
  readsRecords(caller) ? changes : Object.fromEntries(Object.keys(changes).map((slug) => [slug, {}]))

export function shownConflict<Conflict extends UndoConflict>(caller: Reader, conflict: Conflict) {
  if (readsRecords(caller)) return conflict
  const { from: _, to: __, current: ___, ...others } = conflict
  return others
}
