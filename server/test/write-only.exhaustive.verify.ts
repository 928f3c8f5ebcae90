// For a key with only its scope, every route that writes returns only ids, versions, times, counts and sent values.
//
// Scopes that run something, or manage webhooks and personal data, state in their description what they return.
import type { LightMyRequestResponse as Response } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALL_SCOPES } from '../../contract/scopes.ts'
import { isObject } from '../base/json.ts'
import { createKey } from '../identity/api-keys/service.ts'
import { type ApiRoute, apiRoutes } from './api-routes.ts'
import { createAsk } from './ask.ts'
import { buildTestService } from './build-app.ts'
import { newParty, ROUTE_CASES, type RouteRequest } from './route-cases.ts'

const service = await buildTestService()
const { ask } = await createAsk(service)
const party = await newParty(service)

const isWrite = (scope: ApiRoute['scope']) => scope.endsWith(':write')
const routes = apiRoutes(service.routes).filter(
  ({ scope, method, media }) => isWrite(scope) && method !== 'GET' && !media?.body,
)
const keys = new Map<ApiRoute['scope'], string>()

beforeAll(async () => {
  for (const scope of ALL_SCOPES.filter(isWrite)) {
    const { key } = await createKey(service.ctx, party.org.org, {
      name: 'writer',
      scopes: [scope],
      createdBy: party.org.userId,
    })
    keys.set(scope, key)
  }
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Fields that report only the outcome: states, counts, addresses made for this request. */
const OUTCOMES =
  /(^|\.)(status|state|code|reasons\.\d+|deleted|created|updated|restored|trashed|returned|done|otherChanges|conflictCount|kind|type|format|reading\.\w+|matchOn|duplicates|duplicateRules|createMissing|dryRun|skipped|exported|failed|version|index|total|seen|values|records|moved\.\w+|lossCount|references|activities|batchesLeft|signedUrl|publicUrl)$/

/** A count of unchanged rows above zero would reveal the values of records. */
const isNone = ({ path, value }: Leaf) => path === 'progress.unchanged' && value === 0

interface Leaf {
  path: string
  value: unknown
}

function leavesOf(value: unknown, path = ''): Leaf[] {
  const under = (name: string) => (path === '' ? name : `${path}.${name}`)
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, under(String(index))))
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([name, one]) => leavesOf(one, under(name)))
}

/** Values in the answer that the key did not send. */
function unsentOf(response: Response, { body, params }: RouteRequest): Leaf[] {
  const sent = new Set([...leavesOf(body), ...leavesOf(params)].map(({ value }) => JSON.stringify(value)))
  return leavesOf(JSON.parse(response.payload)).filter(({ path, value }) => {
    if (value === null || OUTCOMES.test(path) || isNone({ path, value }) || sent.has(JSON.stringify(value)))
      return false
    return typeof value !== 'string' || !(UUID.test(value) || TIME.test(value))
  })
}

/** Prepared with the full key, so that the limited key has sent none of its data. */
const goodOf = ({ key }: ApiRoute): Promise<RouteRequest> => {
  const found = ROUTE_CASES[key]
  if (!found) throw new Error(`no case for ${key}`)
  return found.good(party)
}

test('every scope that writes has routes', () => {
  expect(new Set(routes.map(({ scope }) => scope))).toEqual(new Set(ALL_SCOPES.filter(isWrite)))
})

describe.each(routes)('$key', (route) => {
  test('returns no values that were not sent', async () => {
    const request = await goodOf(route)
    const response = await ask(route, request, { key: keys.get(route.scope), isWriter: true })
    expect(response.statusCode, response.payload).toBe(route.success)
    expect(unsentOf(response, request)).toEqual([])
  })

  test('returns no values that were not sent, with an Idempotency-Key and for its repeat', async () => {
    const request = await goodOf(route)
    const headers = { 'idempotency-key': `${route.key} once` }
    const asked = { key: keys.get(route.scope), isWriter: true, headers }
    for (const response of [await ask(route, request, asked), await ask(route, request, asked)]) {
      expect(response.statusCode, response.payload).toBe(route.success)
      expect(unsentOf(response, request)).toEqual([])
    }
  })

  test('returns no stored values after an empty change, a wrong field or a stale version', async () => {
    const key = keys.get(route.scope)
    const { params, query = {}, body } = await goodOf(route)
    const empty = await ask(
      route,
      { params, query, body: route.hasBody ? {} : undefined },
      { key, isWriter: true },
    )
    const wrong = await ask(route, { params, query, body: { nonsense: true } }, { key, isWriter: true })
    const stale = await ask(
      route,
      { params, query, body },
      { key, isWriter: true, headers: { 'if-match': '"stale"' } },
    )
    for (const { payload } of [empty, wrong]) expect(payload).not.toContain(party.mark)
    if (stale.statusCode === 412) expect(stale.payload).not.toContain(party.mark)
  })
})
