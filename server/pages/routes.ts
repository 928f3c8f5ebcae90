// Serves the dashboard's files, and its document for every address of a page.
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressed } from '../http/compress-json.ts'
import type { App } from '../http/request.ts'
import { mayHoldSession } from '../http/session-cookie.ts'
import type { Read } from './first-content.ts'
import { BUILDING, DATABASE_AWAY, FAILED, type Note, notePage } from './note.ts'
import { newNonce, type Pages } from './pages.ts'

const YEAR_MS = 365 * 24 * 3600 * 1000

// No page has an inline script, and styles have the nonce of their page.
/** @param uploadsTo origin that the dashboard uploads files to, in addition to the service */
const policy = (nonce: string, uploadsTo: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${uploadsTo === undefined ? '' : ` ${uploadsTo}`}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const FILE = /\.[^/?]*(?:\?|$)/

/** `*\/*` and no Accept return a page too, unless the address looks like the address of a file. */
function takesPage({ headers: { accept = '*/*' }, url }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(accept) || (accept.includes('*/*') && !FILE.test(url))
}

/** Whether a browser requests a page, by its address bar or a link. All other requests get JSON. */
export const asksForPage = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  takesPage(request) &&
  !/^\/(?:api|files|(?:dashboard|portal)\/api|assets)(?:\/|$)/.test(request.url)

// The cookie that dashboard/public/color-scheme.js writes.
const SCHEME = /(?:^|; *)rapport-color-scheme=(light|dark)(?:;|$)/

/** Headers of the visitor that are passed on, because they identify the visitor. */
const PASSED_ON = [
  'cookie',
  'host',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const

/** Reads from the service as the browser would. A cookie that this renews is sent with the page. */
function readAs({ server, headers, socket }: FastifyRequest, reply: FastifyReply): Read {
  const own = Object.fromEntries(PASSED_ON.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])))
  return async (url, signal) => {
    const answer = await server.inject({
      url,
      headers: { ...own, accept: 'application/json' },
      remoteAddress: socket.remoteAddress ?? '',
      signal,
    })
    const cookies = answer.headers['set-cookie']
    if (cookies !== undefined && !reply.sent) reply.header('set-cookie', cookies)
    return answer.statusCode === 200 ? answer.json() : undefined
  }
}

/** Sets the headers of every page. */
const withPolicy = (reply: FastifyReply, nonce: string, { uploadsTo }: Pages) =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy(nonce, uploadsTo))
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=()')

export interface Front {
  pages: Pages
  /** Whether the database responds. */
  responds(): Promise<boolean>
}

/** Why the dashboard cannot be opened now; undefined if it can. */
async function obstacle({ pages, responds }: Front): Promise<Note | undefined> {
  const state = pages.state()
  if (state !== 'ready') return state === 'failed' ? FAILED : BUILDING
  return (await responds()) ? undefined : DATABASE_AWAY
}

const RETRY_AFTER_SECONDS = '2'

/** Reloads by a header, because a refresh in the head of a page counts as an accessibility error. */
function announceAgain(reply: FastifyReply, { againSeconds }: Note): void {
  reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
  if (againSeconds !== undefined) reply.header('refresh', String(againSeconds))
}

/** Sends the dashboard's document for any page; the script in the browser chooses the page. */
export async function sendPage(front: Front, reply: FastifyReply): Promise<FastifyReply> {
  const { pages } = front
  const nonce = newNonce()
  const { request } = reply
  const { url, headers } = request
  const colorScheme = SCHEME.exec(headers.cookie ?? '')?.[1]
  const note = await obstacle(front)
  if (note) {
    announceAgain(reply, note)
    return withPolicy(reply, nonce, pages).send(notePage(note, { nonce, colorScheme }))
  }
  const visit = { url, hasSession: mayHoldSession(headers), colorScheme, read: readAs(request, reply) }
  const document = await pages.document(nonce, visit)
  return withPolicy(reply, nonce, pages).send(await compressed(request, reply, document))
}

/** Names of assets contain a hash of the content, so they are cached permanently; the few files at the root are not. */
export function pageRoutes(app: App, pages: Pages): void {
  app.register(fastifyStatic, {
    root: join(pages.dir, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_MS,
    index: false,
    suppressWarning: true,
  })
  for (const name of ['favicon.svg', 'color-scheme.js', 'first-keys.js'])
    app.get(`/${name}`, (_request, reply) =>
      reply.sendFile(name, pages.dir, { immutable: false, maxAge: 3600_000 }),
    )
}
