import { Page } from '../../ui/page.tsx'

export function RecordPage() {
  return <Page title="Record">Record</Page>
}
