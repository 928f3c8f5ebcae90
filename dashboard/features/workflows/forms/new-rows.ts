// Rows of lists in configs: how a new one begins, what one is called, and their order.

interface BranchShape {
  name?: unknown
}

/** A name that no branch has. */
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

/** @param name of the field that holds the rows */
export const newRow = (name: string, rows: readonly unknown[]): Record<string, unknown> =>
  NEW[name]?.(rows) ?? {}

const NOUNS: Readonly<Record<string, string>> = {
  branches: 'branch',
  linkedRecords: 'linked record',
  participants: 'participant',
}
export const rowNoun = (name: string): string => NOUNS[name] ?? 'row'

/** The first that holds is taken: their order means something. */
export const isOrdered = (name: string): boolean => name === 'branches'

/** Beyond the ends nothing moves. */
export function movedRow<Row>(rows: readonly Row[], index: number, by: 1 | -1): readonly Row[] {
  const row = rows[index]
  const to = index + by
  if (row === undefined || to < 0 || to >= rows.length) return rows
  return rows.toSpliced(index, 1).toSpliced(to, 0, row)
}
