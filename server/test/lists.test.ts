// Every list of the API takes the same parameters and has the same pagination.
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { API } from '../../contract/api.ts'
import { Pagination } from '../../contract/common.ts'
import { wholeListParams } from '../../contract/paging.ts'
import { type ApiRoute, placeOf } from '../../contract/route.ts'
import type { Reply } from './dashboard-client.ts'
import { bodyOf, type Org } from './factories.ts'
import { LIST_CASES, type ListRequest } from './list-cases.ts'
import { newParty } from './route-cases.ts'
import { sharedTestService } from './shared-service.ts'

/** Lists without pages, each with its reason. */
const WITHOUT_PAGES: Readonly<Record<string, string>> = {
  listEvents: 'has the positions of events',
  listCatalogue: 'is the same for every organization',
  listReportTemplates: 'is the same for every organization',
  listWorkflowTemplates: 'is the same for every organization',
  listMentions: 'is a search that ends early',
  listOptions: 'is one attribute, whose options are changed as a whole',
  listAssignments: 'is about one member, who is named by few attributes',
}

interface ObjectSchema extends TSchema {
  type: 'object'
  properties: Readonly<Record<string, TSchema & { type?: string }>>
}

const propertiesOf = (schema: TSchema | undefined) => (schema as ObjectSchema | undefined)?.properties ?? {}

/** The property with the rows, of a response that has no other property except the pagination. */
function rowsOf({ response }: ApiRoute): string | undefined {
  const {
    pagination: _,
    nextCursor: _former,
    isComplete,
    searched,
    expanded,
    ...others
  } = propertiesOf(response[200])
  const [[name, schema] = [], ...rest] = Object.entries(others)
  return schema?.type === 'array' && rest.length === 0 ? name : undefined
}

const isList = (name: string, route: ApiRoute) =>
  name === 'searchRecords' ||
  (route.at.startsWith('GET ') && (name.startsWith('list') || rowsOf(route) !== undefined))

const lists = API.flatMap(({ routes }) => Object.entries<ApiRoute>(routes))
  .filter(([name, route]) => isList(name, route) && !Object.hasOwn(WITHOUT_PAGES, name))
  .map(([, route]) => ({ at: route.at, route }))

const service = await sharedTestService()

interface Page {
  rows: unknown[]
  pagination: Record<string, unknown>
}

type Params = Readonly<Record<string, string | number | boolean>>

class List {
  readonly #route: ApiRoute
  readonly #org: Org
  readonly #request: ListRequest

  private constructor(route: ApiRoute, org: Org, request: ListRequest) {
    this.#route = route
    this.#org = org
    this.#request = request
  }

  /** Fills the list in a new organization. */
  static async of(route: ApiRoute): Promise<List> {
    const fill = LIST_CASES[route.at]
    if (!fill) throw new Error(`list-cases.ts has no case for ${route.at}`)
    const party = await newParty(service)
    return new List(route, party.org, await fill(party))
  }

  ask(params: Params): Promise<Reply> {
    const { method, path } = placeOf(this.#route)
    const { params: named = {}, body } = this.#request
    const filled = path.replace(/:(\w+)/g, (_, name: string) => named[name] ?? '')
    if (method === 'POST') return this.#org.post(filled, { ...body, ...params })
    const query = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return this.#org.get(`${filled}?${query.join('&')}`)
  }

  async page(params: Params = {}): Promise<Page> {
    const body = bodyOf(await this.ask(params))
    return {
      rows: body[rowsOf(this.#route) ?? ''] as unknown[],
      pagination: body['pagination'] as Page['pagination'],
    }
  }
}

test('every exception without pages is a route of the API', () => {
  const names = API.flatMap(({ routes }) => Object.keys(routes))
  expect(names).toEqual(expect.arrayContaining(Object.keys(WITHOUT_PAGES)))
})

describe.each(lists)('$at', ({ route }) => {
  test('declares the parameters and the pagination of all lists', () => {
    const { query, body, response } = route
    const { limit, offset, cursor, count } = propertiesOf(placeOf(route).method === 'POST' ? body : query)
    expect({ offset, cursor, count }).toEqual({
      offset: wholeListParams.offset,
      cursor: wholeListParams.cursor,
      count: wholeListParams.count,
    })
    expect(limit).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 })
    expect(propertiesOf(response[200])['pagination']).toBe(Pagination)
  })

  test('is read in pages by offset and by cursor, with and without the total', async () => {
    const list = await List.of(route)
    const all = await list.page()
    const total = all.rows.length
    expect(total).toBeGreaterThanOrEqual(3)
    expect(all.pagination).toMatchObject({ total, offset: 0 })
    expect(all.pagination).not.toHaveProperty('nextCursor')
    const first = await list.page({ limit: 2 })
    expect(first.rows).toEqual(all.rows.slice(0, 2))
    const { nextCursor } = first.pagination
    expect(first.pagination).toEqual({ total, limit: 2, offset: 0, nextCursor: expect.any(String) })
    const byOffset = await list.page({ limit: 2, offset: 2 })
    expect(byOffset.rows).toEqual(all.rows.slice(2, 4))
    const byCursor = await list.page({ limit: 2, cursor: String(nextCursor) })
    expect(byCursor.rows).toEqual(byOffset.rows)
    expect(byCursor.pagination).toEqual({ ...byOffset.pagination, offset: 0 })
    const uncounted = await list.page({ limit: 2, count: false })
    expect(uncounted).toEqual({ rows: first.rows, pagination: { limit: 2, offset: 0, nextCursor } })
    const beyond = await list.page({ limit: 2, offset: 1000 })
    expect(beyond).toEqual({ rows: [], pagination: { total, limit: 2, offset: 1000 } })
  })

  test('refuses invalid page parameters and names them', async () => {
    const list = await List.of(route)
    const { pagination } = await list.page({ limit: 1 })
    const refused: [string, Params][] = [
      ['limit', { limit: 0 }],
      ['limit', { limit: 101 }],
      ['limit', { limit: 'ten' }],
      ['offset', { offset: -1 }],
      ['offset', { offset: 0.5 }],
      ['cursor', { cursor: 'nonsense' }],
      ['count', { count: 'maybe' }],
      ['offset', { cursor: String(pagination['nextCursor']), offset: 1 }],
    ]
    for (const [path, params] of refused) {
      const { status, body } = await list.ask(params)
      expect({ status, body }, JSON.stringify(params)).toMatchObject({
        status: 400,
        body: { details: { errors: [{ path }] } },
      })
    }
  })
})
