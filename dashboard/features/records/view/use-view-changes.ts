// Saves, renames, shares and deletes views.
import { useQueryClient } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { ViewPatch } from '../../../../contract/views.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { createView, deleteView, patchView, type View, viewsQuery } from '../api/views.ts'
import { isDelivered } from '../own-records-view.ts'
import { savedOfState } from './saved-view.ts'
import type { ShownView } from './use-view.ts'

const byName = (a: View, b: View) => a.name.localeCompare(b.name)

export function useViewChanges(object: ObjectWithAttributes, view: ShownView) {
  const { organization, user, may } = useOrganization()
  const org = organization.slug
  const client = useQueryClient()
  const put = (change: (views: View[]) => View[]) =>
    client.setQueryData(viewsQuery(org, object.slug).queryKey, (views) => views && change(views).sort(byName))
  const patch = async (saved: View, changes: ViewPatch) => {
    const changed = await patchView(org, saved, changes)
    put((views) => views.map((one) => (one.id === changed.id ? changed : one)))
  }
  return {
    /** Views may be changed by their creator, shared views also by admins and owners. */
    mayChange: (saved: View) =>
      !isDelivered(saved) && (saved.createdBy.id === user.id || (saved.isShared && may('admin'))),
    saveAsNew: async (name: string, isShared: boolean) => {
      const created = await createView(org, object.id, {
        name,
        isShared,
        ...savedOfState(view.state, object.attributes),
      })
      put((views) => [...views, created])
      view.open(created)
    },
    save: async (saved: View) => {
      await patch(saved, savedOfState(view.state, object.attributes))
      view.open(saved)
    },
    rename: (saved: View, name: string) => patch(saved, { name }),
    share: (saved: View, isShared: boolean) => patch(saved, { isShared }),
    remove: async (saved: View) => {
      await deleteView(org, saved)
      view.open(undefined)
      put((views) => views.filter(({ id }) => id !== saved.id))
    },
  }
}

export type ViewChanges = ReturnType<typeof useViewChanges>
