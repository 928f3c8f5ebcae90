// An example request with a new key, for pasting into a terminal.
import type { Scope } from '../../../../contract/scopes.ts'

/** The example is the first of these requests that the key may make. */
const REQUESTS: readonly (readonly [Scope, string])[] = [
  ['objects:read', '/objects'],
  ['members:read', '/members'],
  ['records:read', '/objects/people/records?limit=1'],
  ['attributes:read', '/objects/people/attributes'],
  ['activities:read', '/activities?limit=1'],
]

/**
 * @param origin the URL origin of this installation, without a trailing slash
 * @param scopes null: full access
 * @returns undefined if the key may not read anything: an example would then change data
 */
export function curlFor(
  origin: string,
  { key, scopes }: { key: string; scopes: readonly Scope[] | null },
): string | undefined {
  const path = REQUESTS.find(([scope]) => scopes?.includes(scope) ?? true)?.[1]
  if (path === undefined) return undefined
  return `curl '${origin}/api/v1${path}' \\\n  -H 'Authorization: Bearer ${key}'`
}
