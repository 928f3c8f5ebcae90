import { Page } from '../../ui/page.tsx'

export function MembersPage() {
  return <Page title="Members">Members</Page>
}
