import { Page } from '../../ui/page.tsx'

export function NewOrganizationPage() {
  return <Page title="New organization">New organization</Page>
}
