// Deleted activities, comments and files: restored or deleted permanently from here.
import { DeletedFiles } from '../../shared/attachments/deleted-files.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Section, SettingsPage } from '../../ui/sections.tsx'
import { DeletedComments } from '../comments/deleted-comments.tsx'
import { DeletedActivities } from './deleted-activities.tsx'
import { activityPaths } from './paths.ts'

export function ActivityTrashPage() {
  return (
    <SettingsPage
      title="Trash of activities, comments and files"
      lead="What was deleted can be restored until it is deleted permanently."
      heading={<Crumbs way={[{ name: 'Activities', to: activityPaths.activities(useOrg()) }]} here="Trash" />}
    >
      <Section title="Activities">
        <DeletedActivities />
      </Section>
      <Section title="Comments" description="Yours; owners and admins see those of all members.">
        <DeletedComments />
      </Section>
      <Section
        title="Files"
        description="Removed from records and activities. They count towards the storage."
      >
        <DeletedFiles />
      </Section>
    </SettingsPage>
  )
}
