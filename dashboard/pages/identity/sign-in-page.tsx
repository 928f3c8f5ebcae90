import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { installationQuery, signIn } from '../../api/identity.ts'
import { useEnter } from '../../components/identity/use-enter.ts'
import { readForm, useSubmit } from '../../components/use-submit.ts'
import { paths } from '../../paths.ts'
import { FormError } from '../../ui/form-error.tsx'
import { PlainFrame } from '../../ui/plain-frame.tsx'

function Elsewhere() {
  const { data: installation } = useQuery(installationQuery())
  return (
    <>
      <Anchor component={Link} to={paths.forgotPassword()}>
        Forgot your password?
      </Anchor>
      {installation?.signUp === 'open' && (
        <Anchor component={Link} to={paths.signUp()}>
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
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
          <PasswordInput label="Password" name="password" autoComplete="current-password" required />
          <FormError error={error} />
          <Button type="submit" size="sm" loading={isBusy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </PlainFrame>
  )
}
