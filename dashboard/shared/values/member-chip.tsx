// A member of the organization: picture and name.
import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { membersQuery } from '../api/members.ts'
import { useOrg } from '../use-organization.ts'
import { UserAvatar } from '../user-avatar.tsx'

/** @param id of the user */
export function MemberChip({ id }: { id: string }) {
  const { data: members } = useQuery(membersQuery(useOrg()))
  const user = members?.find((member) => member.user.id === id)?.user
  const name = user ? user.name || user.email : 'Former member'
  return (
    <span className="tag small">
      {user ? <UserAvatar user={user} size={16} /> : <UserRound size={12} aria-hidden />}
      <span className="truncate">{members ? name : '…'}</span>
    </span>
  )
}
