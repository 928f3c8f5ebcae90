import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isAtLeast } from '../../../../../contract/roles.ts'
import { sessionQuery } from '../../../../shared/api/session.ts'
import { ConfirmDialog } from '../../../../shared/confirm-dialog.tsx'
import { useOrganization } from '../../../../shared/use-organization.ts'
import { type Member, refreshMemberAccess, removeMember } from '../../api/members.ts'
import { MemberAccess } from './member-access.tsx'

/** Removes another member, or oneself: then the page leaves the organization. */
export function RemoveMember({ member, onClose }: { member: Member; onClose(): void }) {
  const { organization, user } = useOrganization()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [revokeKeys, setRevokeKeys] = useState(false)
  const isSelf = member.user.id === user.id
  const remove = async () => {
    await removeMember(organization.slug, { id: member.id, revokeKeys })
    if (!isSelf) return refreshMemberAccess(client, organization.slug)
    await navigate({ to: '/new-organization' })
    client.removeQueries({ queryKey: [organization.slug] })
    await client.fetchQuery({ ...sessionQuery(), staleTime: 0 })
    return navigate({ to: '/', replace: true })
  }
  return (
    <ConfirmDialog
      title={isSelf ? `Leave ${organization.name}?` : `Remove ${member.user.name}?`}
      confirm={isSelf ? 'Leave' : 'Remove member'}
      onConfirm={remove}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>
          {isSelf ? 'You lose' : `${member.user.name} loses`} access to {organization.name} at once. Records
          and activities stay.
        </Text>
        {isAtLeast(organization.role, 'admin') && (
          <MemberAccess member={member} becomes={undefined} revokes={revokeKeys} onChange={setRevokeKeys} />
        )}
      </Stack>
    </ConfirmDialog>
  )
}
