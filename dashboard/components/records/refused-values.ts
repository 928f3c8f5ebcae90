// What somebody typed and the service would not have: it is there again when the value is edited next.
const refused = new Map<string, unknown>()

const keyOf = (recordId: string, slug: string) => `${recordId} ${slug}`

export function keepRefused(recordId: string, slug: string, value: unknown): void {
  refused.set(keyOf(recordId, slug), value)
}

/** @returns what an edit begins with: what was refused last, or the value that is there */
export function draftOf(recordId: string, slug: string, from: unknown): unknown {
  const key = keyOf(recordId, slug)
  return refused.has(key) ? refused.get(key) : (from ?? null)
}

/** It was saved, or taken back. */
export function forgetRefused(recordId: string, slug: string): void {
  refused.delete(keyOf(recordId, slug))
}
