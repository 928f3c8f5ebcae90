import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { AttributeContext } from './context.ts'
import { purgeDeletedAttributes } from './jobs.ts'

/**
 * Deleted attributes of the organization are removed from its records. A request does that for two seconds only, and until
 * then an attribute cannot be restored.
 */
export const attributesRemoved = (ctx: AttributeContext, org: number): Promise<void> =>
  expect
    .poll(async () => {
      await purgeDeletedAttributes(ctx, new AbortController().signal)
      return ctx.db.value<number>(
        sql`select count(*)::int as count from attributes where org = ${org} and deleted_at is not null`,
      )
    })
    .toBe(0)
