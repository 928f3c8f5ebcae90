// Deleted activities: restored or deleted permanently from here.
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx'
import { DeletedTable } from '../../shared/deleted-table.tsx'
import { EmptyState, ErrorState } from '../../shared/state.tsx'
import { toast } from '../../shared/toast.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { purgeActivity, restoreActivity, trashedActivitiesQuery } from './api.ts'
import { activityPaths } from './paths.ts'
import { restoredText } from './restored-text.ts'
import { useRefreshActivities } from './use-activity-changes.ts'

interface Asked {
  kind: 'restore' | 'purge'
  id: string
  name: string
}

function AskDialog({ kind, id, name, onClose }: Asked & { onClose(): void }) {
  const org = useOrg()
  const refresh = useRefreshActivities()
  const restore = () =>
    restoreActivity(org, id)
      .then((restored) => toast(restoredText(restored)))
      .finally(refresh)
  const purge = () =>
    purgeActivity(org, id)
      .then(() => toast(`${name} was deleted permanently`))
      .finally(refresh)
  return kind === 'restore' ? (
    <ConfirmDialog
      title={`Restore ${name}?`}
      confirm="Restore activity"
      isHarmless
      onConfirm={restore}
      onClose={onClose}
    >
      Its links, participants and files return with it.
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={`Delete ${name} permanently?`}
      confirm="Delete permanently"
      onConfirm={purge}
      onClose={onClose}
    >
      It cannot be restored any more.
    </ConfirmDialog>
  )
}

function Trash() {
  const query = useInfiniteQuery(trashedActivitiesQuery(useOrg()))
  const [asked, setAsked] = useState<Asked>()
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  const items = query.data.pages.flatMap((page) =>
    page.activities.map((activity) => ({ ...activity, name: activity.title })),
  )
  return (
    <>
      {items.length === 0 && <EmptyState icon={Trash2} title="No deleted activities" />}
      {items.length > 0 && (
        <DeletedTable
          heading="Activity"
          items={items}
          onAsk={(kind, { id, name }) => setAsked({ kind, id, name })}
        />
      )}
      {query.hasNextPage && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {asked && <AskDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

export function ActivityTrashPage() {
  return (
    <SettingsPage
      title="Trash of activities"
      lead="Deleted activities can be restored until they are deleted permanently."
      heading={<Crumbs way={[{ name: 'Activities', to: activityPaths.activities(useOrg()) }]} here="Trash" />}
    >
      <Trash />
    </SettingsPage>
  )
}
