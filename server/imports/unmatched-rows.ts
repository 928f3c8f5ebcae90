// Rows that are matched on a unique value and match no record: each must have what a new record needs.
import { checkData } from '../records/validation/values.ts'
import { type UniqueValue, uniqueKey } from '../records/write/store.ts'
import { type Checking, problemsIn, type RowCheck } from './skipped-cells.ts'

type Data = Record<string, unknown>

/** The unique value that a row is matched on. */
function matchOf({ plan: { matched, model }, locale }: Checking, data: Data): UniqueValue | undefined {
  if (!matched) return undefined
  const { slug, attr } = matched
  const checked = checkData('patch', { [slug]: data[slug] }, model.attributes, locale)
  const [unique] = 'problems' in checked ? [] : checked.uniques
  return unique && { attr, value: unique.value }
}

/**
 * Refuses rows that would create a record without its required values, before the records that they name are created.
 * An earlier row of the batch may create the record of a later one.
 * @param heldOf returns those of the values that records have, as uniqueKeys
 */
export async function checkUnmatched<Row extends RowCheck & { data: Data; id?: string }>(
  checking: Checking,
  rows: readonly Row[],
  heldOf: (values: readonly UniqueValue[]) => Promise<ReadonlySet<string>>,
): Promise<Row[]> {
  if (!checking.plan.columns.some(({ onProblem }) => onProblem === 'create')) return [...rows]
  const matches = rows.map(({ id, data, isBad }) =>
    isBad || id !== undefined ? undefined : matchOf(checking, data),
  )
  const values = matches.filter((match) => match !== undefined)
  if (values.length === 0) return [...rows]
  const known = new Set(await heldOf(values))
  return rows.map((row, place) => {
    const match = matches[place]
    if (!match || known.has(uniqueKey(match))) return row
    const needed = problemsIn(checking, row.data, 'create')
    if (needed.length > 0) return { ...row, needed, isBad: true }
    known.add(uniqueKey(match))
    return row
  })
}

/** Adds the missing required values to the problems of the row, so that the write refuses it. */
export const withNeeded = <Row extends Pick<RowCheck, 'needed'> & { problems: readonly { path: string }[] }>(
  row: Row,
): Row => ({ ...row, problems: [...row.needed, ...row.problems] })
