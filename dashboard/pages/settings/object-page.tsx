import { Page } from '../../ui/page.tsx'

export function ObjectPage() {
  return <Page title="Object">Object</Page>
}
