// Requests for a page, and the answer in place of the dashboard.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Note, notePage } from './note.ts'
import { newNonce, type Pages } from './pages.ts'

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

/** The color scheme that the visitor chose. */
export const schemeOf = ({ headers }: FastifyRequest) => SCHEME.exec(headers.cookie ?? '')?.[1]

/** Sets the headers of every page. */
export const withPolicy = (reply: FastifyReply, nonce: string, { uploadsTo }: Pick<Pages, 'uploadsTo'>) =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy(nonce, uploadsTo))
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=()')

const RETRY_AFTER_SECONDS = '2'

/** Reloads by a header, because a refresh in the head of a page counts as an accessibility error. */
function announceAgain(reply: FastifyReply, { againSeconds }: Note): void {
  reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
  if (againSeconds !== undefined) reply.header('refresh', String(againSeconds))
}

/** Sends a page in place of the dashboard. */
export function sendNote(
  note: Note,
  reply: FastifyReply,
  pages: Pick<Pages, 'uploadsTo'> = {},
): FastifyReply {
  const nonce = newNonce()
  announceAgain(reply, note)
  const look = { nonce, colorScheme: schemeOf(reply.request) }
  return withPolicy(reply, nonce, pages).send(notePage(note, look))
}
