// Rows of lists in configs: default values, nouns and order.

interface BranchShape {
  name?: unknown
}

/** An unused name for a branch. */
function freeBranchName(rows: readonly unknown[]): string {
  const taken = new Set(rows.map((row) => (row as BranchShape).name))
  let number = rows.length + 1
  while (taken.has(`branch${number}`)) number += 1
  return `branch${number}`
}

const NEW: Readonly<Record<string, (rows: readonly unknown[]) => Record<string, unknown>>> = {
  branches: (rows) => ({
    name: freeBranchName(rows),
    when: { left: '', operator: 'equals', right: '' },
    steps: [],
  }),
  linkedRecords: () => ({ objectId: '', recordId: '' }),
  participants: () => ({ type: 'person', id: '' }),
}

/** @param name of the field that contains the rows */
export const newRow = (name: string, rows: readonly unknown[]): Record<string, unknown> =>
  NEW[name]?.(rows) ?? {}

const NOUNS: Readonly<Record<string, string>> = {
  branches: 'branch',
  linkedRecords: 'linked record',
  participants: 'participant',
}
export const rowNoun = (name: string): string => NOUNS[name] ?? 'row'

/** Whether the order matters: a run takes the first branch whose condition is true. */
export const isOrdered = (name: string): boolean => name === 'branches'

/** Does not move a row beyond the ends. */
export function movedRow<Row>(rows: readonly Row[], index: number, by: 1 | -1): readonly Row[] {
  const row = rows[index]
  const to = index + by
  if (row === undefined || to < 0 || to >= rows.length) return rows
  return rows.toSpliced(index, 1).toSpliced(to, 0, row)
}
