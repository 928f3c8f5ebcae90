// What is asked for one by one, and fetched together: a page with a hundred chips makes one request.
const KEYS_MAX = 500
const GATHER_MS = 5

interface Waiting<Key, Value> {
  key: Key
  resolve(value: Value | null): void
  reject(error: unknown): void
}

/**
 * @param fetchAll answers for up to `keysMax` keys; by id, without those that have nothing
 * @param idOf what tells keys apart
 * @returns how to ask for one; null: there is nothing
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
