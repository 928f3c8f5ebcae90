// Every route with every kind of wrong input, and the order in which faults are reported.
import type { LightMyRequestResponse as Response } from 'fastify'
import { describe, expect, test } from 'vitest'
import { isUuid } from '../../contract/common.ts'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { ALL_SCOPES } from '../../contract/scopes.ts'
import { newId } from '../base/id.ts'
import { API_PREFIX, type ApiRoute, apiRoutes, needsScope } from './api-routes.ts'
import { createAsk, expected, faultsOf, outcomeOf, urlOf } from './ask.ts'
import { buildTestService } from './build-app.ts'
import { newParty, ROUTE_CASES, type RouteRequest } from './route-cases.ts'

const service = await buildTestService()
const routes = apiRoutes(service.routes)
const { ask } = await createAsk(service)
const me = await newParty(service)
const { key } = me.org

const goodOf = (route: ApiRoute): Promise<RouteRequest> => {
  const found = ROUTE_CASES[route.key]
  if (!found) throw new Error(`route-cases.ts has no case for ${route.key}`)
  return found.good(me)
}

const kept = new Map<string, Promise<RouteRequest>>()

/** One request for all tests of a route that are refused before any change, or that change nothing. */
const sharedOf = (route: ApiRoute): Promise<RouteRequest> => {
  const request = kept.get(route.key) ?? goodOf(route)
  kept.set(route.key, request)
  return request
}

interface Problem {
  path: string
  code: string
}
const problemsOf = ({ payload }: Response) =>
  (JSON.parse(payload) as { details: { errors: Problem[] } }).details.errors

/** A parameter whose name the request chooses, so that every name is valid. */
const CHOSEN = 'secretName'

const elsewhere = ({ params, ...rest }: RouteRequest): RouteRequest => ({
  ...rest,
  params: Object.fromEntries(
    Object.entries(params).map(([name, id]) => [name, name === CHOSEN ? id : newId()]),
  ),
})

/** Parameters of the path that name something. The value of an upsert does not: an invalid one gets 400, not 404. */
const namesIn = ({ method }: ApiRoute, { params }: RouteRequest): string[] =>
  Object.keys(params).filter((name) => !(method === 'PUT' && name === 'value'))

const tooLarge = ({ bodyLimit }: ApiRoute) => `{"x":"${'x'.repeat(bodyLimit ?? BODY_BYTES_MAX)}"}`

const withId = routes.filter(({ path }) => path.includes(':') && path !== `/workflow-secrets/:${CHOSEN}`)
const withBody = routes.filter(({ hasBody }) => hasBody)
/** Routes that accept JSON or no body. */
const mutating = routes.filter(({ method, media }) => method !== 'GET' && media === undefined)
const reading = routes.filter(({ method }) => method === 'GET')
const lists = routes.filter(({ query }) => query.includes('limit'))
const matching = routes.filter(({ errors }) => errors.includes('precondition_failed'))

/**
 * The forms to test with a route. One parser refuses them for all routes, so each route of the group gets only the
 * first `each`, and one route of each method gets all.
 */
const formsFor = <T>(
  route: ApiRoute,
  forms: readonly T[],
  { group = routes, each = 1 }: { group?: readonly ApiRoute[]; each?: number } = {},
): readonly T[] =>
  group.find(({ method }) => method === route.method) === route ? forms : forms.slice(0, each)

const otherKeys = new Map<string, Promise<string>>()

/** A key with all scopes except those of the route. */
function keyWithout({ scope, orScope }: ApiRoute): Promise<string> {
  const name = `${scope} ${orScope}`
  const made =
    otherKeys.get(name) ?? me.org.keyWith(ALL_SCOPES.filter((one) => one !== scope && one !== orScope))
  otherKeys.set(name, made)
  return made
}

describe.each(routes)('$key', (route) => {
  test('refuses an unknown query parameter and names it', async () => {
    const request = await sharedOf(route)
    const names = ['colour', '__proto__', 'filter[name]', 'filter', 'Limit', 'constructor']
    for (const name of formsFor(route, names, { each: 2 })) {
      const asked = { ...request, query: { ...request.query, [name]: '1' } }
      const response = await ask(route, asked, { key })
      expect(outcomeOf(response), name).toBe(expected('invalid_parameter'))
      expect(problemsOf(response), name).toEqual([
        expect.objectContaining({ path: name === '' ? '""' : name, code: 'unknown_field' }),
      ])
    }
  })

  test('reports a wrong key before a wrong form, and a wrong form before a missing record', async () => {
    const request = { ...elsewhere(await sharedOf(route)), query: { colour: '1' } }
    expect(outcomeOf(await ask(route, request))).toBe(expected('unauthorized'))
    if (needsScope(route)) {
      const asked = { key: await keyWithout(route) }
      expect(outcomeOf(await ask(route, request, asked))).toBe(expected('insufficient_scope'))
    }
    expect(outcomeOf(await ask(route, request, { key }))).toBe(expected('invalid_parameter'))
  })
})

describe.each(withId)('$key', (route) => {
  const MALFORMED = [
    'x',
    '\0',
    '../identity/members',
    'No Such',
    '%',
    "' or 1=1",
    'é'.repeat(60),
    newId().slice(1),
    '0',
  ]

  test('returns 404 for malformed ids', async () => {
    const request = await sharedOf(route)
    for (const name of namesIn(route, request))
      for (const id of formsFor(route, MALFORMED, { group: withId, each: 3 })) {
        const asked = { ...request, params: { ...request.params, [name]: id } }
        expect(outcomeOf(await ask(route, asked, { key })), `${name} ${id}`).toBe(expected('not_found'))
      }
  })

  test.each(formsFor(route, ['%zz', '%', '%ff', '%c0%af', '%u0041'], { group: withId }))(
    'returns 404 for the malformed encoding %s',
    async (id) => {
      const request = await sharedOf(route)
      for (const name of namesIn(route, request)) {
        const path = route.path.replace(`:${name}`, id)
        const response = await ask({ ...route, path }, request, { key, method: route.method })
        expect(outcomeOf(response), name).toBe(expected('not_found'))
      }
    },
  )

  test('returns 404 for unknown ids', async () => {
    const request = await sharedOf(route)
    for (const name of namesIn(route, request)) {
      const asked = { ...request, params: { ...request.params, [name]: newId() } }
      expect(outcomeOf(await ask(route, asked, { key })), name).toBe(expected('not_found'))
    }
  })

  test('accepts an id in capitals', async () => {
    const { params, ...request } = await (route.method === 'GET' ? sharedOf(route) : goodOf(route))
    // Other ids, such as those of deliveries, depend on case.
    const capitals = Object.fromEntries(
      Object.entries(params).map(([name, id]) => [name, isUuid(id) ? id.toUpperCase() : id]),
    )
    const response = await ask(route, { ...request, params: capitals }, { key })
    expect(outcomeOf(response)).toBe(String(route.success))
  })
})

describe.each(lists)('$key', (route) => {
  test.each(
    formsFor(route, ['101', '0', '-1', '1.5', '', 'ten', '1e1', ' 5', '0x5', '5,6', '9'.repeat(400)], {
      group: lists,
    }),
  )('refuses limit=%s', async (limit) => {
    const request = await sharedOf(route)
    const response = await ask(route, { ...request, query: { ...request.query, limit } }, { key })
    expect(outcomeOf(response)).toBe(expected('invalid_parameter'))
    expect(problemsOf(response).map(({ path }) => path)).toEqual(['limit'])
  })

  test.each(formsFor(route, ['-1', '0.5', '', 'ten', '9007199254740993'], { group: lists }))(
    'refuses offset=%s',
    async (offset) => {
      const request = await sharedOf(route)
      const response = await ask(route, { ...request, query: { ...request.query, offset } }, { key })
      expect(outcomeOf(response)).toBe(expected('invalid_parameter'))
    },
  )

  test.each(
    formsFor(route, ['nonsense', '', 'é', '\0', Buffer.from('{}').toString('base64url'), 'A'.repeat(4000)], {
      group: lists,
    }),
  )('refuses cursor=%s', async (cursor) => {
    const request = await sharedOf(route)
    const response = await ask(route, { ...request, query: { ...request.query, cursor } }, { key })
    expect(outcomeOf(response)).toBe(expected('invalid_parameter'))
  })
})

describe.each(mutating)('$key', (route) => {
  test.each(
    formsFor(route, ['{', '{"a":}', '[1,]', "{'a':1}", 'nonsense', '{"a":1}}', '"\ud800', '{"a":01}', '\0'], {
      group: mutating,
    }),
  )('refuses the body %j, which is not JSON', async (payload) => {
    const response = await ask(route, await sharedOf(route), { key, payload })
    expect(outcomeOf(response)).toBe(expected('validation_error'))
    expect(problemsOf(response)).toEqual([expect.objectContaining({ code: 'malformed_json' })])
  })

  test('refuses JSON nested ten thousand deep', async () => {
    const payload = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    expect(outcomeOf(await ask(route, await sharedOf(route), { key, payload }))).toBe(
      expected('validation_error'),
    )
  })

  const TYPES = [
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...['application/xml', 'application/jsonp', 'json', '*/*', ''],
  ]

  test.each(formsFor(route, TYPES, { group: mutating }))('refuses the content type %j', async (type) => {
    const headers = { 'content-type': type }
    const response = await ask(route, await sharedOf(route), { key, headers, payload: '{}' })
    expect(outcomeOf(response)).toBe(expected('unsupported_media_type'))
  })

  test('refuses a body over its limit before it checks the body or the path', async () => {
    const request = { ...elsewhere(await sharedOf(route)), query: { colour: '1' } }
    const response = await ask(route, request, { key, payload: tooLarge(route) })
    expect(outcomeOf(response)).toBe(expected('payload_too_large'))
    const wrongType = { 'content-type': 'text/plain' }
    expect(outcomeOf(await ask(route, request, { key, payload: 'x', headers: wrongType }))).toBe(
      expected('unsupported_media_type'),
    )
  })

  test.each(formsFor(route, ['', 'x'.repeat(256), 'é', 'a\tb'], { group: mutating }))(
    'refuses Idempotency-Key: %j',
    async (idempotency) => {
      const headers = { 'idempotency-key': idempotency }
      const response = await ask(route, await sharedOf(route), { key, headers })
      expect(outcomeOf(response)).toBe(expected('invalid_parameter'))
    },
  )

  test('repeats its answer for the same Idempotency-Key, and refuses another request with that key', async () => {
    const request = await goodOf(route)
    const headers = { 'idempotency-key': newId() }
    const first = await ask(route, request, { key, headers })
    const again = await ask(route, request, { key, headers })
    expect(outcomeOf(first)).toBe(String(route.success))
    expect([again.statusCode, again.payload, again.headers['etag']]).toEqual([
      first.statusCode,
      first.payload,
      first.headers['etag'],
    ])
    expect([first, again].map((response) => response.headers['idempotent-replayed'])).toEqual([
      undefined,
      'true',
    ])
    const other = await ask(route, await sharedOf(route), { key, headers })
    expect(outcomeOf(other)).toBe(expected('idempotency_conflict'))
  })
})

describe.each(withBody)('$key', (route) => {
  test('refuses an unknown field and names it', async () => {
    const request = await sharedOf(route)
    for (const name of ['colour', 'constructor', '']) {
      const body = { ...(request.body as object), [name]: 1 }
      const response = await ask(route, { ...request, body }, { key })
      expect(outcomeOf(response), name).toBe(expected('validation_error'))
      expect(problemsOf(response), name).toEqual([
        expect.objectContaining({ path: name === '' ? '""' : name, code: 'unknown_field' }),
      ])
    }
  })

  test('refuses a body that is not an object', async () => {
    const request = await sharedOf(route)
    const payloads = ['null', '[]', '1', '"text"', 'true', '-0', '1e400']
    for (const payload of formsFor(route, payloads, { group: withBody, each: 2 })) {
      const response = await ask(route, request, { key, payload })
      expect(outcomeOf(response), payload).toBe(expected('validation_error'))
    }
  })

  test('refuses a missing or empty body unless the body is optional', async () => {
    const outcome = route.isBodyOptional ? String(route.success) : expected('validation_error')
    for (const payload of [{}, { payload: '' }]) {
      // Some requests succeed only once.
      const { body: _, ...request } = await (route.isBodyOptional ? goodOf(route) : sharedOf(route))
      expect(outcomeOf(await ask(route, request, { key, ...payload }))).toBe(outcome)
    }
  })

  test('reports a wrong form before a missing record', async () => {
    const body = { colour: 1 }
    const request = { ...elsewhere(await sharedOf(route)), body }
    expect(outcomeOf(await ask(route, request, { key }))).toBe(expected('validation_error'))
  })
})

describe.each(matching)('$key', (route) => {
  test('refuses a stale If-Match if the resource exists', async () => {
    const request = await goodOf(route)
    const headers = { 'if-match': '"stale"' }
    expect(outcomeOf(await ask(route, elsewhere(request), { key, headers }))).toBe(expected('not_found'))
    expect(outcomeOf(await ask(route, request, { key, headers }))).toBe(expected('precondition_failed'))
    expect(outcomeOf(await ask(route, request, { key, headers: { 'if-match': '*' } }))).toBe(
      String(route.success),
    )
  })
})

describe.each(reading)('$key', (route) => {
  test('answers HEAD like GET, but without the body', async () => {
    const request = await sharedOf(route)
    const [get, head] = [
      await ask(route, request, { key }),
      await service.inject({
        method: 'HEAD',
        url: urlOf(route, request),
        headers: { authorization: `Bearer ${key}` },
      }),
    ]
    expect([head.statusCode, head.payload]).toEqual([get.statusCode, ''])
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
    expect(head.headers['etag']).toBe(get.headers['etag'])
  })

  test('answers 304 to the ETag of its response, if it has one', async () => {
    const request = await sharedOf(route)
    const { etag } = (await ask(route, request, { key })).headers
    const again = await service.inject({
      url: urlOf(route, request),
      headers: { authorization: `Bearer ${key}`, 'if-none-match': etag ?? '*' },
    })
    expect(again.statusCode).toBe(etag ? 304 : route.success)
  })
})

const METHODS = ['TRACE', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

describe.each([...new Set(routes.map(({ path }) => path))])('%s', (path) => {
  const known = routes.filter((route) => route.path === path)
  const allowed = known.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const others = METHODS.filter((method) => !allowed.includes(method))

  test('refuses other methods and names its own', async () => {
    const [route] = known
    if (!route) throw new Error(path)
    const request = await sharedOf(route)
    for (const method of others) {
      const response = await ask(route, request, { key, method, payload: 'not looked at' })
      expect(outcomeOf(response), method).toBe(expected('method_not_allowed'))
      expect(String(response.headers['allow']).split(', ').sort(), method).toEqual(allowed.toSorted())
    }
    for (const method of formsFor(route, others))
      expect(outcomeOf(await ask(route, request, { method })), method).toBe(expected('unauthorized'))
  })
})

describe('an unknown address', () => {
  const authorization = `Bearer ${key}`

  test.each([
    '',
    '/',
    '/nothing',
    '/objects/people/nothing',
    '/objects/people/records/bulk/more',
    '/Objects',
    '//objects',
    '/objects%2Fpeople',
    '/openapi.json/more',
    '/%',
    '/%zz',
    '/nothing/%ff',
    '/nothing/%c0%af',
  ])('%s answers 404, and 401 without a key', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const found = await service.inject({ method, url: `${API_PREFIX}${path}`, headers: { authorization } })
      expect(outcomeOf(found), method).toBe(expected('not_found'))
      expect(faultsOf(found)).toEqual([])
      const refused = await service.inject({ method, url: `${API_PREFIX}${path}` })
      expect(outcomeOf(refused), method).toBe(expected('unauthorized'))
      expect(faultsOf(refused)).toEqual([])
    }
  })

  test.each(['/api', '/api/v2/objects', '/nothing', '/docs/nothing', '/api/v1x'])(
    '%s answers 404',
    async (url) => {
      const response = await service.inject({ url })
      expect(outcomeOf(response)).toBe(expected('not_found'))
      expect(response.headers['x-request-id']).toBeDefined()
    },
  )
})
