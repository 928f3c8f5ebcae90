// One block per line of the specification's Objects table, in its order.
import { objectRoutes } from '../../../contract/objects.ts'
import { addRoute } from '../../http/add-route.ts'
import { withEtag } from '../../http/etag.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { selectAttributes } from './attribute-columns.ts'
import { createObject, deleteObject, patchObject } from './service.ts'
import { getObject, objectEtag, selectObjects } from './store.ts'

export function addObjectRoutes(app: App): void {
  addRoute(app, objectRoutes.listObjects, async ({ ctx, caller, query }) => {
    const { includeInactive = false } = query
    const all = await selectObjects(ctx.db, caller.org, includeInactive)
    return pageOfWhole('objects', all, query, ['objects', caller.org, includeInactive])
  })

  addRoute(app, objectRoutes.getObject, async ({ ctx, caller, params }, reply) => {
    const object = await getObject(ctx.db, caller.org, params.objectId)
    const which = { obj: object.obj, includeInactive: false }
    reply.header('etag', objectEtag(object))
    return { ...object, attributes: await selectAttributes(ctx.db, caller.org, which) }
  })

  addRoute(app, objectRoutes.createObject, async ({ ctx, caller, body }, reply) =>
    withEtag(reply, objectEtag, await createObject(ctx, caller.org, body)),
  )

  addRoute(app, objectRoutes.updateObject, async ({ ctx, caller, params, body, headers }, reply) => {
    const change = { objectId: params.objectId, ifMatch: headers['if-match'], patch: body }
    return withEtag(reply, objectEtag, await patchObject(ctx, caller.org, change))
  })

  addRoute(app, objectRoutes.deleteObject, async ({ ctx, caller, params, query, headers }) => {
    const isPermanent = query.permanent ?? false
    const change = { objectId: params.objectId, ifMatch: headers['if-match'], isPermanent }
    return { id: await deleteObject(ctx, caller, change), deleted: true as const }
  })
}
