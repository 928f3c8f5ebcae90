// Prepares statements whose text repeats. The number of texts is limited, since filters generate many of them. Above
// the limit a statement is planned each time, which costs time but no memory.
const PREPARE_AFTER = 2
const MAX_PREPARED = 400
const MAX_SEEN = 4000
const seen = new Map<string, number>()
const prepared = new Map<string, string>()

/** @returns undefined for a text that is not prepared */
export function statementName(text: string): string | undefined {
  const name = prepared.get(text)
  if (name !== undefined) return name
  // A text with several commands, such as a migration, cannot be prepared.
  if (prepared.size >= MAX_PREPARED || text.includes(';')) return undefined
  const count = (seen.get(text) ?? 0) + 1
  if (count < PREPARE_AFTER) {
    if (seen.size >= MAX_SEEN) seen.clear()
    seen.set(text, count)
    return undefined
  }
  seen.delete(text)
  const fresh = `s${prepared.size}`
  prepared.set(text, fresh)
  return fresh
}
