import { expect, test } from 'vitest'
import type { Scope } from '../../../../contract/scopes.ts'
import { curlFor } from './curl.ts'

const cases: [Scope[] | null, string | undefined][] = [
  [null, '/objects'],
  [['objects:read', 'records:read'], '/objects'],
  [['records:write', 'records:read'], '/objects/people/records?limit=1'],
  [['activities:read'], '/activities?limit=1'],
  [['records:write'], undefined],
]

test.each(cases)('a key with the scopes %j requests %s', (scopes, path) => {
  const curl = curlFor('https://crm.example', { key: 'svc_abc', scopes })
  expect(curl).toBe(
    path && `curl 'https://crm.example/api/v1${path}' \\\n  -H 'Authorization: Bearer svc_abc'`,
  )
})
