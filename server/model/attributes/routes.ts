// One block per line of the specification's Attributes table, in its order, and the order of attributes.
// attribute-changes/routes.ts has the routes that create and change attributes.
import { attributeRoutes } from '../../../contract/attributes.ts'
import { addRoute } from '../../http/add-route.ts'
import { withEtag } from '../../http/etag.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { orderAttributes } from './administration.ts'
import { deleteAttribute, setAttributeActive } from './service.ts'
import { attributeEtag, getAttribute, listAttributes } from './store.ts'

export function addAttributeRoutes(app: App): void {
  addRoute(app, attributeRoutes.listAttributes, async ({ ctx, caller, params, query }) => {
    const which = { objectId: params.objectId, includeInactive: query.includeInactive ?? false }
    const all = await listAttributes(ctx.db, caller.org, which)
    return pageOfWhole('attributes', all, query, ['attributes', caller.org, which])
  })

  addRoute(app, attributeRoutes.getAttribute, async ({ ctx, caller, params }, reply) =>
    withEtag(reply, attributeEtag, await getAttribute(ctx.db, caller.org, params)),
  )

  addRoute(app, attributeRoutes.setAttributeActive, async ({ ctx, caller, params, body }, reply) =>
    withEtag(reply, attributeEtag, await setAttributeActive(ctx, caller, { ...params, ...body })),
  )

  addRoute(app, attributeRoutes.orderAttributes, async ({ ctx, caller, params, body }) => ({
    attributes: await orderAttributes(ctx, caller.org, { ...params, ...body }),
  }))

  addRoute(app, attributeRoutes.deleteAttribute, async ({ ctx, caller, params, query, headers }) => {
    const change = { ...params, ifMatch: headers['if-match'], isPermanent: query.permanent ?? false }
    return { id: await deleteAttribute(ctx, caller, change), deleted: true as const }
  })
}
