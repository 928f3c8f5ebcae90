import { Anchor, Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrors } from '../../shared/api/errors.ts'
import { SignInError } from '../../shared/form-error.tsx'
import { readForm, useSubmit } from '../../shared/use-submit.ts'
import { PlainFrame } from '../../ui/plain-frame.tsx'
import { resetPassword } from './api.ts'
import { NewPassword } from './new-password.tsx'
import { identityPaths } from './paths.ts'

function DeadLink() {
  return (
    <PlainFrame
      title="This link is no longer valid"
      lead="It was used before, is older than an hour, or a newer one was sent. Ask for a new one."
    >
      <Button component={Link} to={identityPaths.forgotPassword()} size="sm" fullWidth>
        Get a new link
      </Button>
    </PlainFrame>
  )
}

function Changed() {
  return (
    <PlainFrame
      title="Your password was changed"
      lead="You were signed out everywhere. Sign in with the new password."
    >
      <Button component={Link} to={identityPaths.signIn()} size="sm" fullWidth>
        Sign in
      </Button>
    </PlainFrame>
  )
}

export function ResetPasswordPage() {
  const { token = '' } = useSearch({ from: '/reset-password' })
  const client = useQueryClient()
  const [isDone, setDone] = useState(false)
  const { submit, isBusy, error } = useSubmit(async ({ password }: { password: string }) => {
    await resetPassword({ token, password })
    // The service has ended all sessions, including this one.
    client.clear()
    setDone(true)
  })
  const errors = fieldErrors(error)
  if (isDone) return <Changed />
  if (errors.token || token === '') return <DeadLink />
  return (
    <PlainFrame
      title="Choose a new password"
      footer={
        <Anchor component={Link} to={identityPaths.signIn()}>
          Back to sign in
        </Anchor>
      }
    >
      <form onSubmit={(event) => void submit(readForm(event, ['password']))}>
        <Stack gap="sm">
          <NewPassword label="New password" error={errors.password} autoFocus />
          <SignInError error={error} fields={['password']} />
          <Button type="submit" size="sm" loading={isBusy} fullWidth>
            Change password
          </Button>
        </Stack>
      </form>
    </PlainFrame>
  )
}
