// Shared by the cases of all resources: the organization, and requests that make resources in it.

import { newId } from '../../base/id.ts'
import type { Context } from '../../context.ts'
import type { Org } from '../factories.ts'
import type { SharedService } from '../shared-service.ts'

/** An organization in the tests; everything that it writes contains its mark. */
export interface Party {
  ctx: Context
  org: Org
  mark: string
}

export interface RouteRequest {
  params: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** A body that is not JSON, with the headers that it needs. */
  text?: { type: string; body: string; headers: Record<string, string> }
}

/** The body and headers of a request as they are sent. */
export function contentOf({ body, text }: Pick<RouteRequest, 'body' | 'text'>): {
  headers: Record<string, string>
  payload?: string
} {
  if (text) return { headers: { 'content-type': text.type, ...text.headers }, payload: text.body }
  if (body === undefined) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }
}

export interface RouteCase {
  /** Makes the resources for the request, new ones each time, and returns a valid request. */
  good(party: Party): Promise<RouteRequest>
}

export async function newParty(service: SharedService): Promise<Party> {
  const mark = `mark-${newId().slice(-12)}`
  return { ctx: service.ctx, org: await service.org({ name: mark }), mark }
}

let made = 0
export const fresh = () => `${++made}`

export async function create(party: Party, path: string, body: unknown): Promise<Record<string, unknown>> {
  const reply = await party.org.post(path, body)
  if (reply.status !== 201) throw new Error(`POST ${path} answered ${JSON.stringify(reply.body)}`)
  return reply.body
}

export const idOf = ({ id }: Record<string, unknown>) => String(id)

export const only =
  (params: (party: Party) => Promise<Record<string, string>>): RouteCase['good'] =>
  async (party) => ({ params: await params(party) })

export const none = async () => ({})

export const withBody =
  (
    params: (party: Party) => Promise<Record<string, string>>,
    body: (party: Party) => unknown,
  ): RouteCase['good'] =>
  async (party) => ({ params: await params(party), body: await body(party) })
