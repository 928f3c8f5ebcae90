// Whose bytes a request holds, and how many bytes are held: for budgets of bodies and of answers.
import type { FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { ByteBudget, ByteOwner } from './byte-budget.ts'
import { networkOf } from './client-network.ts'

/** By what is known of the sender once the hooks in front have run. */
export function byteOwnerOf({ caller, signedIn, ip }: FastifyRequest): ByteOwner {
  const organization = caller?.org
  if (caller?.keyId) return { sender: { kind: 'API key', id: caller.keyId }, organization }
  const userId = signedIn?.user.id ?? caller?.userId
  if (userId) return { sender: { kind: 'user', id: userId }, organization }
  return { sender: { kind: 'address', id: networkOf(ip) }, organization }
}

/** The budgets of a process. */
export interface ByteBudgets {
  /** Of request bodies. */
  bodies: ByteBudget
  /** Of answers that clients have not taken yet. */
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
