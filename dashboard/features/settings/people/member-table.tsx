import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Lock, LogOut, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { isAtLeast, ROLES, type Role } from '../../../../contract/roles.ts'
import { membersQuery } from '../../../shared/api/members.ts'
import { sessionQuery } from '../../../shared/api/session.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { toastError } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { UserAvatar } from '../../../shared/user-avatar.tsx'
import { WithReason } from '../../../ui/allowed.tsx'
import { Line, SecondLine } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { held } from '../../../ui/held.ts'
import { Select } from '../../../ui/select.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { ROLE_NAMES } from '../../identity/roles.ts'
import { changeRole, type Member, refreshMemberAccess } from '../api/members.ts'
import { MemberAccess } from './member-access.tsx'
import { isRoleToGive, whyMemberStays, whyRoleStays } from './member-rules.ts'
import { RemoveMember } from './remove-member.tsx'

function useMeeting(member: Member) {
  const { organization, user } = useOrganization()
  const { data: members } = useSuspenseQuery(membersQuery(organization.slug))
  const owners = members.filter(({ role }) => role === 'owner').length
  const isSelf = member.user.id === user.id
  return { actor: organization.role, target: member.role, isSelf, owners }
}

function useChangeRole(member: Member) {
  const { organization, user } = useOrganization()
  const client = useQueryClient()
  const query = membersQuery(organization.slug)
  const set = async (role: Role, revokeKeys = false) => {
    const changed = await changeRole(organization.slug, { id: member.id, role, revokeKeys })
    client.setQueryData(query.queryKey, (members) =>
      members?.map((one) => (one.id === changed.id ? changed : one)),
    )
    await refreshMemberAccess(client, organization.slug)
    await client.invalidateQueries({ queryKey: sessionQuery().queryKey })
  }
  const undo = async (role: Role) => {
    const members = await client.fetchQuery({ ...query, staleTime: 0 })
    if (members.find(({ id }) => id === member.id)?.role !== role)
      return 'The role was changed since, and stays as it is'
    await set(member.role)
    if (isAtLeast(role, member.role)) return undefined
    return `${member.user.name} is ${ROLE_NAMES[member.role].article} again. Cancelled invitations and revoked API keys are not restored`
  }
  return async (role: Role, revokeKeys = false) => {
    await set(role, revokeKeys)
    // A change of the user's own role is announced by app/frame/use-membership.ts.
    if (member.user.id === user.id) return
    pushUndo({ label: `${member.user.name} is now ${ROLE_NAMES[role].article}`, undo: () => undo(role) })
  }
}

interface DemotionProps {
  member: Member
  role: Role
  isSelf: boolean
  onConfirm(role: Role, revokeKeys: boolean): Promise<void>
  onClose(): void
}

/** A lower role cancels invitations and may revoke API keys. Users cannot undo a change to their role. */
function DemotionDialog({ member, role, isSelf, onConfirm, onClose }: DemotionProps) {
  const [revokeKeys, setRevokeKeys] = useState(false)
  const { article } = ROLE_NAMES[role]
  return (
    <ConfirmDialog
      title={isSelf ? 'Change your own role?' : `Make ${member.user.name} ${article}?`}
      confirm={isSelf ? `Become ${article}` : `Make ${article}`}
      onConfirm={() => onConfirm(role, revokeKeys)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>
          {isSelf
            ? 'You cannot undo this yourself: an owner has to give you your current role again.'
            : `From then on: ${ROLE_NAMES[role].may}.`}
        </Text>
        <MemberAccess member={member} becomes={role} revokes={revokeKeys} onChange={setRevokeKeys} />
      </Stack>
    </ConfirmDialog>
  )
}

function LockedRole({ role, reason }: { role: Role; reason: string }) {
  return (
    <WithReason reason={reason}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason is also for the keyboard */}
      <span className="inline gap-4 muted" tabIndex={0}>
        {ROLE_NAMES[role].label}
        <Lock size={12} aria-hidden />
        <span className="visually-hidden">({reason})</span>
      </span>
    </WithReason>
  )
}

function RoleSelect({ member }: { member: Member }) {
  const meeting = useMeeting(member)
  const change = useChangeRole(member)
  const [asked, setAsked] = useState<Role>()
  const reason = whyRoleStays(meeting)
  const choose = (role: Role) => {
    if (!isAtLeast(role, member.role)) setAsked(role)
    else change(role).catch(toastError)
  }
  if (reason !== undefined) return <LockedRole role={member.role} reason={reason} />
  return (
    <>
      <Select
        aria-label={`Role of ${member.user.name}`}
        data={ROLES.map((role) => ({
          value: role,
          label: ROLE_NAMES[role].label,
          disabled: !isRoleToGive(meeting.actor, role),
        }))}
        value={member.role}
        onChange={(role) => role && role !== member.role && choose(role as Role)}
        allowDeselect={false}
        size="xs"
        w={100}
      />
      {asked && (
        <DemotionDialog
          member={member}
          role={asked}
          isSelf={meeting.isSelf}
          onConfirm={change}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

const ICON = { size: 14, 'aria-hidden': true } as const

function RemoveButton({ member, onRemove }: { member: Member; onRemove(): void }) {
  const meeting = useMeeting(member)
  const reason = whyMemberStays(meeting)
  return (
    <WithReason reason={reason}>
      <Button
        variant="subtle"
        color="gray"
        className="icon-only"
        leftSection={meeting.isSelf ? <LogOut {...ICON} /> : <UserMinus {...ICON} />}
        aria-label={meeting.isSelf ? 'Leave the organization' : `Remove ${member.user.name}`}
        {...held(reason, onRemove)}
      >
        {meeting.isSelf ? 'Leave' : 'Remove'}
      </Button>
    </WithReason>
  )
}

function Person({ user }: Pick<Member, 'user'>) {
  const { id, name, email } = user
  const isSelf = useOrganization().user.id === id
  return (
    <span className="row shrink gap-8">
      <UserAvatar user={user} size={24} />
      <span className="shrink">
        <Line title={name}>
          {name}
          {isSelf && ' (you)'}
        </Line>
        <SecondLine>{email}</SecondLine>
      </span>
    </span>
  )
}

export function MemberTable() {
  const { organization } = useOrganization()
  const { data: members } = useSuspenseQuery(membersQuery(organization.slug))
  const [leaving, setLeaving] = useState<Member>()
  const columns: Columns<Member> = [
    { title: 'Name and email', kind: 'name', cell: ({ user }) => <Person user={user} /> },
    {
      title: 'Joined',
      isFit: true,
      onlyWide: true,
      cell: ({ createdAt }) => <ColumnTime value={createdAt} />,
    },
    { title: 'Role', isFit: true, cell: (member) => <RoleSelect member={member} /> },
    {
      title: 'Remove',
      kind: 'actions',
      cell: (member) => <RemoveButton member={member} onRemove={() => setLeaving(member)} />,
    },
  ]
  return (
    <>
      <DataTable label="Members" columns={columns} rows={members} />
      {leaving && <RemoveMember member={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}
