// No request may block the event loop: sends the worst bodies to every route, and measures the CPU time of the longest
// turn.
//
// CPU time, because wall clock time on a shared machine includes other programs. The minimum of several measurements,
// because disturbances only add time. A turn may take 50 ms, or four units of known work if that is more. On one
// machine a unit took 22 ms, and the longest turn, of a bulk body, 25 ms. On a machine with slower memory that turn
// took 64 ms, and a unit about as long as before.
import type { InjectOptions, RouteOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { BODY_BYTES_MAX, BULK_BODY_BYTES_MAX } from '../../contract/limits.ts'
import { buildTestService } from './build-app.ts'
import { longestTurn } from './loop-meter.ts'
import { worstBodies } from './worst-bodies.ts'

const TURN_MS_MAX = 50
const UNITS_MAX = 4
const TRIES = 3
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'
const OWN = '/dashboard/api/organizations/:organization'

const service = await buildTestService()
const org = await service.org()
const owner = await org.member('owner')

/** The unit of known work: parsing one mebibyte of small objects in one call. */
const KNOWN = `[${'{"a":1},'.repeat(131_000)}{}]`
let turnMsMax = 0
beforeAll(async () => {
  const units: number[] = []
  for (let nr = 0; nr < 5; nr++) units.push(await longestTurn(async () => void JSON.parse(KNOWN)))
  turnMsMax = Math.max(TURN_MS_MAX, UNITS_MAX * Math.min(...units))
})

const urlOf = ({ url }: RouteOptions) =>
  url.replace(':organization', `org-${org.id}`).replace(':objectId', 'people').replaceAll(/:\w+/g, NO_SUCH)

const headersOf = ({ url }: RouteOptions) =>
  url.startsWith('/api/') ? { authorization: `Bearer ${org.key}` } : { cookie: owner.cookie }

const send = async (route: RouteOptions, payload: string) =>
  service.inject({
    method: route.method as NonNullable<InjectOptions['method']>,
    url: urlOf(route),
    headers: { 'content-type': 'application/json', ...headersOf(route) },
    payload,
  })

/** CPU milliseconds of the longest turn while the route answers the body. */
async function turnMsOf(route: RouteOptions, payload: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let nr = 0; nr < TRIES && least > turnMsMax; nr++)
    least = Math.min(least, await longestTurn(() => send(route, payload)))
  return least
}

const ofApi = new Set(
  service.routes
    .filter(({ url }) => url.startsWith('/api/v1/'))
    .map(({ method, url }) => `${method} ${url.slice('/api/v1'.length)}`),
)
/** The dashboard's copies of the API's routes are the same code. */
const isCopy = ({ method, url }: RouteOptions) =>
  url.startsWith(OWN) && ofApi.has(`${method} ${url.slice(OWN.length)}`)

const routes = service.routes.filter(
  (route) =>
    ['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(route.method)) &&
    !route.config?.refused &&
    !route.config?.slowBody &&
    !route.url.startsWith('/portal/api/webhooks') &&
    !isCopy(route),
)

test('the routes include all size limits of bodies, also those without a session', () => {
  const limits = new Set(routes.map(({ bodyLimit }) => bodyLimit ?? BODY_BYTES_MAX))
  expect([...limits]).toEqual(expect.arrayContaining([BODY_BYTES_MAX, BULK_BODY_BYTES_MAX, 16 * 1024, 1024]))
})

describe('the worst bodies do not hold the event loop', () => {
  const cases = routes.map((route) => ({ key: `${route.method} ${route.url}`, route }))
  test.each(cases)('$key', async ({ route }) => {
    const limit = route.bodyLimit ?? BODY_BYTES_MAX
    const held: [string, number][] = []
    for (const { name, text } of worstBodies(route.schema?.body as object | undefined, limit))
      held.push([name, Math.round(await turnMsOf(route, text))])
    expect(held.filter(([, turnMs]) => turnMs > turnMsMax)).toEqual([])
  })
})
