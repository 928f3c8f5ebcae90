// Rows of a table that name records of the same object, such as people and their manager. Their names are looked up
// after the earlier rows that give the names are written.
import { readName } from '../../contract/person-name.ts'
import { namingAttribute } from '../../contract/record-name.ts'
import { createYield } from '../base/event-loop.ts'
import { isObject } from '../base/json.ts'
import { isStorable } from '../http/storable.ts'
import { uniqueAttributes } from '../model/attributes/unique-attributes.ts'
import { areIndependent, MatchedRecords, type OrderedRow, partsOf } from '../records/bulk/row-order.ts'
import type { Column } from '../records/import/columns.ts'
import { checkData } from '../records/validation/values.ts'
import { holdersOf, type UniqueValue, uniqueKey } from '../records/write/store.ts'
import { lookUp, uniquesOf } from './lookup.ts'
import type { Preparing } from './prepared-rows.ts'
import { textsIn } from './references.ts'
import { howOf, type TableRow } from './settings.ts'

type Data = Record<string, unknown>

/** The words of a name in any order and case: names that a lookup takes as equal have the same words. */
const wordsOf = (name: string): string => {
  const words = name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/\p{Mark}/gu, '')
    .split(/[^\p{Letter}\p{Number}]+/u)
  return `name ${words
    .filter((word) => word !== '')
    .toSorted()
    .join(' ')}`
}

const nameKeys = (text: string): string[] => [wordsOf(text), wordsOf(Object.values(readName(text)).join(' '))]

const namingOf = ({ model }: Preparing) => namingAttribute([...model.attributes.values()])

/** Keys of the records that a text may name. */
function keysOfText(preparing: Preparing, { part: by }: Column, text: string): string[] {
  const uniques = uniquesOf(preparing.model, preparing.caller, { text, by }).map(uniqueKey)
  return by === undefined || by === namingOf(preparing)?.slug ? [...uniques, ...nameKeys(text)] : uniques
}

/** Keys by which texts may name a record with this value as its name. */
function keysOfName(value: unknown): string[] {
  if (typeof value === 'string') return nameKeys(value)
  return isObject(value) ? nameKeys(Object.values(value).join(' ')) : []
}

function uniquesIn({ model, caller }: Preparing, data: Data): UniqueValue[] {
  return uniqueAttributes(model).flatMap(({ slug, attr }) => {
    if (data[slug] === undefined) return []
    const checked = checkData('patch', { [slug]: data[slug] }, model.attributes, caller)
    return 'problems' in checked ? [] : checked.uniques.map(({ value }) => ({ attr, value }))
  })
}

interface ReadRow extends Pick<OrderedRow, 'names' | 'named'> {
  id: string | undefined
  uniques: UniqueValue[]
  /** Keys of the name that the row gives its record. */
  nameKeys: string[]
  match: UniqueValue | undefined
  /** Whether it has a name or a unique value that it is not matched on, also an empty one. */
  hasOthers: boolean
}

/** Ids of the records that texts name before the batch. */
async function idsOfTexts(
  { ctx, caller, model }: Preparing,
  { part: by }: Column,
  texts: readonly string[],
): Promise<Map<string, string[]>> {
  const { named } = await lookUp(ctx, caller, model.id, { texts, by })
  const byText = Map.groupBy(named, ({ text }) => text)
  return new Map([...byText].map(([text, records]) => [text, records.map(({ id }) => id)]))
}

async function namesIn(
  preparing: Preparing,
  own: readonly Column[],
  rows: readonly TableRow[],
): Promise<Pick<OrderedRow, 'names' | 'named'>[]> {
  const found = rows.map(() => ({ names: [] as string[], named: [] as string[] }))
  for (const column of own) {
    const { slug } = column.attribute
    const texts = rows.map(({ data }) => textsIn(data[slug], column).filter(isStorable))
    const ids = await idsOfTexts(preparing, column, [...new Set(texts.flat())])
    for (const [place, one] of found.entries())
      for (const text of texts[place] ?? []) {
        one.names.push(...keysOfText(preparing, column, text))
        one.named.push(...(ids.get(text) ?? []))
      }
  }
  return found
}

async function readRows(
  preparing: Preparing,
  own: readonly Column[],
  rows: readonly TableRow[],
): Promise<ReadRow[]> {
  const { model, matchOn, duplicates } = preparing
  const named = await namesIn(preparing, own, rows)
  const isUpsert = howOf(matchOn, duplicates).mode === 'upsert'
  const matched = model.attributes.get(matchOn ?? '')
  const naming = namingOf(preparing)
  const yieldIfDue = createYield()
  const read: ReadRow[] = []
  for (const [place, { id, data }] of rows.entries()) {
    const due = yieldIfDue()
    if (due) await due
    const uniques = uniquesIn(preparing, data)
    const match =
      isUpsert && id === undefined ? uniques.find(({ attr }) => attr === matched?.attr) : undefined
    const others = [...(naming ? [naming] : []), ...uniqueAttributes(model)]
    read.push({
      ...{ id: isUpsert ? id?.toLowerCase() : undefined, uniques, match },
      nameKeys: keysOfName(naming && data[naming.slug]),
      hasOthers: others.some(({ slug, attr }) => attr !== match?.attr && data[slug] !== undefined),
      ...{ names: named[place]?.names ?? [], named: named[place]?.named ?? [] },
    })
  }
  return read
}

async function orderedRows({ ctx, caller }: Preparing, rows: readonly ReadRow[]): Promise<OrderedRow[]> {
  const holders = await holdersOf(
    ctx.db,
    caller.org,
    rows.flatMap(({ match }) => match ?? []),
  )
  const matched = new MatchedRecords(holders)
  return rows.map((row) => {
    const { id, match, uniques, names, named } = row
    const keys = uniques.map(uniqueKey)
    const replaces = row.hasOthers ? (id ?? matched.of(match && uniqueKey(match))) : undefined
    matched.add(keys)
    return { gives: [...keys, ...row.nameKeys], names, named, replaces }
  })
}

/**
 * Divides rows so that each part can look up its names before its first row is written.
 * @returns the places of the rows of each part; one part unless a row names a record of the same object
 */
export async function ownNameParts(preparing: Preparing, rows: readonly TableRow[]): Promise<number[][]> {
  const { columns, model } = preparing
  const own = columns.filter(
    ({ attribute: { type, targetObj } }) => type === 'reference' && targetObj === model.obj,
  )
  const isNamed = (data: Data) =>
    own.some((column) => textsIn(data[column.attribute.slug], column).length > 0)
  if (own.length === 0 || !rows.some(({ data }) => isNamed(data))) return [rows.map((_, place) => place)]
  const read = await readRows(preparing, own, rows)
  const ordered = await orderedRows(preparing, read)
  const keys = read.flatMap(({ uniques }) => uniques.map(uniqueKey))
  return partsOf(ordered, !areIndependent(keys, ordered))
}
