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
 * @returns `from`: settles when the edit before has ended, with what this one changes; `isLast`: no later edit has begun;
 * `end` takes what is stored now
 */
export function takeTurn(recordId: string, slug: string, { from, to }: { from: unknown; to: unknown }) {
  const key = `${recordId} ${slug}`
  const before = turns.get(key)
  const { promise: stored, resolve } = Promise.withResolvers<unknown>()
  const turn = { to, stored }
  keep(key, turn)
  const isLast = () => turns.get(key) === turn
  const seen = before?.stored.then((value) => (sameValue(before.to, from) ? value : from))
  const end = (value: unknown) => {
    if (isLast() && sameValue(to, value)) turns.delete(key)
    resolve(value)
  }
  return { from: seen ?? Promise.resolve(from), isLast, end }
}
