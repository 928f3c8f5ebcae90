// What a request changed of members, keys or the organization is in the cells before it is answered.
import type { onSendHookHandler } from 'fastify'
import type { Placement } from '../db/databases.ts'

/** An onSend hook for routes that change what the directory has. */
export const copyIdentity =
  ({ cells }: { cells: Pick<Placement, 'copy'> }): onSendHookHandler =>
  async ({ method }) => {
    if (method !== 'GET') await cells.copy()
  }
