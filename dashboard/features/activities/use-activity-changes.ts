// Creates, changes and deletes activities: shown immediately, reverted with a message when the service refuses.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { addUnsavedChange } from '../../shared/api/unsaved-values.ts'
import { toastError } from '../../shared/toast.ts'
import { restoreUnlessChanged } from '../../shared/undo/restore-unless-changed.ts'
import { pushUndo } from '../../shared/undo/undo-stack.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import {
  type Activity,
  activityHistoryKey,
  activityListsKey,
  activityQuery,
  activityTrashKey,
  createActivity,
  deleteActivity,
  type NewActivity,
  patchActivity,
  readActivity,
  restoreActivity,
} from './api.ts'
import { bornAs } from './born-as.ts'
import { putActivity } from './list/lists.ts'
import { restoredText } from './restored-text.ts'

/** The activity that is shown until the service has answered. */
export function provisional(
  input: NewActivity,
  createdBy: Activity['createdBy'],
  now: string = new Date().toISOString(),
): Activity {
  const { type = 'note', title, completedAt = null, assignee = null } = input
  return {
    ...{ id: `new-${now}`, type, title, completedAt, assignee },
    summary: input.summary ?? '',
    activityDate: input.activityDate ?? now,
    linkedRecords: input.linkedRecords ?? [],
    participants: input.participants ?? [],
    ...{ createdBy, createdAt: now, updatedAt: now, version: 1 },
  }
}

export const isProvisional = ({ id }: Activity): boolean => id.startsWith('new-')

export interface ActivityChanges {
  /** @throws ApiError, after the activity is removed from the lists */
  create(input: NewActivity): Promise<void>
  /** Completes or reopens a task. @returns undefined when the service refused it; the error is shown */
  complete(task: Activity, isDone: boolean): Promise<Activity | undefined>
  /** Moves to the trash, with Undo. @throws ApiError, after the activity is back in the lists */
  remove(activity: Activity): Promise<void>
}

/** Reloads everything about activities: all lists, the trash, and the home page. */
export function useRefreshActivities(): () => Promise<void> {
  const { organization } = useOrganization()
  const client = useQueryClient()
  return async () => {
    void client.invalidateQueries({ queryKey: [organization.slug, 'home'] })
    void client.invalidateQueries({ queryKey: activityTrashKey(organization.slug) })
    void client.invalidateQueries({ queryKey: activityHistoryKey(organization.slug) })
    await client.invalidateQueries({ queryKey: activityListsKey(organization.slug) })
  }
}

/** Shows the change, sends it, and reverts it when it fails. */
function attempting(client: QueryClient, org: string, refresh: () => Promise<void>) {
  return async (
    id: string,
    there: Activity | undefined,
    change: { show?: Activity; make(): Promise<unknown> },
  ): Promise<void> => {
    const settle = addUnsavedChange()
    await client.cancelQueries({ queryKey: activityListsKey(org) })
    putActivity(client, org, id, change.show)
    try {
      await change.make()
    } catch (error) {
      putActivity(client, org, id, there)
      throw error
    } finally {
      settle()
      void refresh()
    }
  }
}

/** @returns a function that completes or reopens a task */
function completing(client: QueryClient, org: string, attempt: ReturnType<typeof attempting>) {
  return async (task: Activity, completedAt: string | null, ifMatch?: string) => {
    let saved: Awaited<ReturnType<typeof patchActivity>> | undefined
    await attempt(task.id, task, {
      show: { ...task, completedAt },
      async make() {
        saved = await patchActivity(org, { id: task.id, patch: { completedAt }, ifMatch })
      },
    }).finally(() => void client.invalidateQueries({ queryKey: activityQuery(org, task.id).queryKey }))
    if (!saved) throw new Error('The activity was not saved')
    return saved
  }
}

/** @returns a function that undoes a completion, and keeps what was changed since */
const uncompleting =
  (org: string, setCompleted: ReturnType<typeof completing>) =>
  async (done: Activity, completedAt: string | null): Promise<string | undefined> => {
    const isRestored = await restoreUnlessChanged({
      read: () => readActivity(org, done.id),
      isUnchanged: (now) => now.completedAt === done.completedAt,
      restore: (now, etag) => setCompleted(now, completedAt, etag),
    })
    return isRestored ? undefined : `“${done.title}” was completed or reopened since, and stays as it is`
  }

export function useActivityChanges(): ActivityChanges {
  const { organization, user } = useOrganization()
  const client = useQueryClient()
  const refresh = useRefreshActivities()
  const org = organization.slug
  return useMemo(() => {
    const attempt = attempting(client, org, refresh)
    const setCompleted = completing(client, org, attempt)
    const uncomplete = uncompleting(org, setCompleted)
    return {
      create(input) {
        const show = provisional(input, user)
        return attempt(show.id, undefined, {
          show,
          async make() {
            const activity = await createActivity(org, input)
            bornAs(activity.id, show.id)
            putActivity(client, org, show.id, activity)
          },
        })
      },
      async complete(task, isDone) {
        const label = `"${task.title}" ${isDone ? 'done' : 'reopened'}`
        try {
          const { body } = await setCompleted(task, isDone ? new Date().toISOString() : null)
          pushUndo({ label, isQuiet: true, undo: () => uncomplete(body, task.completedAt) })
          return body
        } catch (error) {
          toastError(error)
          return undefined
        }
      },
      async remove(activity) {
        await attempt(activity.id, activity, { make: () => deleteActivity(org, activity.id) })
        client.removeQueries({ queryKey: activityQuery(org, activity.id).queryKey })
        const back = () => restoreActivity(org, activity.id).then(restoredText).finally(refresh)
        pushUndo({ label: `“${activity.title}” was deleted`, undo: back })
      },
    }
  }, [client, org, user, refresh])
}
