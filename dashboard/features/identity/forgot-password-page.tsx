import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SignInError } from '../../shared/form-error.tsx'
import { readForm, useSubmit } from '../../shared/use-submit.ts'
import { PlainFrame } from '../../ui/plain-frame.tsx'
import { forgetPassword, installationQuery } from './api.ts'
import { KeptLink } from './kept-link.tsx'
import { identityPaths } from './paths.ts'

const toSignIn = (
  <Anchor component={Link} to={identityPaths.signIn()}>
    Back to sign in
  </Anchor>
)

/** The text is the same whether the account exists or not. */
function Sent({ email }: { email: string }) {
  const { data: installation } = useSuspenseQuery(installationQuery())
  return (
    <PlainFrame title="Check your email" footer={toSignIn}>
      <Text role="status" size="md">
        {installation.sendsMail ? (
          <>
            If <strong>{email}</strong> has an account, an email with a link to choose a new password is on
            its way. The link works once, for an hour.
          </>
        ) : (
          <>
            This installation does not send email: it keeps messages. If <strong>{email}</strong> has an
            account, there is one with a link to choose a new password. <KeptLink email={email} /> It works
            once, for an hour.
          </>
        )}
      </Text>
    </PlainFrame>
  )
}

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>()
  const { submit, isBusy, error } = useSubmit(async ({ email }: { email: string }) => {
    await forgetPassword(email)
    setSentTo(email)
  })
  if (sentTo !== undefined) return <Sent email={sentTo} />
  return (
    <PlainFrame
      title="Forgot your password?"
      lead="Enter the email you sign in with, and follow the link you get to choose a new password."
      footer={toSignIn}
    >
      <form onSubmit={(event) => void submit(readForm(event, ['email']))}>
        <Stack gap="sm">
          <TextInput label="Email" name="email" type="email" autoComplete="username" required autoFocus />
          <SignInError error={error} />
          <Button type="submit" size="sm" loading={isBusy} fullWidth>
            Send link
          </Button>
        </Stack>
      </form>
    </PlainFrame>
  )
}
