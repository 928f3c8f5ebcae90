// The demo's view for all members, which the sidebar shows.
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { createView } from '../views/service.ts'

/** Call it when the deals have their attributes. */
export const createDemoViews = (ctx: Context, caller: Caller) =>
  createView(ctx, caller, 'deals', {
    name: 'Pipeline',
    kind: 'board',
    isShared: true,
    state: { version: 1, columns: [], board: { groupBy: 'stage', sumOf: 'amount' } },
  })
