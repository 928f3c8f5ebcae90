// Routes of the trash of attributes. Restoring an attribute returns its values to records.
import { attributeTrashRoutes } from '../../../contract/attribute-trash.ts'
import { shownUser } from '../../base/caller.ts'
import { addRoute } from '../../http/add-route.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { purgeTrashedAttribute, restoreAttribute } from '../../model/attributes/trash.ts'
import { selectTrashedAttributes } from '../../model/attributes/trash-store.ts'
import { getObject } from '../../model/objects/store.ts'
import { restoreValuesNow } from './attribute-values.ts'

export function addAttributeTrashRoutes(app: App): void {
  addRoute(app, attributeTrashRoutes.listTrashedAttributes, async ({ ctx, caller, params, query }) => {
    const { obj } = await getObject(ctx.db, caller.org, params.objectId)
    const all = await selectTrashedAttributes(ctx.db, caller.org, obj)
    const shown = all.map((one) => ({ ...one, deletedBy: shownUser(caller, one.deletedBy) }))
    return pageOfWhole('attributes', shown, query, ['trashed attributes', caller.org, obj])
  })

  addRoute(
    app,
    { ...attributeTrashRoutes.restoreAttribute, wakes: 'events' },
    async ({ ctx, caller, params, body }) => {
      const restoration = { ...params, slug: body.slug }
      const { attribute, obj } = await restoreAttribute(ctx, caller, restoration)
      const { attr, objectId } = attribute
      return { attribute, values: await restoreValuesNow(ctx, { ...caller, obj, objectId, attr }) }
    },
  )

  addRoute(app, attributeTrashRoutes.purgeAttribute, async ({ ctx, caller, params }) => ({
    id: await purgeTrashedAttribute(ctx, caller.org, params),
    deleted: true as const,
  }))
}
