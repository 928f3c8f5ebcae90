// Choices that are not checked yet, kept while the tab is open: a reload must not lose them.
import type { Import } from '../api.ts'
import { type Draft, draftOf, type Into } from './mapping.ts'

const keyOf = (id: string) => `rapport-import-${id}`

function stored(id: string): Partial<Draft> | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(id))
    return text === null ? undefined : (JSON.parse(text) as Partial<Draft>)
  } catch {
    // Storage is off: the guess is there again.
    return undefined
  }
}

export function saveDraft(id: string, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(draft))
  } catch {
    // As above.
  }
}

/** The service has it now. */
export function dropDraft(id: string): void {
  try {
    sessionStorage.removeItem(keyOf(id))
  } catch {
    // As above.
  }
}

/** What was chosen last, else what is guessed. */
export const draftFor = (file: Import, into: Into): Draft =>
  // One of an earlier version lacks later choices.
  ({ ...draftOf(file, into), ...stored(file.id) })
