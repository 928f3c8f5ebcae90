// The open invitations and API keys of a member, shown before the member loses the right to them.
import { Checkbox, List, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { counted } from '../../../../contract/counted.ts'
import type { Role } from '../../../../contract/roles.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import { type ApiKey, apiKeysQuery } from '../api/api-keys.ts'
import { type Invitation, invitationsQuery, type Member } from '../api/members.ts'

interface Access {
  /** API keys keep working unless the user revokes them. */
  keys: readonly ApiKey[]
  /** Invitations that will be cancelled. */
  invitations: readonly Invitation[]
}

interface Loss {
  member: Member
  /** The new role; undefined: the member is removed. */
  becomes: Role | undefined
}

function lostAccess({ keys, invitations }: Access, { member, becomes }: Loss): Access {
  const losesKeys = becomes === undefined || becomes === 'member'
  return {
    keys: losesKeys ? keys.filter(({ createdBy }) => createdBy.id === member.user.id) : [],
    invitations: invitations.filter(
      ({ invitedBy, role }) =>
        invitedBy.id === member.user.id && (losesKeys || (becomes === 'admin' && role === 'owner')),
    ),
  }
}

function CancelledInvitations({ invitations }: Pick<Access, 'invitations'>) {
  if (invitations.length === 0) return null
  return (
    <div>
      <Text>{invitations.length === 1 ? 'This invitation is' : 'These invitations are'} cancelled:</Text>
      <List size="sm" mt={4} mah={160} className="scroll" aria-label="Invitations">
        {invitations.map(({ id, email }) => (
          <List.Item key={id}>{email}</List.Item>
        ))}
      </List>
    </div>
  )
}

function KeyItem({ apiKey: { name, prefix, lastUsedAt } }: { apiKey: ApiKey }) {
  return (
    <li>
      {name} <code>{prefix}…</code>,{' '}
      {lastUsedAt ? (
        <>
          last used <TimeAgo value={lastUsedAt} />
        </>
      ) : (
        'never used'
      )}
    </li>
  )
}

interface RevocationProps {
  revokes: boolean
  onChange(revokes: boolean): void
}

function Keys({ keys, revokes, onChange }: Pick<Access, 'keys'> & RevocationProps) {
  if (keys.length === 0) return null
  return (
    <Stack gap="xs">
      <div>
        <Text>API keys made by this member:</Text>
        <List size="sm" mt={4} mah={160} className="scroll" aria-label="API keys">
          {keys.map((key) => (
            <KeyItem key={key.id} apiKey={key} />
          ))}
        </List>
      </div>
      <Checkbox
        checked={revokes}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        label={keys.length === 1 ? 'Revoke this key' : `Revoke these ${counted(keys.length, 'key')}`}
        description={
          revokes
            ? 'Programs that use them stop working immediately. A deleted key cannot be restored.'
            : 'They keep working for the programs that use them.'
        }
      />
    </Stack>
  )
}

/** For owners and admins. Other members may not see this data. */
export function MemberAccess({ member, becomes, ...revocation }: Loss & RevocationProps) {
  const org = useOrg()
  const [allKeys, allInvitations] = useQueries({ queries: [apiKeysQuery(org), invitationsQuery(org)] })
  const error = allKeys.error ?? allInvitations.error
  if (error) return <Text role="alert">{messageOf(error)}</Text>
  if (!allKeys.data || !allInvitations.data)
    return <Text role="status">Loading API keys and invitations…</Text>
  const all = { keys: allKeys.data, invitations: allInvitations.data }
  const { keys, invitations } = lostAccess(all, { member, becomes })
  if (keys.length === 0 && invitations.length === 0) return null
  return (
    <Stack gap="sm">
      <CancelledInvitations invitations={invitations} />
      <Keys keys={keys} {...revocation} />
    </Stack>
  )
}
