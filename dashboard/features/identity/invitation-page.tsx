import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { InvitationAcceptance } from '../../../contract/invitations.ts'
import { fieldErrors } from '../../shared/api/errors.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { SignInError } from '../../shared/form-error.tsx'
import { readForm, useSubmit } from '../../shared/use-submit.ts'
import { PlainFrame } from '../../ui/plain-frame.tsx'
import { homePaths } from '../home/paths.ts'
import { acceptInvitation, type OpenedInvitation, openedInvitationQuery } from './api.ts'
import { useEnter } from './form/use-enter.ts'
import { NewPassword } from './new-password.tsx'
import { identityPaths } from './paths.ts'
import { ROLE_NAMES } from './roles.ts'
import { useSignOut } from './use-sign-out.ts'

const CLOSED = {
  unknown: [
    'This invitation is not valid',
    'The link is incomplete, or a newer one was sent: look for the latest email.',
  ],
  expired: ['This invitation has expired', 'Invitations are valid for a week. Ask for a new one.'],
  cancelled: ['This invitation was cancelled', 'Ask for a new one if you should be a member.'],
  accepted: ['This invitation was already accepted', 'Sign in to open the organization.'],
} as const

function useAccept(token: string) {
  const enter = useEnter()
  return useSubmit(async (body: InvitationAcceptance) => {
    const { organization } = await acceptInvitation(token, body)
    await enter(homePaths.home(organization))
  })
}

interface OpenProps {
  token: string
  invitation: OpenedInvitation
}

function AcceptAsUser({ token, invitation }: OpenProps) {
  const { submit, isBusy, error } = useAccept(token)
  return (
    <Stack gap="sm">
      <SignInError error={error} />
      <Button size="sm" fullWidth loading={isBusy} onClick={() => void submit({})}>
        Join {invitation.organization}
      </Button>
    </Stack>
  )
}

function AcceptAsNewUser({ token, invitation }: OpenProps) {
  const { submit, isBusy, error } = useAccept(token)
  const errors = fieldErrors(error)
  return (
    <form onSubmit={(event) => void submit(readForm(event, ['name', 'password']))}>
      <Stack gap="sm">
        <TextInput label="Email" value={invitation.email} autoComplete="username" readOnly />
        <TextInput label="Your name" name="name" autoComplete="name" required autoFocus error={errors.name} />
        <NewPassword error={errors.password} />
        <SignInError error={error} fields={['name', 'password']} />
        <Button type="submit" size="sm" fullWidth loading={isBusy}>
          Create account and join
        </Button>
      </Stack>
    </form>
  )
}

function SignInFirst({ token, email }: { token: string; email: string }) {
  return (
    <Button
      renderRoot={(props) => (
        <Link {...props} to="/sign-in" search={{ from: identityPaths.invitation(token) }} />
      )}
      size="sm"
      fullWidth
    >
      Sign in as {email}
    </Button>
  )
}

function OtherUser({ token, email }: { token: string; email: string }) {
  const signOut = useSignOut()
  return (
    <Stack gap="sm">
      <p>
        You are signed in as <strong>{email}</strong>, but this invitation is for another address.
      </p>
      <Button size="sm" fullWidth onClick={() => void signOut(identityPaths.invitation(token))}>
        Sign out and continue
      </Button>
    </Stack>
  )
}

function Acceptance({ token, invitation }: OpenProps) {
  const { data: session } = useSuspenseQuery(sessionQuery())
  if (!session && invitation.hasAccount) return <SignInFirst token={token} email={invitation.email} />
  if (!session) return <AcceptAsNewUser token={token} invitation={invitation} />
  if (session.user.email !== invitation.email) return <OtherUser token={token} email={session.user.email} />
  return <AcceptAsUser token={token} invitation={invitation} />
}

const toRapport = (
  <Anchor component={Link} to="/">
    Go to Rapport
  </Anchor>
)

export function InvitationPage() {
  const { token } = useParams({ from: '/invitation/$token' })
  const { data: invitation } = useSuspenseQuery(openedInvitationQuery(token))
  if (invitation?.state !== 'pending') {
    const [title, lead] = CLOSED[invitation?.state ?? 'unknown']
    return (
      <PlainFrame title={title} lead={lead} footer={toRapport}>
        {null}
      </PlainFrame>
    )
  }
  return (
    <PlainFrame
      title={`Join ${invitation.organization}`}
      lead={
        <>
          {invitation.invitedBy} invites <strong>{invitation.email}</strong> to be{' '}
          {ROLE_NAMES[invitation.role].article} of {invitation.organization} on Rapport.
        </>
      }
    >
      <Acceptance token={token} invitation={invitation} />
    </PlainFrame>
  )
}
