// Saves a changed activity without overwriting what another person wrote in the meantime.
import type { WithEtag } from '../../../shared/api/client.ts'
import { hasCode } from '../../../shared/api/errors.ts'
import type { Activity, ActivityPatch } from '../api.ts'
import { conflictsOf, isSame } from './draft.ts'

export interface ActivityConflict {
  now: Activity
  patch: ActivityPatch
  /** Fields that both people set to different values. */
  fields: (keyof ActivityPatch)[]
}

export interface Saving {
  /** The activity at the time when editing began. */
  before: WithEtag<Activity>
  patch: ActivityPatch
  write(patch: ActivityPatch, ifMatch: string | undefined): Promise<WithEtag<Activity>>
  read(): Promise<WithEtag<Activity>>
  ask(conflict: ActivityConflict): Promise<'mine' | 'theirs'>
}

const omit = (patch: ActivityPatch, fields: readonly string[]): ActivityPatch =>
  Object.fromEntries(Object.entries(patch).filter(([field]) => !fields.includes(field)))

const FIELDS = [
  ...(['type', 'title', 'summary', 'activityDate'] as const),
  ...(['completedAt', 'assignee', 'linkedRecords', 'participants'] as const),
]

/** Earlier values of changed fields. The service also clears fields when a task gets another type. */
const replacedBy = (before: Activity, now: Activity): ActivityPatch =>
  Object.fromEntries(
    FIELDS.filter((field) => !isSame(before[field], now[field])).map((field) => [field, before[field]]),
  )

export interface SavedActivity {
  /** The current activity. */
  saved: WithEtag<Activity>
  /** The overwritten values: saving them undoes the change. */
  replaced: ActivityPatch
}

/** @throws ApiError */
export async function saveActivity({ before, patch, write, read, ask }: Saving): Promise<SavedActivity> {
  let [base, wanted] = [before, patch]
  while (Object.keys(wanted).length > 0) {
    try {
      const saved = await write(wanted, base.etag)
      return { saved, replaced: replacedBy(base.body, saved.body) }
    } catch (error) {
      if (!hasCode(error, 'precondition_failed')) throw error
    }
    const now = await read()
    const fields = conflictsOf(base.body, now.body, wanted)
    if (fields.length > 0 && (await ask({ now: now.body, patch: wanted, fields })) === 'theirs')
      wanted = omit(wanted, fields)
    base = now
  }
  return { saved: base, replaced: {} }
}
