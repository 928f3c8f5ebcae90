// The source of fuzzed requests: valid requests, ids and cursors of two organizations, renewed during the run.
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { createKey } from '../identity/api-keys/service.ts'
import type { ApiRoute } from './api-routes.ts'
import { API_PREFIX } from './api-routes.ts'
import type { TestService } from './build-app.ts'
import { editJson } from './fuzz-json.ts'
import type { FuzzedRequest } from './fuzz-requests.ts'
import { fillIn } from './fuzz-schema.ts'
import { newParty, type Party, ROUTE_CASES, type RouteRequest } from './route-cases.ts'

interface AttributeList {
  attributes: { id: string; isRequired: boolean }[]
}

const GOOD_EACH = 3
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Attributes of every type on one object, so that every check of a value is reached. */
const FIELDS = [
  { slug: 'a_text', type: 'text', isUnique: true },
  { slug: 'a_number', type: 'number' },
  { slug: 'a_checkbox', type: 'checkbox' },
  { slug: 'a_list', type: 'list' },
  { slug: 'a_date', type: 'date' },
  { slug: 'a_select', type: 'select', config: { options: ['A', 'B', 'C'] } },
  { slug: 'a_currency', type: 'currency' },
  { slug: 'a_name', type: 'name' },
  { slug: 'many_emails', type: 'email', isList: true, isUnique: true },
] as const

/** Adds the fields to people, the target of most valid requests; a service without that route ignores it. */
async function addFields({ org }: Party): Promise<void> {
  for (const field of FIELDS) await org.post('/objects/people/attributes', { name: field.slug, ...field })
}

let made = 0

const values = () => ({
  a_text: `x ${++made}`,
  a_number: 1.5,
  a_checkbox: true,
  a_list: ['vip', 'eu'],
  a_date: '2026-11-20',
  a_select: 'A',
  a_currency: { amount: 1, currency: 'EUR' },
  a_name: { firstName: 'Ada' },
  many_emails: [`a${made}@example.com`, `b${made}@example.com`],
})

export class FuzzWorld {
  readonly mine: Party
  readonly theirs: Party
  readonly #scoped: string
  readonly #routes: readonly ApiRoute[]
  readonly #good = new Map<string, RouteRequest[]>()
  readonly #known: string[] = []
  #turn = 0

  private constructor(
    { mine, theirs, scoped }: { mine: Party; theirs: Party; scoped: string },
    routes: readonly ApiRoute[],
  ) {
    this.mine = mine
    this.theirs = theirs
    this.#scoped = scoped
    this.#routes = routes
  }

  static async create(service: TestService, routes: readonly ApiRoute[]): Promise<FuzzWorld> {
    const [mine, theirs] = [await newParty(service), await newParty(service)]
    await addFields(mine)
    const { org, userId: createdBy } = mine.org
    const { key } = await createKey(service.ctx, org, { name: 'scoped', scopes: ['records:read'], createdBy })
    const world = new FuzzWorld({ mine, theirs, scoped: key }, routes)
    for (const route of routes) world.#know(JSON.stringify(await ROUTE_CASES[route.key]?.good(theirs)))
    for (const route of routes) await world.#renew(route)
    await world.#learnCursors()
    return world
  }

  /** Makes new valid requests for some routes, because fuzzed requests delete the records that earlier ones name. */
  async refresh(count: number): Promise<void> {
    for (let done = 0; done < count; done++) {
      const route = this.#routes[this.#turn++ % this.#routes.length]
      if (route) await this.#renew(route)
    }
    if (this.#turn % 50 < count) await this.#learnCursors()
  }

  injectOptions({ route, ...fuzzed }: FuzzedRequest): InjectOptions {
    const all = this.#good.get(route.key) ?? []
    const good = all[fuzzed.good % all.length] ?? { params: {} }
    const payload = this.#payload(route, good, fuzzed)
    return {
      method: (fuzzed.method ?? route.method) as NonNullable<InjectOptions['method']>,
      url: this.#url(route, good, fuzzed),
      headers: {
        ...(payload !== undefined && { 'content-type': good.text?.type ?? 'application/json' }),
        ...good.text?.headers,
        ...this.#authorization(fuzzed.key),
        ...fuzzed.headers,
      },
      ...(payload !== undefined && { payload }),
    }
  }

  /** A new valid request, which names nothing that earlier requests may have deleted. */
  async goodOptions(route: ApiRoute): Promise<InjectOptions> {
    this.#good.set(route.key, [await this.#makeGood(route)])
    const unchanged = { method: undefined, path: [], query: undefined, rawUrl: '', edits: [], headers: {} }
    return this.injectOptions({ ...unchanged, route, good: 0, body: undefined, cut: undefined, key: 'mine' })
  }

  /** A valid request. If required attributes of earlier requests made it invalid, deletes them and tries again. */
  async #makeGood(route: ApiRoute): Promise<RouteRequest> {
    const { good } = ROUTE_CASES[route.key] ?? {}
    if (!good) throw new Error(`route-cases.ts has no case for ${route.key}`)
    try {
      return await good(this.mine)
    } catch {
      await this.#dropDemands()
      return good(this.mine)
    }
  }

  /** Deletes required attributes that were added: no valid request has a value for them. */
  async #dropDemands(): Promise<void> {
    const { org } = this.mine
    for (const slug of ['people', 'companies']) {
      const { body } = await org.get<AttributeList>(`/objects/${slug}/attributes`)
      for (const { id, isRequired } of body.attributes)
        if (isRequired) await org.delete(`/objects/${slug}/attributes/${id}`)
    }
  }

  async #renew(route: ApiRoute): Promise<void> {
    const good = await this.#makeGood(route)
    const kept = this.#good.get(route.key)?.slice(0, GOOD_EACH - 1) ?? []
    this.#good.set(route.key, [withValues(good), ...kept])
    this.#know(JSON.stringify(good))
  }

  #know(text: string): void {
    this.#known.push(...(text.match(UUID) ?? []))
    if (this.#known.length > 600) this.#known.splice(100, this.#known.length - 600)
  }

  async #learnCursors(): Promise<void> {
    for (const query of ['limit=1', 'limit=1&sort=updated_at&order=asc', 'limit=1&count=false']) {
      const { body } = await this.mine.org.get(`/objects/people/records?${query}`)
      const { nextCursor } = (body['pagination'] ?? {}) as { nextCursor?: string }
      if (nextCursor) this.#known.push(nextCursor)
    }
  }

  #pick = (value: string | number): string =>
    typeof value === 'string' ? value : (this.#known[value % this.#known.length] ?? '')

  #url(route: ApiRoute, good: RouteRequest, { path, query, rawUrl }: Omit<FuzzedRequest, 'route'>): string {
    let nth = 0
    const filled = route.path.replace(/:(\w+)/g, (_, name: string) =>
      encode(this.#pick(path[nth++] ?? good.params[name] ?? '')),
    )
    const parameters = query ?? Object.entries(good.query ?? {})
    const nameOf = (name: string | number) =>
      typeof name === 'string' ? name : (route.query[name % route.query.length] ?? 'limit')
    const search = parameters
      .map(([name, value]) => `${encode(nameOf(name))}=${encode(this.#pick(value))}`)
      .join('&')
    return `${API_PREFIX}${filled}${search && '?'}${search}${rawUrl}`
  }

  #payload(
    { hasBody }: ApiRoute,
    good: RouteRequest,
    { edits, body, cut }: Omit<FuzzedRequest, 'route'>,
  ): string | undefined {
    const text = body ?? good.text?.body ?? (hasBody ? editJson(good.body, edits) : undefined)
    const filled = text && fillIn(text, this.#pick)
    return cut === undefined ? filled : filled?.slice(0, cut)
  }

  #authorization(key: FuzzedRequest['key']): Record<string, string> {
    if (key === 'none') return {}
    if (key === 'odd') return { authorization: `Bearer ${this.mine.org.key}\0` }
    return { authorization: `Bearer ${key === 'scoped' ? this.#scoped : this.mine.org.key}` }
  }
}

/** Lone surrogates have no percent encoding: the replacement character is sent in their place. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

function withValues(request: RouteRequest): RouteRequest {
  const body = request.body as { data?: object } | undefined
  return body?.data ? { ...request, body: { ...body, data: { ...body.data, ...values() } } } : request
}

/** Whether the answer contains anything of the other organization. */
export const leaks = (world: FuzzWorld, { payload }: Response): boolean => payload.includes(world.theirs.mark)
