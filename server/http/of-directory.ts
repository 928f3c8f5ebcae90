// What routes have in common that change members, invitations or the settings of an organization: rows of the directory,
// of which its cells have copies.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuseUnstorable } from './storable.ts'

/** An onSend hook: what a request changed is in the cells before its answer. */
const copyIdentity = async ({ method, ctx }: FastifyRequest, _reply: FastifyReply): Promise<void> => {
  // Refused before it had a context, it changed nothing.
  if (method !== 'GET' && ctx) await ctx.cells.copy()
}

/** Added to the declaration of such a route. */
export const OF_DIRECTORY = {
  isOfDirectory: true,
  preHandler: refuseUnstorable,
  onSend: copyIdentity,
} as const
