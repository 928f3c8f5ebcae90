// The search parameters of the page that undoes changes.
export interface UndoSearch {
  kind?: 'workflowRun' | 'apiKey'
  /** The run or key whose changes are undone. */
  id?: string
  /** Its name. */
  name?: string
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** For `validateSearch`. */
export function undoSearch({ kind, id, name }: Record<string, unknown>): UndoSearch {
  if ((kind !== 'workflowRun' && kind !== 'apiKey') || typeof id !== 'string') return {}
  const shown = textIn(name)
  return { kind, id, ...(shown !== undefined && { name: shown }) }
}
