import { Page } from '../../ui/page.tsx'

export function ObjectsPage() {
  return <Page title="Objects">Objects</Page>
}
