import { Stack, Text } from '@mantine/core'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isAtLeast } from '../../../../contract/roles.ts'
import { sessionQuery } from '../../../shared/api/session.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { toast } from '../../../shared/toast.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { type Member, refreshMemberAccess, removeMember } from '../api/members.ts'
import { assignmentsQuery, reassignmentsQuery, startReassignment } from '../api/reassignments.ts'
import { MemberAccess } from './member-access.tsx'
import { assignmentWords, ReassignChoice, type Reassigning } from './reassign-choice.tsx'

const hasAssignments = async (client: QueryClient, org: string, memberId: string) =>
  assignmentWords(await client.ensureQueryData(assignmentsQuery(org, memberId))) !== undefined

async function reassign(org: string, from: string, { how, to }: Reassigning) {
  if (how === 'keep') return
  if (how === 'give' && to === null)
    throw new Error('Choose who gets the records and tasks, or keep them as they are.')
  await startReassignment(org, { from, to: how === 'give' ? to : null })
}

/** Removes a member. If users remove themselves, the page then leaves the organization. */
export function RemoveMember({ member, onClose }: { member: Member; onClose(): void }) {
  const { organization, user } = useOrganization()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [revokeKeys, setRevokeKeys] = useState(false)
  const isSelf = member.user.id === user.id
  const isAdmin = isAtLeast(organization.role, 'admin')
  const [reassigning, setReassigning] = useState<Reassigning>({ how: 'give', to: isSelf ? null : user.id })
  const { data: shown } = useQuery({ ...assignmentsQuery(organization.slug, member.id), enabled: isAdmin })
  const remove = async () => {
    if (isAdmin && (await hasAssignments(client, organization.slug, member.id))) {
      if (!shown) throw new Error('Choose what happens to the records and tasks.')
      await reassign(organization.slug, member.user.id, reassigning)
    }
    await removeMember(organization.slug, { id: member.id, revokeKeys })
    if (!isSelf) {
      toast(`${member.user.name} was removed from ${organization.name}`)
      void client.invalidateQueries({ queryKey: reassignmentsQuery(organization.slug).queryKey })
      return refreshMemberAccess(client, organization.slug)
    }
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
          {isSelf ? 'You lose' : `${member.user.name} loses`} access to {organization.name} immediately.
          Records and activities stay.
        </Text>
        {isAdmin && (
          <>
            <ReassignChoice member={member} value={reassigning} onChange={setReassigning} />
            <MemberAccess member={member} becomes={undefined} revokes={revokeKeys} onChange={setRevokeKeys} />
          </>
        )}
      </Stack>
    </ConfirmDialog>
  )
}
