// Deleted activities, comments and files: restored or deleted permanently from here.
import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { trashedAttachmentsQuery } from '../../shared/attachments/api.ts'
import { DeletedFiles } from '../../shared/attachments/deleted-files.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Section, SettingsPage } from '../../ui/sections.tsx'
import { trashedCommentsQuery } from '../comments/api.ts'
import { DeletedComments } from '../comments/deleted-comments.tsx'
import { trashedActivitiesQuery } from './api.ts'
import { DeletedActivities } from './deleted-activities.tsx'
import { activityPaths } from './paths.ts'

/** The lists are shown together: a list that appeared later would move the lists below it. */
function useIsLoading(org: string): boolean {
  const activities = useInfiniteQuery(trashedActivitiesQuery(org))
  const comments = useInfiniteQuery(trashedCommentsQuery(org))
  const files = useInfiniteQuery(trashedAttachmentsQuery(org))
  return ![activities, comments, files].every(({ isFetched }) => isFetched)
}

const Lists = () => (
  <>
    <Section title="Activities">
      <DeletedActivities />
    </Section>
    <Section title="Comments" description="Yours; owners and admins see those of all members.">
      <DeletedComments />
    </Section>
    <Section title="Files" description="Removed from records and activities. They count towards the storage.">
      <DeletedFiles />
    </Section>
  </>
)

export function ActivityTrashPage() {
  const org = useOrg()
  const isLoading = useIsLoading(org)
  return (
    <SettingsPage
      title="Trash of activities, comments and files"
      lead="What was deleted can be restored until it is deleted permanently."
      heading={<Crumbs way={[{ name: 'Activities', to: activityPaths.activities(org) }]} here="Trash" />}
    >
      {isLoading && <Skeleton height={96} role="status" aria-label="Loading" />}
      <div style={{ display: isLoading ? 'none' : 'contents' }}>
        <Lists />
      </div>
    </SettingsPage>
  )
}
