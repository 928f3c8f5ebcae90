// Values that the page shows before they are saved. Older responses must not overwrite them.
import type { CrmRecord } from '../../../contract/records.ts'

interface Unsaved {
  recordId: string
  slug: string
  /** null clears the value. */
  value: unknown
}

const unsaved = new Set<Unsaved>()
const changes = new Set<symbol>()

/** Whether a change is being saved, so that the data of the service is older than the page. */
export const hasUnsaved = (): boolean => unsaved.size + changes.size > 0

const waiting: (() => void)[] = []

function release(): void {
  if (!hasUnsaved()) for (const resolve of waiting.splice(0)) resolve()
}

/** Resolves when no change is being saved. */
export const whenSaved = (): Promise<void> =>
  hasUnsaved() ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()

/** The record with a changed value. null and undefined clear the value. */
export const withValue = (record: CrmRecord, slug: string, value: unknown): CrmRecord => {
  const { [slug]: _, ...others } = record.data
  return { ...record, data: value === null || value === undefined ? others : { ...others, [slug]: value } }
}

function addTo<One>(those: Set<One>, one: One): () => void {
  those.add(one)
  return () => {
    those.delete(one)
    release()
  }
}

/** @returns a function to call when the value is saved or refused */
export const addUnsaved = (value: Unsaved): (() => void) => addTo(unsaved, value)

/**
 * Adds a change that is not a record's value, such as a new activity. @returns a function to call when it is saved or
 * refused
 */
export const addUnsavedChange = (): (() => void) => addTo(changes, Symbol('change'))

/** A record of the service with the unsaved values. The later of two values is used. */
export const withUnsaved = (record: CrmRecord): CrmRecord =>
  [...unsaved]
    .filter(({ recordId }) => recordId === record.id)
    .reduce((seen, { slug, value }) => withValue(seen, slug, value), record)
