// Saves a changed activity, with Undo. If another person changed the same fields, saving and undoing ask first.
import { useQueryClient } from '@tanstack/react-query'
import type { WithEtag } from '../../../shared/api/client.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { type Activity, type ActivityPatch, activityQuery, patchActivity } from '../api.ts'
import { putActivity } from '../list/lists.ts'
import { useRefreshActivities } from '../use-activity-changes.ts'
import { type Saving, saveActivity } from './save-activity.ts'
import { useAskConflict, useUndoActivity } from './use-undo-activity.tsx'

const isEmpty = (patch: ActivityPatch) => Object.keys(patch).length === 0

type Requests = Omit<Saving, 'before' | 'patch'>

/** The requests for the activity with this id, and the dialog for conflicts. */
function useSaving(id: string): () => Requests {
  const org = useOrg()
  const client = useQueryClient()
  const ask = useAskConflict()
  return () => {
    const changeSetId = crypto.randomUUID()
    return {
      ask,
      write: (fields, ifMatch) => patchActivity(org, { id, patch: fields, ifMatch, changeSetId }),
      read: () => client.fetchQuery({ ...activityQuery(org, id), staleTime: 0 }),
    }
  }
}

/** @returns a function that saves a patch; `before` is the activity at the time when editing began */
export function useSaveActivity(id: string) {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshActivities()
  const requests = useSaving(id)
  const takeBack = useUndoActivity(id)
  return async (before: WithEtag<Activity>, patch: ActivityPatch): Promise<void> => {
    const { saved, replaced } = await saveActivity({ ...requests(), before, patch })
    client.setQueryData(activityQuery(org, id).queryKey, saved)
    putActivity(client, org, id, saved.body)
    void refresh()
    if (isEmpty(replaced)) return
    const { title, version } = saved.body
    pushUndo({ label: `“${title}” changed`, isQuiet: true, undo: () => takeBack(version) })
  }
}
