// Requests to a store with the S3 protocol. The operator chooses its address, so private addresses are allowed.
// Redirects are not followed.
import type { Agent, Dispatcher } from 'undici'
import { type AppError, unavailable } from '../../base/errors.ts'
import type { S3Access } from '../../config/config.ts'
import { signedHeaders } from './signature.ts'

export interface Timeouts {
  answerMs: number
  /** The longest time between two pieces of a response's body. */
  pieceMs: number
}

const CONNECT_TIMEOUT_MS = 5000

export type Answer = Dispatcher.ResponseData

export interface Question {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Empty for the bucket itself. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
}
/** @throws 503 unavailable if the store does not respond */
export type Ask = (question: Question) => Promise<Answer>

const away = (why: string): AppError => unavailable(`The file storage ${why}: try again shortly`)

export function objectUrl({ endpoint, bucket, forcePathStyle }: S3Access, key: string): URL {
  const url = new URL(endpoint)
  if (!forcePathStyle) url.host = `${bucket}.${url.host}`
  url.pathname = forcePathStyle ? `/${bucket}${key && '/'}${key}` : `/${key}`
  return url
}

/** undici is large: it is loaded for the first request, not with every command. */
async function openAgent({ answerMs, pieceMs }: Timeouts): Promise<Agent> {
  const { Agent } = await import('undici')
  return new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: answerMs,
    bodyTimeout: pieceMs,
  })
}

export function createAsk(access: S3Access, timeouts: Timeouts): { ask: Ask; close(): Promise<void> } {
  let opening: Promise<Agent> | undefined
  const ask: Ask = async ({ method, key, query = {}, headers = {}, body }) => {
    opening ??= openAgent(timeouts)
    const agent = await opening
    const url = objectUrl(access, key)
    // Signatures encode a space as %20, not as a plus sign.
    url.search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    const { origin } = url
    const signed = await signedHeaders({ method, url, headers }, access, { at: new Date(), body })
    const path = url.pathname + url.search
    try {
      return await agent.request({ origin, path, method, headers: signed, body: body ?? null })
    } catch {
      throw away('does not respond')
    }
  }
  return { ask, close: async () => (await opening)?.close() }
}

/** Reads an unneeded body to its end, so that the connection can be reused. */
export const dump = ({ body }: Answer) => body.dump().catch(() => undefined)

/** @throws 503 unavailable unless the response has one of these statuses */
export async function requireStatus(answer: Answer, statuses: readonly number[]): Promise<void> {
  if (statuses.includes(answer.statusCode)) return
  await dump(answer)
  throw away(`responds with ${answer.statusCode}`)
}
