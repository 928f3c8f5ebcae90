import { Page } from '../../ui/page.tsx'

export function RecordsPage() {
  return <Page title="Records">Records</Page>
}
