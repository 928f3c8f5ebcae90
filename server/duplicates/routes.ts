import {
  type DuplicateGroup,
  type DuplicateGroupList,
  type DuplicateMatches,
  duplicateRoutes,
} from '../../contract/duplicates.ts'
import { addRoute } from '../http/add-route.ts'
import { pageOfWhole } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { endSearch, lastSearch, startSearch } from './search/service.ts'
import { findDuplicates, listGroups, listRules, setDismissed, setRuleActive } from './service.ts'

function addRuleRoutes(app: App): void {
  addRoute(app, duplicateRoutes.listDuplicateRules, async ({ ctx, caller, params, query }) => {
    const all = await listRules(ctx, caller.org, params.objectId)
    return pageOfWhole('rules', all, query, ['rules', caller.org, params.objectId])
  })
  addRoute(app, duplicateRoutes.updateDuplicateRule, ({ ctx, caller, params, body }) =>
    setRuleActive(ctx, caller.org, { ...params, ...body }),
  )
  addRoute(
    app,
    { ...duplicateRoutes.findDuplicates, wakes: 'none', isSearch: true },
    async ({ ctx, caller, params, body }, reply) =>
      sendJson<DuplicateMatches>(reply, await findDuplicates(ctx, caller, params.objectId, body)),
  )
}

function addSearchRoutes(app: App): void {
  addRoute(app, duplicateRoutes.getDuplicateSearch, async ({ ctx, caller, params }) => ({
    search: (await lastSearch(ctx, caller, params.objectId)) ?? null,
  }))
  addRoute(app, duplicateRoutes.startDuplicateSearch, ({ ctx, caller, params }) =>
    startSearch(ctx, caller, params.objectId),
  )
  addRoute(app, duplicateRoutes.cancelDuplicateSearch, async ({ ctx, caller, params }) => ({
    search: (await endSearch(ctx, caller, params.objectId)) ?? null,
  }))
}

export function addDuplicateRoutes(app: App): void {
  addRuleRoutes(app)
  addSearchRoutes(app)
  addRoute(app, duplicateRoutes.listDuplicateGroups, async ({ ctx, caller, params, query }, reply) =>
    sendJson<DuplicateGroupList>(reply, await listGroups(ctx, caller, params.objectId, query)),
  )
  addRoute(app, duplicateRoutes.updateDuplicateGroup, async ({ ctx, caller, params, body }, reply) =>
    sendJson<DuplicateGroup>(reply, await setDismissed(ctx, caller, { ...params, ...body })),
  )
}
