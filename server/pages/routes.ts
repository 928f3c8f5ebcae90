// Serves the dashboard's files, and its document for every address of a page.
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressed } from '../http/compress-json.ts'
import type { App } from '../http/request.ts'
import { mayHoldSession } from '../http/session-cookie.ts'
import type { Read } from './first-content.ts'
import { BUILDING, DATABASE_AWAY, FAILED, type Note } from './note.ts'
import { newNonce, type Pages } from './pages.ts'
import { schemeOf, sendNote, withPolicy } from './send-note.ts'

const YEAR_MS = 365 * 24 * 3600 * 1000

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

/** Sends the dashboard's document for any page; the script in the browser chooses the page. */
export async function sendPage(front: Front, reply: FastifyReply): Promise<FastifyReply> {
  const { pages } = front
  const { request } = reply
  const note = await obstacle(front)
  if (note) return sendNote(note, reply, pages)
  const nonce = newNonce()
  const { url, headers } = request
  const visit = {
    ...{ url, hasSession: mayHoldSession(headers), colorScheme: schemeOf(request) },
    read: readAs(request, reply),
  }
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
