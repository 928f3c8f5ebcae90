// Changes one value of a record. The change is shown immediately, and reverted with a message if it is refused. It
// never overwrites another person's change without asking. The record is read before the write, which uses If-Match. If
// another value has changed, the write is repeated. If this value has changed, the user decides.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { TYPES } from '../../types/types.ts'
import type { Choice } from '../../ui/conflict-choice.tsx'
import { attributeWords } from '../api/attribute-words.ts'
import type { WithEtag } from '../api/client.ts'
import { hasCode, messageOf } from '../api/errors.ts'
import { mapRecords } from '../api/held-records.ts'
import type { Attribute } from '../api/objects.ts'
import { type CrmRecord, patchRecord, readRecord, recordQuery, recordsKey } from '../api/records.ts'
import { addUnsaved, withUnsaved, withValue } from '../api/unsaved-values.ts'
import { toastError } from '../toast.ts'
import { undoChange } from '../undo/undo-changes.ts'
import { pushUndo } from '../undo/undo-stack.ts'
import { useOrg } from '../use-organization.ts'
import { useConflicts } from './conflicts.tsx'
import { forgetRefused, keepRefused } from './refused-values.ts'
import { sameValue } from './same-value.ts'
import { takeTurn } from './turns.ts'

export interface Edit {
  recordId: string
  attribute: Attribute
  /** The value when the edit began; null for no value. */
  from: unknown
  /** null clears the value. */
  to: unknown
  /** The text of the undo toast. By default it says that the attribute was changed. */
  label?: string
}

interface Target {
  client: QueryClient
  org: string
  /** The object's slug, as in the query keys. */
  object: string
}

/** Changes the records in all cached data: lists, boards, record pages. */
export function replaceRecords(
  { client, org, object }: Target,
  ids: readonly string[],
  change: (record: CrmRecord) => CrmRecord,
): void {
  const changing = new Set(ids)
  client.setQueriesData<unknown>({ queryKey: recordsKey(org, object) }, (data: unknown) =>
    mapRecords(data, (record) => (changing.has(record.id) ? change(record) : record)),
  )
}

export const replaceRecord = (target: Target, id: string, change: (record: CrmRecord) => CrmRecord): void =>
  replaceRecords(target, [id], change)

type Ask = (attribute: Attribute, values: { mine: unknown; theirs: unknown }) => Promise<Choice>

interface Written {
  saved: WithEtag<CrmRecord>
  isChanged: boolean
}

async function write(target: Target, edit: Edit, ask: Ask): Promise<Written> {
  const { recordId: id, attribute, to } = edit
  // The user is asked once about each value of another person.
  let seen = edit.from
  for (;;) {
    // Not from the cache: the page continues to show the new value.
    const current = await readRecord(target.org, target.object, id)
    const theirs = current.body.data[attribute.slug]
    const isConflict = !sameValue(theirs, seen) && !sameValue(theirs, to)
    if (isConflict && (await ask(attribute, { mine: to, theirs })) === 'theirs')
      return { saved: current, isChanged: false }
    seen = theirs
    try {
      const data = { [attribute.slug]: to }
      const saved = await patchRecord(target.org, target.object, { id, data, ifMatch: current.etag })
      return { saved, isChanged: saved.body.version !== current.body.version }
    } catch (error) {
      // The record changed between the read and the write. The next round checks whether this value changed.
      if (!hasCode(error, 'precondition_failed')) throw error
    }
  }
}

/** A typed value is kept after a refusal. A chosen one is not, because choosing it again is as quick. */
const isChosen = (type: Attribute['type']) => TYPES[type].isChosen ?? TYPES[type].isToggle ?? false

/** Marks the value with the reason. @returns a sentence on how to continue with the typed value */
function markRefused({ recordId, attribute, to }: Edit, error: unknown): string | undefined {
  const { type, isList, name, slug } = attribute
  const isKept = to !== null && (isList || !isChosen(type))
  keepRefused(recordId, slug, { reason: messageOf(error), ...(isKept && { draft: { value: to } }) })
  return isKept ? `${name} was not changed; edit it again to continue with what you entered.` : undefined
}

/**
 * Restores the value from before an edit. If it was changed since, the user decides. @returns whether it was restored
 */
async function takeBack(target: Target, { edit, version }: { edit: Edit; version: number }, ask: Ask) {
  const { client, org, object } = target
  const { recordId, attribute } = edit
  const change = { org, object, recordId, version }
  let undone = await undoChange(change)
  const [conflict] = undone.conflicts
  if (conflict && conflict.code !== 'value_changed') throw new Error(attributeWords(conflict, [attribute]))
  if (conflict) {
    const values = { mine: conflict.from, theirs: conflict.current }
    if ((await ask(attribute, values)) === 'theirs') return false
    undone = await undoChange(change, { overwrite: [attribute.slug] })
  }
  const { record } = undone
  replaceRecord(target, recordId, () => withUnsaved(record))
  void client.invalidateQueries({ queryKey: recordsKey(org, object) })
  return true
}

/**
 * @param object the object's slug, as in the address
 * @returns a function that saves one value; it returns whether the stored value is the requested one
 */
export function useEditRecord(object: string): (edit: Edit) => Promise<boolean> {
  const org = useOrg()
  const client = useQueryClient()
  const ask = useConflicts()
  return async (edit) => {
    const target = { client, org, object }
    const { recordId, attribute } = edit
    forgetRefused(recordId, attribute.slug)
    if (sameValue(edit.from, edit.to)) return true
    const { queryKey } = recordQuery(org, object, recordId)
    const turn = takeTurn(recordId, attribute.slug, edit)
    const settle = addUnsaved({ recordId, slug: attribute.slug, value: edit.to })
    replaceRecord(target, recordId, (record) => withValue(record, attribute.slug, edit.to))
    try {
      const { saved, isChanged } = await write(target, { ...edit, from: await turn.from }, ask)
      settle()
      turn.end(saved.body.data[attribute.slug])
      const { version } = saved.body
      const label = edit.label ?? `${attribute.name} changed`
      if (isChanged) pushUndo({ label, isQuiet: true, undo: () => takeBack(target, { edit, version }, ask) })
      const body = withUnsaved(saved.body)
      replaceRecord(target, recordId, () => body)
      client.setQueryData(queryKey, { ...saved, body })
      return sameValue(saved.body.data[attribute.slug], edit.to)
    } catch (error) {
      settle()
      const from = await turn.from
      const isLast = turn.isLast()
      turn.end(from)
      replaceRecord(target, recordId, (record) => withUnsaved(withValue(record, attribute.slug, from)))
      if (hasCode(error, 'not_found')) {
        // The new lists omit the record, and its page says that it was deleted.
        void client.invalidateQueries({ queryKey: recordsKey(org, object) })
        toastError(new Error('This record was deleted and can no longer be changed'))
      } else toastError(error, isLast ? markRefused(edit, error) : undefined)
      return false
    }
  }
}
