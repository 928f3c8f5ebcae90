// The page that the link in a confirmation email opens. A click on a button confirms the address, because programs
// that scan messages open links too.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrors } from '../../shared/api/errors.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { SignInError } from '../../shared/form-error.tsx'
import { useSubmit } from '../../shared/use-submit.ts'
import { PlainFrame } from '../../ui/plain-frame.tsx'
import { confirmEmail } from './api.ts'

const Open = () => (
  <Button component={Link} to="/" size="sm" fullWidth>
    Open Rapport
  </Button>
)

export function VerifyEmailPage() {
  const { token = '' } = useSearch({ from: '/verify-email' })
  const client = useQueryClient()
  const [isDone, setDone] = useState(false)
  const { submit, isBusy, error } = useSubmit(async (_: undefined) => {
    await confirmEmail(token)
    await client.invalidateQueries({ queryKey: sessionQuery().queryKey })
    setDone(true)
  })
  if (isDone)
    return (
      <PlainFrame title="Your email address is confirmed" lead="You can now invite people and send email.">
        <Open />
      </PlainFrame>
    )
  if (token === '' || fieldErrors(error).token)
    return (
      <PlainFrame
        title="This link is not valid"
        lead="It is older than a day or incomplete. Sign in and ask for a new one at the top of the page."
      >
        <Open />
      </PlainFrame>
    )
  return (
    <PlainFrame title="Confirm your email address">
      <SignInError error={error} fields={[]} />
      <Button size="sm" loading={isBusy} fullWidth autoFocus onClick={() => void submit(undefined)}>
        Confirm
      </Button>
    </PlainFrame>
  )
}
