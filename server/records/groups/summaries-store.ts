// Computes facts about the values of attributes: in one pass over the matching records, or from counters.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type ModelAttribute, type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { recordCounts } from '../engine/value-count.ts'
import { comparableNumber, comparableText, isPresent, NUMERIC, storedValue } from '../filters/comparable.ts'
import { isCurrent } from '../rows/stored-record.ts'

export interface ColumnFacts {
  /** The position of the attribute in the list of the request. */
  place: number
  currency: string | null
  filled: number
  checked: number
  /** Exact decimals or days; null without a value. */
  sum: string | null
  average: string | null
  min: string | null
  max: string | null
}

/** The number of records, and the facts of each attribute, with separate facts for each currency. */
export interface Facts {
  count: number
  facts: ColumnFacts[]
}

const AVERAGE_DECIMALS = 10
/** avg() returns fewer decimals for large numbers. A quotient has at least as many decimals as its dividend. */
const EXACT_AVERAGE = sql`sum(v.number)::numeric(1000, 30) / nullif(count(v.number), 0)`

/** One row of `v(place, currency, number, day, present, checked)`. */
function valueRow(attribute: ModelAttribute, place: number): Sql {
  const { type, isList } = attribute
  const stored = storedValue(attribute)
  const isNumber = NUMERIC.has(type) && !isList
  const currency = type === 'currency' && !isList ? sql`${stored}->>'currency'` : sql`null::text`
  const number = isNumber ? comparableNumber(type, stored) : sql`null::numeric`
  const day = type === 'date' && !isList ? comparableText(type, stored) : sql`null::text`
  const checked = type === 'checkbox' && !isList ? sql`${stored} = 'true'` : sql`false`
  return sql`(${place}::int, ${currency}, ${number}, ${day}, ${isPresent(stored)}, ${checked})`
}

type FactRow = Omit<ColumnFacts, 'place'> & { place: number | null; records: number; fresh: boolean }

/** @param records a query of the records to summarize */
export async function selectSummaryFacts(
  db: Db,
  model: ObjectModel,
  { attributes, records }: { attributes: readonly ModelAttribute[]; records: Sql },
): Promise<Facts> {
  const rows = await db.many<FactRow>(sql`
    with facts as (
      select v.place, v.currency, count(*)::bigint as records,
        count(*) filter (where v.present)::bigint as filled, count(*) filter (where v.checked)::bigint as checked,
        trim_scale(sum(v.number))::text as sum,
        trim_scale(round(${EXACT_AVERAGE}, ${AVERAGE_DECIMALS}::int))::text as average,
        coalesce(trim_scale(min(v.number))::text, min(v.day collate "C")) as min,
        coalesce(trim_scale(max(v.number))::text, max(v.day collate "C")) as max
      from (${records}) as r
      cross join lateral (values ${join(attributes.map(valueRow))})
        as v(place, currency, number, day, present, checked)
      group by v.place, v.currency)
    select facts.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join facts on true
    order by place, currency`)
  if (!rows[0]?.fresh) throw new StaleModel()
  const facts = rows.flatMap(({ place, ...row }) => (place === null ? [] : [{ ...row, place }]))
  // `facts` has one row per record for each attribute, so the first attribute counts all records.
  const count = facts.filter(({ place }) => place === 0).reduce((sum, { records: part }) => sum + part, 0)
  return { count, facts }
}

type CountedRow = { fresh: boolean; all: number; counts: number[] }

/** As selectSummaryFacts for all records, from counters only. @returns undefined unless all attributes have counters */
export async function selectCountedFacts(
  db: Db,
  model: ObjectModel,
  attributes: readonly ModelAttribute[],
): Promise<Facts | undefined> {
  const wanted = attributes.flatMap((attribute) => [
    { attribute, operator: 'isNotEmpty' as const },
    { attribute, operator: attribute.type === 'checkbox' ? ('isTrue' as const) : ('isNotEmpty' as const) },
  ])
  const counted = recordCounts(model, wanted)
  if (!counted) return undefined
  const row = await db.one<CountedRow>(sql`
    with changes as materialized (${counted.changes})
    select ${isCurrent(model)} as fresh, ${counted.all} as all, json_build_array(${join(counted.counts)}) as counts
    from changes`)
  if (!row.fresh) throw new StaleModel()
  const none = { currency: null, sum: null, average: null, min: null, max: null }
  const facts = attributes.map((_, place) => ({
    ...none,
    place,
    filled: row.counts[2 * place] ?? 0,
    checked: row.counts[2 * place + 1] ?? 0,
  }))
  return { count: row.all, facts }
}
