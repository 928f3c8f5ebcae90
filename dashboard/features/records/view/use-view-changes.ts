// Saves, renames, shares and deletes views. Saving over a view and deleting one can be undone.
import { useQueryClient } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { NewView, ViewPatch } from '../../../../contract/views.ts'
import { sameValue } from '../../../shared/records/same-value.ts'
import { restoreUnlessChanged } from '../../../shared/undo/restore-unless-changed.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { createView, deleteView, patchView, readView, type View, viewsQuery } from '../api/views.ts'
import { isDelivered } from '../own-records-view.ts'
import { savedOfState } from './saved-view.ts'
import type { ShownView } from './use-view.ts'

const byName = (a: View, b: View) => a.name.localeCompare(b.name)

/** The stored views of an object. Changes are put into the list of the page. */
function useStoredViews(object: ObjectWithAttributes) {
  const { organization } = useOrganization()
  const org = organization.slug
  const client = useQueryClient()
  const put = (change: (views: View[]) => View[]) =>
    client.setQueryData(viewsQuery(org, object.slug).queryKey, (views) => views && change(views).sort(byName))
  return {
    read: (view: View) => readView(org, view),
    create: async (view: NewView): Promise<View> => {
      const created = await createView(org, object.id, view)
      put((views) => [...views, created])
      return created
    },
    patch: async (view: View, patch: ViewPatch, ifMatch?: string): Promise<View> => {
      const changed = await patchView(org, view, { patch, ifMatch })
      put((views) => views.map((one) => (one.id === changed.id ? changed : one)))
      return changed
    },
    /** @param onDeleted called before the view leaves the list */
    remove: async (view: View, onDeleted: () => void): Promise<void> => {
      await deleteView(org, view)
      onDeleted()
      put((views) => views.filter(({ id }) => id !== view.id))
    },
  }
}

type StoredViews = ReturnType<typeof useStoredViews>

/** Restores what the view showed before it was saved. A later name and sharing stay. */
async function unsave(stored: StoredViews, { name, kind, state }: View, written: View) {
  const isRestored = await restoreUnlessChanged({
    read: () => stored.read(written),
    isUnchanged: (now) => now.kind === written.kind && sameValue(now.state, written.state),
    restore: (now, etag) => stored.patch(now, { kind, state }, etag),
  })
  return isRestored ? undefined : `${name} was saved by someone since, and stays as it is`
}

/** Creates a deleted view again: it gets a new id. */
async function recreate(stored: StoredViews, { name, kind, isShared, state }: View): Promise<string> {
  await stored.create({ name, kind, isShared, state })
  return `${name} was restored`
}

export function useViewChanges(object: ObjectWithAttributes, view: ShownView) {
  const { user, may } = useOrganization()
  const stored = useStoredViews(object)
  const shown = () => savedOfState(view.state, object.attributes)
  return {
    /** Views may be changed by their creator, shared views also by admins and owners. */
    mayChange: (saved: View) =>
      !isDelivered(saved) && (saved.createdBy.id === user.id || (saved.isShared && may('admin'))),
    saveAsNew: async (name: string, isShared: boolean) => {
      view.open(await stored.create({ name, isShared, ...shown() }))
    },
    save: async (saved: View) => {
      const written = await stored.patch(saved, shown())
      view.open(saved)
      const undo = () => unsave(stored, saved, written)
      pushUndo({ label: `${saved.name} was saved`, isQuiet: true, undo })
    },
    rename: (saved: View, name: string) => stored.patch(saved, { name }),
    share: (saved: View, isShared: boolean) => stored.patch(saved, { isShared }),
    remove: async (saved: View) => {
      await stored.remove(saved, () => view.open(undefined))
      pushUndo({ label: `${saved.name} was deleted`, undo: () => recreate(stored, saved) })
    },
  }
}

export type ViewChanges = ReturnType<typeof useViewChanges>
