import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { SignInError } from '../../shared/form-error.tsx'
import { readForm, useSubmit } from '../../shared/use-submit.ts'
import { PlainFrame } from '../../ui/plain-frame.tsx'
import { installationQuery, signIn } from './api.ts'
import { useEnter } from './form/use-enter.ts'
import { identityPaths } from './paths.ts'

function Elsewhere() {
  const { data: installation } = useQuery(installationQuery())
  return (
    <>
      <Anchor component={Link} to={identityPaths.forgotPassword()}>
        Forgot your password?
      </Anchor>
      {installation?.signUp === 'open' && (
        <Anchor component={Link} to={identityPaths.signUp()}>
          Create an account
        </Anchor>
      )}
    </>
  )
}

export function SignInPage() {
  const { from } = useSearch({ from: '/sign-in' })
  const enter = useEnter()
  const { submit, isBusy, error } = useSubmit(async (body: { email: string; password: string }) => {
    await signIn(body)
    await enter(from)
  })
  return (
    <PlainFrame title="Sign in to Rapport" footer={<Elsewhere />}>
      <form onSubmit={(event) => void submit(readForm(event, ['email', 'password']))}>
        <Stack gap="sm">
          <TextInput label="Email" name="email" type="email" autoComplete="username" required autoFocus />
          <PasswordInput label="Password" name="password" autoComplete="current-password" required />
          <SignInError error={error} />
          <Button type="submit" size="sm" loading={isBusy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </PlainFrame>
  )
}
