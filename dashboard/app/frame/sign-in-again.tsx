// The dialog to sign in again.
import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { signIn } from '../../features/identity/api.ts'
import { readVisitor, sessionQuery } from '../../shared/api/session.ts'
import { resume } from '../../shared/api/session-guard.ts'
import { forgetDrafts, forgetDraftsOfOthers } from '../../shared/drafts/draft-store.ts'
import { SignInError } from '../../shared/form-error.tsx'
import { useOrganization } from '../../shared/use-organization.ts'
import { readForm, useSubmit } from '../../shared/use-submit.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** Continues as the same user. For another user, everything shown before is removed. */
function useGoOn() {
  const { user } = useOrganization()
  const client = useQueryClient()
  return async () => {
    const session = await readVisitor()
    if (!session) return
    if (session.user.id !== user.id) {
      forgetDraftsOfOthers(session.user.id)
      return location.reload()
    }
    client.setQueryData(sessionQuery().queryKey, session)
    resume()
  }
}

/** Closes the dialog here when the user has signed in again in another tab. */
function useOtherTabs(goOn: () => Promise<unknown>) {
  useEffect(() => {
    const look = () => void goOn().catch(() => undefined)
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  })
}

export function SignInAgain() {
  const { user } = useOrganization()
  const goOn = useGoOn()
  useOtherTabs(goOn)
  const { submit, isBusy, error } = useSubmit(async ({ password }: { password: string }) => {
    await signIn({ email: user.email, password })
    await goOn()
  })
  return (
    <Dialog onClose={() => undefined} title="Your session has ended" withCloseButton={false}>
      <form data-asks="no" onSubmit={(event) => void submit(readForm(event, ['password']))}>
        <Stack gap="md">
          <Text>Sign in again to continue where you were. What you typed is kept.</Text>
          {/* Password managers need a user name in the same form as the password. */}
          <input type="email" name="email" value={user.email} autoComplete="username" readOnly hidden />
          <PasswordInput
            label={`Password of ${user.email}`}
            name="password"
            autoComplete="current-password"
            required
            data-autofocus
          />
          <SignInError error={error} />
          <Button type="submit" loading={isBusy} fullWidth>
            Sign in
          </Button>
          <Text c="dimmed">
            <Anchor href="/sign-in" underline="always" onClick={forgetDrafts}>
              Sign in as another user
            </Anchor>
            (what you typed is lost).
          </Text>
        </Stack>
      </form>
    </Dialog>
  )
}
