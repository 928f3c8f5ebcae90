import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Member, membersQuery, removeMember } from '../../../api/members.ts'
import { sessionQuery } from '../../../api/session.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useOrganization } from '../../use-organization.ts'

/** Somebody else goes, or oneself: then the organization is left behind. */
export function RemoveMember({ member, onClose }: { member: Member; onClose(): void }) {
  const { organization, user } = useOrganization()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isSelf = member.user.id === user.id
  const remove = async () => {
    await removeMember(organization.slug, member.id)
    if (!isSelf) return client.invalidateQueries({ queryKey: membersQuery(organization.slug).queryKey })
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
      {isSelf ? 'You lose' : `${member.user.name} loses`} access to {organization.name} at once. Records,
      activities and API keys stay: delete keys that should stop working in Developers, API keys.
    </ConfirmDialog>
  )
}
