// What a request changed of members, keys or the organization is in the cells before it is answered.
import type { onSendHookHandler } from 'fastify'
import type { Context } from '../context.ts'

/** An onSend hook for routes that change what the directory has. */
export const copyIdentity =
  ({ cells }: Pick<Context, 'cells'>): onSendHookHandler =>
  async ({ method }) => {
    if (method !== 'GET') await cells.copy()
  }
