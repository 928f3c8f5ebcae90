// Creates records that cells name and that do not exist: each record once, for any number of rows that name it.
import { readName } from '../../contract/person-name.ts'
import { namingAttribute } from '../../contract/record-name.ts'
import type { FailedRow } from '../../contract/records.ts'
import type { Caller } from '../base/caller.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'
import { bulkWrite } from '../records/bulk/service.ts'
import { checkData } from '../records/validation/values.ts'
import { indexable } from '../records/values/unique-keys.ts'
import { targetKey, type UniqueValue, uniqueKey } from '../records/write/store.ts'
import { saveClaims, selectHolders } from './claims-store.ts'
import type { ImportContext } from './context.ts'
import { lookupName, type NamedText, uniquesOf } from './lookup.ts'
import { addRelated } from './related-store.ts'
import type { ImportRef } from './store.ts'

interface MissingRecord {
  /** Texts with the same key name the same record. */
  key: UniqueValue
  name: string
  data: Record<string, unknown>
}

interface Created {
  id?: string | undefined
  /** Why no record was created. */
  reason?: string | undefined
}

/** @returns the result for each missing record, in the same order */
export type CreateMissing = (target: ObjectModel, missing: readonly MissingRecord[]) => Promise<Created[]>

/** Types whose values cannot be mistaken for names. */
export const HAS_OWN_FORM: ReadonlySet<string> = new Set(['domain', 'email', 'url'])

const nameKey = ({ type }: ModelAttribute, name: string): string =>
  indexable((type === 'name' ? Object.values(readName(name)).join(' ') : name).toLowerCase())

/** @returns undefined if the text cannot name a record */
function missingRecord(target: ObjectModel, caller: Caller, named: NamedText): MissingRecord | undefined {
  const { text, by } = named
  const naming = namingAttribute([...target.attributes.values()])
  const uniques = uniquesOf(target, caller, named)
  const [unique] = by === undefined ? uniques.filter(({ type }) => HAS_OWN_FORM.has(type)) : uniques
  // A text that the chosen attribute rejects is not used as a name either.
  if (by !== undefined && !unique && naming?.slug !== by) return undefined
  const name = unique?.type === 'domain' ? unique.value : lookupName(text)
  const data = { ...(naming && { [naming.slug]: name }), ...(unique && { [unique.slug]: lookupName(text) }) }
  if (unique) return { key: { attr: unique.attr, value: unique.value }, name, data }
  return naming && { key: { attr: naming.attr, value: nameKey(naming, name) }, name, data }
}

const NOT_NAMED: Created = { reason: 'no attribute of it can hold the text' }

interface Creation extends Pick<NamedText, 'by'> {
  caller: Caller
  target: ObjectModel
  create: CreateMissing
}

/** @returns the result for each text */
export async function createNamed(
  { caller, target, create, by }: Creation,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Created>> {
  const byText = new Map(texts.map((text) => [text, missingRecord(target, caller, { text, by })]))
  const records = new Map<string, MissingRecord>()
  // The first spelling of a name is kept.
  for (const one of byText.values())
    if (one && !records.has(uniqueKey(one.key))) records.set(uniqueKey(one.key), one)
  const created = records.size === 0 ? [] : await create(target, [...records.values()])
  const byKey = new Map([...records.keys()].map((key, place) => [key, created[place]]))
  return new Map(
    [...byText].map(([text, one]) => [text, (one && byKey.get(uniqueKey(one.key))) ?? NOT_NAMED]),
  )
}

interface Creating {
  ctx: ImportContext
  caller: Caller
  /** The change set of the import, so that its undo includes the records. */
  changeSetId?: string
  onCreated?: (target: ObjectModel, names: string[]) => Promise<void>
}

/** If another writer created the record after the look-up, that record is used. */
function becameOf(refused: FailedRow | undefined): Created | undefined {
  if (!refused) return undefined
  const { code, error, existingRecordId } = refused
  return code === 'unique_violation' && existingRecordId !== undefined
    ? { id: existingRecordId }
    : { reason: error }
}

/** For the run of an import. */
export const creatingMissing =
  ({ ctx, caller, changeSetId, onCreated }: Creating): CreateMissing =>
  async (target, missing) => {
    const records = missing.map(({ data }) => ({ data }))
    const { results, failed } = await bulkWrite(
      ctx,
      caller,
      target.id,
      { mode: 'create', records, ...(changeSetId !== undefined && { changeSetId }) },
      { hasExchanges: false },
    )
    const refused = new Map(failed.map((row) => [row.index, row]))
    const created = results.filter(({ status }) => status === 'created')
    await onCreated?.(
      target,
      created.flatMap(({ index }) => missing[index]?.name ?? []),
    )
    return results.map(({ id, index }) => becameOf(refused.get(index)) ?? { id: id ?? undefined })
  }

interface Checking {
  tx: Db
  job: ImportRef
  caller: Caller
  /** Receives the records that the run would create, in the form of targetKey. */
  pending: Set<string>
}

/** What the run would do with each record. Without id and reason, it would create the record. */
async function checkMissing(
  { tx, job, caller }: Checking,
  target: ObjectModel,
  missing: readonly MissingRecord[],
): Promise<Created[]> {
  const keys = missing.map(({ key }) => key)
  const holders = new Map(
    (await selectHolders(tx, job, keys)).map(({ holder, ...key }) => [uniqueKey(key), holder]),
  )
  return missing.map(({ key, data }) => {
    const id = holders.get(uniqueKey(key))
    if (id) return { id }
    const checked = checkData('create', data, target.attributes, caller)
    if (!('problems' in checked)) return {}
    return { reason: checked.problems.map(({ path, message }) => `${path}: ${message}`).join('; ') }
  })
}

/** For the check: creates nothing, and returns unused ids. */
export const checkingMissing =
  (checking: Checking): CreateMissing =>
  async (target, missing) => {
    const { tx, job, pending } = checking
    const found = await checkMissing(checking, target, missing)
    const created = found.map(({ id, reason }) => ({
      id: reason === undefined ? (id ?? newId()) : undefined,
      reason,
    }))
    const fresh = missing.flatMap(({ key, name }, place) => {
      const id = created[place]?.id
      return id === undefined || found[place]?.id !== undefined ? [] : [{ key, name, id }]
    })
    if (fresh.length > 0)
      await saveClaims(
        tx,
        job,
        fresh.map(({ key, id }) => ({ ...key, holder: id, line: null })),
      )
    const names = fresh.map(({ name }) => name)
    await addRelated(tx, job, target.id, names)
    for (const { id } of created)
      if (id !== undefined) pending.add(targetKey({ targetObj: target.obj, target: id }))
    return created
  }
