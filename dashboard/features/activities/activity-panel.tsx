// The side panel in which an activity is edited or created.
import { Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WithEtag } from '../../shared/api/client.ts'
import { DropArea } from '../../shared/attachments/drop-area.tsx'
import { FileList } from '../../shared/attachments/file-list.tsx'
import { ErrorState } from '../../shared/state.tsx'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { SidePanel } from '../../ui/side-panel.tsx'
import { ACTIVITY_KINDS } from './activity-icons.ts'
import { type Activity, activityQuery, type RecordRef } from './api.ts'
import { DeleteActivity } from './delete-activity.tsx'
import { ActivityForm } from './form/activity-form.tsx'
import { draftOf, emptyDraft, newActivityOf, patchOf, placeOfNew } from './form/draft.ts'
import { useSaveActivity } from './form/use-save-activity.tsx'
import { ActivityHistory } from './history/activity-history.tsx'
import { useActivityChanges } from './use-activity-changes.ts'

function EditForm({ activity, onClose }: { activity: WithEtag<Activity>; onClose(): void }) {
  // Changes by other users must not change the fields while this user edits them.
  const [before] = useState(activity)
  const initial = draftOf(before.body)
  const [isDeleting, setDeleting] = useState(false)
  const save = useSaveActivity(before.body.id)
  return (
    <>
      <ActivityForm
        initial={initial}
        place={before.body.id}
        verb="Save"
        save={(draft) => save(before, patchOf(before.body, draft))}
        onClose={onClose}
        danger={
          <Button variant="outline" color="red.8" mr="auto" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        }
      />
      {isDeleting && (
        <DeleteActivity activity={before.body} onDeleted={onClose} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}

/** Edits the activity with this id. */
export function ActivityPanel({ id, onClose }: { id: string; onClose(): void }) {
  const [restores, setRestores] = useState(0)
  const { data, error, refetch } = useQuery(activityQuery(useOrg(), id))
  const title = data ? `Edit ${ACTIVITY_KINDS[data.body.type].name.toLowerCase()}` : 'Activity'
  return (
    <SidePanel title={title} onClose={onClose}>
      {data && (
        <DropArea subject={{ activityId: id }} name={data.body.title}>
          {/* Files can be dropped anywhere on the panel. */}
          <Stack gap={24} mih="calc(100dvh - 96px)">
            <EditForm key={`${id} ${restores}`} activity={data} onClose={onClose} />
            <FileList subject={{ activityId: id }} />
            <ActivityHistory id={id} onRestored={() => setRestores(restores + 1)} />
          </Stack>
        </DropArea>
      )}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} aria-label="Loading" />}
    </SidePanel>
  )
}

/** Creates an activity. @param linkedRecords the initial linked records */
export function NewActivityPanel({
  linkedRecords = [],
  onClose,
}: {
  linkedRecords?: readonly RecordRef[]
  onClose(): void
}) {
  const { create } = useActivityChanges()
  const { user } = useOrganization()
  const [initial] = useState(() => emptyDraft(linkedRecords, { assignee: user.id }))
  return (
    <SidePanel title="New activity" onClose={onClose}>
      <ActivityForm
        initial={initial}
        place={placeOfNew(linkedRecords)}
        verb="Create activity"
        save={(draft) => create(newActivityOf(draft))}
        onClose={onClose}
      />
    </SidePanel>
  )
}
