// Tests which roles may use the routes that only the dashboard has.
import type { InjectOptions, LightMyRequestResponse as Response, RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { ORGANIZATION_TABLES, PORTAL_TABLES, VISITOR_TABLES } from '../../contract/dashboard-api.ts'
import { isAtLeast, type Role, SCOPES_OF_ROLE } from '../../contract/roles.ts'
import type { Route } from '../../contract/route.ts'
import { apiRoutes } from './api-routes.ts'
import { sharedTestService } from './shared-service.ts'

const PREFIX = '/dashboard/api/organizations/:organization'
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const service = await sharedTestService()
const org = await service.org()
const [owner, admin, member] = await org.members('owner', 'admin', 'member')
const stranger = await (await service.org()).member('owner')

const ofApi = new Set(apiRoutes(service.routes).map(({ key }) => key))

const own = service.routes
  .filter(({ url, method }) => url.startsWith(`${PREFIX}/`) && method !== 'HEAD')
  .filter(({ config }) => !config?.refused && !config?.isFormer)
  .map((route) => ({ key: `${route.method} ${route.url.slice(PREFIX.length)}`, route }))
  .filter(({ key }) => !ofApi.has(key))

const mayAsk = ({ config }: RouteOptions, role: Role) =>
  (!config?.role || isAtLeast(role, config.role)) &&
  (!config?.scope || config.scope === 'any' || SCOPES_OF_ROLE[role].includes(config.scope))

const payloadOf = async (response: Response) => (await response.stream().toArray()).join('')

async function outcome({ method, url, config }: RouteOptions, cookie?: string): Promise<string> {
  const path = url.replace(':organization', `org-${org.id}`).replaceAll(/:\w+/g, NO_SUCH)
  const response = await service.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: path,
    ...(cookie !== undefined && { headers: { cookie } }),
    payloadAsStream: config?.isStream === true,
  })
  if (config?.isStream && response.statusCode === 200) {
    response.stream().destroy()
    return 'let in'
  }
  expect(response.statusCode).toBeLessThan(500)
  const { error } = JSON.parse(await payloadOf(response)) as { error?: string }
  return [401, 403].includes(response.statusCode) ? `${error}` : 'let in'
}

const served = (prefix: string) =>
  service.routes
    .filter(({ url, method }) => url.startsWith(`${prefix}/`) && method !== 'HEAD')
    .filter(({ config }) => !config?.refused && !config?.isFormer)
    .map(({ url, method }) => `${method} ${url.slice(prefix.length)}`)

test.each([
  ['/dashboard/api', VISITOR_TABLES],
  [PREFIX, ORGANIZATION_TABLES],
  ['/portal/api', PORTAL_TABLES],
])('the contract of the pages declares exactly the routes below %s', (prefix, tables) => {
  const declared = tables.flatMap((table) => Object.values<Route>(table))
  const routes = served(prefix).filter((key) => !key.includes(':organization'))
  expect(declared.map(({ at }) => at).toSorted()).toEqual(routes.toSorted())
})

test('the dashboard has routes that the API does not have', () => {
  expect(own.map(({ key }) => key)).toContain('GET /home')
})

test.each(own)('$key admits only the roles that it declares', async ({ route }) => {
  expect(await outcome(route)).toBe('unauthorized')
  for (const [who, role] of [
    [owner, 'owner'],
    [admin, 'admin'],
    [member, 'member'],
  ] as const)
    expect([role, await outcome(route, who.cookie)]).toEqual([
      role,
      mayAsk(route, role) ? 'let in' : 'insufficient_role',
    ])
  const outside = await service.inject({
    method: route.method as NonNullable<InjectOptions['method']>,
    url: route.url.replace(':organization', `org-${org.id}`).replaceAll(/:\w+/g, NO_SUCH),
    headers: { cookie: stranger.cookie },
  })
  expect(outside.statusCode).toBe(404)
})
