// The sentence of the builder that shows a problem, and the text of the problem.
import type { Problem } from '../../../../contract/errors.ts'
import { capitalized } from '../../../shared/api/errors.ts'

export type SentenceName = 'show' | 'joins' | 'filters' | 'groupBy' | 'then' | 'chart'

const SENTENCES: Readonly<Record<string, SentenceName>> = {
  source: 'show',
  measures: 'show',
  columns: 'show',
  joins: 'joins',
  filters: 'filters',
  groupBy: 'groupBy',
  having: 'then',
  sort: 'then',
  limit: 'then',
  chart: 'chart',
}

const PART = /^([A-Za-z]+)(?:\[(\d+)\])?/

/** The first sentence if no other sentence fits. */
export const sentenceOf = ({ path }: Pick<Problem, 'path'>): SentenceName =>
  SENTENCES[PART.exec(path)?.[1] ?? ''] ?? 'show'

/** The invalid part of a list: `measures[1].field` → 1 of `measures`. */
export function partOf({ path }: Pick<Problem, 'path'>): { list: string; index: number } | undefined {
  const [, list = '', index] = PART.exec(path) ?? []
  return index === undefined ? undefined : { list, index: Number(index) }
}

/** Advice for problems whose message contains names that users do not see. */
const ADVICE: Readonly<Record<string, string>> = {
  unknown_alias: 'This reads an object that is not joined: join it again, or remove this part',
  unknown_attribute: 'This field no longer exists: remove it, or choose another',
  unknown_object: 'This object no longer exists: choose another',
  not_a_reference: 'This join no longer follows a reference: remove it',
  unknown_key: 'This refers to a value that the report no longer shows: remove it, or choose another',
  too_far: 'This is too far from the first object: join at most three references in a row',
  too_deep: 'These groups are nested too deeply: remove one',
  too_many_filters: 'There are more than 20 filters: remove some',
  without_measures: 'Rows have no measures to compare: remove this, or show a summary',
  ambiguous: 'It is not clear which object this join refers to: remove it and choose it again',
}

const AT_FIELD: Readonly<Record<string, string>> = {
  'columns required': 'Choose at least one column',
  'measures required': 'Choose what to measure, or what to group by',
}

export function problemWords({ path, code, message }: Problem): string {
  if (/^columns$/.test(path) && code !== 'ambiguous') return 'Choose at least one column'
  return AT_FIELD[`${path} ${code}`] ?? ADVICE[code] ?? capitalized(message)
}
