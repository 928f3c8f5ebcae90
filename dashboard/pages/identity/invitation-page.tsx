import { Page } from '../../ui/page.tsx'

export function InvitationPage() {
  return <Page title="Invitation">Invitation</Page>
}
