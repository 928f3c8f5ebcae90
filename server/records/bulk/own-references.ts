// Rows that refer by value to records of the same object, such as people to their manager.
import type { BulkWrite } from '../../../contract/records.ts'
import type { Caller } from '../../base/caller.ts'
import { createYield } from '../../base/event-loop.ts'
import { isObject } from '../../base/json.ts'
import type { ModelAttribute, ModelContext, ObjectModel } from '../../model/attributes/models.ts'
import { uniqueAttributes } from '../../model/attributes/unique-attributes.ts'
import { checkData } from '../validation/values.ts'
import type { Locale } from '../values/attribute.ts'
import { isReferenceValue } from '../values/reference-value.ts'
import { claimsOf } from '../write/drafts.ts'
import { readReference } from '../write/read-reference.ts'
import { elementsOf, referenceAttributes } from '../write/references.ts'
import { withLookups } from '../write/sent-values.ts'
import { holdersOf, type UniqueValue, uniqueKey } from '../write/store.ts'
import { areIndependent, MatchedRecords, type OrderedRow, partsOf } from './row-order.ts'

type Data = Record<string, unknown>

interface SentRow {
  id: string | undefined
  data: Data
}

interface ReadRow extends SentRow {
  gives: UniqueValue[]
  names: UniqueValue[]
}

const sentRow = (sent: unknown): SentRow => {
  const { id, data } = isObject(sent) ? sent : {}
  return { id: typeof id === 'string' ? id.toLowerCase() : undefined, data: isObject(data) ? data : {} }
}

const ownReferences = (model: ObjectModel): ModelAttribute[] =>
  referenceAttributes(model).filter(({ targetObj }) => targetObj === model.obj)

const ownReferencesIn = (attributes: readonly ModelAttribute[], data: Data): Data[] =>
  attributes.flatMap(({ slug }) =>
    Object.hasOwn(data, slug) ? elementsOf(data[slug]).filter(isReferenceValue) : [],
  )

const picked = (data: Data, slugs: readonly string[]): Data =>
  Object.fromEntries(slugs.flatMap((slug) => (Object.hasOwn(data, slug) ? [[slug, data[slug]]] : [])))

function givenBy(model: ObjectModel, locale: Locale, data: Data): UniqueValue[] {
  const checked = checkData('patch', data, model.attributes, locale)
  const accepted = 'problems' in checked ? checked.accepted : checked
  return accepted ? claimsOf(model, accepted).uniques : []
}

/** Whether the row refers by value to records of the same object. */
export const namesOwn = (model: ObjectModel, row: unknown): boolean =>
  ownReferencesIn(ownReferences(model), sentRow(row).data).length > 0

/** Reads the unique values that rows have and those that their references name. */
async function readRows(
  { db }: ModelContext,
  caller: Caller,
  model: ObjectModel,
  rows: readonly SentRow[],
): Promise<ReadRow[]> {
  const slugs = uniqueAttributes(model).map(({ slug }) => slug)
  const own = ownReferences(model)
  const uniques = rows.map(({ data }) => picked(data, slugs))
  const references = rows.map(({ data }) => ownReferencesIn(own, data))
  const locale = await withLookups(db, caller, model, [...uniques, ...references.flat()])
  const yieldIfDue = createYield()
  const read: ReadRow[] = []
  for (const [place, row] of rows.entries()) {
    const due = yieldIfDue()
    if (due) await due
    const names = (references[place] ?? []).flatMap((value) => {
      const one = readReference(model.attributes.values(), locale, value)
      return one.code === undefined ? [{ attr: one.attribute.attr, value: one.unique }] : []
    })
    read.push({ ...row, gives: givenBy(model, locale, uniques[place] ?? {}), names })
  }
  return read
}

interface Upsert {
  isUpsert: boolean
  /** The unique attribute that rows without an id are matched on. */
  matched: ModelAttribute | undefined
}

interface Finding extends Upsert {
  uniques: readonly ModelAttribute[]
  holders: ReadonlyMap<string, string>
}

const matchOf = ({ isUpsert, matched }: Upsert, { id, gives }: ReadRow): UniqueValue | undefined =>
  isUpsert && id === undefined ? gives.find(({ attr }) => attr === matched?.attr) : undefined

/** Whether the row has another one of the unique attributes than the one it is matched on, with a value or null. */
const hasOther = (attributes: readonly ModelAttribute[], { data }: ReadRow, match: UniqueValue | undefined) =>
  attributes.some(({ slug, attr }) => attr !== match?.attr && Object.hasOwn(data, slug))

/**
 * The record of which the row may replace a unique value; null if an earlier row decides which one it is. A record that
 * is matched on a value keeps it.
 */
function replacedBy(finding: Finding, row: ReadRow, matched: MatchedRecords): string | null | undefined {
  const match = matchOf(finding, row)
  if (!finding.isUpsert || !hasOther(finding.uniques, row, match)) return undefined
  return row.id ?? matched.of(match && uniqueKey(match))
}

function orderedRows(finding: Finding, rows: readonly ReadRow[]): OrderedRow[] {
  const matched = new MatchedRecords(finding.holders)
  return rows.map((row) => {
    const [gives, names] = [row.gives.map(uniqueKey), row.names.map(uniqueKey)]
    const replaces = replacedBy(finding, row, matched)
    matched.add(gives)
    return { gives, names, named: names.flatMap((key) => finding.holders.get(key) ?? []), replaces }
  })
}

/**
 * Divides rows so that each part can look up its references before its first row is written.
 * @returns the places of the rows of each part; one part unless a row refers by value to a record of the same object
 */
export async function ownParts(
  ctx: ModelContext,
  caller: Caller,
  model: ObjectModel,
  { mode, matched, records }: Pick<BulkWrite, 'mode' | 'records'> & Pick<Upsert, 'matched'>,
): Promise<number[][]> {
  const whole = [records.map((_, place) => place)]
  const own = ownReferences(model)
  if (own.length === 0 || records.length < 2) return whole
  const sent = records.map(sentRow)
  if (!sent.some(({ data }) => ownReferencesIn(own, data).length > 0)) return whole
  const rows = await readRows(ctx, caller, model, sent)
  const names = rows.flatMap((row) => row.names)
  const upsert = { isUpsert: mode === 'upsert', matched }
  const matches = rows.flatMap((row) => matchOf(upsert, row) ?? [])
  const holders = await holdersOf(ctx.db, model.org, [...names, ...matches])
  const finding = { ...upsert, holders, uniques: uniqueAttributes(model) }
  const ordered = orderedRows(finding, rows)
  const keys = ordered.flatMap(({ gives }) => gives)
  return partsOf(ordered, !areIndependent(keys, ordered))
}
