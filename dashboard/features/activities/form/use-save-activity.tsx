// Saves a changed activity, with Undo. If another person changed the same fields, saving and undoing ask first.
import { useQueryClient } from '@tanstack/react-query'
import type { WithEtag } from '../../../shared/api/client.ts'
import { useAsk } from '../../../shared/records/conflict-questions.tsx'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { type Activity, type ActivityPatch, activityQuery, patchActivity } from '../api.ts'
import { putActivity } from '../list/lists.ts'
import { useRefreshActivities } from '../use-activity-changes.ts'
import { ActivityConflictDialog } from './activity-conflict.tsx'
import { type SavedActivity, type Saving, saveActivity } from './save-activity.ts'

const isEmpty = (patch: ActivityPatch) => Object.keys(patch).length === 0

type Requests = Omit<Saving, 'before' | 'patch'>

/** The requests for the activity with this id, and the dialog for conflicts. */
function useSaving(id: string): (changeSetId?: string) => Requests {
  const org = useOrg()
  const client = useQueryClient()
  const askQuestion = useAsk()
  return (changeSetId) => ({
    ask: (conflict) => askQuestion((decide) => <ActivityConflictDialog {...conflict} decide={decide} />),
    write: (fields, ifMatch) => patchActivity(org, { id, patch: fields, ifMatch, changeSetId }),
    read: () => client.fetchQuery({ ...activityQuery(org, id), staleTime: 0 }),
  })
}

/** @returns a function that saves a patch; `before` is the activity at the time when editing began */
export function useSaveActivity(id: string) {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshActivities()
  const savingWith = useSaving(id)
  const save = async (
    change: Pick<Saving, 'before' | 'patch'>,
    requests: Requests,
  ): Promise<SavedActivity> => {
    const done = await saveActivity({ ...requests, ...change })
    client.setQueryData(activityQuery(org, id).queryKey, done.saved)
    putActivity(client, org, id, done.saved.body)
    void refresh()
    return done
  }
  return async (before: WithEtag<Activity>, patch: ActivityPatch): Promise<void> => {
    const { saved, replaced } = await save({ before, patch }, savingWith(crypto.randomUUID()))
    if (isEmpty(replaced)) return
    const undone = () => save({ before: saved, patch: replaced }, savingWith())
    const takeBack = () => undone().then((done) => !isEmpty(done.replaced))
    pushUndo({ label: `“${saved.body.title}” changed`, isQuiet: true, undo: takeBack })
  }
}
