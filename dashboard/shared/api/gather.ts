// Combines single lookups into one request: a page with a hundred chips sends one request.
const KEYS_MAX = 500
const GATHER_MS = 5

interface Waiting<Key, Value> {
  key: Key
  resolve(value: Value | null): void
  reject(error: unknown): void
}

/**
 * @param fetchAll looks up at most `keysMax` keys; returns values by id, without keys that have no value
 * @param idOf the id of a key
 * @returns a function that looks up one key; it returns null if the key has no value
 */
export function gathering<Key, Value>(
  fetchAll: (org: string, keys: readonly Key[]) => Promise<ReadonlyMap<string, Value>>,
  idOf: (key: Key) => string,
  keysMax = KEYS_MAX,
): (org: string, key: Key) => Promise<Value | null> {
  const waiting = new Map<string, Waiting<Key, Value>[]>()

  async function answer(org: string, asked: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const found = await fetchAll(
        org,
        asked.map(({ key }) => key),
      )
      for (const { key, resolve } of asked) resolve(found.get(idOf(key)) ?? null)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  function flush(org: string): void {
    const asked = waiting.get(org) ?? []
    waiting.delete(org)
    for (let at = 0; at < asked.length; at += keysMax) void answer(org, asked.slice(at, at + keysMax))
  }

  return (org, key) =>
    new Promise((resolve, reject) => {
      const others = waiting.get(org)
      if (others) others.push({ key, resolve, reject })
      else {
        waiting.set(org, [{ key, resolve, reject }])
        setTimeout(flush, GATHER_MS, org)
      }
    })
}
