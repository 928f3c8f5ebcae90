// The owner of a request's bytes, and metrics of the budgets of request bodies and responses.
import type { FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { ByteBudget, ByteOwner } from './byte-budget.ts'
import { networkOf } from './client-network.ts'

/** Call it after the hooks that identify the sender. */
export function byteOwnerOf({ caller, signedIn, ip }: FastifyRequest): ByteOwner {
  const organization = caller?.org
  if (caller?.keyId) return { sender: { kind: 'API key', id: caller.keyId }, organization }
  const userId = signedIn?.user.id ?? caller?.userId
  if (userId) return { sender: { kind: 'user', id: userId }, organization }
  return { sender: { kind: 'address', id: networkOf(ip) }, organization }
}

export interface ByteBudgets {
  bodies: ByteBudget
  /** For responses that clients have not received yet. */
  answers: ByteBudget
}

export function measureBytes(registry: Registry, { bodies, answers }: ByteBudgets): void {
  const ofBodies: Gauge = new Gauge({
    name: 'rapport_request_body_bytes',
    help: 'Bytes of the request bodies in progress',
    registers: [registry],
    collect: () => ofBodies.set(bodies.bytes),
  })
  const ofAnswers: Gauge = new Gauge({
    name: 'rapport_unsent_response_bytes',
    help: 'Bytes of large responses that clients have not received yet',
    registers: [registry],
    collect: () => ofAnswers.set(answers.bytes),
  })
}
