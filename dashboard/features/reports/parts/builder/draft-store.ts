// Drafts that are not saved survive a reload of the page, in this tab alone.
import type { Draft } from './builder-state.ts'

export interface KeptDraft {
  definition: Draft
  /** The version it began with; undefined of a new report. */
  basedOn: number | undefined
}

const nameOf = (key: string) => `rapport-report-draft:${key}`

function isKept(value: unknown): value is KeptDraft {
  const { definition } = (value ?? {}) as { definition?: Partial<Draft> }
  return typeof definition?.source?.objectId === 'string' && typeof definition.name === 'string'
}

export function readDraft(key: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(nameOf(key)) ?? 'null')
    return isKept(kept) ? kept : undefined
  } catch {
    // Storage may be switched off, and its content is not to be trusted.
    return undefined
  }
}

/** @param draft undefined forgets it */
export function keepDraft(key: string, draft: KeptDraft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(nameOf(key), JSON.stringify(draft))
    else sessionStorage.removeItem(nameOf(key))
  } catch {
    // Then it does not survive a reload: leaving asks anyway.
  }
}
