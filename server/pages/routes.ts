// The dashboard's files, and its one document for every address of a page.
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressed } from '../http/compress-json.ts'
import type { App } from '../http/request.ts'
import { mayHoldSession } from '../http/session-cookie.ts'
import type { Read } from './first-content.ts'
import { newNonce, type Pages } from './pages.ts'

const YEAR_MS = 365 * 24 * 3600 * 1000

// No page carries an inline script, and styles carry the nonce of their page.
/** @param uploadsTo where the dashboard sends files, beside the service itself */
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

/** `*\/*` and no Accept are answered with a page too, except where the address looks like that of a file. */
function takesPage({ headers: { accept = '*/*' }, url }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(accept) || (accept.includes('*/*') && !FILE.test(url))
}

/** A page is asked for by a browser's address bar or a link; everything else is answered in JSON. */
export const asksForPage = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  takesPage(request) &&
  !/^\/(?:api|files|(?:dashboard|portal)\/api|assets)(?:\/|$)/.test(request.url)

// As dashboard/public/color-scheme.js writes it.
const SCHEME = /(?:^|; *)rapport-color-scheme=(light|dark)(?:;|$)/

/** Of the visitor, who is known by them. */
const PASSED_ON = [
  'cookie',
  'host',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const

/** Reads from the service itself, as the browser would. A cookie that is renewed by it goes with the page. */
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

/** Answers with the dashboard's document, for any page: the browser finds out which. */
export async function sendPage(pages: Pages, reply: FastifyReply): Promise<FastifyReply> {
  const nonce = newNonce()
  const { request } = reply
  const { url, headers } = request
  const state = pages.state()
  if (state !== 'ready') reply.code(503).header('retry-after', '2')
  const visit = {
    url,
    hasSession: mayHoldSession(headers),
    colorScheme: SCHEME.exec(headers.cookie ?? '')?.[1],
    read: readAs(request, reply),
  }
  const document = await pages.document(nonce, visit)
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy(nonce, pages.uploadsTo))
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=()')
    .send(await compressed(request, reply, document))
}

/** Files are named by their content, so they are kept for good; the few at the root are asked for again. */
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
  for (const name of ['favicon.svg', 'color-scheme.js'])
    app.get(`/${name}`, (_request, reply) =>
      reply.sendFile(name, pages.dir, { immutable: false, maxAge: 3600_000 }),
    )
}
