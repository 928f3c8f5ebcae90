// Undoes a change of an activity. If another person changed the same fields since, it asks first.
import { useQueryClient } from '@tanstack/react-query'
import type { ActivityUndoConflict } from '../../../../contract/activity-history.ts'
import { attributeWords } from '../../../shared/api/attribute-words.ts'
import { useAsk } from '../../../shared/records/conflict-questions.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import type { Choice } from '../../../ui/conflict-choice.tsx'
import { type Activity, type ActivityPatch, activityQuery, undoActivity } from '../api.ts'
import { putActivity } from '../list/lists.ts'
import { useRefreshActivities } from '../use-activity-changes.ts'
import { ActivityConflictDialog, FIELD_NAMES } from './activity-conflict.tsx'
import type { ActivityConflict } from './save-activity.ts'

export function useAskConflict(): (conflict: ActivityConflict) => Promise<Choice> {
  const ask = useAsk()
  return (conflict) => ask((decide) => <ActivityConflictDialog {...conflict} decide={decide} />)
}

/** @returns a function that shows a changed activity on all open pages */
export function useShowActivity(id: string): (activity: Activity) => Promise<void> {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshActivities()
  return async (activity) => {
    putActivity(client, org, id, activity)
    void refresh()
    // The panel that is opened next begins with these values.
    await client.fetchQuery({ ...activityQuery(org, id), staleTime: 0 })
  }
}

/** Why values stay: "Linked records: the record that it referred to was deleted". */
export const keptText = (conflicts: readonly ActivityUndoConflict[]): string =>
  conflicts
    .map(({ field, message }) =>
      attributeWords({ attributeSlug: field, message }, [{ slug: field, name: FIELD_NAMES[field] }]),
    )
    .join('. ')

const isOfOthers = ({ code }: ActivityUndoConflict) => code === 'value_changed'

const earlierValues = (conflicts: readonly ActivityUndoConflict[]): ActivityPatch =>
  Object.fromEntries(conflicts.map(({ field, from }) => [field, from]))

/**
 * @returns a function that undoes the change that made a version, for an undo note: it returns the text of the note,
 * and false if nothing was restored
 */
export function useUndoActivity(id: string): (version: number) => Promise<string | boolean | undefined> {
  const org = useOrg()
  const ask = useAskConflict()
  const show = useShowActivity(id)
  return async (version) => {
    const of = { id, version }
    const first = await undoActivity(org, of)
    await show(first.activity)
    const lost = keptText(first.conflicts.filter((conflict) => !isOfOthers(conflict)))
    if (lost !== '') return lost
    const fields = first.conflicts.map(({ field }) => field)
    const isRestored = Object.keys(first.changes).length > 0
    if (fields.length === 0) return isRestored ? undefined : 'The activity has these values already'
    const patch = earlierValues(first.conflicts)
    if ((await ask({ now: first.activity, patch, fields })) === 'theirs')
      return isRestored ? undefined : false
    await show((await undoActivity(org, of, { overwrite: fields })).activity)
    return undefined
  }
}
