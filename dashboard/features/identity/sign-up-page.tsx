import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { fieldErrors, hasCode, messageOf } from '../../shared/api/errors.ts'
import { SignInError } from '../../shared/form-error.tsx'
import { readForm, useSubmit } from '../../shared/use-submit.ts'
import { PlainFrame } from '../../ui/plain-frame.tsx'
import { installationQuery, signUp } from './api.ts'
import { regionOfBrowser } from './form/guess-region.ts'
import { useEnter } from './form/use-enter.ts'
import { NewPassword } from './new-password.tsx'
import { identityPaths } from './paths.ts'
import { GuessedRegion } from './region-fields.tsx'

const FIELDS = ['name', 'email', 'password', 'organization'] as const
const REGION = ['country', 'currency', 'timeZone'] as const
const PATHS = [...FIELDS, 'organization.name', ...REGION.map((field) => `organization.${field}`)]

function useSignUp() {
  const enter = useEnter()
  const [region, setRegion] = useState(regionOfBrowser)
  const submission = useSubmit(async (fields: Record<(typeof FIELDS)[number], string>) => {
    const { organization, ...person } = fields
    await signUp({ ...person, organization: { name: organization, ...region } })
    await enter()
  })
  return { ...submission, region, setRegion }
}

/** Errors by field. A refused email is always shown at its field. */
const errorsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'email_taken') ? { email: messageOf(error) } : fieldErrors(error)

function PersonFields({ errors }: { errors: Record<string, string> }) {
  return (
    <>
      <TextInput label="Your name" name="name" autoComplete="name" required autoFocus error={errors.name} />
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        error={errors.email}
      />
      <NewPassword error={errors.password} />
    </>
  )
}

function SignUpForm() {
  const { submit, isBusy, error, region, setRegion } = useSignUp()
  const errors = errorsOf(error)
  return (
    <form onSubmit={(event) => void submit(readForm(event, FIELDS))}>
      <Stack gap="sm">
        <PersonFields errors={errors} />
        <TextInput
          label="Organization"
          description="The company or team whose contacts these are"
          name="organization"
          autoComplete="organization"
          required
          error={errors['organization.name']}
        />
        <GuessedRegion value={region} onChange={setRegion} errors={fieldErrors(error, 'organization.')} />
        {!errors.email && <SignInError error={error} fields={PATHS} />}
        <Button type="submit" size="sm" loading={isBusy} fullWidth>
          Create account
        </Button>
      </Stack>
    </form>
  )
}

const Footer = ({ children }: { children?: ReactNode }) => (
  <span>
    {children}{' '}
    <Anchor component={Link} to={identityPaths.signIn()}>
      Sign in
    </Anchor>
  </span>
)

export function SignUpPage() {
  const { data: installation } = useSuspenseQuery(installationQuery())
  if (installation.signUp === 'closed')
    return (
      <PlainFrame
        title="Sign-up is closed"
        lead="People join by invitation. Ask an owner or admin of your organization to invite you."
        footer={<Footer />}
      >
        {null}
      </PlainFrame>
    )
  return (
    <PlainFrame
      title="Create your account"
      lead="You become the owner of a new organization, and can invite others to it."
      footer={<Footer>Have an account?</Footer>}
    >
      <SignUpForm />
    </PlainFrame>
  )
}
