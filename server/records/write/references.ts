// Looks up references by value, in the transaction of the write. A request takes one statement for each object that it
// refers to.
import { namingAttribute, textNaming } from '../../../contract/record-name.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, attempt } from '../../base/errors.ts'
import { createYield } from '../../base/event-loop.ts'
import { newId } from '../../base/id.ts'
import { isObject } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import {
  type ModelAttribute,
  type ModelContext,
  type ObjectModel,
  withModel,
} from '../../model/attributes/models.ts'
import { requireActive } from '../read/record-of.ts'
import { ELEMENTS_MAX } from '../validation/values.ts'
import type { Accepted, Locale, Refusal } from '../values/attribute.ts'
import { isReferenceValue, REFERENCE_VALUES_MAX, referenceKey } from '../values/reference-value.ts'
import { isHashed } from '../values/unique-keys.ts'
import { newDraft } from './drafts.ts'
import { PendingTargets } from './pending-targets.ts'
import { readReference } from './read-reference.ts'
import { lockHolders } from './reference-store.ts'
import { withLookups } from './sent-values.ts'
import { type RecordDraft, type UniqueValue, uniqueKey } from './store.ts'

interface Sent {
  key: string
  value: Record<string, unknown>
}

type References = Map<string, Accepted | Refusal>

export const referenceAttributes = ({ attributes }: ObjectModel): ModelAttribute[] =>
  [...attributes.values()].filter(({ type }) => type === 'reference')

/** The elements of a list; a single value counts as one. */
export const elementsOf = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) return [value]
  return value.length > ELEMENTS_MAX ? [] : value
}

/** The references by value in the data, without duplicates, by the id of the object that they refer to. */
async function sentReferences(
  model: ObjectModel,
  data: readonly unknown[],
): Promise<Map<string, Map<string, Sent>>> {
  const byTarget = new Map<string, Map<string, Sent>>()
  const yieldIfDue = createYield()
  for (const { slug, config } of referenceAttributes(model)) {
    if (!config || !('allowed_object_id' in config)) continue
    const sent = byTarget.get(config.allowed_object_id) ?? new Map<string, Sent>()
    for (const one of data) {
      if (!isObject(one) || !Object.hasOwn(one, slug)) continue
      const due = yieldIfDue()
      if (due) await due
      for (const value of elementsOf(one[slug]).filter(isReferenceValue)) {
        const key = referenceKey(slug, value)
        if (sent.size < REFERENCE_VALUES_MAX) sent.set(key, { key, value })
      }
    }
    if (sent.size > 0) byTarget.set(config.allowed_object_id, sent)
  }
  return byTarget
}

/** Whether the data has references by value. If so, the lookup and the write are one transaction. */
export const hasReferenceValues = (model: ObjectModel, data: readonly unknown[]): boolean =>
  referenceAttributes(model).some(({ slug }) =>
    data.some(
      (one) => isObject(one) && Object.hasOwn(one, slug) && elementsOf(one[slug]).some(isReferenceValue),
    ),
  )

interface Named extends Sent {
  attribute: ModelAttribute
  unique: UniqueValue
}

const SHOWN_CHARACTERS = 100
const shown = (value: unknown) => JSON.stringify(value).slice(0, SHOWN_CHARACTERS).toWellFormed()

const missing = ({ attribute: { slug }, value }: Named, advice: string): Refusal => ({
  code: 'invalid_reference',
  message: `no record has ${shown(value[slug])} as ${slug}${advice}`,
  part: slug,
})

/** The name of the new record, if a name is required. */
function nameOf(target: ObjectModel, { attribute, value, unique }: Named): Record<string, unknown> {
  const naming = namingAttribute([...target.attributes.values()])
  if (!naming?.isRequired || naming.isUnique || naming === attribute) return {}
  const sent = value[attribute.slug]
  const isHost = attribute.type === 'domain' && !isHashed(unique.value)
  return { [naming.slug]: (!isHost && textNaming(sent)) || unique.value }
}

/** A record with only this value and its name. */
function draftOf(target: ObjectModel, locale: Caller & Locale, named: Named): RecordDraft | Refusal {
  const draft = attempt(() => {
    requireActive(target)
    return newDraft(target, locale, { id: newId(), data: { ...nameOf(target, named), ...named.value } })
  })
  if (draft instanceof AppError)
    return missing(
      named,
      `, and it cannot be created with only that value (${draft.message}): create it first`,
    )
  return draft.links.length === 0 ? draft : missing(named, CREATE_FIRST)
}

interface Asked {
  /** The object that the records of the request belong to. */
  model: ObjectModel
  /** null: the request has no such option. */
  createMissing: boolean | null | undefined
  /** Receives the records to create, if the request looks up references several times. */
  pending?: PendingTargets
}

const CREATE_OPTION = ': send createMissing: true to create it'
const CREATE_FIRST = ': create it first'
const OWN_OBJECT = ': createMissing creates no records of the object of the request, so create it first'

/** More records would make a request take as long as an import. */
const CREATED_MAX = 1000
const TOO_MANY = `: createMissing creates at most ${CREATED_MAX} records of an object in a request, so send fewer`

interface Finding {
  target: ObjectModel
  locale: Caller & Locale
  asked: Asked
  pending: PendingTargets
}

/** Prepares the record that is created for a value. References with the same value share one record. */
function creatorOf({ target, locale, asked, pending }: Finding): (named: Named) => RecordDraft | Refusal {
  const created = new Map<string, RecordDraft | Refusal>()
  return (named) => {
    if (!asked.createMissing)
      return missing(named, asked.createMissing === null ? CREATE_FIRST : CREATE_OPTION)
    if (target.id === asked.model.id) return missing(named, OWN_OBJECT)
    const key = uniqueKey(named.unique)
    const known = created.get(key)
    if (known) return known
    const draft = created.size < CREATED_MAX ? draftOf(target, locale, named) : missing(named, TOO_MANY)
    if ('id' in draft) pending.add(target, draft)
    if (created.size < CREATED_MAX) created.set(key, draft)
    return draft
  }
}

/** The result of each reference: an existing record, a record that the write creates, or a refusal. */
async function findIn(
  ctx: ModelContext,
  caller: Caller,
  target: ObjectModel,
  { sent, asked, pending }: { sent: readonly Sent[]; asked: Asked; pending: PendingTargets },
): Promise<References> {
  const values = sent.map(({ value }) => value)
  const locale = await withLookups(ctx.db, caller, target, values)
  const yieldIfDue = createYield()
  const found: References = new Map()
  const named: Named[] = []
  for (const one of sent) {
    const due = yieldIfDue()
    if (due) await due
    const read = readReference(target.attributes.values(), locale, one.value)
    if (read.code !== undefined) found.set(one.key, read)
    else named.push({ ...one, ...read, unique: { attr: read.attribute.attr, value: read.unique } })
  }
  const uniques = new Map(named.map(({ unique }) => [uniqueKey(unique), unique]))
  // Runs even without values, to check that the model by which the other references are refused is current.
  const ids = await lockHolders(ctx.db, target, [...uniques.values()])
  const create = creatorOf({ target, locale, asked, pending })
  for (const one of named) {
    const due = yieldIfDue()
    if (due) await due
    const id = ids.get(uniqueKey(one.unique))
    const record = id === undefined ? create(one) : { id }
    found.set(one.key, 'id' in record ? { value: record.id, normal: record.id } : record)
  }
  return found
}

interface Lookups {
  /** The caller and locale for `checkData`. */
  locale: Caller & Locale
  /** Records that are to be created for the references. */
  pending: PendingTargets
}

/** Shared by requests without references by value: nothing is added to it. */
const NONE_PENDING = new PendingTargets()

/**
 * The result of withLookups, and the results of references by value.
 * @param ctx in a transaction if hasReferenceValues
 */
export async function withReferences(
  ctx: ModelContext,
  caller: Caller,
  { model, createMissing, pending = new PendingTargets() }: Asked,
  data: readonly unknown[],
): Promise<Lookups> {
  const locale = await withLookups(ctx.db, caller, model, data)
  if (!hasReferenceValues(model, data)) return { locale, pending: NONE_PENDING }
  const sent = await sentReferences(model, data)
  const references: References = new Map()
  for (const [targetId, some] of [...sent].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const asked = { model, createMissing }
    const found = await withModel(ctx, caller.org, targetId, (target) =>
      findIn(ctx, caller, target, { sent: [...some.values()], asked, pending }),
    )
    for (const [key, one] of found) references.set(key, one)
  }
  return { locale: { ...locale, references }, pending }
}

/** Runs the work, in a transaction if the data has references by value. */
export const referring = <Ctx extends { db: Db }, Result>(
  ctx: Ctx,
  model: ObjectModel,
  data: readonly unknown[],
  work: (ctx: Ctx) => Promise<Result>,
): Promise<Result> =>
  hasReferenceValues(model, data) ? ctx.db.transaction((tx) => work({ ...ctx, db: tx })) : work(ctx)
