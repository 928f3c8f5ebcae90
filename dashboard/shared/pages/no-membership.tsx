// Shown instead of any page of an organization without membership, with links to the user's organizations.
import { Anchor, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PlainFrame } from '../../ui/plain-frame.tsx'
import { sessionQuery } from '../api/session.ts'
import { address } from '../paths.ts'

/** The organization menu lists the rest. */
const SHOWN_MAX = 5

function Organizations() {
  const { data: session } = useQuery(sessionQuery())
  const [first, ...others] = session?.organizations.slice(0, SHOWN_MAX) ?? []
  if (!first)
    return (
      <Button component={Link} to="/new-organization" size="sm" fullWidth>
        Create an organization
      </Button>
    )
  return (
    <Stack gap="xs">
      {[first, ...others].map(({ slug, name }) => (
        <Button
          key={slug}
          component={Link}
          to={address('o', slug)}
          size="sm"
          variant={slug === first.slug ? 'filled' : 'default'}
          fullWidth
        >
          Open {name}
        </Button>
      ))}
    </Stack>
  )
}

/** @param formerName the organization's name, if its page was open when the membership ended */
export function NoMembership({ formerName }: { formerName?: string | undefined }) {
  const [title, reason] =
    formerName === undefined
      ? [
          'You are not a member of this organization',
          'The address may be wrong, the organization may have been deleted, or your membership has ended.',
        ]
      : [
          `You are no longer a member of ${formerName}`,
          'An owner or admin has ended your membership, or the organization was deleted.',
        ]
  return (
    <PlainFrame
      title={title}
      lead={`${reason} To return, ask an owner or admin to invite you.`}
      footer={<Anchor href="/sign-in">Sign in as another user</Anchor>}
    >
      <Organizations />
    </PlainFrame>
  )
}
