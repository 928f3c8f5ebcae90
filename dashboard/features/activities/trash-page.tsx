// Deleted activities and comments: restored or deleted permanently from here.
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Section, SettingsPage } from '../../ui/sections.tsx'
import { DeletedComments } from '../comments/deleted-comments.tsx'
import { DeletedActivities } from './deleted-activities.tsx'
import { activityPaths } from './paths.ts'

export function ActivityTrashPage() {
  return (
    <SettingsPage
      title="Trash of activities and comments"
      lead="What was deleted can be restored until it is deleted permanently."
      heading={<Crumbs way={[{ name: 'Activities', to: activityPaths.activities(useOrg()) }]} here="Trash" />}
    >
      <Section title="Activities">
        <DeletedActivities />
      </Section>
      <Section title="Comments" description="Yours; owners and admins see those of all members.">
        <DeletedComments />
      </Section>
    </SettingsPage>
  )
}
