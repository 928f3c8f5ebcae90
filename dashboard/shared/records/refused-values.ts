// What was typed and refused by the service: its cell is marked with the reason, and the next edit begins with it.
import { useSyncExternalStore } from 'react'

interface Refused {
  /** Absent for what is chosen: it is chosen again as quickly. */
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

/** The oldest make room for others. */
const REFUSED_MAX = 200

export function keepRefused(recordId: string, slug: string, value: Refused): void {
  const [oldest] = refused.keys()
  if (oldest !== undefined && refused.size >= REFUSED_MAX) refused.delete(oldest)
  refused.set(keyOf(recordId, slug), value)
  notify()
}

/** @returns what an edit begins with: what was refused last, or the value that is there */
export function draftOf(recordId: string, slug: string, from: unknown): unknown {
  const draft = refused.get(keyOf(recordId, slug))?.draft
  return draft ? draft.value : (from ?? null)
}

/** What was typed into its picker and is none of the options. */
export const refusedText = (recordId: string, slug: string): string | undefined =>
  refused.get(keyOf(recordId, slug))?.draft?.text

/** It was saved, or taken back. */
export function forgetRefused(recordId: string, slug: string): void {
  if (refused.delete(keyOf(recordId, slug))) notify()
}

/** On signing out. */
export function forgetAllRefused(): void {
  refused.clear()
  notify()
}

/** Why the last edit of the value was refused; undefined when it was not. */
export const useRefusal = (recordId: string | undefined, slug: string): string | undefined =>
  useSyncExternalStore(subscribe, () => refused.get(keyOf(recordId ?? '', slug))?.reason)
