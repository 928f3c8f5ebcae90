import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { request } from '../../api/client.ts'
import { messageOf } from '../../api/errors.ts'
import { sessionQuery } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { PlainFrame } from '../../ui/plain-frame.tsx'

/** Only addresses of this dashboard: a link must not lead elsewhere after signing in. */
const isOwnPath = (path: string | undefined): path is string => /^\/(?![/\\])/.test(path ?? '')

function useSignIn() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { from } = useSearch({ from: '/sign-in' })
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await request('POST', '/sign-in', { body: Object.fromEntries(new FormData(event.currentTarget)) })
      client.clear()
      await client.fetchQuery(sessionQuery())
      await navigate({ href: isOwnPath(from) ? from : '/', replace: true })
    } catch (refusal) {
      setError(messageOf(refusal))
      setBusy(false)
    }
  }
  return { signIn, error, isBusy }
}

export function SignInPage() {
  const { signIn, error, isBusy } = useSignIn()
  return (
    <PlainFrame
      title="Sign in to Rapport"
      footer={
        <>
          <Anchor component={Link} to={paths.forgotPassword()}>
            Forgot your password?
          </Anchor>
          <Anchor component={Link} to={paths.signUp()}>
            Create an account
          </Anchor>
        </>
      }
    >
      <form onSubmit={signIn}>
        <Stack gap="sm">
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
          <PasswordInput label="Password" name="password" autoComplete="current-password" required />
          {error && (
            <Text c="var(--danger)" role="alert">
              {error}
            </Text>
          )}
          <Button type="submit" size="sm" loading={isBusy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </PlainFrame>
  )
}
