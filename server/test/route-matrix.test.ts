// Every route with all kinds of access: keys, scopes, rates, other organizations, order of checks.
import type { LightMyRequestResponse as Response } from 'fastify'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALL_SCOPES, type Scope } from '../../contract/scopes.ts'
import { newId } from '../base/id.ts'
import { createKey, deleteKey } from '../identity/api-keys/service.ts'
import { afterFile } from './after-file.ts'
import { type ApiRoute, apiRoutes, needsScope } from './api-routes.ts'
import { createAsk, expected, outcomeOf } from './ask.ts'
import { buildTestService } from './build-app.ts'
import { dataOf } from './organization-data.ts'
import { newParty, type Party, ROUTE_CASES, type RouteRequest } from './route-cases.ts'

const service = await buildTestService()
const { ctx } = service
const routes = apiRoutes(service.routes)
const { ask } = await createAsk(service)
// The request for the API document comes first, and counts too.
const strict = await buildTestService({ rateLimitPerMinute: 2 })
const { ask: askStrict } = await createAsk(strict)
const me = await newParty(service)
const nowhere: RouteRequest = { params: {} }

function caseOf({ key }: ApiRoute) {
  const found = ROUTE_CASES[key]
  if (!found) throw new Error(`route-cases.ts has no case for ${key}`)
  return found
}

interface KeyOptions {
  rateLimit?: number
  /** Default: our organization. */
  org?: Pick<Party['org'], 'org' | 'userId'>
}

const keyFor = (scopes: readonly Scope[] | null, { rateLimit, org = me.org }: KeyOptions = {}) =>
  createKey(ctx, org.org, {
    name: 'matrix',
    scopes,
    createdBy: org.userId,
    ...(rateLimit && { rateLimit }),
  })

async function expiredKey(): Promise<string> {
  const { id, key } = await keyFor(null)
  await ctx.directory.run(sql`update api_keys set expires_at = now() - interval '1 second' where id = ${id}`)
  return key
}

async function deletedKey(): Promise<string> {
  const { id, key } = await keyFor(null)
  // The key is used first, so that it is in the cache.
  await service.inject({ url: '/api/v1/members', headers: { authorization: `Bearer ${key}` } })
  await deleteKey(ctx, me.org.org, { id, confirmName: 'matrix' })
  return key
}

const keys = new Map<ApiRoute['scope'], string>()
const refused: { deleted: string; expired: string } = { deleted: '', expired: '' }

beforeAll(async () => {
  for (const scope of ALL_SCOPES) keys.set(scope, (await keyFor([scope])).key)
  keys.set('any', keys.get('files:write') ?? '')
  refused.deleted = await deletedKey()
  refused.expired = await expiredKey()
})

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** An answer without ids and times, which differ between equal answers. */
const shapeOf = ({ statusCode, payload }: Response) =>
  `${statusCode} ${payload.replace(UUID, '<id>').replace(TIME, '<time>')}`

interface Swap {
  where: string
  /** Our request with one id replaced, by default by the id of the other organization. */
  request(id?: string): RouteRequest
}

/** One swap for each id in which two requests of the same route differ. */
function swapsOf(mine: RouteRequest, theirs: RouteRequest): Swap[] {
  const [ours, foreign] = [JSON.stringify(mine), JSON.stringify(theirs)]
  const [ids, others] = [ours.match(UUID) ?? [], foreign.match(UUID) ?? []]
  expect(others).toHaveLength(ids.length)
  return ids.map((own, index) => {
    const inPath = Object.entries(mine.params).find(([, id]) => id === own)?.[0]
    const request = (id = others[index] ?? '') => JSON.parse(ours.replaceAll(own, id)) as RouteRequest
    return { where: inPath ? `path ${inPath}` : `id ${index}`, request }
  })
}

test('every case belongs to a route', () => {
  const known = routes.map(({ key }) => key)
  expect(Object.keys(ROUTE_CASES).filter((key) => !known.includes(key))).toEqual([])
})

test.each(routes)('$key has a case', ({ key }) => {
  expect(Object.keys(ROUTE_CASES)).toContain(key)
})

/** One hook refuses for all routes: each route gets only the first refusal, and one route of each method all. */
const refusalsFor = <T>(route: ApiRoute, refusals: readonly T[]): readonly T[] =>
  routes.find(({ method }) => method === route.method) === route ? refusals : refusals.slice(0, 1)

const KEYS: readonly [name: string, key: string | undefined][] = [
  ['no key', undefined],
  ['an empty key', ''],
  ['a short key', 'svc_short'],
  ['an unknown key', `svc_${'A'.repeat(43)}`],
  ['a key without its prefix', `${'A'.repeat(43)}`],
  ['a very long key', `svc_${'A'.repeat(5000)}`],
]

describe.each(routes)('$key', (route) => {
  const good = () => caseOf(route).good(me)

  test('answers a key with only its scope as documented', async () => {
    const response = await ask(route, await good(), { key: keys.get(route.scope), isWriter: true })
    expect(outcomeOf(response), response.payload).toBe(String(route.success))
  })

  test.each(refusalsFor(route, KEYS))('refuses %s', async (_, key) => {
    const response = await ask(route, nowhere, { key })
    expect(outcomeOf(response)).toBe(expected('unauthorized'))
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

  test.each(refusalsFor(route, ['expired', 'deleted'] as const))(
    'refuses a key that is %s',
    async (state) => {
      const response = await ask(route, nowhere, { key: refused[state] })
      expect(outcomeOf(response)).toBe(expected(state === 'expired' ? 'expired' : 'unauthorized'))
    },
  )

  test.each(refusalsFor(route, ['Basic c3ZjOg==', 'svc_x', 'Bearer', 'Bearer svc_x, Bearer svc_y']))(
    'refuses Authorization: %s',
    async (authorization) => {
      const response = await ask(route, nowhere, { headers: { authorization } })
      expect(outcomeOf(response)).toBe(expected('unauthorized'))
    },
  )

  test('echoes X-Request-Id, and creates one if it is missing or invalid', async () => {
    const id = 'trace-me/42~'
    const echoed = await ask(route, nowhere, { headers: { 'x-request-id': id } })
    expect(echoed.headers['x-request-id']).toBe(id)
    for (const odd of refusalsFor(route, ['a b', 'x'.repeat(129), 'é', ''])) {
      const response = await ask(route, nowhere, { headers: { 'x-request-id': odd } })
      expect(response.headers['x-request-id']).toMatch(UUID)
    }
  })
})

/** A party whose requests must all be refused. Checks at the end that its data has not changed. */
function unchanged() {
  let party: Party
  let before: Record<string, string>
  const requests = new Map<string, RouteRequest>()
  const others = new Map<string, string>()
  beforeAll(async () => {
    party = await newParty(service)
    for (const route of routes) requests.set(route.key, await caseOf(route).good(party))
    before = await dataOf(ctx.db, party.org.org)
  })
  afterFile(async () => expect(await dataOf(ctx.db, party.org.org)).toEqual(before))
  return {
    party: () => party,
    /** A key with every scope except those of the route. */
    async keyWithout({ scope, orScope }: ApiRoute) {
      const name = `${scope} ${orScope}`
      const scopes = ALL_SCOPES.filter((one) => one !== scope && one !== orScope)
      const key = others.get(name) ?? (await keyFor(scopes, { org: party.org })).key
      others.set(name, key)
      return key
    },
    request: ({ key }: ApiRoute) => requests.get(key) ?? nowhere,
  }
}

describe('with ids of another organization, or without its scope', () => {
  const them = unchanged()

  test.each(routes)('$key treats ids of another organization like unknown ids', async (route) => {
    const mine = await caseOf(route).good(me)
    for (const swap of swapsOf(mine, them.request(route))) {
      const [foreign, absent] = [swap.request(), swap.request(newId())]
      const response = await ask(route, foreign, { key: me.org.key })
      if (swap.where.startsWith('path')) expect(outcomeOf(response), swap.where).toBe(expected('not_found'))
      else expect(response.statusCode, swap.where).not.toBe(201)
      expect(response.payload, swap.where).not.toContain(them.party().mark)
      expect(shapeOf(response), swap.where).toBe(shapeOf(await ask(route, absent, { key: me.org.key })))
    }
  })

  test.each(routes.filter(needsScope))('$key refuses a key with every other scope', async (route) => {
    const response = await ask(route, them.request(route), { key: await them.keyWithout(route) })
    expect(outcomeOf(response)).toBe(expected('insufficient_scope'))
    expect(JSON.parse(response.payload).details).toEqual({ requiredScope: route.scope })
  })
})

describe.each(routes.filter(needsScope))('$key', (route) => {
  test('counts the requests of a key, and checks the rate before the scope', async () => {
    const { key } = await keyFor([ALL_SCOPES.find((scope) => scope !== route.scope) ?? route.scope], {
      rateLimit: 2,
    })
    const [first, second, third] = [
      await ask(route, nowhere, { key }),
      await ask(route, nowhere, { key }),
      await ask(route, nowhere, { key }),
    ]
    expect([first, second, third].map(outcomeOf)).toEqual([
      expected('insufficient_scope'),
      expected('insufficient_scope'),
      expected('rate_limit_exceeded'),
    ])
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' })
    expect(third.headers['x-ratelimit-remaining']).toBe('0')
    expect(Number(third.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(third.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000 - 1)
  })
})

test('requests without a valid key get 429 above the rate of their address', async () => {
  // Ends the window in which the API document was requested.
  strict.advance(120_000)
  for (const [nr, route] of routes.entries()) {
    const response = await askStrict(route, nowhere)
    expect(outcomeOf(response)).toBe(expected(nr < 2 ? 'unauthorized' : 'rate_limit_exceeded'))
  }
})
