// The activities in the trash.
import { useInfiniteQuery } from '@tanstack/react-query'
import { DeletedList } from '../../shared/deleted-list.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { purgeActivity, restoreActivity, trashedActivitiesQuery } from './api.ts'
import { restoredText } from './restored-text.ts'
import { useRefreshActivities } from './use-activity-changes.ts'

export function DeletedActivities() {
  const org = useOrg()
  const refresh = useRefreshActivities()
  const kind = {
    noun: 'activity',
    empty: <p className="muted">No deleted activities</p>,
    returns: () => 'Its links, participants and files return with it.',
    restore: (id: string) => restoreActivity(org, id).then(restoredText).finally(refresh),
    purge: (id: string) => purgeActivity(org, id).finally(refresh),
  }
  return (
    <DeletedList
      kind={kind}
      query={useInfiniteQuery(trashedActivitiesQuery(org))}
      itemsOf={({ activities }) => activities.map((activity) => ({ ...activity, name: activity.title }))}
    />
  )
}
