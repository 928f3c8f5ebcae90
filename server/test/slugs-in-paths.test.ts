// Every path with the id of an object or attribute also accepts its slug.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { apiRoutes } from './api-routes.ts'
import { createAsk, outcomeOf } from './ask.ts'
import { newParty, ROUTE_CASES } from './route-cases.ts'
import { sharedTestService } from './shared-service.ts'

const service = await sharedTestService()
const { ask } = await createAsk(service)
const party = await newParty(service)
const { db } = service.ctx

const PARAMS = ['objectId', 'attributeId'] as const
type Param = (typeof PARAMS)[number]

/** The slug of an object or attribute, which may be in the trash. */
async function slugOf(param: Param, id: string): Promise<string> {
  const { org } = party.org
  const found =
    param === 'objectId'
      ? sql`
        select slug from objects where org = ${org} and id = ${id}::uuid and deleted_at is null
        union all select object->>'slug' from trash_objects where org = ${org} and id = ${id}::uuid`
      : sql`
        select slug from attributes where org = ${org} and id = ${id}::uuid and deleted_at is null
        union all select attribute->>'slug' from trash_attributes where org = ${org} and id = ${id}::uuid`
  const [row] = await db.many<{ slug: string }>(found)
  return row?.slug ?? ''
}

const cases = apiRoutes(service.routes).flatMap((route) =>
  PARAMS.filter((param) => route.path.split('/').includes(`:${param}`)).map((param) => ({
    key: route.key,
    param,
    route,
  })),
)

describe.each(cases)('$key', ({ key, param, route }) => {
  test(`${param} may be a slug`, async () => {
    const request = await ROUTE_CASES[key]?.good(party)
    if (!request) throw new Error(`no case for ${key}`)
    const slug = await slugOf(param, request.params[param] ?? '')
    expect(slug).not.toBe('')
    const named = { ...request, params: { ...request.params, [param]: slug } }
    const response = await ask(route, named, { key: party.org.key })
    expect(outcomeOf(response), response.payload).toBe(String(route.success))
  })
})
