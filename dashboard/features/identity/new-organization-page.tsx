import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrors } from '../../shared/api/errors.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { FormError } from '../../shared/form-error.tsx'
import { readForm, useSubmit } from '../../shared/use-submit.ts'
import { PlainFrame } from '../../ui/plain-frame.tsx'
import { homePaths } from '../home/paths.ts'
import { createOrganization, installationQuery } from './api.ts'
import { regionOfBrowser } from './form/guess-region.ts'
import { GuessedRegion } from './region-fields.tsx'
import { useSignOut } from './use-sign-out.ts'

function useNewOrganization() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [region, setRegion] = useState(regionOfBrowser)
  const submission = useSubmit(async ({ name }: { name: string }) => {
    const { slug } = await createOrganization({ name, ...region })
    await client.fetchQuery({ ...sessionQuery(), staleTime: 0 })
    await navigate({ to: homePaths.home(slug) })
  })
  return { ...submission, region, setRegion }
}

function NewOrganizationForm() {
  const { submit, isBusy, error, region, setRegion } = useNewOrganization()
  const errors = fieldErrors(error)
  const { name, ...others } = errors
  return (
    <form onSubmit={(event) => void submit(readForm(event, ['name']))}>
      <Stack gap="sm">
        <TextInput label="Name" name="name" autoComplete="organization" required autoFocus error={name} />
        <GuessedRegion value={region} onChange={setRegion} errors={others} />
        <FormError error={error} fields={['name', 'country', 'currency', 'timeZone']} />
        <Button type="submit" size="sm" loading={isBusy} fullWidth>
          Create organization
        </Button>
      </Stack>
    </form>
  )
}

function Elsewhere({ hasOrganization, email }: { hasOrganization: boolean; email: string }) {
  const signOut = useSignOut()
  if (hasOrganization)
    return (
      <Anchor component={Link} to="/">
        Back to your organizations
      </Anchor>
    )
  return (
    <span>
      Signed in as {email}.{' '}
      <Anchor component="button" type="button" onClick={() => void signOut()}>
        Sign out
      </Anchor>
    </span>
  )
}

/** For users who create another organization, and users who belong to none. */
export function NewOrganizationPage() {
  const { data: session } = useSuspenseQuery(sessionQuery())
  const { data: installation } = useSuspenseQuery(installationQuery())
  const hasOrganization = (session?.organizations.length ?? 0) > 0
  const isClosed = installation.signUp === 'closed'
  const lead = isClosed
    ? 'New organizations are created by the operator of this installation. To join one, ask its owner or an admin to invite you.'
    : 'An organization has its own records, members and API keys; nothing is shared between organizations.'
  const none = isClosed ? 'You are not a member of an organization' : 'Create your first organization'
  return (
    <PlainFrame
      title={hasOrganization ? 'New organization' : none}
      lead={
        hasOrganization || isClosed
          ? lead
          : 'You are not a member of one yet. To join one that exists, ask its owner or an admin to invite you.'
      }
      footer={<Elsewhere hasOrganization={hasOrganization} email={session?.user.email ?? ''} />}
    >
      {!isClosed && <NewOrganizationForm />}
    </PlainFrame>
  )
}
