import { Page } from '../../ui/page.tsx'

export function ResetPasswordPage() {
  return <Page title="Reset password">Reset password</Page>
}
