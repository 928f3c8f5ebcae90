// Which users can manage endpoints. Endpoints of another organization are not accessible.
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../contract/webhooks.ts'
import type { Requests } from '../../test/dashboard-client.ts'
import { expectError } from '../../test/factories.ts'
import { visitPortal } from '../../test/portal-client.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { buildWorld, countListeners, make, NO_SUCH, PATH } from './endpoints.fixture.ts'

const service = await sharedTestService()

const world = () => buildWorld(service)

describe('every route', () => {
  const routes = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/secret'],
    ['POST', '/secret/rotate'],
    ['POST', '/test'],
  ] as const

  const bodies = { PATCH: { description: 'x' }, '/test': { type: 'record.created' } }

  function ask(who: Requests, [method, path]: readonly [string, string], id: string) {
    const url = `${PATH}/${id}${path}`
    if (method === 'GET') return who.get(url)
    if (method === 'DELETE') return who.delete(url)
    if (method === 'PATCH') return who.patch(url, bodies.PATCH)
    return who.post(url, path === '/test' ? bodies['/test'] : undefined)
  }

  test.each(routes)('%s …%s returns 404 for foreign, unknown and malformed ids', async (...route) => {
    const [{ org, olivia }, other] = [await world(), await world()]
    const theirs = await make(other.olivia)
    for (const id of [theirs.id, NO_SUCH, 'x', `${theirs.id}0`, '%00'])
      expectError(await ask(olivia, route, id), 'not_found')
    expect((await other.olivia.get(`${PATH}/${theirs.id}`)).body).toEqual(theirs)
    expect(await countListeners(service, org)).toBe(0)
  })

  test.each(routes)('%s …%s is allowed only for admins and owners', async (...route) => {
    const { org, olivia } = await world()
    const { id } = await make(olivia, { url: 'http://127.0.0.1:9/' })
    expectError(await ask(await org.member('member'), route, id), 'insufficient_role')
    expect((await ask(await org.member('admin'), route, id)).status).toBe(200)
    const withoutSession = await service.inject({
      url: `/dashboard/api/organizations/org-${org.id}${PATH}/${id}${route[1]}`,
      method: route[0],
    })
    expect(withoutSession.statusCode).toBe(401)
  })

  test('is available in the portal too', async () => {
    const [{ org }, other] = [await world(), await world()]
    const visitor = await visitPortal(service, org)
    expect((await visitor.get('/webhooks/catalogue')).status).toBe(200)
    const [{ id }, theirs] = [await make(visitor, { url: 'http://127.0.0.1:9/' }), await make(other.olivia)]
    expect((await visitor.get<{ endpoints: Endpoint[] }>(PATH)).body.endpoints).toMatchObject([{ id }])
    const [, , remove, ...others] = routes
    for (const route of [...others, routes[0], routes[1], remove]) {
      expectError(await ask(visitor, route, theirs.id), 'not_found')
      expect([route, (await ask(visitor, route, id)).status]).toEqual([route, 200])
    }
  })

  test.each([PATH, '/webhooks/catalogue'])('GET %s is allowed only for admins and owners', async (path) => {
    const { org } = await world()
    expectError(await (await org.member('member')).get(path), 'insufficient_role')
    expect((await (await org.member('admin')).get(path)).status).toBe(200)
  })

  test(`POST ${PATH} is allowed only for admins and owners`, async () => {
    const { org } = await world()
    const input = { url: 'https://e.com' }
    expectError(await (await org.member('member')).post(PATH, input), 'insufficient_role')
    expect((await (await org.member('admin')).post(PATH, input)).status).toBe(201)
  })
})
