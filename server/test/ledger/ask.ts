// One request of a writer and its outcome.
import { setTimeout as delay } from 'node:timers/promises'
import type { Gate } from './gate.ts'

export interface Request {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1. */
  path: string
  body?: unknown
}

export interface Asking {
  apiKey: string
  /** A request with a key is repeated until it gets an answer. */
  idempotencyKey: string | undefined
}

export interface Answer {
  status: number
  body: Record<string, unknown>
  /** The request took more than one try. */
  isRepeated: boolean
}

const AGAIN_MS = 20

async function send(
  gate: Gate,
  { method, path, body }: Request,
  asking: Asking,
): Promise<Omit<Answer, 'isRepeated'> | undefined> {
  const pool = await gate.pass()
  const startedAt = performance.now()
  let status = 0
  try {
    const response = await pool.request({
      method,
      path: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${asking.apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(asking.idempotencyKey !== undefined && { 'idempotency-key': asking.idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.body.json()) as Answer['body']
    gate.heard()
    status = response.statusCode
    return { status: response.statusCode, body: answer }
  } catch {
    return undefined
  } finally {
    gate.took(performance.now() - startedAt, status)
  }
}

/** A transaction of a killed process may briefly continue in PostgreSQL. */
const isStillRunning = ({ body }: Omit<Answer, 'isRepeated'>) => body['error'] === 'idempotency_in_progress'

/** The service reports that the request had no effect, so it may be repeated even without a key. */
const isUndone = ({ body }: Omit<Answer, 'isRepeated'>) =>
  (body['details'] as { committed?: string } | undefined)?.committed === 'no'

/** @returns undefined if the outcome of the request is unknown, after a broken connection or 5xx */
export async function ask(gate: Gate, request: Request, asking: Asking): Promise<Answer | undefined> {
  for (let tries = 1; ; tries++) {
    const answer = await send(gate, request, asking)
    if (answer && answer.status < 500 && !isStillRunning(answer)) return { ...answer, isRepeated: tries > 1 }
    if (asking.idempotencyKey === undefined && !(answer && isUndone(answer))) return undefined
    await delay(AGAIN_MS)
  }
}
