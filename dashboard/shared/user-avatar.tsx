// The picture of a user, for all places that show members.

import { Avatar } from '../ui/avatar.tsx'
import { reachable } from './api/file-address.ts'

interface UserAvatarProps {
  user: { name: string; email: string; image: string | null }
  size: 16 | 20 | 24
}

export const UserAvatar = ({ user, size }: UserAvatarProps) => (
  <Avatar name={user.name || user.email} src={user.image && reachable(user.image)} size={size} isRound />
)
