// Shows a member of the organization with picture and name.
import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { membersQuery } from '../api/members.ts'
import { useOrg } from '../use-organization.ts'
import { UserAvatar } from '../user-avatar.tsx'
import classes from './values.module.css'

function useMember(id: string) {
  const { data: members } = useQuery(membersQuery(useOrg()))
  const user = members?.find((member) => member.user.id === id)?.user
  const known = user ? user.name || user.email : 'Former member'
  return { user, name: members ? known : '…' }
}

/** Only the picture. The name is in the tooltip and for screen readers. */
export function MemberPicture({ id }: { id: string }) {
  const { user, name } = useMember(id)
  return (
    <span className="inline" title={name}>
      <UserAvatar user={user ?? { name, email: '', image: null }} size={20} />
      <span className="visually-hidden">{name}</span>
    </span>
  )
}

/** @param id of the user */
export function MemberChip({ id }: { id: string }) {
  const { user, name } = useMember(id)
  return (
    <span className={classes.person}>
      {user ? <UserAvatar user={user} size={16} /> : <UserRound size={12} aria-hidden />}
      <span className="truncate">{name}</span>
    </span>
  )
}
