// Equal problems of all rows of a file, counted while they are checked.
import { IMPORT_GROUPS_MAX, IMPORT_VALUE_CHARACTERS_MAX } from '../../contract/import-states.ts'
import type { CheckResult, ImportProblemGroup } from '../../contract/imports.ts'
import type { RowProblem } from './problems.ts'

export type ProblemGroups = Pick<CheckResult, 'groups' | 'more'>

const LINES_MAX = 3

const shown = (text: string) => text.slice(0, IMPORT_VALUE_CHARACTERS_MAX).toWellFormed()

/** Messages about one value can differ, because they name other rows; without a value the message is the key. */
const keyOf = ({
  column,
  code,
  value,
  message,
  isSkipped = false,
}: Omit<ImportProblemGroup, 'rows' | 'lines' | 'index'>) =>
  JSON.stringify([column, code, value ?? message, isSkipped])

function groupOf({
  problem: { line, column, message },
  code,
  isSkipped,
  cell,
}: RowProblem): ImportProblemGroup {
  const index = cell && cell.text.length <= IMPORT_VALUE_CHARACTERS_MAX ? cell.index : null
  const value = cell && { value: shown(cell.text) }
  return { column, index, ...value, code, message, isSkipped, rows: 1, lines: [line] }
}

const joined = ({ rows, lines, ...group }: ImportProblemGroup, [line = 0]: readonly number[]) => ({
  ...group,
  rows: rows + 1,
  lines: lines.length < LINES_MAX ? [...lines, line] : lines,
})

/** @param rows the problems of each row: equal problems of one row count once */
export function addToGroups({ groups, more }: ProblemGroups, rows: readonly RowProblem[][]): ProblemGroups {
  const kept = new Map(groups.map((group) => [keyOf(group), group]))
  let beyond = more
  for (const problems of rows) {
    const different = new Map(problems.map(groupOf).map((group) => [keyOf(group), group]))
    for (const [key, group] of different) {
      const found = kept.get(key)
      if (found) kept.set(key, joined(found, group.lines))
      else if (kept.size < IMPORT_GROUPS_MAX) kept.set(key, group)
      else beyond++
    }
  }
  return { groups: [...kept.values()], more: beyond }
}

type Later = keyof ProblemGroups | 'related' | 'skips' | 'matches'

/** Checks of earlier versions stored no groups: each of their problems becomes one. */
export function withGroups(
  check: (Omit<CheckResult, Later> & Partial<Pick<CheckResult, Later>>) | null,
): CheckResult | null {
  if (!check) return null
  const { groups = ofProblems(check), more = 0, related = [], skips = 0, matches = null } = check
  // Checks of earlier versions left out no cells.
  return {
    ...check,
    more,
    related,
    skips,
    matches,
    groups: groups.map((group) => ({ ...NOT_SKIPPED, ...group })),
  }
}

const NOT_SKIPPED = { isSkipped: false }

const ofProblems = ({ problems }: Pick<CheckResult, 'problems'>): ImportProblemGroup[] =>
  problems.map(({ line, ...problem }) => ({
    ...problem,
    ...NOT_SKIPPED,
    index: null,
    code: 'unknown',
    rows: 1,
    lines: [line],
  }))
