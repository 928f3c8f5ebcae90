// Refusals that say that the user's role or membership is not what the page takes it for.
import type { ApiError } from './errors.ts'

const listeners = new Set<() => void>()

/** @returns a function that stops listening */
export function onDoubt(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A request within an organization was refused. */
export function noteRefusal({ status, code, details }: ApiError): void {
  const isOfAccess = code === 'insufficient_role' || (status === 404 && 'organization' in details)
  if (isOfAccess) for (const listener of listeners) listener()
}
