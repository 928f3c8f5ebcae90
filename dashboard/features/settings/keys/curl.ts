// A request that works with a new key, to be pasted into a terminal.
import type { Scope } from '../../../../contract/scopes.ts'

/** The first of them that the key may make shows that it works. */
const REQUESTS: readonly (readonly [Scope, string])[] = [
  ['objects:read', '/objects'],
  ['members:read', '/members'],
  ['records:read', '/objects/people/records?limit=1'],
  ['attributes:read', '/objects/people/attributes'],
  ['activities:read', '/activities?limit=1'],
]

/**
 * @param origin of this installation, without a trailing slash
 * @param scopes null: full access
 * @returns undefined where a key may read nothing: a request to try would change something
 */
export function curlFor(
  origin: string,
  { key, scopes }: { key: string; scopes: readonly Scope[] | null },
): string | undefined {
  const path = REQUESTS.find(([scope]) => scopes?.includes(scope) ?? true)?.[1]
  if (path === undefined) return undefined
  return `curl '${origin}/api/v1${path}' \\\n  -H 'Authorization: Bearer ${key}'`
}
