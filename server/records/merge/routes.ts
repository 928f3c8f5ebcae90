import { type MergedRecord, mergeRoutes, type UnmergedRecord } from '../../../contract/merge.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { sendJson } from '../../http/send-json.ts'
import { listMerges } from './listing.ts'
import { mergeRecords } from './service.ts'
import { undoMerge } from './unmerge.ts'

export function addMergeRoutes(app: App): void {
  addRoute(
    app,
    { ...mergeRoutes.mergeRecords, wakes: 'events' },
    async ({ ctx, caller, params, query, body }, reply) => {
      const merge = { body, dryRun: query.dryRun }
      return sendJson<MergedRecord>(reply, await mergeRecords(ctx, caller, params.objectId, merge))
    },
  )

  addRoute(app, mergeRoutes.listMerges, ({ ctx, caller, params, query }) =>
    listMerges(ctx, caller, params, query),
  )

  addRoute(
    app,
    { ...mergeRoutes.undoMerge, wakes: 'events' },
    async ({ ctx, caller, params, query }, reply) => {
      const undo = { mergeId: params.mergeId, dryRun: query.dryRun }
      return sendJson<UnmergedRecord>(reply, await undoMerge(ctx, caller, params.objectId, undo))
    },
  )
}
