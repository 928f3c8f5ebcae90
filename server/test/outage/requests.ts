// One request for every route of the service: of the API, the dashboard, the portal, for files and pages.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions, RouteOptions } from 'fastify'
import { PNG } from '../../files/files.fixture.ts'
import type { Pages } from '../../pages/pages.ts'
import type { TestService } from '../build-app.ts'
import { visitPortal } from '../portal-client.ts'
import { contentOf, newParty, type Party, ROUTE_CASES, type RouteRequest } from '../route-cases.ts'

export interface Prepared {
  name: string
  options: InjectOptions
  /** Whether the route can be answered without the database. */
  isFree: boolean
}

const ORGANIZATION = '/dashboard/api/organizations/:organization'
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

/** A group of routes, with the headers for access. */
interface Surface {
  prefix: string
  headers: Record<string, string>
}

const person = { name: 'Ada', email: 'ada@outage.example', password: 'seven green bicycles' }

/** Bodies for routes without a case in route-cases.ts that read their body before they use the database. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /sign-up': { ...person, organization: { name: 'Acme' } },
  'POST /sign-in': { email: person.email, password: person.password },
  'POST /forgot-password': { email: person.email },
  'POST /reset-password': { token: 'x'.repeat(24), password: person.password },
  'POST /verify-email': { token: 'x'.repeat(24) },
  'POST /change-password': { currentPassword: 'seven red bicycles', newPassword: person.password },
  'POST /session': { token: 'x'.repeat(43) },
}

/** Routes that read nothing from the database, or answer with data that is known without it. */
const FREE = new Set([
  'GET /api/v1/openapi.json',
  'GET /dashboard/api/installation',
  'GET /healthz',
  'GET /metrics',
  'GET /docs',
  'GET /docs/start.js',
  'GET /favicon.svg',
  'GET /color-scheme.js',
])

const isFree = (name: string) => FREE.has(name) || /^GET \/assets\/|^OPTIONS /.test(name)

function toOptions(
  { method, url }: Pick<RouteOptions, 'method' | 'url'>,
  { params, query, ...request }: RouteRequest,
  headers: Record<string, string>,
): InjectOptions {
  const content = contentOf(request)
  const path = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? NO_SUCH))
  return {
    method: method as NonNullable<InjectOptions['method']>,
    url: query ? `${path}?${new URLSearchParams(query)}` : path,
    ...content,
    headers: { ...headers, ...content.headers },
  }
}

async function requestOf(route: RouteOptions, { prefix, headers }: Surface, party: Party): Promise<Prepared> {
  const key = `${route.method} ${route.url.slice(prefix.length)}`
  const body = BODIES[key]
  const made = (await ROUTE_CASES[key]?.good(party)) ?? { params: {}, ...(body !== undefined && { body }) }
  const request = { ...made, params: { ...made.params, organization: `org-${party.org.id}` } }
  const name = `${route.method} ${route.url}`
  return { name, options: toOptions(route, request, headers), isFree: isFree(name) }
}

const PAGES = ['/', '/sign-in', '/o/acme/objects/people', '/o/acme/settings/members', '/portal']
const OPEN = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/docs/start.js',
  '/favicon.svg',
  '/color-scheme.js',
]

function openRequests({ dir }: Pages): Prepared[] {
  const asset = readdirSync(join(dir, 'assets')).find((name) => name.endsWith('.js'))
  const get = (url: string, headers = {}): Prepared => ({
    name: `GET ${url}`,
    options: { url, headers },
    isFree: isFree(`GET ${url}`),
  })
  const pages = PAGES.map((url) => get(url, { accept: 'text/html' }))
  return [...pages, ...[...OPEN, '/api/v1/openapi.json', `/assets/${asset}`].map((url) => get(url))]
}

/** A signed upload that is not sent yet, and a public file. */
async function fileRequests({ inject }: TestService, { org }: Party): Promise<Prepared[]> {
  const draft = async (name: string) => {
    const { body } = await org.post<{ signedUrl: string; publicUrl: string }>('/files/upload-url', {
      ...{ bucket: 'avatars', path: name },
    })
    return body
  }
  const put = (signedUrl: string): InjectOptions => {
    const { pathname, search } = new URL(signedUrl)
    return {
      method: 'PUT',
      url: `${pathname}${search}`,
      headers: { 'content-type': 'image/png' },
      payload: PNG,
    }
  }
  const [sent, unsent] = [await draft('sent.png'), await draft('unsent.png')]
  await inject(put(sent.signedUrl))
  return [
    { name: 'PUT /files/upload', options: put(unsent.signedUrl), isFree: false },
    { name: 'GET /files', options: { url: new URL(sent.publicUrl).pathname }, isFree: false },
  ]
}

/** Prepares the requests once, while the database is available. */
export async function prepareRequests(service: TestService, pages: Pages): Promise<Prepared[]> {
  const party = await newParty(service)
  const [{ cookie }, visitor] = [await party.org.member('owner'), await party.org.member('owner')]
  const { session } = await visitPortal(service, party.org)
  const surfaces: Surface[] = [
    { prefix: '/api/v1', headers: { authorization: `Bearer ${party.org.key}` } },
    { prefix: ORGANIZATION, headers: { cookie } },
    // A separate session, because some of these requests end it.
    { prefix: '/dashboard/api', headers: { cookie: visitor.cookie } },
    { prefix: '/portal/api', headers: { authorization: `Bearer ${session}` } },
  ]
  const prepared = [...openRequests(pages), ...(await fileRequests(service, party))]
  const routes = service.routes.filter(
    ({ method, config }) => method !== 'HEAD' && !config?.refused && !config?.isFormer,
  )
  for (const route of routes) {
    const surface = surfaces.find(({ prefix }) => route.url.startsWith(`${prefix}/`))
    if (surface && !route.url.includes('*')) prepared.push(await requestOf(route, surface, party))
  }
  return prepared
}
