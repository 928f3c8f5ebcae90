// Shared options of routes that change members, invitations or settings of an organization. These are rows of the
// directory, and the cells have copies of them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuseUnstorable } from './storable.ts'

/** An onSend hook that copies changes to the cells before the response is sent. */
const copyIdentity = async ({ method, ctx }: FastifyRequest, _reply: FastifyReply): Promise<void> => {
  // A request that was refused before it had a context changed nothing.
  if (method !== 'GET' && ctx) await ctx.cells.copy()
}

/** Options for the declaration of such a route. */
export const OF_DIRECTORY = {
  isOfDirectory: true,
  preHandler: refuseUnstorable,
  onSend: copyIdentity,
} as const
