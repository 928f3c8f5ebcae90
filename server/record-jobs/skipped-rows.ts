// Finds rows to skip: rows that match an existing record, or a record of an earlier row.

import type { Caller } from '../base/caller.ts'
import { isObject } from '../base/json.ts'
import type { Db } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { namesOwn } from '../records/bulk/own-references.ts'
import { checkData } from '../records/validation/values.ts'
import { withLookups } from '../records/write/sent-values.ts'
import { holdersOf, type UniqueValue, uniqueKey } from '../records/write/store.ts'

type Row = Record<string, unknown>

export interface Sorted<Item> {
  /** Rows to write now: each has a different value, which no record has. */
  rows: Item[]
  skipped: { item: Item; recordId: string }[]
  /** Rows with the same value as a row to write: its result decides about them, and about rows that may name them. */
  later: Item[]
}

/** The value that each row is matched on. A row without a valid value is refused when it is written. */
async function valuesOf(
  tx: Db,
  caller: Caller,
  { model, slug }: { model: ObjectModel; slug: string },
  rows: readonly Row[],
): Promise<(UniqueValue | undefined)[]> {
  const data = rows.map((row) => {
    const sent = isObject(row['data']) ? row['data'] : {}
    return Object.hasOwn(sent, slug) ? { [slug]: sent[slug] } : {}
  })
  const locale = await withLookups(tx, caller, model, data)
  return data.map((one) => {
    const checked = checkData('patch', one, model.attributes, locale)
    const unique = 'problems' in checked ? undefined : checked.uniques[0]
    const attribute = model.attributes.get(slug)
    return unique && attribute && { attr: attribute.attr, value: unique.value }
  })
}

export async function sortMatches<Item extends { row: Row }>(
  tx: Db,
  caller: Caller,
  matched: { model: ObjectModel; slug: string },
  items: readonly Item[],
): Promise<Sorted<Item>> {
  const values = await valuesOf(
    tx,
    caller,
    matched,
    items.map(({ row }) => row),
  )
  const holders = await holdersOf(
    tx,
    caller.org,
    values.flatMap((value) => value ?? []),
  )
  const sorted: Sorted<Item> = { rows: [], skipped: [], later: [] }
  const taken = new Set<string>()
  for (const [place, item] of items.entries()) {
    const value = values[place]
    const key = value && uniqueKey(value)
    const recordId = key === undefined ? undefined : holders.get(key)
    if (recordId !== undefined) sorted.skipped.push({ item, recordId })
    else if (key !== undefined && taken.has(key)) sorted.later.push(item)
    else if (sorted.later.length > 0 && namesOwn(matched.model, item.row)) sorted.later.push(item)
    else sorted.rows.push(item)
    if (key !== undefined) taken.add(key)
  }
  return sorted
}
