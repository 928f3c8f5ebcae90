// Filters by the days, in UTC, on which records were created and last changed.
import sql, { type Sql } from 'sql-template-tag'
import type { FilterOperator } from '../../../contract/operators.ts'
import type { Locale } from '../values.ts'
import { type Compiled, compileFilter } from './to-sql.ts'

/** No attribute has one of these slugs: they are reserved. */
const MOMENTS = {
  created_at: sql`uuid_extract_timestamp(r.id)`,
  updated_at: sql`r.updated_at`,
} satisfies Record<string, Sql>
type Moment = keyof typeof MOMENTS

export const isMoment = (slug: unknown): slug is Moment =>
  typeof slug === 'string' && Object.hasOwn(MOMENTS, slug)

interface MomentInput {
  slug: Moment
  operator: FilterOperator
  value: unknown
}

/** They compare as dates do. No index row has the day: the condition is checked on the records themselves. */
export function compileMoment({ slug, operator, value }: MomentInput, locale: Locale): Compiled {
  const attribute = { slug, type: 'date', isList: false, config: null } as const
  const stored = sql`to_jsonb((${MOMENTS[slug]} at time zone 'UTC')::date)`
  const compiled = compileFilter({ attribute, operator, value, stored }, locale)
  return 'problem' in compiled ? compiled : { condition: compiled.condition, leaf: undefined }
}
