// Values that the service refused. The cell is marked with the reason, and the next edit starts with the typed value.
import { useSyncExternalStore } from 'react'

interface Refused {
  /** Absent for a chosen value, because choosing again is as quick. */
  draft?: { value: unknown; text?: string | undefined }
  /** A sentence. */
  reason: string
}

const refused = new Map<string, Refused>()
const listeners = new Set<() => void>()

const keyOf = (recordId: string, slug: string) => `${recordId} ${slug}`

function notify(): void {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The oldest entries are removed. */
const REFUSED_MAX = 200

export function keepRefused(recordId: string, slug: string, value: Refused): void {
  const [oldest] = refused.keys()
  if (oldest !== undefined && refused.size >= REFUSED_MAX) refused.delete(oldest)
  refused.set(keyOf(recordId, slug), value)
  notify()
}

/** @returns the initial value of an edit: the last refused one, or the stored one */
export function draftOf(recordId: string, slug: string, from: unknown): unknown {
  const draft = refused.get(keyOf(recordId, slug))?.draft
  return draft ? draft.value : (from ?? null)
}

/** The text in a picker that is not one of its options. */
export const refusedText = (recordId: string, slug: string): string | undefined =>
  refused.get(keyOf(recordId, slug))?.draft?.text

/** Called when the value was saved or restored. */
export function forgetRefused(recordId: string, slug: string): void {
  if (refused.delete(keyOf(recordId, slug))) notify()
}

/** Called on sign-out. */
export function forgetAllRefused(): void {
  refused.clear()
  notify()
}

/** The reason why the last edit of the value was refused; undefined if it was not. */
export const useRefusal = (recordId: string | undefined, slug: string): string | undefined =>
  useSyncExternalStore(subscribe, () => refused.get(keyOf(recordId ?? '', slug))?.reason)
