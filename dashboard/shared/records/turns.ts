// Edits of one value, each after the one before: what the service stored for the first is what the second begins with.
// Otherwise a person who edits a value again, while it is being saved, would be asked about a conflict with themselves.
import { sameValue } from './same-value.ts'

interface Turn {
  to: unknown
  /** Settles with what the service stores after the edit; never fails. */
  stored: Promise<unknown>
}

const turns = new Map<string, Turn>()

/** The oldest make room for others. */
const TURNS_MAX = 200

function keep(key: string, turn: Turn): void {
  turns.delete(key)
  const [oldest] = turns.keys()
  if (oldest !== undefined && turns.size >= TURNS_MAX) turns.delete(oldest)
  turns.set(key, turn)
}

/**
 * @param edit `from` is what the page showed when the edit began, `to` what was asked for
 * @returns `from`: settles when the edit before has ended, with what this one changes; `end` takes what is stored now
 */
export function takeTurn(recordId: string, slug: string, { from, to }: { from: unknown; to: unknown }) {
  const key = `${recordId} ${slug}`
  const before = turns.get(key)
  const { promise: stored, resolve: end } = Promise.withResolvers<unknown>()
  keep(key, { to, stored })
  const seen = before?.stored.then((value) => (sameValue(before.to, from) ? value : from))
  return { from: seen ?? Promise.resolve(from), end }
}
