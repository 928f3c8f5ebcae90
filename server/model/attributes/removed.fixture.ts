import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { AttributeContext } from './context.ts'
import { purgeDeletedAttributes } from './jobs.ts'

/**
 * Waits until the deleted attributes of the organization are removed from its records. A request waits for two seconds
 * only, and an attribute cannot be restored before the removal.
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
