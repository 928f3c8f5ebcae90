import { Page } from '../../ui/page.tsx'

export function SignUpPage() {
  return <Page title="Create an account">Create an account</Page>
}
