// Summaries of a set of records. Counts of all records come from counters; other summaries read the records.

import type { Summary, SummaryList, SummaryQuery } from '../../../contract/summaries.ts'
import { summariesOf } from '../../../contract/summary-kinds.ts'
import type { Caller } from '../../base/caller.ts'
import { invalidField } from '../../base/errors.ts'
import { instead, unknownAttribute } from '../../base/suggestions.ts'
import { type Asking, toldNames } from '../../base/told-names.ts'
import type { Db } from '../../db/pool.ts'
import {
  type ModelAttribute,
  type ModelContext,
  type ObjectModel,
  withModel,
} from '../../model/attributes/models.ts'
import { matchingRecords } from '../engine/matching-records.ts'
import { readSearchFilters } from '../filters/input.ts'
import type { RecordFilter } from '../filters/to-sql.ts'
import { type ColumnFacts, selectCountedFacts, selectSummaryFacts } from './summaries-store.ts'

type Asked = SummaryQuery['summaries'][number]

/** @param path of the summary in the request, for the error @throws 400 validation_error */
export function requireSummary(
  model: ObjectModel,
  { attributeSlug, summary }: Asked,
  path: string,
  asking: Asking,
): ModelAttribute {
  const attribute = model.attributes.get(attributeSlug)
  if (!attribute)
    throw invalidField(
      `${path}.attributeSlug`,
      'unknown_attribute',
      unknownAttribute(model.slug, attributeSlug, toldNames(asking, 'attributes', model.attributes.keys())),
    )
  const allowed = summariesOf(attribute)
  if (allowed.includes(summary)) return attribute
  const kind = attribute.isList ? `a list of type ${attribute.type}` : `of type ${attribute.type}`
  const message = `must be a summary of ${attributeSlug}, which is ${kind}: ${instead(summary, allowed)}`
  throw invalidField(`${path}.summary`, 'wrong_type', message)
}

/** The values of a summary. An attribute has one part for each currency. */
function valuesOf({ summary }: Asked, { parts, count }: { parts: readonly ColumnFacts[]; count: number }) {
  const whole = (key: 'filled' | 'checked') => parts.reduce((sum, part) => sum + part[key], 0)
  const one = (value: number) => [{ currency: null, value: String(value) }]
  if (summary === 'filled') return one(whole('filled'))
  if (summary === 'empty') return one(count - whole('filled'))
  if (summary === 'checked') return one(whole('checked'))
  return parts.flatMap(({ currency, ...facts }) => {
    const value = facts[summary]
    return value === null ? [] : [{ currency, value }]
  })
}

const isCount = ({ summary }: Asked) => summary === 'filled' || summary === 'empty' || summary === 'checked'

async function factsOf(
  db: Db,
  model: ObjectModel,
  attributes: readonly ModelAttribute[],
  { filters, asked }: { filters: readonly RecordFilter[]; asked: readonly Asked[] },
) {
  const counted =
    filters.length === 0 && asked.every(isCount) ? await selectCountedFacts(db, model, attributes) : undefined
  if (counted) return counted
  return selectSummaryFacts(db, model, { attributes, records: await matchingRecords(db, model, filters) })
}

/** @throws 400 validation_error, invalid_filter, 404 not_found */
export function summarizeRecords(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  { summaries, filter, filters }: SummaryQuery,
): Promise<SummaryList> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const asked = summaries.map((one, at) => requireSummary(model, one, `summaries[${at}]`, caller))
    const attributes = [...new Set(asked)]
    const found = await readSearchFilters(ctx, caller, model, { filter, filters })
    const { count, facts } = await factsOf(ctx.db, model, attributes, { filters: found, asked: summaries })
    const list = summaries.map((one): Summary => {
      const place = attributes.findIndex(({ slug }) => slug === one.attributeSlug)
      const parts = facts.filter((part) => part.place === place)
      return { ...one, values: valuesOf(one, { parts, count }) }
    })
    return { count, summaries: list }
  })
}
