// Detects refusals which show that the user's role or membership has changed since the page loaded it.
import type { ApiError } from './errors.ts'

const listeners = new Set<() => void>()

/** @returns a function that stops listening */
export function onDoubt(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Notifies the listeners if a refused request within an organization is about access. */
export function noteRefusal({ status, code, details }: ApiError): void {
  const isOfAccess = code === 'insufficient_role' || (status === 404 && 'organization' in details)
  if (isOfAccess) for (const listener of listeners) listener()
}
