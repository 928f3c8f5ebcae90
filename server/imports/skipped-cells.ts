// Leaves out unusable cells in columns that are set to skip them, so that the rest of the row is imported.
import type { Problem } from '../../contract/errors.ts'
import { isObject } from '../base/json.ts'
import type { Column } from '../records/import/columns.ts'
import { checkData } from '../records/validation/values.ts'
import type { Locale } from '../records/values/attribute.ts'
import { columnAtFault } from './problems.ts'
import type { ImportPlan } from './settings.ts'

export interface RowCheck {
  /** The problems of the cells that are left out. */
  skipped: Problem[]
  /** The missing required values of a row that matches no record. */
  needed: readonly Problem[]
  /**
   * The row fails for reasons other than its references. Reasons that only the write detects are not included, such as
   * a unique value that another record has.
   */
  isBad: boolean
}

type Data = Record<string, unknown>

const omit = (data: Data, slugs: ReadonlySet<string>): Data =>
  Object.fromEntries(Object.entries(data).filter(([slug]) => !slugs.has(slug)))

/** An amount without its currency would be another amount: the whole value is left out. */
function without(data: Data, { attribute: { slug, type }, part }: Column): Data {
  const { [slug]: value, ...others } = data
  if (part === undefined || type === 'currency' || !isObject(value) || !(part in value)) return others
  const { [part]: _, ...parts } = value
  return Object.keys(parts).length === 0 ? others : { ...others, [slug]: parts }
}

type Columns = { columns: readonly Column[] }

const skippedColumn = ({ columns }: Columns, problem: Problem, cells: readonly string[]) => {
  const column = columnAtFault(columns, problem, cells)
  return column?.onProblem === 'skip' ? column : undefined
}

/** Slugs of references: their cells contain names of records, which are not valid values before the look-up. */
const namesRecords = ({ columns }: Columns): ReadonlySet<string> =>
  new Set(columns.flatMap(({ attribute: { slug, type } }) => (type === 'reference' ? [slug] : [])))

export interface Checking {
  plan: Pick<ImportPlan, 'columns' | 'matched' | 'model'> & { how: { mode?: string | undefined } }
  locale: Locale
}

export function problemsIn({ plan, locale }: Checking, data: Data, mode: 'create' | 'patch'): Problem[] {
  const references = new Set([...namesRecords(plan)].filter((slug) => (data[slug] ?? null) !== null))
  const checked = checkData(mode, omit(data, references), plan.model.attributes, locale)
  const problems = 'problems' in checked ? checked.problems : []
  return problems.filter(({ path }) => !references.has(path.replace(/^data\./, '')))
}

/** Leaves out cells with problems. The loop ends, because each pass leaves out a cell. @param cells of the row */
export function checkInput<Row extends { data: Data }>(
  checking: Checking,
  input: Row,
  cells: readonly string[],
): Row & RowCheck {
  const { plan } = checking
  const skipped: Problem[] = []
  const mode = plan.how.mode === 'upsert' ? 'patch' : 'create'
  let data: Data = input.data
  for (;;) {
    const problems = problemsIn(checking, data, mode)
    const found = problems.flatMap((problem) => {
      const column = skippedColumn(plan, problem, cells)
      return column && column.attribute.slug in data ? [{ problem, column }] : []
    })
    if (found.length === 0) {
      const isUnmatched = plan.matched !== undefined && data[plan.matched.slug] === undefined
      return { ...input, data, skipped, needed: [], isBad: problems.length > 0 || isUnmatched }
    }
    for (const { problem, column } of found) {
      data = without(data, column)
      skipped.push(problem)
    }
  }
}

/** Leaves out references that name no record or several. Only the look-up finds these. */
export function skipReferences<Row extends { problems: Problem[]; skipped: Problem[] }>(
  plan: Columns,
  row: Row,
  cells: readonly string[],
): Row {
  const left = row.problems.filter((problem) => skippedColumn(plan, problem, cells))
  if (left.length === 0) return row
  const problems = row.problems.filter((problem) => !left.includes(problem))
  return { ...row, problems, skipped: [...row.skipped, ...left] }
}

/** Whether rows are checked before their references are looked up. */
export const needsCheck = ({ columns }: Columns): boolean =>
  columns.some(({ onProblem = 'fail' }) => onProblem !== 'fail')
