import { Page } from '../../ui/page.tsx'

export function ActivitiesPage() {
  return <Page title="Activities">Activities</Page>
}
