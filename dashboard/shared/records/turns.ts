// Runs edits of one value one after the other. Each edit starts with the value that the service stored for the edit
// before. Otherwise, a person who edits a value again while it is being saved would get a conflict with their own
// change.
import { sameValue } from './same-value.ts'

interface Turn {
  to: unknown
  /** Resolves with the stored value after the edit; never rejects. */
  stored: Promise<unknown>
}

const turns = new Map<string, Turn>()

/** The oldest entries are removed. */
const TURNS_MAX = 200

function keep(key: string, turn: Turn): void {
  turns.delete(key)
  const [oldest] = turns.keys()
  if (oldest !== undefined && turns.size >= TURNS_MAX) turns.delete(oldest)
  turns.set(key, turn)
}

/**
 * @param edit `from` is the value on the page when the edit began, `to` is the requested value
 * @returns `from`: resolves when the edit before has ended, with the value that this edit changes; `isLast`: whether no
 * later edit has begun; `end`: takes the stored value
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
