import { Page } from '../../ui/page.tsx'

export function ForgotPasswordPage() {
  return <Page title="Forgot password">Forgot password</Page>
}
