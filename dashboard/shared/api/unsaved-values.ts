// Values that are seen already and not saved yet: an answer from before them must not take them off the page.
import type { CrmRecord } from '../../../contract/records.ts'

interface Unsaved {
  recordId: string
  slug: string
  /** null: cleared. */
  value: unknown
}

const unsaved = new Set<Unsaved>()

/** The record with another value; null and undefined clear it. */
export const withValue = (record: CrmRecord, slug: string, value: unknown): CrmRecord => {
  const { [slug]: _, ...others } = record.data
  return { ...record, data: value === null || value === undefined ? others : { ...others, [slug]: value } }
}

/** @returns how to say that it is saved, or refused */
export function addUnsaved(value: Unsaved): () => void {
  unsaved.add(value)
  return () => void unsaved.delete(value)
}

const changes = new Set<symbol>()

/** A change that is no value of a record, such as a new activity. @returns how to say that it is saved, or refused */
export function addUnsavedChange(): () => void {
  const change = Symbol('change')
  changes.add(change)
  return () => void changes.delete(change)
}

/** Whether any value or change is on its way: what the service has is older than what is shown. */
export const hasUnsaved = (): boolean => unsaved.size + changes.size > 0

/** A record the service sent, with what is still on its way there; of two values the later one. */
export const withUnsaved = (record: CrmRecord): CrmRecord =>
  [...unsaved]
    .filter(({ recordId }) => recordId === record.id)
    .reduce((seen, { slug, value }) => withValue(seen, slug, value), record)
